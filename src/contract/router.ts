import type { Operation } from './contract.ts'
import { nearest } from '../nearest.ts'

/** Where a request belongs. Path parameters are still as they were sent. */
export type Route =
  | { readonly kind: 'operation'; readonly operation: Operation; readonly parameters: Readonly<Record<string, string>> }
  | { readonly kind: 'wrong-method'; readonly allowed: readonly string[]; readonly path: string }
  | { readonly kind: 'unknown'; readonly nearest: string | undefined }

export interface Router {
  /** @param path as sent, without the query; `tolerant` overlooks case, trailing and doubled slashes */
  route(method: string, path: string, rule: 'strict' | 'tolerant'): Route
}

interface Place {
  readonly path: string
  readonly segments: readonly Segment[]
  readonly operations: readonly Operation[]
}

/** A parameter, by its name, matches any text that is not empty; a fixed text matches itself. */
type Segment = { readonly parameter: string } | { readonly text: string; readonly lower: string }

/** A router over the paths of a contract. A path without parameters comes before one that would match it too (OpenAPI 3.1, 4.8.8.1). */
export function createRouter(operations: readonly Operation[]): Router {
  const paths = [...new Set(operations.map(({ path }) => path))]
  const places = paths
    .map((path): Place => ({
      path,
      segments: path.split('/').map(readSegment),
      operations: operations.filter((operation) => operation.path === path),
    }))
    .sort((a, b) => countParameters(a) - countParameters(b))
  return {
    route(method, path, rule) {
      const segments = segmentsOf(path, rule)
      for (const place of places) {
        const parameters = match(place, segments, rule)
        if (!parameters) continue
        const operation = place.operations.find((one) => one.method === method)
        if (operation) return { kind: 'operation', operation, parameters }
        return { kind: 'wrong-method', allowed: place.operations.map((one) => one.method), path: place.path }
      }
      return { kind: 'unknown', nearest: nearestPath(paths, path) }
    },
  }
}

function countParameters({ segments }: Place): number {
  return segments.filter((segment) => 'parameter' in segment).length
}

function readSegment(segment: string): Segment {
  return isParameter(segment) ? { parameter: segment.slice(1, -1) } : { text: segment, lower: segment.toLowerCase() }
}

function isParameter(segment: string): boolean {
  return segment.startsWith('{') && segment.endsWith('}')
}

function segmentsOf(path: string, rule: 'strict' | 'tolerant'): string[] {
  const segments = path.split('/')
  return rule === 'strict' ? segments : ['', ...segments.filter((segment) => segment !== '')]
}

function match(
  place: Place,
  segments: readonly string[],
  rule: 'strict' | 'tolerant',
): Record<string, string> | undefined {
  if (segments.length !== place.segments.length) return undefined
  const parameters: [string, string][] = []
  for (let at = 0; at < segments.length; at++) {
    const wanted = place.segments[at]
    const segment = segments[at] ?? ''
    if (wanted === undefined) return undefined
    if ('parameter' in wanted) {
      if (segment === '') return undefined
      parameters.push([wanted.parameter, segment])
    } else if (rule === 'strict' ? segment !== wanted.text : segment.toLowerCase() !== wanted.lower) return undefined
  }
  return Object.fromEntries(parameters)
}

/** The known path that was probably meant: what stands in the place of a parameter does not count. */
function nearestPath(paths: readonly string[], path: string): string | undefined {
  const segments = path.split('/')
  const filled = new Map(
    paths.map((known) => {
      const parts = known.split('/')
      return [
        parts
          .map((part, index) => (isParameter(part) && segments[index] !== '' ? (segments[index] ?? part) : part))
          .join('/'),
        known,
      ] as const
    }),
  )
  const found = nearest(path, filled.keys())
  return found === undefined ? undefined : filled.get(found)
}
