import { didYouMean, oneOf } from './wording.ts'

// The expected failures. Any other error that is thrown is a defect of ours.

/** One thing that is wrong with a request: where it is, what was expected there, and what was received. */
export interface Violation {
  /** Where in the body, as a JSON pointer (RFC 6901); the empty string is the body itself. */
  readonly pointer?: string
  /** Or which query or path parameter, by name. */
  readonly parameter?: string
  /** Or which header, by name. */
  readonly header?: string
  /** A stable word for programs, for instance `type`, `required`, `limit.zero`. */
  readonly code: string
  /** One sentence for people, which says what to do. */
  readonly message: string
  readonly expected: string
  /** What was received, as JSON text, cut when it is long; absent when nothing was, and when it must not be shown. */
  readonly received?: string
  /** The rule: a line of the contract (`spec/openapi.yaml:118`) or a behaviour (`spec/behaviours.yaml#limit.zero`). */
  readonly source?: string
}

/** One error of the catalogue: what its responses have in common. What people read of it is in `spec/errors.yaml`. */
export interface ErrorEntry {
  /** The last part of the problem's `type` URI: `/problems/file-set-not-found`. */
  readonly id: string
  /** The HTTP status, from 400 on: above 499 when the mock itself cannot respond, or plays a server that cannot. */
  readonly status: number
  /** The same short sentence for every occurrence. */
  readonly title: string
}

export interface ProblemOptions {
  /** One sentence about this occurrence; the message of the first violation by default. */
  readonly detail?: string
  readonly violations?: readonly Violation[]
  readonly headers?: Readonly<Record<string, string>>
  /** Ids of the behaviours that refused, besides those that the violations name. */
  readonly behaviours?: readonly string[]
  /** Instead of the entry's own status. */
  readonly status?: number
}

/** An expected failure of one request. Factories of the catalogue create it; `render-problem.ts` renders it. */
export class Problem extends Error {
  readonly status: number
  readonly id: string
  readonly title: string
  readonly violations: readonly Violation[]
  readonly headers: Readonly<Record<string, string>>
  readonly behaviours: readonly string[]

  constructor(entry: ErrorEntry, options: ProblemOptions = {}) {
    const { violations = [], headers = {}, behaviours = [] } = options
    super(options.detail ?? violations[0]?.message ?? `${entry.title}.`)
    this.name = 'Problem'
    this.status = options.status ?? entry.status
    this.id = entry.id
    this.title = entry.title
    this.violations = violations
    this.headers = headers
    this.behaviours = behaviours
  }

  /** The same problem with some of it changed. */
  with(changes: ProblemOptions): Problem {
    const { id, status, title, message: detail, violations, headers, behaviours } = this
    return new Problem({ id, status, title }, { detail, violations, headers, behaviours, ...changes })
  }
}

/** Creates the problems of one entry of the catalogue. */
export interface ErrorFactory {
  (options?: ProblemOptions): Problem
  readonly entry: ErrorEntry
}

export function defineError(id: string, status: number, title: string): ErrorFactory {
  const entry = { id, status, title }
  return Object.assign((options?: ProblemOptions) => new Problem(entry, options), { entry })
}

/** A defect that is described by more than its stack: what a handler did that it must not. */
export class Defect extends Error {
  readonly violations: readonly Violation[]
  /** Whether a handler of the user failed, not Standin. */
  readonly isOfHandler: boolean

  /**
   * @param handlers the file of the handler that failed, named in the stack only: the response must not depend on the name of the file
   * @param cause the error that was thrown; its stack is shown
   */
  constructor(message: string, { violations = [], handlers, cause }: DefectOptions = {}) {
    super(message)
    this.name = 'Defect'
    this.violations = violations
    this.isOfHandler = handlers !== undefined
    if (handlers !== undefined)
      this.stack = this.stack?.replace(message, () => `${message} (in ${handlers})`) ?? message
    if (cause instanceof Error && cause.stack !== undefined) this.stack = `${message}\n${cause.stack}`
  }
}

interface DefectOptions {
  readonly violations?: readonly Violation[]
  readonly handlers?: string | undefined
  readonly cause?: unknown
}

