import { isObject, type Members } from '../../../base/formats/json.ts'
import { singular } from '../../../base/formats/plurals.ts'
import { schemaOfValues } from '../schemas/schema-of-values.ts'
import { type ApiExchange, isSuccess } from './api-traffic.ts'
import { camel, capital, type PathTemplate } from './path-templates.ts'

/** The requests of one method to the paths of one template. */
export interface RecordedOperation {
  readonly template: PathTemplate
  readonly method: string
  readonly exchanges: readonly ApiExchange[]
}

/** Where the items of a collection are in a response. */
interface ItemPlace {
  /** The component that describes them. */
  readonly name: string
  /** Of their schema in the schema of the response: `['items']`, `['properties', 'data', 'items']`. */
  readonly path: readonly string[]
}

export interface ItemSchemas {
  readonly components: Readonly<Record<string, Members>>
  /** Where items are in the successful responses of an operation; undefined where they have none. */
  placeIn(operation: RecordedOperation): ItemPlace | undefined
}

/**
 * One component for the items of each collection, from all responses that show them: of lists, of what was created, and of single
 * items. A document that says the same of all of them is what a reader, and a stand-in, can tell a collection by.
 */
export function findItemSchemas(
  operations: readonly RecordedOperation[],
  isSent: (name: string) => boolean,
): ItemSchemas {
  const kinds: ShownKind[] = []
  const groups = [...Map.groupBy(operations, ({ template }) => collectionOf(template))].map(([path, own]) => ({
    parts: path.split('/').filter((part) => part !== ''),
    hasItems: own.some(({ template }) => isOfItem(template)),
    found: locateItems(own),
  }))
  // What only looks like items of another path, such as `/pets/search`, comes after these.
  for (const { parts, hasItems, found } of groups.toSorted((a, b) => Number(b.hasItems) - Number(a.hasItems))) {
    if (found.values.length === 0) continue
    const names = namesIn(found.values)
    const same = kinds.find((kind) => !hasItems && names.size > FEW_NAMES && overlap(kind.names, names) >= SAME)
    if (same) {
      same.values.push(...found.values)
      found.places.forEach((path, operation) => same.places.set(operation, path))
    } else if (hasItems || found.places.size > 1)
      kinds.push({ name: freeName(kinds, parts), names, values: [...found.values], places: new Map(found.places) })
  }
  const places = new Map(
    kinds.flatMap(({ name, places: own }) => [...own].map(([operation, path]) => [operation, { name, path }] as const)),
  )
  return {
    components: Object.fromEntries(
      kinds.map(({ name, values }) => [name, schemaOfValues(values, { isWhole: true, isSent })]),
    ),
    placeIn: (operation) => places.get(operation),
  }
}

interface ShownKind {
  readonly name: string
  readonly names: ReadonlySet<string>
  readonly values: unknown[]
  readonly places: Map<RecordedOperation, readonly string[]>
}

/** In how many members items of two paths are the same; those with few members may be so by chance. */
const SAME = 0.8
const FEW_NAMES = 2

/** The path of the list that the paths of a template are of, or of its items: `/pets` for `/pets/{petId}`. */
function collectionOf({ parts }: PathTemplate): string {
  const own = parts.at(-1) === '' ? parts.slice(0, -1) : parts
  const above = typeof own.at(-1) === 'object' ? own.slice(0, -1) : own
  return above.map((part) => `/${typeof part === 'string' ? part : `{${part.name}}`}`).join('')
}

export function isOfItem({ parts }: PathTemplate): boolean {
  return typeof parts.findLast((part) => part !== '') === 'object'
}

function freeName(kinds: readonly ShownKind[], parts: readonly string[]): string {
  const nouns = parts.filter((part) => !part.startsWith('{')).map((part) => capital(camel(singular(part))))
  const names = nouns.map((_noun, at) => nouns.slice(nouns.length - 1 - at).join(''))
  const plain = names.find((name) => /^[A-Z]/.test(name) && kinds.every((kind) => kind.name !== name))
  return plain ?? `Item${kinds.length + 1}`
}

interface LocatedItems {
  readonly values: readonly unknown[]
  readonly places: ReadonlyMap<RecordedOperation, readonly string[]>
}

function locateItems(operations: readonly RecordedOperation[]): LocatedItems {
  const shown = operations
    .filter(({ method }) => method !== 'DELETE')
    .map((operation) => ({ operation, jsons: operation.exchanges.filter(isSuccess).map(({ json }) => json) }))
    .filter(({ jsons }) => jsons.some((json) => typeof json === 'object' && json !== null))
  const lists = shown.filter(({ operation: { template, method } }) => method === 'GET' && !isOfItem(template))
  const single = shown.filter(({ operation: { template, method } }) => isOfItem(template) || method === 'POST')
  const isKnown = single.length > 0 || operations.length > 1
  const listed = (names: ReadonlySet<string>) =>
    lists.flatMap(({ operation, jsons }): LocatedOperation[] => {
      const path = listPath(jsons, names)
      return path && isKnown ? [{ operation, path, jsons }] : []
    })
  const items = single.filter(({ operation }) => isOfItem(operation.template))
  // What lists have says where in other responses an item is, and the other way round.
  const elements = namesIn(listed(namesIn(items.flatMap(({ jsons }) => jsons))).flatMap(valuesOf))
  const each = single.map(({ operation, jsons }): LocatedOperation => {
    const path = jsons.some(Array.isArray) ? ['items'] : itemPath(jsons, elements)
    return { operation, path, jsons }
  })
  const named = namesIn(each.filter(({ operation }) => isOfItem(operation.template)).flatMap(valuesOf))
  const reference = named.size > 0 ? named : elements
  const alike = [...listed(reference), ...each].filter((one) => isAlike(one, reference))
  return {
    values: alike.flatMap(valuesOf).filter(isObject),
    places: new Map(alike.map(({ operation, path }) => [operation, path])),
  }
}

