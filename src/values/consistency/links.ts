import { pluralOf, singular } from '../../base/formats/plurals.ts'
import { isPerson } from './contact.ts'
import { firstOf, type Level, put, set, valueOf } from './level.ts'
import { ID_NAMES, plainName } from '../../base/formats/names.ts'
import { isObject, type Members } from '../../base/formats/json.ts'
import { amountIn, PRODUCT_PRICE, readAmount } from './amounts.ts'

/** Members such as `customer_id`, `tag_ids`, `customer: { id }` and `customer` that is an id name documents that exist. */
export function agreeOnReferences(level: Level): void {
  const { context, members, pointer } = level
  const referTo = (noun: string, order = 0) => context.references(noun, `${pointer}/${noun}/${order}`)
  const related = relationOf(level)
  const held = related === undefined ? heldBy(level) : { noun: related, purpose: pointer }
  const own = ID_NAMES.find((name) => Object.hasOwn(members, name))
  if (held && own !== undefined)
    set(level, own, fit(members[own], context.references(held.noun, held.purpose)) ?? members[own])
  if (related !== undefined && level.examples.get('type') === undefined) set(level, 'type', pluralOf(related))
  for (const [name, value] of Object.entries(members)) {
    const stem = /^(.+?)[_-]?(?:[iI]d|ID)(s?)$/.exec(name)
    if (stem?.[2] === '' || level.ids.has(name)) {
      const id = fit(value, referTo(stem?.[1] ?? name))
      if (id !== undefined) set(level, name, id)
    } else if (stem && Array.isArray(value)) {
      const ids = (value as readonly unknown[]).map((one, order) => fit(one, referTo(stem[1] ?? name, order)))
      if (ids.length > 0 && !ids.includes(undefined)) set(level, name, [...new Set(ids)])
    }
  }
}

/** What an object names as the value of `customer`, or as one of `tags`, and the place of that reference; undefined for a document. */
function heldBy({ property, pointer }: Level): { readonly noun: string; readonly purpose: string } | undefined {
  const [, place = '', name = '', order = '0'] = /^(.*?)\/([^/]+)(?:\/(\d+))?$/.exec(pointer) ?? []
  const noun = property ?? singular(name)
  const isOne = property !== undefined || noun !== name
  return isOne && noun !== '' ? { noun, purpose: `${place}/${noun}/${order}` } : undefined
}

/** What a resource identifier of JSON:API names: `category` of `/relationships/category/data`, whose type is `categories`. */
function relationOf({ members, pointer }: Level): string | undefined {
  const [, relation] = /\/relationships\/([^/]+)\/data(?:\/\d+)?$/.exec(pointer) ?? []
  return relation !== undefined && typeof members.type === 'string' ? singular(relation) : undefined
}

/** `product_name` beside `product_id` is the name of that product, and so is the `name` of `product: { id, name }`. */
export function agreeOnReferred(level: Level): void {
  const { context, members, names, pointer } = level
  const take = (noun: string, purpose: string, plain: string) => {
    const about = [...names].filter(([name]) => name.startsWith(plain) && name !== `${plain}id`)
    if (about.length === 0) return
    const taking = takenFrom(context.referred?.(noun, purpose), plain)
    for (const [name, own] of about) {
      const taken = taking(name)
      if (typeof taken === typeof members[own]) set(level, own, taken)
    }
  }
  const held = ID_NAMES.some((name) => Object.hasOwn(members, name)) ? heldBy(level) : undefined
  if (held) take(held.noun, held.purpose, '')
  for (const written of Object.keys(members)) {
    const noun = /^(.+?)[_-]?(?:[iI]d|ID)$/.exec(written)?.[1]
    if (noun !== undefined) take(noun, `${pointer}/${noun}/0`, plainName(noun))
  }
}

/** An id as a member writes its own: as a number or as a text. */
function fit(value: unknown, id: string | number | bigint | undefined): string | number | bigint | undefined {
  if (id === undefined) return undefined
  if (typeof value === 'string') return String(id)
  if (typeof value !== 'number' && typeof value !== 'bigint') return undefined
  return typeof id === 'string' && /^\d{1,15}$/.test(id) ? Number(id) : id
}

const ADDRESSES = ['url', 'htmlurl', 'selfurl', 'apiurl', 'self', 'selflink', 'href', 'uri', 'permalink', 'resourceurl']

/** Whether a pointer is that of an address of the document itself, or of a link: `/self_url`, `/_links/self/href`. */
export function isAddress(pointer: string): boolean {
  const [name = '', ...deeper] = pointer.slice(1).split('/')
  return /^_?links?$/.test(name) || (deeper.length === 0 && ADDRESSES.includes(plainName(name)))
}

