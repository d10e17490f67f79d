import { stringifyJson } from '../../../base/formats/json.ts'
import type { Case, Own, Planned, Seen, Steps } from '../case.ts'
import { type Facts, tokenOf } from './facts.ts'

export const JSON_HEADERS = [{ name: 'Content-Type', value: 'application/json' }] as const

export interface SearchOptions {
  /** As it is written after the question mark, or its parameters. */
  readonly query?: string | Readonly<Record<string, string | number | boolean>>
  /** Text is sent as it is. */
  readonly body?: unknown
  readonly set?: string
  /** For the whole path. */
  readonly path?: (usual: string) => string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly key?: NonNullable<Planned['key']>
  readonly tries?: string
}

export type Search = (options?: SearchOptions) => Planned

/**
 * Makes requests of the search in a file set.
 *
 * @param template its path, with the id of the file set in braces
 */
export function createSearch(template: string, fileSet: string): Search {
  return ({ query = '', body = {}, set = fileSet, path = same, method = 'POST', headers, key, tries } = {}) => {
    const text = typeof query === 'string' ? query : encodeQuery(query)
    return {
      method,
      url: path(template.replace(/\{[^{}]+\}/, encodeURIComponent(set))) + (text === '' ? '' : `?${text}`),
      headers: headers ? Object.entries(headers).map(([name, value]) => ({ name, value })) : JSON_HEADERS,
      body: body === undefined ? undefined : typeof body === 'string' ? body : stringifyJson(body),
      ...(key === undefined ? {} : { key }),
      ...(tries === undefined ? {} : { tries }),
    }
  }
}

function same(path: string): string {
  return path
}

function encodeQuery(query: Readonly<Record<string, string | number | boolean>>): string {
  return Object.entries(query)
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
    .join('&')
}

/** What cases about searches are made of. */
export interface Kit {
  readonly facts: Facts
  readonly search: Search
}

/** A case of requests that do not depend on each other. */
export function reads(about: string, name: string, requests: readonly Planned[], sizes?: readonly number[]): Case {
  return readsInTurn(
    about,
    name,
    function* () {
      yield* requests
    },
    sizes,
  )
}

/** A case whose later requests depend on earlier responses. */
export function readsInTurn(
  about: string,
  name: string,
  steps: (own: Own) => Steps,
  sizes: readonly number[] = [],
): Case {
  return { name, about: about.split(' '), writes: false, sizes, steps }
}

/** Fetches page after page, up to a number of pages. */
export function* walk(
  search: Search,
  options: SearchOptions,
  limit: number,
  most: number,
): Generator<Planned, readonly Seen[], Seen> {
  const { query } = options
  const rest = typeof query === 'object' ? query : {}
  const pages: Seen[] = [yield search({ ...options, query: { ...rest, limit } })]
  for (
    let token = tokenOf(pages[0]?.json);
    token !== undefined && pages.length < most;
    token = tokenOf(pages.at(-1)?.json)
  )
    pages.push(yield search({ ...options, query: { ...rest, limit, next: token } }))
  return pages
}

export const filter = (field: string, operator: string, ...value: readonly unknown[]) => ({ field, operator, value })
export const sort = (field: string, order?: unknown) => ({ field, ...(order === undefined ? {} : { order }) })
