import type { Operation } from '../../../contract/contract.ts'
import { plainName } from '../../../base/formats/names.ts'
import { plural } from '../../../base/formats/plurals.ts'
import { isParameter, keyParts, templateShape } from '../../../contract/template.ts'

/** The operations of one path. */
export interface PathItem {
  /** The path's segments, without a suffix such as `.json`. */
  readonly segments: readonly string[]
  readonly methods: ReadonlyMap<string, Operation>
}

/** The paths of a contract, by their shape: `/customers/{}`. */
export type Routes = ReadonlyMap<string, PathItem>

export function readRoutes(operations: readonly Operation[]): Routes {
  const routes = new Map<string, { segments: readonly string[]; methods: Map<string, Operation> }>()
  // Paths without a query come first: those with one are variants of them.
  const ordered = operations.toSorted((a, b) => Number(hasQuery(a)) - Number(hasQuery(b)))
  const told = new Set<Operation>()
  for (const operation of ordered) {
    if (keyParts(operation.path).fragment !== undefined) continue
    const segments = segmentsOf(operation)
    const shape = shapeOf(segments)
    const route = routes.get(shape) ?? { segments, methods: new Map<string, Operation>() }
    routes.set(shape, route)
    const other = route.methods.get(operation.method)
    if (!other) route.methods.set(operation.method, operation)
    else if (hasQuery(operation) && hasQuery(other)) told.add(other)
  }
  // Only their queries differ, so the path does not identify the resource.
  for (const { methods } of routes.values())
    for (const [method, operation] of methods) if (told.has(operation)) methods.delete(method)
  return withPlurals(routes)
}

/** The segments of an operation's path, with the names that it gives its parameters. */
export function segmentsOf({ path }: Operation): string[] {
  const segments = keyParts(path).template.split('/').slice(1).map(withoutSuffix).flatMap(partsOfSegment)
  if (segments.at(-1) === '') segments.pop()
  return segments
}

/** Items of `/silences` may be at `/silence/{id}`, and made by a POST to `/silence`: the paths are taken for those of one collection. */
function withPlurals(routes: Routes): Routes {
  const renamed = new Map([...routes].flatMap(([shape, { segments }]) => pluralPath(routes, shape, segments)))
  if (renamed.size === 0) return routes
  const found = new Map<string, { segments: readonly string[]; methods: Map<string, Operation> }>()
  for (const [shape, { segments, methods }] of routes) {
    const [length, word] = [...renamed].find(([one]) => shape === one || shape.startsWith(`${one}/`))?.[1] ?? [0, '']
    const path = length === 0 ? segments : segments.with(length - 1, word)
    const route = found.get(shapeOf(path)) ?? { segments: path, methods: new Map<string, Operation>() }
    for (const [method, operation] of methods) if (!route.methods.has(method)) route.methods.set(method, operation)
    found.set(shapeOf(path), route)
  }
  return found
}

/** The path above that of an item, `/silence`, with the place and the word of the list that has its items; empty for any other path. */
function pluralPath(routes: Routes, shape: string, segments: readonly string[]): [string, [number, string]][] {
  const above = segments.slice(0, -1)
  const word = above.at(-1) ?? ''
  const list = shapeOf([...above.slice(0, -1), plural(word)])
  const isItem = parameterOf(segments.at(-1)) !== undefined && !word.includes('{') && plural(word) !== plainName(word)
  const at = shapeOf(above)
  const isApart = isItem && !routes.get(at)?.methods.has('GET') && !routes.has(`${list}/{}`)
  return isApart && routes.get(list)?.methods.has('GET') && shape === `${at}/{}`
    ? [[at, [above.length, plural(word)]]]
    : []
}

/** `/files?beta=true` */
function hasQuery({ path }: Operation): boolean {
  return keyParts(path).query.length > 0
}

/** `Messages.json` and `{Sid}.json` are written without their suffix. */
function withoutSuffix(segment: string): string {
  return segment.replace(/\.(json|xml)$/i, '')
}

/** `{id}:cancel` and `orders:search` have a word after a colon (AIP-136), and `Orders({id})` has the key of its item (OData). */
function partsOfSegment(segment: string): string[] {
  const [, before, word] = /^([^:{}]+|\{[^{}]+\}):(\w+)$/.exec(segment) ?? []
  if (before !== undefined && word !== undefined) return [before, word]
  const [, name, keys] = /^([\w.]+)\(((?:'?(?:\w+=)?'?\{[^{}]+\}'?,?)+)\)$/.exec(segment) ?? []
  return name === undefined ? [segment] : [name, ...(keys?.match(/\{[^{}]+\}/g) ?? [])]
}

/** What a route is found by. */
export function shapeOf(segments: readonly string[]): string {
  return templateShape(`/${segments.join('/')}`)
}

/** The name of the parameter that is a whole segment. */
export function parameterOf(segment: string | undefined): string | undefined {
  return segment !== undefined && isParameter(segment) ? segment.slice(1, -1) : undefined
}

/** Names of the parameters of a path, in its order. */
export function parametersOf(segments: readonly string[]): string[] {
  return segments.flatMap((segment) => parameterOf(segment) ?? [])
}

/** How many ids of parents complete the name of an instance of a collection. */
export function parameterCount({ path }: { readonly path: string }): number {
  return parametersOf(path.split('/')).length
}
