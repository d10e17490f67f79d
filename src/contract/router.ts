import type { Operation } from './contract.ts'
import { isParameter, readTemplate } from './template.ts'
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
  readonly strict: RegExp
  /** Overlooks case; slashes have been made single before. */
  readonly tolerant: RegExp
  /** Names of the parameters, in the order of the groups of the patterns. */
  readonly parameters: readonly string[]
  readonly operations: readonly Operation[]
}

/**
 * A router over the paths of a contract, which begin with its base path. A path without parameters comes before one that would match
 * it too (OpenAPI 3.1, 4.8.8.1).
 */
export function createRouter(operations: readonly Operation[], basePath = ''): Router {
  const byPath = Map.groupBy(operations, ({ path }) => basePath + path)
  const paths = [...byPath.keys()]
  const places = [...byPath]
    .map(([path, held]) => createPlace(path, held))
    .sort((a, b) => a.parameters.length - b.parameters.length)
  return {
    route(method, path, rule) {
      const sent =
        rule === 'strict'
          ? path
          : `/${path
              .split('/')
              .filter((segment) => segment !== '')
              .join('/')}`
      for (const place of places) {
        const operation = place.operations.find((one) => one.method === method)
        const parameters = operation && match(place[rule], place.parameters, sent)
        if (operation && parameters) return { kind: 'operation', operation, parameters }
      }
      const matching = places.filter((place) => place[rule].test(sent))
      const [first] = matching
      if (!first) return { kind: 'unknown', nearest: nearestPath(paths, path) }
      const allowed = new Set(matching.flatMap((place) => place.operations.map((one) => one.method)))
      return { kind: 'wrong-method', allowed: [...allowed], path: first.path }
    },
  }
}

function createPlace(path: string, operations: readonly Operation[]): Place {
  const { pattern, parameters } = readTemplate(path)
  return {
    path,
    strict: new RegExp(`^${pattern}$`),
    tolerant: new RegExp(`^${pattern}$`, 'i'),
    parameters,
    operations,
  }
}

function match(pattern: RegExp, names: readonly string[], path: string): Record<string, string> | undefined {
  const found = pattern.exec(path)
  return found ? Object.fromEntries(names.map((name, at) => [name, found[at + 1] ?? ''])) : undefined
}

/** The known path that was probably meant: what stands in the place of a parameter does not count. */
function nearestPath(paths: readonly string[], path: string): string | undefined {
  const segments = path.split('/')
  const filled = new Map(
    paths.map((known) => {
      const parts = known.split('/')
      const here = parts.map((part, index) =>
        isParameter(part) && segments[index] !== '' ? (segments[index] ?? part) : part,
      )
      return [here.join('/'), known] as const
    }),
  )
  const found = nearest(path, filled.keys())
  return found === undefined ? undefined : filled.get(found)
}
