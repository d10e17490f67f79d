import { stringifyJson } from '../formats/json.ts'

/**
 * The expected failures. Anything that is thrown and is neither a `Problem` nor a `StartupError` is a defect of ours.
 * The catalogue at the end has one maker for each error that can go over the wire.
 */

/** One thing that is wrong with a request: where it is, what was expected there, and what came instead. */
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
  /** What came, as JSON text, cut when it is long; absent when nothing came, and when it may not be shown. */
  readonly received?: string
  /** Who says so: a line of the contract (`spec/openapi.yaml:118`) or a behaviours (`spec/behaviours.yaml#limit.zero`). */
  readonly source?: string
}

export interface ProblemOptions {
  readonly detail: string
  readonly violations?: readonly Violation[]
  readonly headers?: Readonly<Record<string, string>>
  /** Ids of the catalogue's rows that refused, besides those that the violations name. */
  readonly rows?: readonly string[]
}

/** An expected failure of one request. `http/respond` renders it in the shape that the behaviour `error.body` row asks for. */
export class Problem extends Error {
  /** HTTP status, from 400 on: above 499 where the mock itself cannot answer, or plays a server that cannot. */
  readonly status: number
  /** The last part of the problem's `type` URI, for instance `file-set-not-found`. */
  readonly slug: string
  /** The same short sentence for every occurrence. */
  readonly title: string
  readonly violations: readonly Violation[]
  readonly headers: Readonly<Record<string, string>>
  readonly rows: readonly string[]

  constructor(status: number, slug: string, title: string, options: ProblemOptions) {
    super(options.detail)
    this.name = 'Problem'
    this.status = status
    this.slug = slug
    this.title = title
    this.violations = options.violations ?? []
    this.headers = options.headers ?? {}
    this.rows = options.rows ?? []
  }
}

/** A failure of the mock that can be told more of than its stack: what an operation did that it may not. It is answered as any defect. */
export class Defect extends Error {
  readonly violations: readonly Violation[]
  /** Whether it is that of a handler of the user's own, and none of ours. */
  readonly isOfHandler: boolean

  /**
   * @param handlers what the user's handler came from, where it is one that failed. The stack alone tells it: an answer has to be the same
   * when the file is called otherwise.
   * @param cause what was thrown beneath; its stack is the one that is shown
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

/** The stand-in will not start: the message names the file, the line and the remedy, one complaint a line. */
export class StartupError extends Error {
  readonly complaints: readonly string[]

  constructor(complaints: readonly string[]) {
    super(complaints.join('\n'))
    this.name = 'StartRefused'
    this.complaints = complaints
  }
}

/**
 * Does several things that need nothing of each other, so that what is wrong with any of them is told at once.
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

/** Characters of a value in an error, its length not counted. */
const LONGEST_SHOWN = 80
const CUT = 56

/**
 * A value as it is shown in an error: JSON text, cut when it is long, and then with its length.
 *
 * @example shown('a'.repeat(200)) // '"aaaa…" (200 characters)', with 54 of them
 */
export function shown(value: unknown): string {
  const text = value === undefined ? 'nothing' : stringifyJson(value)
  if (text.length <= LONGEST_SHOWN) return text
  if (typeof value !== 'string') return `${text.slice(0, CUT).toWellFormed()}… (${text.length} characters of JSON)`
  let kept = value.slice(0, CUT - 2)
  // Escapes take several characters each, and half of one tells nothing.
  while (JSON.stringify(kept).length > CUT) kept = kept.slice(0, -1)
  // Nor does half of a pair of surrogates.
  if (/[\uD800-\uDBFF]$/.test(kept)) kept = kept.slice(0, -1)
  return `${JSON.stringify(kept).slice(0, -1)}…" (${value.length} characters)`
}
