import type { Contract, Operation } from '../../../contract/contract.ts'
import { createOperationFinder } from '../../../contract/router.ts'
import { isObject } from '../../../base/formats/json.ts'
import type { RecordedExchange } from '../../recordings/recorded-exchange.ts'
import { readSeen } from '../../resend/responder.ts'
import { type Case, sendAgain } from '../case.ts'
import { kindOf } from '../../recordings/differences/values.ts'
import { planRecorded } from './plan-recorded.ts'

interface ReadRecording {
  readonly exchange: RecordedExchange
  readonly operation: Operation | undefined
  readonly parameters: Readonly<Record<string, string>>
  readonly sent: unknown
  readonly received: unknown
  readonly isWrite: boolean
}

/** More requests of a recording are not compared in one case. */
const MOST = 400

/**
 * Cases from recorded traffic. Pages of one search are one case, and so are requests for what was created in the recording. Where a
 * request has a token or an id of an earlier response, each side gets its own.
 *
 * @param isReading whether an operation changes nothing although its method may
 */
export function recordedCases(
  exchanges: readonly RecordedExchange[],
  contract: Contract,
  isReading: (operation: Operation) => boolean,
): Case[] {
  const findOperation = createOperationFinder(contract.operations)
  const recordings = exchanges.map((exchange): ReadRecording => {
    const { method, url } = exchange.request
    const { operation, parameters = {} } = findOperation(method, url) ?? {}
    const isSafe = /^(GET|HEAD|OPTIONS|TRACE)$/.test(method) || (operation !== undefined && isReading(operation))
    const { sent, json } = readSeen({ method, url, headers: [] }, exchange)
    return { exchange, operation, parameters, sent, received: json, isWrite: !isSafe && operation !== undefined }
  })
  const sanitized = !exchanges.some((one) => hasKey(one, contract))
  return group(recordings).map((held) => toCase(held.slice(0, MOST), contract, sanitized))
}

/** Joins recordings that share a token, an id or a name of something that was written. */
function group(recordings: readonly ReadRecording[]): ReadRecording[][] {
  const groups: { readonly held: ReadRecording[]; readonly roots: Set<string>; readonly marks: Set<string> }[] = []
  for (const one of recordings) {
    const root = rootOf(one)
    const marks = marksOf(one)
    const related = groups.filter(
      (known) => marks.some((mark) => known.marks.has(mark)) || (isList(one) && known.roots.has(root)),
    )
    const [first = { held: [], roots: new Set<string>(), marks: new Set<string>() }, ...rest] = related
    if (related.length === 0) groups.push(first)
    for (const other of rest) {
      first.held.push(...other.held)
      for (const mark of other.marks) first.marks.add(mark)
      for (const each of other.roots) first.roots.add(each)
      groups.splice(groups.indexOf(other), 1)
    }
    first.held.push(one)
    if (one.isWrite) first.roots.add(root)
    for (const mark of [...marks, ...givenMarks(one)]) first.marks.add(mark)
  }
  const places = new Map(recordings.map((one, at) => [one, at]))
  return groups.map(({ held }) => held.toSorted((a, b) => Number(places.get(a)) - Number(places.get(b))))
}

/** The part of the path that comes before any parameter. */
function rootOf({ operation, exchange }: ReadRecording): string {
  return (operation?.path ?? exchange.request.url).split(/[{?]/, 1)[0] ?? ''
}

/** A read shows what was written before it. */
function isList({ isWrite, operation, exchange }: ReadRecording): boolean {
  return !isWrite && operation !== undefined && exchange.request.method === 'GET'
}

/** What a request names: the token of a page, an item that was written. */
function marksOf({ exchange, sent, isWrite, parameters }: ReadRecording): string[] {
  const query = new URLSearchParams(exchange.request.url.split('?')[1] ?? '')
  const tokens = [...query].flatMap(([name, value]) => (kindOf(name, value) === 'token' ? [`token ${value}`] : []))
  if (!isWrite) return tokens
  const named = isObject(sent)
    ? NAMES.flatMap((name) => (sent[name] === undefined ? [] : [`${name} ${JSON.stringify(sent[name])}`]))
    : []
  return [...tokens, ...Object.values(parameters).map((id) => `id ${id}`), ...named]
}

/** Members of which many services allow no two alike. */
const NAMES = ['title', 'name', 'email', 'viewId']

/** What a response gives to later requests. */
function givenMarks({ received, isWrite }: ReadRecording): string[] {
  return leavesOf(received).flatMap(({ name, value }) => {
    if (kindOf(name, value) === 'token') return [`token ${String(value)}`]
    return isWrite && name === 'id' ? [`id ${String(value)}`] : []
  })
}

function leavesOf(value: unknown, name = ''): { readonly name: string; readonly value: unknown }[] {
  if (Array.isArray(value)) return value.flatMap((inner: unknown) => leavesOf(inner, name))
  if (isObject(value)) return Object.entries(value).flatMap(([member, inner]) => leavesOf(inner, member))
  return [{ name, value }]
}

function hasKey({ request }: RecordedExchange, { credentialLocations }: Contract): boolean {
  const rawHeaders = request.headers.flatMap(({ name, value }) => [name, value])
  return credentialLocations.some((place) => place.values({ rawHeaders, url: request.url }).length > 0)
}

function toCase(held: readonly ReadRecording[], contract: Contract, sanitized: boolean): Case {
  const exchanges = held.map(({ exchange }) => exchange)
  const given = new Set(held.flatMap(givenMarks))
  const [first] = exchanges
  const plans = held.map((one) => ({
    ...one,
    hasKey: sanitized || hasKey(one.exchange, contract),
    /** Of an operation, and not refused: what it names was there. */
    lacks:
      one.exchange.response.status >= 400
        ? []
        : marksOf(one).filter((mark) => /^(token|id) /.test(mark) && !given.has(mark)),
  }))
  return {
    name: `${first?.request.method ?? ''} ${first?.request.url.split('?', 1)[0] ?? ''} (${first?.source ?? ''})`,
    about: [],
    writes: held.some(({ isWrite }) => isWrite),
    exchanges,
    steps: () =>
      sendAgain(
        plans.map((plan) => readSeen(planRecorded(plan, contract), plan.exchange)),
        ({ exchange }) => held.some((one) => one.isWrite && one.exchange === exchange),
      ),
  }
}
