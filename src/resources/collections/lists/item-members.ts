import { allows, type Shape, readBySchema, shapeOf } from '../../../contract/schemas/shape.ts'
import { encodePointer } from '../../../base/formats/json.ts'
import type { OperationPlan } from '../infer/plan.ts'
import { isOpenItem } from '../infer/open-items.ts'
import { keyOf, plural } from '../../../base/formats/plurals.ts'
import { ID_NAMES, wordsOf } from '../../../base/formats/names.ts'

/** The type of a member, so that texts of a request can be compared with it. */
type MemberKind = 'text' | 'number' | 'boolean' | 'instant' | 'date' | 'epoch' | 'any' | 'other'

/** A member of the items of a list, or of an object in them. */
export interface ItemMember {
  readonly pointer: string
  readonly words: readonly string[]
  /** Of its elements if it is a list. */
  readonly kind: MemberKind
  /** Also for a member of the objects in a list, `/tags/name`: it is one of several. */
  readonly isList: boolean
  /** Whether it is a member of objects in a list. */
  readonly isInList?: true
  /** The values of its enumeration. */
  readonly values?: readonly unknown[] | undefined
}

/** The members that a list can be filtered and sorted by. */
export interface ItemMembers {
  readonly all: readonly ItemMember[]
  /** The member of a name; ignoring case, punctuation and plural. */
  find(words: readonly string[]): ItemMember | undefined
  /** The only member of that name in objects of the item: `/address/city`. */
  findInner?(words: readonly string[]): ItemMember | undefined
  /** The date of a name such as `created`, for `created_at`; the obvious one for no words. */
  findDate(words: readonly string[]): ItemMember | undefined
  /** A member that no schema names; undefined where items have only those of their schema. */
  any?(words: readonly string[]): ItemMember | undefined
}

/** How many levels of nested objects are searched. */
const MAX_LEVELS = 3
const MAX_MEMBERS = 500

/** Of the schema of items: what makes items reads them, and then what lists them. */
export const readItemMembers = readBySchema((document, schema): ItemMembers => {
  const all: ItemMember[] = []
  collect(all, { document, schema, pointer: '', words: [] }, MAX_LEVELS)
  const byKey = new Map<string, ItemMember>()
  const byDate = new Map<string, ItemMember>()
  for (const member of all) {
    const key = keyOf(member.words)
    if (!byKey.has(key)) byKey.set(key, member)
    const date = dateKey(member.words)
    if (isDate(member) && !byDate.has(date)) byDate.set(date, member)
  }
  const dates = all.filter(isDate)
  const obvious = byDate.get('created') ?? byDate.get('') ?? (dates.length === 1 ? dates[0] : undefined)
  return {
    all,
    find(words) {
      const own = byKey.get(keyOf(words)) ?? byKey.get(keyOf(withoutId(words)))
      if (own && own.kind !== 'other') return own
      // Objects are named by their ids.
      return reference(byKey, words) ?? own
    },
    findInner(words) {
      const isNamed = (name: string | undefined) => name !== undefined && keyOf(wordsOf(name)) === keyOf(words)
      const [inner, ...others] = all.filter(({ pointer }) => isNamed(INNER.exec(pointer)?.[1]))
      return others.length === 0 && !inner?.isInList ? inner : undefined
    },
    findDate(words) {
      const key = dateKey(words)
      return key === '' ? obvious : byDate.get(key)
    },
    ...(isOpenItem(document, schema) && { any: unnamedMember }),
  }
})

/** The last name of a pointer into an object. */
const INNER = /^\/.+\/([^/]+)$/

/** A member of any type, called as a client writes it: `first_name`. */
function unnamedMember(words: readonly string[]): ItemMember {
  const pointer = `/${encodePointer(words.join('_'))}`
  return { pointer, words, kind: 'any', isList: false }
}

/** `customer_id` is also the member `customer`, where that holds no object. */
function withoutId(words: readonly string[]): readonly string[] {
  return words.length > 1 && words.at(-1) === 'id' ? words.slice(0, -1) : words
}

/** `customer` is also the member `customer_id`, or `customer.gid`; `tag` and `tag_id` are also the ids of the objects in `tags`. */
function reference(byKey: ReadonlyMap<string, ItemMember>, words: readonly string[]): ItemMember | undefined {
  if (words.length === 0) return undefined
  const holders = [keyOf(words), plural(keyOf(withoutId(words)))]
  return holders
    .flatMap((holder) => ID_NAMES.map((id) => byKey.get(keyOf([holder, id]))))
    .find((one) => one !== undefined)
}

