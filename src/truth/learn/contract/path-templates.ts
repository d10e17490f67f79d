import { asObject, isObject } from '../../../base/formats/json.ts'
import { plainName, wordsOf } from '../../../base/formats/names.ts'
import { singular } from '../../../base/formats/plurals.ts'
import { decodePercent } from '../../../contract/pointer.ts'
import { LIKE_ID } from '../../../app/learned/schema-names.ts'
import { type ApiExchange, isSuccess } from './api-traffic.ts'

/** A part of a path that differs from request to request. */
export interface PathParameter {
  readonly name: string
  /** What it was in the recordings, each once. */
  readonly values: readonly string[]
  /** Why it is taken for one: `ids`, `named` where responses name their items by it, `alike` where only the responses are alike. */
  readonly reason: 'ids' | 'named' | 'alike'
}

/** Exchanges whose paths differ in their parameters alone. */
export interface PathTemplate {
  /** Fixed segments, and parameters. */
  readonly parts: readonly (string | PathParameter)[]
  readonly exchanges: readonly ApiExchange[]
}

/** What requests went to at one place of the tree of all paths. */
interface PathBranch {
  readonly exchanges: ApiExchange[]
  readonly children: Map<string, PathBranch>
}

const newBranch = (): PathBranch => ({ exchanges: [], children: new Map() })

/** What stands beside items, and is none: `/users/me`, `/orders/search`. */
const NO_ITEM =
  /^(?:me|self|current|search|count|export|import|login|logout|bulk|batch|new|all|stats|status|latest|filter|query)$/i
/** The members by which a service names its items. */
const NAME = /^_?(?:id|uuid|uid|guid|key|name|slug|code|username|login|number)$/i
const DIGITS = /^\d+$/
/** So many paths that are alike are those of one operation, though nothing names a part of them. */
const LEAST_ALIKE = 3

/**
 * The templates of paths: `/pets/{petId}` of `/pets/1` and `/pets/2`. A segment is taken for a parameter where it has the form of an id,
 * where an item in a response or a request is named by it, and where several have responses that are alike.
 */
export function findTemplates(exchanges: readonly ApiExchange[]): PathTemplate[] {
  const root = newBranch()
  for (const one of exchanges) {
    let branch = root
    for (const segment of one.segments) {
      const next = branch.children.get(segment) ?? newBranch()
      branch.children.set(segment, next)
      branch = next
    }
    branch.exchanges.push(one)
  }
  return [...templatesBelow(root, [])]
}

function* templatesBelow(branch: PathBranch, parts: PathTemplate['parts']): Generator<PathTemplate> {
  if (branch.exchanges.length > 0) yield { parts, exchanges: branch.exchanges }
  const found = findValues(branch, parts)
  for (const [segment, child] of branch.children)
    if (found?.values.has(segment) !== true) yield* templatesBelow(child, [...parts, segment])
  if (!found) return
  const values = [...found.values]
  const items = merge(values.map((segment) => branch.children.get(segment) ?? newBranch()))
  const name = parameterName(parts, found)
  yield* templatesBelow(items, [...parts, { name, values: values.map(decodePercent), reason: found.reason }])
}

function merge(branches: readonly PathBranch[]): PathBranch {
  const merged = newBranch()
  const grouped = Map.groupBy(
    branches.flatMap(({ children }) => [...children]),
    ([segment]) => segment,
  )
  merged.exchanges.push(...branches.flatMap(({ exchanges }) => exchanges))
  for (const [segment, alike] of grouped) merged.children.set(segment, merge(alike.map(([, child]) => child)))
  return merged
}

interface FoundValues {
  readonly values: ReadonlySet<string>
  readonly reason: PathParameter['reason']
  /** The member that names the items. */
  readonly member?: string | undefined
}

/** The children of a branch that are values of one parameter. */
function findValues(branch: PathBranch, parts: PathTemplate['parts']): FoundValues | undefined {
  const noun = plainName(singular(holderOf(parts)))
  const all = [...branch.children.keys()].filter((segment) => segment !== '' && !NO_ITEM.test(segment))
  const names = namesOfItems(branch)
  const found = all.flatMap((segment): [string, string | undefined][] => {
    const value = decodePercent(segment)
    const child = branch.children.get(segment) ?? newBranch()
    const member = names.get(value) ?? ownName(child, value, noun)
    if (member !== undefined) return [[segment, member]]
    return isId(segment) ? [[segment, undefined]] : []
  })
  if (found.length > 0) {
    const known = new Set(found.map(([segment]) => segment))
    const merged = merge([...known].map((segment) => branch.children.get(segment) ?? newBranch()))
    // Among numbers, a word that is there is something else: `/projects/counts`.
    const items = { forms: formsOf(merged), below: merged.children, isOfIds: [...known].every(isId) }
    const others = all.filter((segment) => !known.has(segment) && isLike(branch.children.get(segment), items))
    const member = found.find(([, one]) => one !== undefined)?.[1]
    return { values: new Set([...known, ...others]), reason: member === undefined ? 'ids' : 'named', member }
  }
  const groups = Map.groupBy(all, (segment) => formOf(branch.children.get(segment)))
  const [alike] = [...groups].flatMap(([form, group]) =>
    form !== undefined && group.length >= LEAST_ALIKE ? [group] : [],
  )
  return alike && { values: new Set(alike), reason: 'alike' }
}

/** With and without a slash at the end. */
function exchangesAt({ exchanges, children }: PathBranch): readonly ApiExchange[] {
  return [...exchanges, ...(children.get('')?.exchanges ?? [])]
}

