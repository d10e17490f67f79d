import { isObject } from '../../src/base/formats/json.ts'
import { at, escaped, follow, type PublicContract, type PublicOperation, type Values } from './read-contract.ts'
import type { PublicResponse } from './send.ts'
import type { Validate } from './validator.ts'

/** What became of an operation: answered as its document says, refused with a reason, or wrong. */
export type Verdict = { readonly kind: 'valid' } | { readonly kind: 'refused' | 'wrong'; readonly why: string }

/** Compares a response with what the document says of its status and media type. */
export function judge(
  contract: PublicContract,
  operation: PublicOperation,
  response: PublicResponse,
  validate: Validate,
): Verdict {
  const own = ownRefusal(response)
  if (own) return own
  const why = flawOf(contract, operation, response, validate)
  return why === undefined ? { kind: 'valid' } : { kind: 'wrong', why: `${response.status}: ${why}` }
}

/** What is wrong with a response by its document; undefined when nothing is. */
export function flawOf(
  { document }: PublicContract,
  { method, operation, pointer }: PublicOperation,
  { status, type, text }: PublicResponse,
  validate: Validate,
): string | undefined {
  const name = documentedName(operation, status)
  const responses = isObject(operation.responses) ? operation.responses : {}
  const hasSuccess = Object.keys(responses).some((one) => one.startsWith('2') || one === 'default')
  // A document that has errors alone leaves open what a success is like.
  if (name === undefined && !hasSuccess && text === '' && status < 300) return undefined
  if (name === undefined) return `the status is not documented: ${text.slice(0, 200)}`
  const { content } = follow(document, responses[name])
  if (!isObject(content) || Object.keys(content).length === 0 || method === 'head') return undefined
  if ([204, 205, 304].includes(status)) return text === '' ? undefined : 'there is a body'
  const bare = bareType(type)
  const keys = Object.keys(content).filter((one) => isWithin(bare, bareType(one)))
  const closest = keys.sort((a, b) => stars(a) - stars(b))
  const key = closest.find((one) => follow(document, content[one]).schema !== undefined) ?? closest[0]
  if (key === undefined) return `the media type ${type || '(none)'} is not documented`
  if (!/[/+]json\b/.test(bare)) return undefined
  const value = parsed(text)
  if (value === undefined) return `the body is no JSON: ${text.slice(0, 80)}`
  const media = follow(document, content[key])
  if (media.schema === undefined) return undefined
  const where = locate(document, `${pointer}/responses/${escaped(name)}`)
  return validate(`${where}/content/${escaped(key)}/schema`, value)
}

/** The key in `responses` that a status has: its own, that of its range, or `default`. */
export function documentedName({ responses }: Values, status: number): string | undefined {
  const range = Math.floor(status / 100)
  return [String(status), `${range}XX`, `${range}xx`, 'default'].find((one) => isObject(responses) && one in responses)
}

/** A mock's refusal, which must not pass for a response that the document happens to allow. */
function ownRefusal(response: PublicResponse): Verdict | undefined {
  const { status, headers, text } = response
  const id = problemOf(response)
  if (id === 'operation-refused') return { kind: 'refused', why: whyOf(response) }
  // The ids and entity tags of requests are made up, and operations that remember refuse those that nobody created.
  if (
    (id !== undefined && /^(item-(not-found|exists)|precondition-\w+)$/.test(id)) ||
    /expected the id of an? /.test(text)
  )
    return { kind: 'valid' }
  if (id !== undefined && headers['x-mock-generated'] !== 'true')
    return { kind: 'wrong', why: `${status} ${whyOf(response)}` }
  if (text.includes('stoplight.io/prism/errors')) return { kind: 'wrong', why: `${status} ${text.slice(0, 600)}` }
  return undefined
}

/** Which of Standin's errors it is: the header says so where the body is as the document has it. */
function problemOf({ headers, text }: PublicResponse): string | undefined {
  return (
    /^[a-z-]+(?=: )/.exec(String(headers['x-mock-problem'] ?? ''))?.[0] ??
    /"type":\s*"[^"]*\/problems\/([a-z-]+)"/.exec(text)?.[1]
  )
}

function whyOf({ headers, text }: PublicResponse): string {
  return headers['x-mock-problem'] === undefined ? detailOf(text) : String(headers['x-mock-problem'])
}

function detailOf(text: string): string {
  const value = parsed(text)
  if (!isObject(value)) return text.slice(0, 600)
  const errors = Array.isArray(value.errors) ? value.errors.map((one: Values) => String(one.message)).join(' ') : ''
  return `${String(value.detail)} ${errors}`.slice(0, 600)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

function bareType(type: string): string {
  return (type.split(';')[0] ?? '').trim().toLowerCase()
}

function isWithin(type: string, range: string): boolean {
  return range === '*/*' || range === type || (range.endsWith('/*') && type.startsWith(range.slice(0, -1)))
}

function stars(type: string): number {
  return type.split('*').length
}

function locate(document: Values, pointer: string): string {
  const held = at(document, pointer)
  return isObject(held) && typeof held.$ref === 'string'
    ? locate(document, decodeURIComponent(held.$ref.slice(1)))
    : pointer
}
