import type { ServedOperation } from '../faults/could-match.ts'
import type { Pause } from '../engine/slices.ts'
import { nearest } from '../errors/nearest.ts'
import type { Call, Outcome } from '../resources/handler.ts'
import type { HandlerKind, BuiltinOperation } from '../resources/builtin-operations.ts'
import { Problem, shown, type Violation } from '../errors/problem.ts'
import type { Feed, Happening } from '../journal/feed.ts'
import type { Redactor } from '../journal/redact.ts'
import type { Sandbox } from '../engine/sandbox.ts'
import type { Sandboxes } from '../engine/sandboxes.ts'
import type { FixtureRules } from '../seed/fixtures.ts'
import type { Integer } from '../resources/file-sets/store/file-record.ts'
import type { DeliveryRecord, Health, Info } from './client/types.ts'
import { FIRST_INSTANT, LAST_INSTANT } from '../engine/clock.ts'
import type { Delivery } from '../resources/report-schedules/calendar/run.ts'
import { parseInstant } from '../engine/instant.ts'
import type { Work } from '../engine/steps.ts'

/** The input of an operation of the control API. It holds to the contract. */
export interface ControlCall {
  readonly path: Readonly<Record<string, string | Integer | boolean>>
  readonly query: Readonly<Record<string, string | Integer | boolean>>
  /** A JSON value; undefined where the operation takes no body. */
  readonly body: unknown
  readonly sandboxes: Sandboxes
  /** Makes the sandbox that the request names, where it is not there yet. @throws Problem 400 or 409 */
  sandbox(): Sandbox
  /** How files and report schedules that come from outside are checked. */
  readonly rules: FixtureRules
  /** The machine's clock, epoch ms. */
  readonly realNow: () => number
  /** Takes keys out of what is shown. */
  readonly redactor: Redactor
  /** What runs here. */
  info(): Info
  /** In Prometheus' text format. */
  renderMetrics(): Promise<string>
  /** All that it takes to do again what happened in a sandbox. @throws Problem 409 when it is too large */
  writeReplay(sandbox: Sandbox): Generator<undefined, object>
  readonly health: Health
  /** The request header `Last-Event-ID`. */
  readonly lastEventId: string | undefined
  readonly dryRun: DryRun
  /** Who answers each operation of the service, by operationId. */
  readonly handlerKinds: HandlerKinds
  /** The operations of the service. */
  readonly operations: readonly ServedOperation[]
  /** For work that takes long. */
  readonly pause: Pause
  /** What became of the message of a delivery; undefined when none was sent. */
  readonly mailOf: MailOf
}

export type HandlerKinds = ReadonlyMap<string, HandlerKind>

export type MailOf = (delivery: Delivery) => DeliveryRecord['mail']

/** How the emulated service reads a request that nobody sends. @throws Problem for parameters that it cannot decode */
export type DryRun = (told: SimulatedRequest, sandbox: Sandbox) => DryRunRequest

/** A request to the emulated service, as a caller of the control API tells it. */
export interface SimulatedRequest {
  readonly role: BuiltinOperation
  /** By the names that its handler has for them. */
  readonly path: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, unknown>>
  readonly body: unknown
  /** Where the caller has told its parts: JSON pointers into what he sent. */
  readonly pointers: {
    readonly body: string
    readonly query: string
    /** Of parameters in the path. */
    readonly parameters: Readonly<Record<string, string>>
  }
}

/** A request that the service has taken in. */
export interface DryRunRequest {
  readonly call: Call
  /** Reads what it means. @throws Problem as the service would refuse it */
  validateAndRead(): Understood
}

interface Understood {
  /** What the service would do; nothing is stored. @throws Problem */
  decide(): Outcome
}

/** An answer as data: a JSON value, a text, or what happens from now on. Without any of them it is 204. */
export interface ControlAnswer {
  readonly status: number
  readonly body?: unknown
  readonly text?: { readonly contentType: string; readonly content: Promise<string> }
  readonly stream?: Stream
}

/** What happens in a sandbox, as server-sent events. */
export interface Stream {
  readonly feed: Feed
  /** The number of the last happening that the listener knows. */
  readonly after: number
  /** Undefined for what is gone meanwhile. */
  render(happening: Happening): Message | undefined
}

/** The name of a server-sent event, and its data. */
export interface Message {
  readonly event: string
  readonly data: unknown
}

/**
 * Decides on a call and does it, synchronously, so nothing comes between. What only reads may do it in steps, and an advance of the
 * clock takes turns while other requests to the sandbox wait. @throws Problem
 */
export type ControlHandler = (call: ControlCall) => Work<ControlAnswer> | Promise<ControlAnswer>

export function ok(body: unknown): ControlAnswer {
  return { status: 200, body }
}

export function created(body: unknown): ControlAnswer {
  return { status: 201, body }
}

export const GONE: ControlAnswer = { status: 204 }

/** The place of a complaint. */
export type Where = { readonly pointer: string } | { readonly parameter: string }

export function violation(where: Where, code: string, expected: string, received?: unknown): Violation {
  const place = 'pointer' in where ? where.pointer || 'the body' : where.parameter
  const came = received === undefined ? 'nothing' : shown(received)
  const message = `${place}: expected ${expected}, got ${came}.`
  return { ...where, code, message, expected, ...(received === undefined ? {} : { received: came }) }
}

/** A member or parameter that is not known, and the one that was probably meant. */
export function unknownName(where: Where, name: string, known: readonly string[]): Violation {
  const meant = nearest(name, known)
  const expected = known.length === 0 ? 'nothing' : `one of ${known.join(', ')}`
  const remedy = meant === undefined ? `Expected ${expected}.` : `Did you mean ${meant}?`
  const place = 'pointer' in where ? where.pointer : where.parameter
  return { ...where, code: 'unknown', message: `${place} is not known. ${remedy}`, expected }
}

const MOST_VIOLATIONS = 50

/** A 400 that tells everything that is wrong. */
export function invalid(violations: readonly Violation[]): Problem {
  const [first] = violations
  const more = violations.length > 1 ? ` (and ${violations.length - 1} more)` : ''
  return new Problem(400, 'request-invalid', 'The request is not valid', {
    detail: `${first?.message ?? ''}${more}`,
    violations: violations.slice(0, MOST_VIOLATIONS),
  })
}

/** Epoch ms of an instant that somebody sent. @throws Problem 400 */
export function readInstant(text: string, where: Where): number {
  const ms = parseInstant(text)?.ms
  if (ms !== undefined && ms >= FIRST_INSTANT && ms <= LAST_INSTANT) return ms
  throw invalid([violation(where, 'instant', 'an instant with its zone, such as 2026-03-01T09:00:00Z', text)])
}

/** A query parameter that counts something. @throws Problem 400 */
export function readCount(
  call: ControlCall,
  parameter: string,
  bounds: { least: number; most: number; otherwise: number },
): number {
  const value = call.query[parameter] ?? bounds.otherwise
  if (typeof value === 'number' && value >= bounds.least && value <= bounds.most) return value
  const expected = `an integer from ${bounds.least} to ${bounds.most.toLocaleString('en')}`
  throw invalid([violation({ parameter }, 'range', expected, value)])
}

/** The bounds of the parameter `limit`. */
export const LIMIT = { least: 1, most: 100_000, otherwise: 1000 }

export function iso(ms: number): string {
  return new Date(ms).toISOString()
}