/** By which members the items of a branch are named, from its lists and from what was created: the name of the member by the value. */
function namesOfItems(branch: PathBranch): Map<string, string> {
  const names = new Map<string, string>()
  for (const { method, sent, json } of exchangesAt(branch).filter(isSuccess)) {
    for (const item of itemsIn(json)) for (const [value, name] of nameMembers(item)) names.set(value, name)
    // A list of nothing but names.
    for (const text of method === 'GET' ? listsIn(json).flat() : [])
      if (typeof text === 'string') names.set(text, 'name')
    if (method === 'POST') for (const [value, name] of nameMembers(sent)) names.set(value, name)
    // A map of items by their ids.
    if (method === 'GET' && isObject(json) && Object.values(json).every(isObject))
      for (const key of Object.keys(json)) if (!names.has(key)) names.set(key, 'id')
  }
  return names
}

/** What of a response may be items: itself, its members, and the elements of its lists. */
function itemsIn(json: unknown): unknown[] {
  return [json, ...Object.values(asObject(json)), ...listsIn(json).flat()]
}

function listsIn(json: unknown): (readonly unknown[])[] {
  return [json, ...Object.values(asObject(json))].filter((one): one is readonly unknown[] => Array.isArray(one))
}

function nameMembers(item: unknown): [string, string][] {
  if (!isObject(item)) return []
  return Object.entries(item).flatMap(([name, value]): [string, string][] =>
    NAME.test(name) && (typeof value === 'string' || typeof value === 'number') ? [[String(value), name]] : [],
  )
}

/**
 * The member of what is below a branch that has the value of its segment, by its name: `id`, `user_id`, and `version` below `versions`.
 *
 * @param noun of the branch above, as a plain name
 */
function ownName({ exchanges, children }: PathBranch, value: string, noun: string): string | undefined {
  const below = [...exchanges, ...[...children.values()].flatMap((child) => child.exchanges)].filter(isSuccess)
  for (const { json } of below)
    for (const item of itemsIn(json))
      for (const [name, one] of Object.entries(isObject(item) ? item : {}))
        if (String(one) === value && (NAME.test(wordsOf(name).at(-1) ?? '') || plainName(name) === noun)) return name
  return undefined
}

function isId(segment: string): boolean {
  return DIGITS.test(segment) || LIKE_ID.test(segment)
}

interface ItemsSeen {
  /** Their successful responses, one of each form. */
  readonly forms: readonly ApiExchange[]
  readonly below: ReadonlyMap<string, PathBranch>
  /** Whether all that are there have the form of an id. */
  readonly isOfIds: boolean
}

function formsOf(items: PathBranch): ApiExchange[] {
  const keyed = exchangesAt(items)
    .filter(isSuccess)
    .map((one) => [`${one.method} ${one.status} ${Object.keys(asObject(one.json)).join()}`, one] as const)
  return [...new Map(keyed).values()]
}

/** Whether a branch does what items do: it was never there, or it has operations as they have, with responses as theirs. */
function isLike(branch: PathBranch | undefined, { forms, below, isOfIds }: ItemsSeen): boolean {
  if (!branch) return false
  const own = exchangesAt(branch).filter(isSuccess)
  if (isOfIds && own.length > 0) return false
  const isKnownAs = (one: ApiExchange) =>
    forms.some((other) => other.method === one.method && other.status === one.status && isAlike(other.json, one.json))
  if (own.length > 0) return own.every(isKnownAs)
  return [...branch.children].every(([segment, child]) => below.has(segment) || !child.exchanges.some(isSuccess))
}

/** In how many of their members objects are alike. */
const LEAST_LIKENESS = 0.6

function isAlike(one: unknown, other: unknown): boolean {
  if (!isObject(one) || !isObject(other)) return isObject(one) === isObject(other)
  const [a, b] = [new Set(Object.keys(one)), new Set(Object.keys(other))]
  return a.intersection(b).size >= LEAST_LIKENESS * a.union(b).size
}

/** What single items look like; undefined where a branch has anything else. */
function formOf(branch: PathBranch | undefined): string | undefined {
  if (!branch || [...branch.children.keys()].some((segment) => segment !== '')) return undefined
  const forms = exchangesAt(branch)
    .filter(isSuccess)
    .flatMap(({ method, json }) => (isObject(json) ? [`${method} ${Object.keys(json).toSorted().join()}`] : []))
  const hasLists = exchangesAt(branch).some(({ json }) => listsIn(json).length > 0)
  const isOne = !hasLists && forms.length > 0 && new Set(forms).size === 1
  return isOne && forms[0]?.includes(',') === true ? forms[0] : undefined
}

/** The last fixed segment. */
function holderOf(parts: PathTemplate['parts']): string {
  return parts.findLast((part): part is string => typeof part === 'string' && part !== '') ?? ''
}

/** `petId` below `pets`, and the name of the member that names items where that is no id. */
function parameterName(parts: PathTemplate['parts'], { member }: FoundValues): string {
  const holder = holderOf(parts)
  const taken = new Set(parts.flatMap((part) => (typeof part === 'string' ? [] : [part.name])))
  const noun = camel(singular(holder))
  const isId = member === undefined || /^_?(?:id|uuid|uid|guid)$/i.test(member)
  const names = [
    ...(isId ? [] : [camel(member)]),
    ...(noun === '' ? [] : [noun.endsWith('Id') ? noun : `${noun}${isId ? 'Id' : capital(member)}`]),
    'id',
  ]
  return names.find((name) => !taken.has(name)) ?? `id${taken.size + 1}`
}

export function camel(text: string): string {
  const words = text.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '')
  return words.map((word, at) => (at === 0 ? word.charAt(0).toLowerCase() + word.slice(1) : capital(word))).join('')
}

export function capital(text: string): string {
  const name = text.replace(/^[^\p{L}\p{N}]+/u, '')
  return name.charAt(0).toUpperCase() + name.slice(1)
}
