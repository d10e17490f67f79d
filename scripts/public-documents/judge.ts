import { isObject } from '../../src/formats/json.ts'
import { at, escaped, follow, type PublicContract, type PublicOperation, type Values } from './read-contract.ts'
import type { PublicResponse } from './send.ts'
import type { Validate } from './validator.ts'

/** What became of an operation: answered as its document says, refused with a reason, or wrong. */
export type Verdict = { readonly kind: 'valid' } | { readonly kind: 'refused' | 'wrong'; readonly why: string }

/** Compares a response with what the document says of its status and media type. */
export function judge(
  { document }: PublicContract,
  { method, operation, pointer }: PublicOperation,
  response: PublicResponse,
  validate: Validate,
): Verdict {
  const own = ownRefusal(response)
  if (own) return own
  const { status, type, text } = response
  const wrong = (why: string): Verdict => ({ kind: 'wrong', why: `${status}: ${why}` })
  const responses = isObject(operation.responses) ? operation.responses : {}
  const name = [String(status), `${Math.floor(status / 100)}XX`, `${Math.floor(status / 100)}xx`, 'default'].find(
    (one) => one in responses,
  )
  if (name === undefined) return wrong(`the status is not documented: ${text.slice(0, 200)}`)
  const { content } = follow(document, responses[name])
  if (!isObject(content) || Object.keys(content).length === 0 || method === 'head') return { kind: 'valid' }
  if ([204, 205, 304].includes(status)) return text === '' ? { kind: 'valid' } : wrong('there is a body')
  const bare = bareType(type)
  const key = [...Object.keys(content)].sort((a, b) => stars(a) - stars(b)).find((one) => isWithin(bare, bareType(one)))
  if (key === undefined) return wrong(`the media type ${type || '(none)'} is not documented`)
  if (!/[/+]json\b/.test(bare)) return { kind: 'valid' }
  const value = parsed(text)
  if (value === undefined) return wrong(`the body is no JSON: ${text.slice(0, 80)}`)
  const media = follow(document, content[key])
  if (media.schema === undefined) return { kind: 'valid' }
  const where = locate(document, `${pointer}/responses/${escaped(name)}`)
  const why = validate(`${where}/content/${escaped(key)}/schema`, value)
  return why === undefined ? { kind: 'valid' } : wrong(why)
}

/** A mock's refusal, which must not pass for a response that the document happens to allow. */
function ownRefusal({ status, headers, text }: PublicResponse): Verdict | undefined {
  if (text.includes('/problems/operation-refused')) return { kind: 'refused', why: detailOf(text) }
  if (/"type":\s*"[^"]*\/problems\/[a-z-]+"/.test(text) && headers['x-mock-generated'] !== 'true')
    return { kind: 'wrong', why: `${status} ${detailOf(text)}` }
  if (text.includes('stoplight.io/prism/errors')) return { kind: 'wrong', why: `${status} ${text.slice(0, 600)}` }
  return undefined
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
