import type { ControlClient } from '../client.ts'
import type { ExchangeRecord } from '../types.ts'
import { Code, toCode } from '../as-code.ts'
import { headersToSend, initOf } from '../request-code.ts'
import { cutLists, expectedBody, type ValueType } from './test-body.ts'
import { loadTestParts, setupLines, type TestParts } from './test-setup.ts'

/** The runners that a test can be copied for. */
export const RUNNERS = { vitest: 'Vitest', playwright: 'Playwright', 'node:test': 'node:test' } as const

export type CodeRunner = keyof typeof RUNNERS

/** How the tests of a runner are written. */
interface Dialect {
  /** The lines before the test, and the one that begins it. */
  begin(name: string, options: object, clock: string): readonly string[]
  equal(actual: string, expected: string): string
  matches(actual: string, expected: string): string
  rejects(promise: string): string
  /** How a value is expected that is another one each time. @param path of the value in the response */
  any(type: ValueType, path: string): string
  /** Assertions about such values, where `any` does not make them. */
  typeChecks(values: readonly { readonly path: string; readonly type: string }[]): readonly string[]
}

const BY_EXPECT: Omit<Dialect, 'begin'> = {
  equal: (actual, expected) => `expect(${actual}).toBe(${expected})`,
  matches: (actual, expected) => `expect(${actual}).toEqual(${expected})`,
  rejects: (promise) => `await expect(${promise}).rejects.toThrow()`,
  any: (type) => `expect.any(${type})`,
  typeChecks: () => [],
}

const DIALECTS: Readonly<Record<CodeRunner, Dialect>> = {
  vitest: {
    ...BY_EXPECT,
    begin: (name, options, clock) => [
      `import { expect } from 'vitest'`,
      `import { test as base } from 'standin/vitest'`,
      '',
      `const test = base.extend(${toCode({ standinOptions: options, clock })})`,
      '',
      `test(${toCode(name)}, async ({ standin, control }) => {`,
    ],
  },
  playwright: {
    ...BY_EXPECT,
    begin: (name, options, clock) => [
      `import { expect, test } from 'standin/playwright'`,
      '',
      `test.use(${toCode({ standinOptions: options, standinClock: clock })})`,
      '',
      `test(${toCode(name)}, async ({ standin, control }) => {`,
    ],
  },
  'node:test': {
    begin: (name, options, clock) => [
      `import assert from 'node:assert/strict'`,
      `import test from 'node:test'`,
      `import { useStandin } from 'standin/node-test'`,
      '',
      `test(${toCode(name)}, async (t) => {`,
      `  const standin = await useStandin(t, ${toCode({ ...options, clock }, '  ')})`,
      `  const { control } = standin`,
    ],
    equal: (actual, expected) => `assert.equal(${actual}, ${expected})`,
    matches: (actual, expected) => `assert.deepEqual(${actual}, ${expected})`,
    rejects: (promise) => `await assert.rejects(${promise})`,
    any: (_type, path) => path,
    typeChecks: (values) =>
      values.map(({ path, type }) => `assert.equal(typeof ${path}, ${toCode(type.toLowerCase())})`),
  },
}

interface FramedTest {
  readonly name: string
  /** Of the stand-in. */
  readonly options: object
  readonly clock: string
  /** Without their indentation. */
  readonly lines: readonly string[]
}

/** Lines as a test of a runner. They may use `standin` and `control`. */
export function frameTest(runner: CodeRunner, { name, options, clock, lines }: FramedTest): string {
  const [usesControl, usesStandin] = ['control.', 'standin.'].map((one) => lines.some((line) => line.includes(one)))
  const names = [...(usesStandin ? ['standin'] : []), ...(usesControl ? ['control'] : [])].join(', ')
  const begin = DIALECTS[runner]
    .begin(name, options, clock)
    .filter((line) => usesControl === true || line !== '  const { control } = standin')
  return [
    ...begin.map((line) => line.replace('{ standin, control }', `{ ${names} }`)),
    ...lines.map((line) => `  ${line}`),
    '})',
    '',
  ].join('\n')
}

/** An exchange as a test that can run anywhere: with the contract, the clock and the state that it needs. @throws ControlError */
export async function loadTest(client: ControlClient, exchange: ExchangeRecord, runner: CodeRunner): Promise<string> {
  return asTest(exchange, await loadTestParts(client, exchange), runner)
}