/**
 * The address of a document ends with its path, in `url` and `self`. Links as in HAL are relative to where the document is read
 * (RFC 3986, 5): to its path, or below it by their relation, as Spring Data REST has them.
 */
export function agreeOnAddress(level: Level): void {
  const { path } = level.context
  if (path === undefined) return
  const [, relation] = /^\/_?links?(?:\/([^/]+))?$/.exec(level.pointer) ?? []
  if (level.pointer === '')
    for (const name of ADDRESSES) {
      const example = level.examples.get(level.names.get(name) ?? '')
      put(level, name, addressOf(isAddressLike(example, path) ? example : valueOf(level, name), path))
    }
  else if (relation !== undefined) setLink(level, 'href', relation, path)
  else if (/^\/_?links?$/.test(level.pointer))
    for (const name of Object.keys(level.members)) setLink(level, name, name, path)
}

/** Whether a URL is that of another document which is read at such a path: `https://api.example.com/pets/7` for `/pets/1`. */
export function isAddressLike(value: unknown, path: string): value is string {
  const given = typeof value === 'string' ? /^https?:\/\/[^/?#]+(\/[^?#]*)$/.exec(value)?.[1]?.split('/') : undefined
  const own = path.split('/')
  return given?.length === own.length && given[1] === own[1]
}

function setLink(level: Level, name: string, relation: string, path: string): void {
  const value = level.members[name]
  const target = relation === 'self' ? path : `${path}/${relation}`
  if (isMade(value)) set(level, name, level.absolute.has(name) ? addressOf(value, target) : target)
}

/** Whether an address was made up: its host is one for examples, or it is words. */
function isMade(href: unknown): boolean {
  if (typeof href !== 'string') return false
  return !href.includes('/') || /^https?:\/\/[\w.-]*\bexample\.(com|org)(\/|$)/.test(href)
}

function addressOf(value: unknown, path: string): unknown {
  if (value === '') return path
  const origin = typeof value === 'string' ? /^(https?:\/\/[^/?#]+)?\//.exec(value) : null
  return origin ? `${origin[1] ?? ''}${path}` : value
}

const KEYS = new Set(['id', 'uuid', 'number', 'key', 'slug', 'name', 'login', 'username', 'code', 'sha'])

/**
 * An address that was taken from the schema's example names what the object names: for `/labels/bug`, the example of a label called `bug`,
 * `/labels/urgent` in one called `urgent`. One below the address of the document, such as `/issues/1347/comments`, is below its own.
 */
export function agreeOnExamples(level: Level): void {
  const { examples, members, names, pointer, context } = level
  const isCopied = (name: string) => typeof members[name] === 'string' && members[name] === examples.get(name)
  const keys = [...names].flatMap(([plain, name]): [string, string][] => {
    const [shown, value] = [examples.get(name), members[name]]
    return KEYS.has(plain) && shown !== undefined && value !== undefined ? [[asText(shown), asText(value)]] : []
  })
  const own =
    pointer === '' && context.path !== undefined ? ADDRESSES.map((plain) => examples.get(names.get(plain) ?? '')) : []
  for (const name of Object.keys(members)) {
    const value = members[name]
    if (!isCopied(name) || typeof value !== 'string' || !/^(https?:\/\/|\/)/.test(value)) continue
    const above = own.find((one) => typeof one === 'string' && one.length > 1 && value.startsWith(`${one}/`))
    const moved =
      typeof above === 'string' ? `${asText(addressOf(above, context.path ?? ''))}${value.slice(above.length)}` : value
    const parts = moved === value ? value.split(/(?=[/?#{])/) : [moved]
    const renamed = parts.map((part) => {
      const [, to] = keys.find(([shown]) => part === `/${shown}`) ?? []
      return to === undefined ? part : `/${encodeURIComponent(to)}`
    })
    set(level, name, renamed.join(''))
  }
}

function asText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

const SLUGS = ['slug', 'permalink', 'handle', 'urlslug', 'slugname']
const TITLES = ['name', 'title', 'headline', 'label', 'subject', 'displayname']

/** A slug is made of the name beside it: `big-launch-2027`. That of a person, and one that is an address, stays. */
export function agreeOnSlug(level: Level): void {
  const { context, examples, names } = level
  const title = TITLES.map((plain) => valueOf(level, plain)).find((one) => typeof one === 'string' && one !== '')
  for (const plain of SLUGS) {
    const held = valueOf(level, plain)
    const isOther =
      plain === 'handle' && (isPerson(level.owner) || firstOf(level, ['email', 'firstname']) !== undefined)
    if (typeof title !== 'string' || typeof held !== 'string' || isOther || /[/:@]/.test(held)) continue
    // Many documents share a name.
    const suffix = context.count > FEW && level.pointer === '' ? `-${context.index + 1}` : ''
    const isExample = held !== '' && held === examples.get(names.get(plain) ?? '') && context.isNew !== true
    if (!isExample) put(level, plain, `${slugOf(title)}${suffix}`)
  }
}

const FEW = 100

/** As `slugify` of most frameworks: letters without accents, digits and hyphens. */
function slugOf(text: string): string {
  const plain = text.normalize('NFKD').replaceAll(/[\u0300-\u036f]/g, '')
  const words = plain.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? ['untitled']
  return words.join('-').slice(0, LONGEST_SLUG)
}

const LONGEST_SLUG = 60

/** An element says its place in its list, from 0. */
export function agreeOnIndex(level: Level): void {
  const place = /\/(\d+)$/.exec(level.pointer)?.[1]
  if (place !== undefined && typeof valueOf(level, 'index') === 'number') put(level, 'index', Number(place))
}

/** Numbers such as `item_count` say how many elements the list beside them has, and `total_tokens` is those of the input and the output. */
export function agreeOnCounts(level: Level): void {
  const halves = [...level.names.keys()].filter((plain) => /^(prompt|input|completion|output)tokens$/.test(plain))
  const tokens = halves.map((plain) => valueOf(level, plain)).filter((value) => typeof value === 'number')
  if (tokens.length > 0 && typeof valueOf(level, 'totaltokens') === 'number')
    put(
      level,
      'totaltokens',
      tokens.reduce((sum, one) => sum + one, 0),
    )
  const lists = [...level.names].flatMap(([plain, name]) => {
    const value = level.members[name]
    return Array.isArray(value) ? [{ plain, length: value.length }] : []
  })
  if (lists.length === 0) return
  for (const [plain, name] of level.names) {
    if (typeof level.members[name] !== 'number') continue
    const counted = /^(?:numberof|numof|num|total)(.+)$/.exec(plain)?.[1] ?? /^(.*?)(?:total)?count$/.exec(plain)?.[1]
    if (counted === undefined) continue
    const stem = counted.replace(/s$/, '')
    const own = lists.find((list) => list.plain.replace(/s$/, '') === stem)
    const isGeneral = /^(|total|item|line|element|result|row|entry)$/.test(stem) && plain !== 'totalcount'
    const meant = own ?? (isGeneral && lists.length === 1 ? lists[0] : undefined)
    if (meant) put(level, plain, meant.length)
  }
}

const CURRENCY = ['currency', 'currencycode', 'currencyiso', 'isocurrency']

/** The currency of an object, if it has one. */
export function currencyOf(level: Level): string | undefined {
  const name = firstOf(level, CURRENCY)
  const value = name === undefined ? undefined : valueOf(level, name)
  return typeof value === 'string' && /^[a-z]{3}$/i.test(value) ? value : undefined
}

/** Amounts of one document have one currency. */
export function agreeOnCurrency(level: Level, currency: string): void {
  for (const name of CURRENCY) {
    const value = valueOf(level, name)
    if (typeof value !== 'string' || !/^[a-z]{3}$/i.test(value)) continue
    put(level, name, value === value.toLowerCase() ? currency.toLowerCase() : currency.toUpperCase())
  }
}

const CHARGED = new Set(['unitprice', 'unitamount', 'priceperunit', 'itemprice', 'priceeach', 'price'])

/** What an object takes from a document that it refers to, by the plain names of its own members; undefined where it takes nothing. */
type TakenMembers = (name: string) => string | number | undefined

/**
 * `productName` is the `name` of the product, and `unitPrice` its price.
 *
 * @param noun of the document, as a plain name
 */
export function takenFrom(referred: unknown, noun: string): TakenMembers {
  if (!isObject(referred)) return () => undefined
  const held = new Map(Object.entries(referred).map(([own, value]) => [plainName(own), value]))
  return (name) => {
    const taken = name.startsWith(noun) && name !== `${noun}id` ? held.get(name.slice(noun.length)) : undefined
    if (typeof taken === 'string' || typeof taken === 'number') return taken
    return CHARGED.has(name) ? amountIn(referred, PRODUCT_PRICE) : undefined
  }
}

/** The members of a document that others take, a small part of it. */
export function sharedMembers(document: Members): Members {
  const shared = Object.entries(document).filter(([, one]) => typeof one === 'string' || readAmount(one) !== undefined)
  return Object.fromEntries(shared)
}
