import type { Case, Planned } from '../case.ts'
import { filter, type Kit, reads, sort } from './search.ts'

const JSON_TYPE = { 'Content-Type': 'application/json' }
const DEPTHS = [3, 4, 6, 8, 10, 16, 32, 33]
const BYTES = [1024, 4096, 16_384, 65_536, 131_072, 262_144, 524_288, 1_048_576]

/** Keys, headers, bodies and paths. */
export function httpCases({ facts, search }: Kit): Case[] {
  const two = { query: 'limit=2' }
  const typed = (type: string) => search({ ...two, headers: { 'Content-Type': type } })
  const withHeaders = (headers: Readonly<Record<string, string>>) =>
    search({ ...two, headers: { ...JSON_TYPE, ...headers } })
  const body = (text: unknown) => search({ ...two, body: text })
  return [
    reads('auth.refused auth.keys', 'a request without a key', [
      search({ ...two, key: 'none' }),
      search({ ...two, key: 'blank' }),
    ]),
    reads('auth.keys', 'an unknown key', [withHeaders({}), search({ ...two, key: 'other' })]),
    reads('http.order', 'two faults at once', [
      search({ query: 'limit=0', key: 'none', headers: { 'Content-Type': 'text/plain' } }),
    ]),
    reads('http.media-type', 'a body of another media type', [
      typed('text/plain'),
      search({ ...two, headers: {} }),
      typed('application/json; charset=iso-8859-1'),
    ]),
    reads('http.content-type-parameters', 'parameters of the media type', [
      typed('application/json; version=1'),
      typed('application/json; charset=utf8'),
    ]),
    reads('http.accept', 'an Accept without JSON', [withHeaders({ Accept: 'text/html' })]),
    reads('http.compression', 'an Accept-Encoding', [
      search({ query: 'limit=50', headers: { ...JSON_TYPE, 'Accept-Encoding': 'gzip' } }),
    ]),
    reads('http.json', 'a body that is no JSON object', ['{"filters":', '[]', 'null', '"a"'].map(body)),
    reads('http.duplicate-key', 'a name twice in the body', [
      body(`{"filters":[],"filters":[${JSON.stringify(filter('name', 'EQUALS', facts.file.name))}]}`),
    ]),
    reads('http.empty-body', 'an empty body', [body('')]),
    reads('http.null-array', 'null for a list', [body({ filters: null }), body({ fieldSort: null })]),
    reads(
      'http.size',
      'large bodies',
      BYTES.map((bytes) => body(`{}${' '.repeat(bytes - 2)}`)),
      BYTES,
    ),
    reads(
      'http.depth',
      'deep bodies',
      DEPTHS.map((depth) => body(`{"x":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`)),
      DEPTHS,
    ),
    reads('http.path', 'other spellings of the path', [
      search({ ...two, path: (path) => `${path}/` }),
      search({ ...two, path: (path) => path.replace(/\/(?=[^/]*$)/, '//') }),
      search({ ...two, path: (path) => path.replace(/[^/]+$/, (last) => last.toUpperCase()) }),
    ]),
    reads('http.encoding', 'escapes in the path', [
      search({ ...two, path: (path) => path.replace(/[a-z](?=[^/]*$)/, escaped) }),
      search({ ...two, set: 'a/b' }),
    ]),
    reads('http.repeated', 'a parameter twice', [search({ query: 'limit=1&limit=2' })]),
    reads('http.unknown-query', 'an unknown parameter', [search({ query: 'limit=2&colour=red' })]),
    reads(
      'http.boolean',
      'spellings of a boolean',
      ['TRUE', 'False', '1', ''].map((value) => search({ query: `limit=2&immediateChildren=${value}` })),
    ),
    reads('http.method', 'another method', [search({ ...two, method: 'PATCH', body: undefined, headers: {} })]),
    reads('http.options', 'OPTIONS', [search({ method: 'OPTIONS', body: undefined, headers: {}, key: 'none' })]),
    reads('error.body', 'an error', [search({ query: 'limit=abc' })]),
    reads('error.invalid-status', 'a request that breaks a rule', [
      search({ query: 'limit=-5' }),
      body({ fieldSort: [sort('colour')] }),
    ]),
    reads('error.several', 'several errors in a request', [
      search({ query: 'limit=0', body: { filters: [{ field: 'name' }] } }),
    ]),
    reads('error.bad-escape', 'a bad escape in the query', [search({ query: 'limit=2&directoryPath=100%' })]),
    reads('error.unknown-path', 'an unknown path', [search({ path: (path) => path.replace(/.$/, '') })]),
    reads('cors', 'pages of other origins', [
      withHeaders({ Origin: 'http://localhost:5173' }),
      withHeaders({ Origin: 'https://example.com' }),
      preflight(search, 'http://localhost:5173'),
      preflight(search, 'https://example.com'),
    ]),
  ]
}

function preflight(search: Kit['search'], Origin: string): Planned {
  const headers = { Origin, 'Access-Control-Request-Method': 'POST', 'Access-Control-Request-Headers': 'content-type' }
  return search({ method: 'OPTIONS', body: undefined, headers, key: 'none' })
}

/** The same letter as a percent-escape. */
function escaped(letter: string): string {
  return `%${letter.charCodeAt(0).toString(16)}`
}
