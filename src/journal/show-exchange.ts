import { iso } from '../base/formats/instant.ts'
import type { Sandbox } from '../engine/sandbox.ts'
import type { Violation } from '../base/errors/problem.ts'
import type { Exchange } from './exchange.ts'
import type { Redactor } from './redact.ts'

/** The sandbox of an exchange. */
export type ShownSandbox = Pick<Sandbox, 'name' | 'journal'>

/** An exchange as the control API and artifacts show it. */
export type ShownExchange = ReturnType<typeof showExchange>

/** An exchange without keys. */
export function showExchange(
  exchange: Exchange,
  { name: sandbox, journal: { copied } }: ShownSandbox,
  redactor: Redactor,
) {
  const { id, arrived, answeredAt, milliseconds, requestId, operationId = null, fault = null, behaviours } = exchange
  const clean = cleanerOf(exchange, redactor)
  return {
    id,
    requestId,
    sandbox,
    ...(copied && id <= copied.last ? { copiedFrom: copied.from } : {}),
    now: iso(arrived),
    answeredAt: iso(answeredAt),
    milliseconds,
    operationId,
    request: {
      method: exchange.method,
      url: clean(redactor.url(exchange.url)),
      headers: showHeaders(exchange.requestHeaders, clean, redactor),
      body: exchange.requestBody === undefined ? null : clean(exchange.requestBody),
      isCut: exchange.isRequestCut,
    },
    answer: showResponse(exchange, clean, redactor),
    hasChanged: exchange.hasChanged,
    behaviours: behaviours === '' ? [] : behaviours.split(', '),
    problem: exchange.problem === undefined ? null : clean(exchange.problem),
    issues: exchange.issues.map((issue) => cleanIssue(issue, clean)),
    ...(exchange.next === undefined ? {} : { next: clean(exchange.next) }),
    fault,
    ...(exchange.faultId === undefined ? {} : { faultId: exchange.faultId }),
    ...(exchange.repeats === undefined ? {} : { repeats: exchange.repeats }),
    ...(exchange.defect === undefined ? {} : { defect: clean(exchange.defect) }),
  }
}

/** Null when nothing was sent. */
function showResponse(exchange: Exchange, clean: (text: string) => string, redactor: Redactor) {
  const { status, responseHeaders, responseBody, isResponseDropped } = exchange
  if (status === 0 && responseBody === undefined && !isResponseDropped) return null
  return {
    status,
    headers: showHeaders(responseHeaders, clean, redactor),
    body: responseBody === undefined ? null : clean(responseBody),
    ...(exchange.isResponseBinary ? { encoding: 'base64' as const } : {}),
    isComplete: exchange.end === 'whole',
    isCut: exchange.isResponseCut,
    isForgotten: isResponseDropped,
  }
}

/** Returns a function that removes the keys of an exchange from its texts. */
export function cleanerOf(exchange: Exchange, redactor: Redactor): (text: string) => string {
  const keys = redactor.keysOf(exchange)
  return (text) => redactor.text(text, keys)
}

function showHeaders(
  headers: readonly string[],
  clean: (text: string) => string,
  redactor: Redactor,
): readonly ShownHeader[] {
  const shown: ShownHeader[] = []
  for (let at = 0; at + 1 < headers.length; at += 2) {
    const name = headers[at] ?? ''
    shown.push({ name, value: clean(redactor.header(name, headers[at + 1] ?? '')) })
  }
  return shown
}

/** A header as it was sent. */
export interface ShownHeader {
  readonly name: string
  readonly value: string
}

function cleanIssue(issue: Violation, clean: (text: string) => string): Violation {
  const entries = Object.entries(issue).map(([name, text]: [string, string]) => [name, clean(text)] as const)
  return Object.fromEntries(entries) as unknown as Violation
}
