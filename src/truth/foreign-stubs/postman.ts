import { asList, asObject, isObject, type Members, tryParseJson } from '../../base/formats/json.ts'
import {
  bodyOf,
  type ForeignStub,
  type ForeignStubs,
  NoEqual,
  readHeaders,
  segmentsOf,
  textIn,
} from './foreign-stub.ts'

/** Whether a file is a collection of Postman, 2.0 or 2.1. */
export function isPostman(value: unknown): boolean {
  const { info, item } = asObject(asObject(value).collection ?? value)
  return Array.isArray(item) && isObject(info)
}

/**
 * Reads the saved examples of a collection. Of several for one request, the others are chosen by `x-mock-response-name`, and the first of
 * each status by `x-mock-response-code`.
 */
export function readPostman(files: readonly unknown[]): ForeignStubs {
  const stubs: ForeignStub[] = []
  const leftOut: string[] = []
  for (const request of files.flatMap((file) => requestsIn(asObject(asObject(file).collection ?? file)))) {
    const examples = asList(request.response).map(asObject)
    const bodies = new Set(examples.map((one) => JSON.stringify(asObject(asObject(one.originalRequest).body))))
    if (examples.length === 0) leftOut.push(`${String(request.name)}: it has no saved example`)
    for (const example of examples)
      try {
        stubs.push(...readExample(example, { request, comparesBodies: bodies.size > 1, before: stubs }))
      } catch (error) {
        if (!(error instanceof NoEqual)) throw error
        leftOut.push(`${String(request.name)}, ${String(example.name)}: ${error.message}`)
      }
  }
  // Those with a condition of their own come before the one that has none.
  const isNamed = ({ when: { header = {} } }: ForeignStub) => Number(NAME in header || CODE in header)
  return { stubs: stubs.toSorted((a, b) => isNamed(b) - isNamed(a)), leftOut }
}

const NAME = 'x-mock-response-name'
const CODE = 'x-mock-response-code'

function requestsIn({ item }: Members): readonly Members[] {
  return asList(item)
    .map(asObject)
    .flatMap((one) => (Array.isArray(one.item) ? requestsIn(one) : one.request === undefined ? [] : [one]))
}

interface ExampleSources {
  /** The item of the collection. */
  readonly request: Members
  /** Whether the bodies of its examples differ: Postman compares none by default. */
  readonly comparesBodies: boolean
  readonly before: readonly ForeignStub[]
}

function readExample(
  example: Members,
  { request: { request }, comparesBodies, before }: ExampleSources,
): ForeignStub[] {
  const asked = asObject(example.originalRequest ?? request)
  const { path, query } = targetOf(asked.url)
  const { mode, raw } = asObject(asked.body)
  const sent = comparesBodies && mode === 'raw' && typeof raw === 'string' ? tryParseJson(raw) : undefined
  const headers = asList(example.header).map((one): [string, unknown] => {
    const { key, value } = asObject(one)
    return [String(key), value]
  })
  const name = typeof example.name === 'string' ? example.name : undefined
  const method = textIn(asked.method, 'GET').toUpperCase()
  const when = { query, ...(sent === undefined ? {} : { body: { '': { equals: sent } } }) }
  const same = before.filter(
    (one) =>
      one.method === method &&
      JSON.stringify([one.path, one.when.query, one.when.body]) === JSON.stringify([path, query, when.body]),
  )
  const { body } = example
  const status = Number(example.code ?? 200)
  const response = {
    status,
    ...readHeaders(headers, undefined),
    body: typeof body === 'string' ? bodyOf(body, undefined) : undefined,
  }
  const stub = { method, path, respond: [response] }
  if (same.length === 0) return [{ ...stub, name, when }]
  const isFirst = !same.some(({ respond }) => respond.some((one) => one.status === status))
  return [
    { ...stub, name, when: { ...when, header: { [NAME]: name } } },
    ...(isFirst ? [{ ...stub, name: undefined, when: { ...when, header: { [CODE]: String(status) } } }] : []),
  ]
}

/** A URL is a text, or an object with its parts. Variables in front of the path are the host. */
function targetOf(url: unknown): { readonly path: ForeignStub['path']; readonly query: Members } {
  const { raw, path: parts, query: pairs } = asObject(url)
  const text = typeof url === 'string' ? url : typeof raw === 'string' ? raw : ''
  const [before = '', search = ''] = text.split('?', 2)
  const path = Array.isArray(parts)
    ? parts.map((one) => (isObject(one) ? String(one.value) : String(one))).join('/')
    : before.replace(/^(?:[a-z]+:\/\/[^/]*|\{\{[^}]*\}\}[^/]*)/i, '')
  const query: Record<string, unknown> = {}
  if (Array.isArray(pairs)) {
    for (const { key, value, disabled } of pairs.map(asObject))
      if (disabled !== true && typeof key === 'string' && !String(value).includes('{{')) query[key] = textIn(value)
  } else for (const [key, value] of new URLSearchParams(search)) query[key] = value
  return { path: segmentsOf(path.replaceAll(/\{\{(\w+)\}\}/g, '{$1}')), query }
}
