import type { ExchangeRecord, FaultList } from '../../../../src/control/client/types.ts'
import { Code, toCode } from '../../as-code.ts'
import { callOf } from './request-code.ts'

type Fault = FaultList['faults'][number]

/** What a test is made of besides the exchange. */
export interface TestParts {
  /** The address of the service. */
  readonly base: string
  readonly key: string
  /** The faults of the sandbox. */
  readonly faults: readonly Fault[]
}

/** A request and its response as a test, which passes again where the service is in the same state. */
export function asTest(exchange: ExchangeRecord, { base, key, faults }: TestParts): string {
  const { request, answer, operationId, sandbox } = exchange
  const isRemoval = request.method === 'DELETE' && (answer?.status ?? 0) < 300
  // A second deletion would find nothing.
  const ownSandbox = isRemoval && sandbox === 'default' ? { 'X-Mock-Sandbox': new Code('`copied-${Date.now()}`') } : {}
  const call = callOf(request, { base, key, headers: ownSandbox })
  const name = `${operationId ?? `${request.method} ${request.url.split('?')[0]}`} ${outcomeOf(exchange)}`
  const lines = [...arming(exchange, base, faults), ...expectations(exchange, call)]
  return [
    `import { expect, test } from 'vitest'`,
    '',
    `test(${toCode(name)}, async () => {`,
    ...lines.map((line) => `  ${line}`),
    '})',
    '',
  ].join('\n')
}

function outcomeOf({ answer, fault }: ExchangeRecord): string {
  if (!answer || answer.status === 0 || !answer.isComplete) return `breaks off${fault === null ? '' : ` (${fault})`}`
  return `responds with ${answer.status}`
}

/** Arms the fault that struck once more. */
function arming({ fault, faultId, sandbox, answer }: ExchangeRecord, base: string, faults: readonly Fault[]): string[] {
  // Without an id the request asked for it itself, by the header Prefer.
  if (fault === null || faultId === undefined) return []
  const known = faults.find(({ id }) => id === faultId)
  const armed = known
    ? withoutCounters(known)
    : { kind: fault, ...(fault === 'status' ? { status: answer?.status } : {}) }
  const query = sandbox === 'default' ? '' : `?sandbox=${encodeURIComponent(sandbox)}`
  const body = toCode({ ...armed, times: 1 }, '    ')
  return [
    `const armed = await fetch(${toCode(`${base}/__mock/faults${query}`)}, {`,
    `  method: 'POST',`,
    `  headers: { 'Content-Type': 'application/json' },`,
    `  body: JSON.stringify(${body}),`,
    '})',
    'expect(armed.status).toBe(201)',
  ]
}

/** What a fault does, as it is armed: always, and at the next request that it matches. */
function withoutCounters(fault: Fault): object {
  return Object.fromEntries(Object.entries(fault).filter(([name]) => !COUNTED.has(name)))
}

const COUNTED = new Set(['id', 'chance', 'after', 'matched', 'struck', 'spent'])

function expectations(exchange: ExchangeRecord, call: string): string[] {
  const { answer } = exchange
  if (!answer || answer.status === 0) return [`await expect(${call}).rejects.toThrow()`]
  const head = [`const response = await ${call}`, `expect(response.status).toBe(${answer.status})`]
  if (!answer.isComplete) return [...head, 'await expect(response.text()).rejects.toThrow()']
  if (answer.isCut || answer.isForgotten || answer.encoding !== undefined) return head
  return [...head, ...bodyExpectations(exchange, answer.body ?? '')]
}

function bodyExpectations(exchange: ExchangeRecord, text: string): string[] {
  const body = parsed(text)
  if (body === undefined) return [`expect(await response.text()).toBe(${toCode(text)})`]
  const expected = generalised(body, { exchange, name: '', isNew: isCreation(exchange) })
  const read = 'const body = await response.json()'
  if (Array.isArray(expected) && expected.length > LONGEST)
    return [
      read,
      `expect(body).toHaveLength(${expected.length})`,
      `expect(body.slice(0, ${SHOWN})).toEqual(${toCode(expected.slice(0, SHOWN), '  ')})`,
    ]
  const long = longLists(expected)
  if (long.length === 0) return [`expect(await response.json()).toEqual(${toCode(expected, '  ')})`]
  const at = ([name]: readonly [string, readonly unknown[]]) => `body[${toCode(name)}]`
  const firsts = long.map((one) => `${toCode(one[0])}: ${at(one)}.slice(0, ${SHOWN})`).join(', ')
  const shown = Object.fromEntries(long.map(([name, list]) => [name, list.slice(0, SHOWN)]))
  return [
    read,
    ...long.map((one) => `expect(${at(one)}).toHaveLength(${one[1].length})`),
    `expect({ ...body, ${firsts} }).toEqual(${toCode({ ...(expected as object), ...shown }, '  ')})`,
  ]
}

/** A longer list is compared by its length and its first elements. */
const LONGEST = 5
const SHOWN = 2

function longLists(body: unknown): (readonly [string, readonly unknown[]])[] {
  if (typeof body !== 'object' || body === null) return []
  return Object.entries(body).flatMap(([name, value]) =>
    Array.isArray(value) && value.length > LONGEST ? [[name, value] as const] : [],
  )
}

/** The JSON value of a text; undefined where it is none. Numbers that JavaScript cannot hold differ on both sides alike. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/** Whether the response has ids that the service chose. */
function isCreation({ request, answer, hasChanged }: ExchangeRecord): boolean {
  return request.method === 'POST' && hasChanged && (answer?.status ?? 0) < 300
}

interface Member {
  readonly exchange: ExchangeRecord
  readonly name: string
  /** Whether it is part of something that the request created. */
  readonly isNew: boolean
}

/** A response as `toEqual` takes it: what is another value each time is compared by its type. */
function generalised(value: unknown, member: Member): unknown {
  if (isFleeting(value, member)) return new Code(`expect.any(${typeof value === 'number' ? 'Number' : 'String'})`)
  if (Array.isArray(value)) return value.map((one) => generalised(one, member))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, generalised(inner, { ...member, name })]),
  )
}

/** Ids of the request, tokens, instants that depend on the clock, and ids of what was created. */
function isFleeting(value: unknown, { exchange, name, isNew }: Member): boolean {
  if (typeof value !== 'string' && typeof value !== 'number') return false
  if (value === exchange.requestId || /^next$|token$/i.test(name)) return true
  if (isNear(value, exchange) || /^next.*(?:date|run|at)$/i.test(name)) return true
  const isId = /^(?:id|uuid|href|url|self|location)$/i.test(name) || /(?:[a-z]I|_i)d$/.test(name)
  return isNew && isId && !(exchange.request.body ?? '').includes(JSON.stringify(value))
}

const DAY = 86_400_000

/** Whether it is an instant of the day around the request. */
function isNear(value: string | number, { now }: ExchangeRecord): boolean {
  const instant =
    typeof value === 'number' ? value : /^\d{4}-\d\d-\d\d[T ]\d\d:/.test(value) ? Date.parse(value) : Number.NaN
  return Math.abs(instant - Date.parse(now)) < DAY
}