/** The members of items as a list shows them, and those that only the whole item has, which lists can be filtered and sorted by too. */
export function readListedMembers(
  document: unknown,
  { output, collection }: Pick<OperationPlan, 'output' | 'collection'>,
): ItemMembers {
  const whole = readItemMembers(document, collection.schema)
  const shown = output.located ? readItemMembers(document, output.located.schema) : whole
  const noun = wordsOf(collection.noun)
  // `pool_name` of pools is their `name`.
  const withoutNoun = (words: readonly string[]) =>
    words.length > noun.length && noun.every((word, at) => word === words[at])
      ? whole.find(words.slice(noun.length))
      : undefined
  return {
    ...shown,
    find: (words) => shown.find(words) ?? whole.find(words) ?? withoutNoun(words),
    findInner: (words) => shown.findInner?.(words) ?? whole.findInner?.(words),
    findDate: (words) => shown.findDate(words) ?? (words.length > 0 ? whole.findDate(words) : undefined),
  }
}

function isDate({ kind, isList }: ItemMember): boolean {
  return !isList && (kind === 'instant' || kind === 'date' || kind === 'epoch')
}

/** Words that say only that a name is a date. */
const DATE_WORDS = new Set(['at', 'on', 'date', 'time', 'timestamp', 'datetime', 'utc'])
const SAME_WORDS: Readonly<Record<string, string>> = {
  creation: 'created',
  create: 'created',
  modification: 'updated',
  modified: 'updated',
  update: 'updated',
  changed: 'updated',
}

function dateKey(words: readonly string[]): string {
  return words
    .filter((word) => !DATE_WORDS.has(word))
    .map((word) => SAME_WORDS[word] ?? word)
    .join('')
}

interface MemberLevel extends Pick<ItemMember, 'pointer' | 'words' | 'isInList'> {
  readonly document: unknown
  readonly schema: unknown
}

/** The members of an object come before those of objects in it. */
function collect(into: ItemMember[], level: MemberLevel, levels: number): void {
  const { document, schema, pointer, words } = level
  const inList = level.isInList ? { isInList: true as const } : {}
  const { properties } = shapeOf(document, schema, 'any')
  const inner: MemberLevel[] = []
  for (const [name, member] of properties) {
    if (into.length >= MAX_MEMBERS) return
    const shape = shapeOf(document, member, 'any')
    const inside: MemberLevel = {
      ...inList,
      document,
      schema: member,
      pointer: `${pointer}/${encodePointer(name)}`,
      // The attributes of JSON:API are the members of a resource.
      words: name === 'attributes' ? words : [...words, ...wordsOf(name)],
    }
    if (shape.keywords.writeOnly === true) continue
    if (shape.properties.size > 0) inner.push(inside)
    // What may be an id or the item that it names, `anyOf: [string, Customer]`, is the id.
    if (shape.properties.size === 0 || shape.types.has('string') || shape.types.has('integer')) {
      into.push(memberOf(inside, shape, name))
      const isOfObjects = shape.types.has('array') && shapeOf(document, shape.items, 'any').properties.size > 0
      if (isOfObjects && name !== 'attributes') inner.push({ ...inside, schema: shape.items, isInList: true })
    }
  }
  if (levels > 1) for (const one of inner) collect(into, one, levels - 1)
}

function memberOf({ document, pointer, words, isInList }: MemberLevel, shape: Shape, name: string): ItemMember {
  const isArray = shape.types.has('array')
  const value = isArray ? shapeOf(document, shape.items, 'any') : shape
  const { enum: values } = value.keywords
  const kind = kindOf(value, name)
  return {
    pointer,
    words,
    kind,
    isList: isArray || isInList === true,
    ...(isInList ? { isInList } : {}),
    ...(Array.isArray(values) ? { values } : {}),
  }
}

function kindOf(shape: Shape, name: string): MemberKind {
  const { format } = shape.keywords
  const isPast = /(^|[a-z_-])(at|on|date|time|timestamp)$|^(created|updated|modified|deleted)$/i.test(name)
  const isOf = (...types: readonly string[]) => types.some((type) => shape.types.has(type))
  if (shape.types.has('string')) {
    if (format === 'date-time') return 'instant'
    if (format === 'date') return 'date'
    return isOf('integer', 'number', 'boolean') ? 'any' : 'text'
  }
  if (isOf('integer', 'number'))
    return format === 'unix-time' || (isPast && /(_at|At|^created|^updated|timestamp)$/.test(name)) ? 'epoch' : 'number'
  if (shape.types.has('boolean')) return 'boolean'
  return shape.types.size === 0 && allows(shape, 'string') ? 'text' : 'other'
}