function asTest(exchange: ExchangeRecord, parts: TestParts, runner: CodeRunner): string {
  const { request, operationId, now } = exchange
  const { clock: start, ...options } = parts.options
  const dialect = DIALECTS[runner]
  const name = `${operationId ?? `${request.method} ${request.url.split('?')[0] ?? ''}`} ${outcomeOf(exchange)}`
  // One request is no whole client: it may leave pages unread.
  const needed = { ...options, start, goodClient: false, ...keysOf(exchange, parts) }
  const setup = setupLines(exchange, parts)
  const lines = [...setup, ...expectations(exchange, parts, dialect)]
  return frameTest(runner, { name, options: needed, clock: now, lines })
}

function outcomeOf({ answer, fault }: ExchangeRecord): string {
  if (!answer || answer.status === 0 || !answer.isComplete) return `breaks off${fault === null ? '' : ` (${fault})`}`
  return `responds with ${answer.status}`
}

/** A key that is refused is none that the stand-in lists; the journal does not keep it. */
function keysOf(exchange: ExchangeRecord, { operation }: TestParts): object {
  return isRefusedKey(exchange) && sentKey(exchange, operation) !== undefined ? { keys: [{ key: 'another-key' }] } : {}
}

function isRefusedKey({ answer, fault }: ExchangeRecord): boolean {
  return answer?.status === 401 && fault === null
}

function sentKey({ request }: ExchangeRecord, operation: TestParts['operation']): string | undefined {
  const names = Object.keys(operation?.keyHeaders ?? {}).map((name) => name.toLowerCase())
  return request.headers.find(({ name }) => names.includes(name.toLowerCase()))?.value
}

/** The headers with a key that is not listed; none where the request had none. */
function refusedKey(exchange: ExchangeRecord, operation: TestParts['operation']): Readonly<Record<string, string>> {
  if (sentKey(exchange, operation) === undefined) return {}
  const forms = Object.entries(operation?.keyHeaders ?? {})
  return Object.fromEntries(forms.map(([name, form]) => [name, form.replace('{key}', 'a-key')]))
}

function expectations(exchange: ExchangeRecord, { operation }: TestParts, dialect: Dialect): string[] {
  const { request, answer } = exchange
  // The fixture adds the key and the sandbox of the test, but for a key that is refused.
  const sent = Object.entries(headersToSend(request, '[key]')).filter(
    ([name, value]) => !value.includes('[key]') && name.toLowerCase() !== 'x-mock-sandbox',
  )
  const url = request.url.replaceAll('[redacted]', 'test').replaceAll(encodeURIComponent('[redacted]'), 'test')
  const isRefused = isRefusedKey(exchange)
  const others = isRefused ? { ...refusedKey(exchange, operation), 'X-Mock-Sandbox': new Code('standin.sandbox') } : {}
  const init = initOf({ ...Object.fromEntries(sent), ...others }, request)
  const target = isRefused ? `new URL(${toCode(url)}, await standin.listen())` : toCode(url)
  const call = `${isRefused ? 'fetch' : 'standin.fetch'}(${target}${init === '{}' ? '' : `, ${init}`})`
  if (!answer || answer.status === 0) return [dialect.rejects(call)]
  const head = [`const response = await ${call}`, dialect.equal('response.status', String(answer.status))]
  if (!answer.isComplete) return [...head, dialect.rejects('response.text()')]
  if (answer.isCut || answer.isForgotten || answer.encoding !== undefined) return head
  return [...head, ...bodyExpectations(exchange, answer.body ?? '', dialect)]
}

function bodyExpectations(exchange: ExchangeRecord, text: string, dialect: Dialect): string[] {
  const body = parsed(text)
  if (body === undefined) return [dialect.equal('await response.text()', toCode(text))]
  const { shown, long, actual } = cutLists(body)
  const fleeting: { path: string; type: ValueType }[] = []
  const expected = expectedBody(shown, exchange, (path, type) => {
    fleeting.push({ path, type })
    return new Code(dialect.any(type, path))
  })
  return [
    'const body = await response.json()',
    ...dialect.typeChecks(fleeting),
    ...long.map(({ path, length }) => dialect.equal(`${path}.length`, String(length))),
    dialect.matches(actual, toCode(expected, '  ')),
  ]
}

/** The JSON value of a text; undefined where it is none. Numbers that JavaScript cannot hold differ on both sides alike. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