interface LocatedOperation {
  readonly operation: RecordedOperation
  readonly path: readonly string[]
  /** What it responded. */
  readonly jsons: readonly unknown[]
}

function valuesOf({ path, jsons }: LocatedOperation): unknown[] {
  return jsons.flatMap((json) => valuesAt(json, path))
}

/** Whether an operation shows whole items: an id alone is none, and a list may show a part of them. */
function isAlike(located: LocatedOperation, reference: ReadonlySet<string>): boolean {
  const names = namesIn(valuesOf(located))
  if (names.size === 0 || reference.size === 0 || overlap(names, reference) >= LEAST_LIKENESS) return true
  const isPart = names.intersection(reference).size >= LEAST_LIKENESS * names.size
  return isPart && names.size > FEW_NAMES && isOfItem(located.operation.template)
}

/** In how many of their members responses are of one kind. */
const LEAST_LIKENESS = 0.5

function namesIn(values: readonly unknown[]): Set<string> {
  return new Set(values.filter(isObject).flatMap(Object.keys))
}

function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const { size } = a.union(b)
  return size === 0 ? 1 : a.intersection(b).size / size
}

/** The objects at a place of a schema. */
export function valuesAt(value: unknown, [keyword, ...rest]: readonly string[]): unknown[] {
  if (keyword === undefined) return [value]
  if (keyword === 'items') return Array.isArray(value) ? value.flatMap((one) => valuesAt(one, rest)) : []
  if (!isObject(value)) return []
  if (keyword === 'additionalProperties') return Object.values(value).flatMap((one) => valuesAt(one, rest))
  const [name = '', ...below] = rest
  return valuesAt(value[name], below)
}

/** Where the elements of a list are; undefined for what is no list. */
function listPath(jsons: readonly unknown[], named: ReadonlySet<string>): readonly string[] | undefined {
  if (jsons.every(Array.isArray)) return ['items']
  const best = bestOf(
    listsIn(jsons, 2).map((path) => ({ path, names: namesIn(jsons.flatMap((json) => valuesAt(json, path))) })),
    named,
  )
  if (best) return best
  const entries = jsons.flatMap((json) => (isObject(json) ? Object.values(json) : []))
  const isMap = entries.length > 0 && entries.every(isObject) && named.size > 0
  return isMap && overlap(namesIn(entries), named) >= LEAST_LIKENESS ? ['additionalProperties'] : undefined
}

/** The places of lists in objects, and in objects in these. */
function listsIn(jsons: readonly unknown[], levels: number): string[][] {
  return [...namesIn(jsons)].flatMap((name) => {
    const values = jsons.flatMap((json) => (isObject(json) && Object.hasOwn(json, name) ? [json[name]] : []))
    if (values.every(Array.isArray)) return values.flat().every(isObject) ? [['properties', name, 'items']] : []
    return levels > 1 ? listsIn(values, levels - 1).map((path) => ['properties', name, ...path]) : []
  })
}

/** Where the item is in a response: it itself, or a member such as `data`. */
function itemPath(jsons: readonly unknown[], names: ReadonlySet<string>): readonly string[] {
  const within = [...namesIn(jsons)].map((name) => ['properties', name])
  const all = [[], ...within].map((path) => ({
    path,
    names: namesIn(jsons.flatMap((json) => valuesAt(json, path))),
  }))
  const whole = all[0]?.names ?? new Set<string>()
  // An envelope has an object and little else.
  const inner = all.find(({ path, names: own }) => path.length > 0 && own.size > 1)
  if (names.size === 0) return whole.size === 1 && inner ? inner.path : []
  return bestOf(all, names) ?? []
}

interface LikelyPlace {
  readonly path: readonly string[]
  readonly names: ReadonlySet<string>
}

/** The candidate whose members are most like those names; the only one where there are none to compare with. */
function bestOf(candidates: readonly LikelyPlace[], names: ReadonlySet<string>): readonly string[] | undefined {
  if (names.size === 0) return candidates.length === 1 ? candidates[0]?.path : undefined
  const scored = candidates.map(({ path, names: own }) => ({ path, score: own.size === 0 ? 0 : overlap(own, names) }))
  const [best] = scored.toSorted((a, b) => b.score - a.score)
  // A list that was always empty is the only one there is.
  return best && (best.score > 0 || scored.length === 1) ? best.path : undefined
}
