import type { IncomingMessage } from 'node:http'
import { headerValues } from '../../contract/parameters/credential-location.ts'
import type { PreferredResponse } from '../generated/prism.ts'
import { type ExpectedWords, inWords, shown, type Violation } from '../../base/errors/problem.ts'
import { type Effect, type Fault, LONGEST_WAIT } from '../../engine/faults/fault.ts'
import { PREFERABLE_EFFECTS } from '../../engine/faults/fault-kinds.ts'
import { preferenceInvalid } from '../../base/errors/response-errors.ts'

/** The statuses that a request may prefer. */
export interface Statuses {
  readonly statuses: readonly string[]
  /** Whether the operation responds with a status by itself. */
  documents(status: number): boolean
}

/**
 * The faults that a request asks for (RFC 7240): `Prefer: wait=2, fault=short-page`. Other preferences are ignored, as the RFC says.
 * Of several `code` or `wait` the first counts; each `fault` counts.
 *
 * @param documented the documented statuses: a preferred status that is documented is a response, not a fault
 * @param hasOwnWait whether the contract gives `wait` a meaning
 * @throws Problem 400 for an invalid value
 */
export function preferredFaults(request: IncomingMessage, documented?: Statuses, hasOwnWait = false): readonly Fault[] {
  const wanted = new Map<string, Fault>()
  const refused: Violation[] = []
  const preferences = preferencesOf(request).filter(({ name }) => !hasOwnWait || name !== 'wait')
  for (const { name, value } of preferences) {
    const effect = isDocumented(name, value, documented) ? undefined : effectOf({ name, value }, documented)
    if (!effect) continue
    if ('message' in effect) refused.push(effect)
    else if (!wanted.has(effect.kind))
      wanted.set(effect.kind, { id: `prefer-${effect.kind}`, match: {}, chance: 1, after: 0, ...effect })
  }
  // By itself it is refused where a response is generated.
  if (refused.length > 0) throw preferenceInvalid({ violations: [...refused, ...preferences.flatMap(refuseDynamic)] })
  return [...wanted.values()]
}

/**
 * The response that a request of a generated operation asks for, in Prism's syntax: a documented `code`, `example`, `dynamic`.
 *
 * @throws Problem 400 for an invalid value
 */
export function preferredResponse(request: IncomingMessage, documented: Statuses): PreferredResponse {
  const wanted: { code?: number; example?: string; dynamic?: boolean } = {}
  // The first one of a name counts, so it is set last.
  for (const { name, value } of preferencesOf(request).reverse()) {
    if (isDocumented(name, value, documented)) wanted.code = Number(value)
    if (name === 'example' && value !== '') wanted.example = value
    if (name !== 'dynamic') continue
    const violations = refuseDynamic({ name, value })
    if (violations.length > 0) throw preferenceInvalid({ violations })
    wanted.dynamic = value === 'true'
  }
  return wanted
}

function refuseDynamic({ name, value }: Preference): Violation[] {
  return name !== 'dynamic' || value === 'true' || value === 'false' ? [] : [refuse(name, 'true or false', value)]
}

function isDocumented(name: string, value: string, documented: Statuses | undefined): boolean {
  return name === 'code' && /^[2-5]\d\d$/.test(value) && documented?.documents(Number(value)) === true
}

interface Preference {
  /** In lower case. */
  readonly name: string
  readonly value: string
}

function preferencesOf(request: IncomingMessage): Preference[] {
  const { prefer } = request.headers
  if (prefer === undefined) return []
  return splitOutsideQuotes(headerValues(request.rawHeaders, 'prefer').join(','), ',').map((preference) => {
    const [own = ''] = splitOutsideQuotes(preference, ';')
    const [name = '', value = ''] = own.split('=').map((part) => part.trim())
    return { name: name.toLowerCase(), value: value.replace(/^"(.*)"$/, '$1') }
  })
}

/** Quoted strings may contain separators (RFC 9110, 5.6.4). */
function splitOutsideQuotes(text: string, separator: string): string[] {
  const parts: string[] = []
  let isQuoted = false
  let from = 0
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (isQuoted && character === '\\') at++
    else if (character === '"') isQuoted = !isQuoted
    else if (!isQuoted && character === separator) {
      parts.push(text.slice(from, at))
      from = at + 1
    }
  }
  return [...parts, text.slice(from)]
}

function effectOf({ name, value }: Preference, documented: Statuses | undefined): Effect | Violation | undefined {
  if (name === 'code') return statusOf(value, documented)
  if (name === 'wait') return delayOf(value)
  return name === 'fault' ? kindOf(value) : undefined
}

function statusOf(value: string, documented: Statuses | undefined): Effect | Violation {
  if (/^[45]\d\d$/.test(value)) return { kind: 'status', status: Number(value), headers: {} }
  const { statuses = [] } = documented ?? {}
  const others = statuses.length === 0 ? '' : `one that the contract documents (${statuses.join(', ')}), or `
  return refuse('code', `${others}a status from 400 to 599`, value)
}

function delayOf(value: string): Effect | Violation {
  const milliseconds = Math.round(Number(value) * 1000)
  if (/^\d{1,2}(\.\d{1,3})?$/.test(value) && milliseconds <= LONGEST_WAIT)
    return { kind: 'latency', delay: { milliseconds } }
  return refuse('wait', `seconds from 0 to ${LONGEST_WAIT / 1000}, such as 2 or 0.5`, value)
}

function kindOf(value: string): Effect | Violation {
  return PREFERABLE_EFFECTS.get(value) ?? refuse('fault', [...PREFERABLE_EFFECTS.keys()], value)
}

function refuse(name: string, expected: ExpectedWords, value: string): Violation {
  const { words, hint } = inWords(expected, value)
  const message = `Prefer: ${name}: expected ${words}, got ${shown(value)}.${hint}`
  return { header: 'Prefer', code: name, message, expected: words, received: shown(value) }
}