/** Refuses a start: each complaint names the file, the line and the remedy. */
export class StartupError extends Error {
  readonly complaints: readonly string[]

  constructor(complaints: readonly string[]) {
    super(complaints.join('\n'))
    this.name = 'StartupError'
    this.complaints = complaints
  }
}

/**
 * Does several independent things, so that everything that is wrong is reported at once.
 *
 * @throws StartupError with the complaints of all that were refused
 */
export function allOrRefused<Results extends readonly unknown[]>(tasks: {
  readonly [At in keyof Results]: () => Results[At]
}): Results {
  const complaints: string[] = []
  const results = tasks.map((task) => {
    try {
      return task()
    } catch (error) {
      if (!(error instanceof StartupError)) throw error
      complaints.push(...error.complaints)
      return undefined
    }
  })
  if (complaints.length > 0) throw new StartupError(complaints)
  return results as unknown as Results
}

/** Integers beyond 2^53 are bigints, which JSON shows with all their digits. */
function withDigits(_name: string, value: unknown): unknown {
  return typeof value === 'bigint'
    ? (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(String(value))
    : value
}

/** Characters of a value in an error, its length not counted. */
const LONGEST_SHOWN = 80
const CUT = 56

/**
 * A value as it is shown in an error: JSON text, cut when it is long, and then with its length.
 *
 * @example shown('a'.repeat(200)) // '"aaaa…" (200 characters)', with 54 of them
 */
export function shown(value: unknown): string {
  if (value === undefined) return 'nothing'
  // A text of megabytes need not be encoded to be cut.
  if (typeof value === 'string' && value.length > LONGEST_SHOWN) return beginningOf(value)
  const text = JSON.stringify(value, withDigits)
  if (text.length <= LONGEST_SHOWN) return text
  if (typeof value === 'string') return beginningOf(value)
  return `${text.slice(0, CUT).toWellFormed()}… (${text.length} characters of JSON)`
}

function beginningOf(text: string): string {
  let kept = text.slice(0, CUT - 2)
  // Half of an escape sequence says nothing.
  while (JSON.stringify(kept).length > CUT) kept = kept.slice(0, -1)
  // Nor does half of a pair of surrogates.
  if (/[\uD800-\uDBFF]$/.test(kept)) kept = kept.slice(0, -1)
  return `${JSON.stringify(kept).slice(0, -1)}…" (${text.length} characters)`
}

/** Where in a request a violation is: a JSON pointer into the body, or the name of a parameter or header. */
export type Where = { readonly pointer: string } | { readonly parameter: string } | { readonly header: string }

/** A pointer, or the name of a parameter or header. */
export function nameOf(where: Where): string {
  if ('pointer' in where) return where.pointer
  return 'header' in where ? where.header : where.parameter
}

/** What was expected: in words, or the known words, of which the nearest is suggested. */
export type ExpectedWords = string | readonly string[]

export function violation(where: Where, code: string, expected: ExpectedWords, received?: unknown): Violation {
  const place = nameOf(where) || 'the body'
  const came = received === undefined ? 'nothing' : shown(received)
  const { words, hint } = inWords(expected, received)
  const message = `${place}: expected ${words}, got ${came}.${hint}`
  return { ...where, code, message, expected: words, ...(received === undefined ? {} : { received: came }) }
}

/** `one of a, b` with ` Did you mean a?`; the hint is empty when no known word is near. */
export function inWords(expected: ExpectedWords, received: unknown): { readonly words: string; readonly hint: string } {
  if (typeof expected === 'string') return { words: expected, hint: '' }
  return { words: oneOf(expected), hint: didYouMean(received, expected) }
}

/** An unknown member or parameter, with the known name that was probably meant. */
export function unknownName(where: Where, name: string, known: readonly string[]): Violation {
  const expected = known.length === 0 ? 'nothing' : oneOf(known)
  const remedy = didYouMean(name, known) || ` Expected ${expected}.`
  const place = nameOf(where)
  return { ...where, code: 'unknown', message: `${place} is not known.${remedy}`, expected }
}
