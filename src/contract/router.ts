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
  readonly strict: RegExp
  /** Overlooks case; slashes have been made single before. */
  readonly tolerant: RegExp
  /** Names of the parameters, in the order of the groups of the patterns. */
  readonly parameters: readonly string[]
  readonly operations: readonly Operation[]
}

/**
 * A router over the paths of a contract, which begin with its base path. A path without parameters comes before one that would match it too (OpenAPI 3.1,
 * 4.8.8.1).
 */
export function createRouter(operations: readonly Operation[], basePath = ''): Router {
  const known = [...new Set(operations.map(({ path }) => path))]
  const paths = known.map((path) => basePath + path)
  const places = known
    .map((path) => createPlace(path, operations, basePath))
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
        const parameters = match(place[rule], place.parameters, sent)
        if (!parameters) continue
        const operation = place.operations.find((one) => one.method === method)
        if (operation) return { kind: 'operation', operation, parameters }
        return { kind: 'wrong-method', allowed: place.operations.map((one) => one.method), path: place.path }
      }
      return { kind: 'unknown', nearest: nearestPath(paths, path) }
    },
  }
}

function createPlace(path: string, operations: readonly Operation[], basePath: string): Place {
  const segments = (basePath + path).split('/')
  const pattern = segments.map((segment) => (isParameter(segment) ? '([^/]+)' : escaped(segment))).join('/')
  return {
    path: basePath + path,
    strict: new RegExp(`^${pattern}$`),
    tolerant: new RegExp(`^${pattern}$`, 'i'),
    parameters: segments.filter(isParameter).map((segment) => segment.slice(1, -1)),
    operations: operations.filter((operation) => operation.path === path),
  }
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)
}

/** A part in braces matches one segment that is not empty. */
function isParameter(segment: string): boolean {
  return segment.startsWith('{') && segment.endsWith('}')
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
