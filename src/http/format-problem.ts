import { STATUS_CODES } from 'node:http'
import type { BehaviourSettings } from '../../types/behaviour-settings.d.ts'
import { stringifyJson } from '../base/formats/json.ts'
import type { Problem, Violation } from '../base/errors/problem.ts'

export interface RenderedProblem {
  readonly contentType: string
  readonly body: string
}

/** A problem in the shape that the behaviour `error.body` asks for. */
export function formatProblem(
  problem: Problem,
  path: string,
  requestId: string,
  shape: BehaviourSettings['error.body'],
): RenderedProblem {
  const { status, title, message: detail, id, violations: errors } = cleanProblem(problem, beginningOf)
  if (shape === 'problem') {
    const body = {
      type: `/problems/${id}`,
      title,
      status,
      detail,
      instance: uriOf(path),
      ...(errors.length > 0 ? { errors } : {}),
    }
    return { contentType: 'application/problem+json', body: stringifyJson(body) }
  }
  const statusReason = STATUS_CODES[status] ?? 'Error'
  if (shape === 'service') {
    const body = { status, statusReason, message: detail, path, toe: toe(requestId), errors }
    return { contentType: 'application/json', body: stringifyJson(body) }
  }
  const values = { status, statusReason, title, detail, slug: id, path, requestId, errors }
  return { contentType: 'application/json', body: stringifyJson(fill(shape.template, values)) }
}

/** Characters of one text of an error. Longer ones, such as a member name of a megabyte, are cut. */
const LONGEST_TEXT = 4000

function beginningOf(text: string): string {
  return text.length <= LONGEST_TEXT ? text : `${text.slice(0, LONGEST_TEXT).toWellFormed()}…`
}

/** Clients send more than a URI may hold (RFC 3986); what it may not is percent-encoded, byte by byte as it came. */
function uriOf(path: string): string {
  const encode = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`
  return path.replaceAll(/[^\w.~!$&'()*+,;=:@/%-]|%(?![\dA-Fa-f]{2})/g, encode)
}

/** An error id such as such services print, for people to read out: from the request id. */
function toe(requestId: string): string {
  const digits = requestId.replaceAll('-', '').slice(0, 15).toUpperCase()
  return `${digits.slice(0, 5)}-${digits.slice(5, 10)}-${digits.slice(10)}`
}

/** `"{status}"` alone becomes the value itself, `"Error {status}"` a text with it. Nothing else is understood, and nothing is evaluated. */
function fill(template: unknown, values: Readonly<Record<string, unknown>>): unknown {
  if (Array.isArray(template)) return template.map((element: unknown) => fill(element, values))
  if (typeof template === 'object' && template !== null) {
    return Object.fromEntries(Object.entries(template).map(([name, value]) => [name, fill(value, values)]))
  }
  if (typeof template !== 'string') return template
  const whole = /^\{(\w+)\}$/.exec(template)?.[1]
  if (whole !== undefined && Object.hasOwn(values, whole)) return values[whole]
  return template.replaceAll(/\{(\w+)\}/g, (text, name: string) =>
    Object.hasOwn(values, name) ? String(values[name]) : text,
  )
}

/** A problem whose texts have gone through a function; the same one where nothing changed. */
export function cleanProblem(problem: Problem, clean: (text: string) => string): Problem {
  const { message } = problem
  const detail = clean(message)
  const violations = problem.violations.map((one) => cleanViolation(one, clean))
  if (detail === message && violations.every((one, at) => one === problem.violations[at])) return problem
  return problem.with({ detail, violations })
}

function cleanViolation(violation: Violation, clean: (text: string) => string): Violation {
  const cleaned = Object.entries(violation).map(([name, text]: [string, string]) => [name, clean(text)] as const)
  const isSame = cleaned.every(([name, text]) => violation[name as keyof Violation] === text)
  return isSame ? violation : { ...violation, ...Object.fromEntries(cleaned) }
}
