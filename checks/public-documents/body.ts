import { isObject } from '../../src/base/formats/json.ts'
import { samplesOf } from '../../test/support/contracts/sample.ts'
import { at, escaped, follow, type PublicOperation, type Values } from './read-contract.ts'
import { firstValid, type Validate } from './validator.ts'
import { xmlOf } from './xml.ts'

export interface Body {
  readonly type: string
  readonly text: string
  readonly flaw?: string | undefined
}

/** The media type of a request body that is sent, and where its schema stands. */
export interface DocumentedBody {
  readonly type: string
  readonly media: Values
  readonly isRequired: boolean
  /** JSON pointer. */
  readonly schemaAt: string
}

/** A body that the contract allows; undefined where it documents none, or where the method usually has none and none is required. */
export function bodyOf(document: Values, operation: PublicOperation, validate: Validate): Body | undefined {
  const documented = documentedBody(document, operation)
  const isUsual = ['post', 'put', 'patch'].includes(operation.method)
  if (!documented || (!documented.isRequired && !isUsual)) return undefined
  if (documented.media.schema === undefined) return writeBody(document, documented, 'a')
  const { value, flaw } = validValue(document, documented, validate)
  return writeBody(document, documented, value, flaw)
}

/** A value that the contract allows: a sample of the schema, else an example of the document. */
export function validValue(document: Values, { type, media, schemaAt }: DocumentedBody, validate: Validate) {
  const given = [media.example, ...Object.values(isObject(media.examples) ? media.examples : {}).map(valueIn)]
  return firstValid([...samplesOf(document, media.schema), ...given], (one) => {
    return isStructured(type) ? validate(schemaAt, one) : undefined
  })
}

/** The first JSON type, else the first of all. */
export function documentedBody(
  document: Values,
  { operation, pointer }: PublicOperation,
  prefers = (type: string) => /[/+]json\b/.test(type),
): DocumentedBody | undefined {
  const body = follow(document, operation.requestBody)
  const types = Object.keys(isObject(body.content) ? body.content : {})
  const key = types.find(prefers) ?? types[0]
  if (!isObject(body.content) || key === undefined) return undefined
  const where = locate(document, `${pointer}/requestBody`)
  return {
    type: key === '*/*' ? 'application/json' : key,
    media: follow(document, body.content[key]),
    isRequired: body.required === true,
    schemaAt: `${where}/content/${escaped(key)}/schema`,
  }
}

function valueIn(example: unknown): unknown {
  return isObject(example) ? example.value : undefined
}

function locate(document: Values, pointer: string): string {
  const held = at(document, pointer)
  return isObject(held) && typeof held.$ref === 'string'
    ? locate(document, decodeURIComponent(held.$ref.slice(1)))
    : pointer
}

/** Whether a media type can hold the members of an object. */
export function isStructured(type: string): boolean {
  return /[/+](?:json|xml)\b|^multipart\/|x-www-form-urlencoded/.test(type)
}

/** Writes a value as its media type asks for. */
export function writeBody(document: Values, { type, media }: DocumentedBody, value: unknown, flaw?: string): Body {
  if (/[/+]json\b/.test(type)) return { type, text: JSON.stringify(value), flaw }
  const members = isObject(value) ? value : {}
  const encoding = isObject(media.encoding) ? media.encoding : {}
  if (type.includes('x-www-form-urlencoded')) return { type, text: formPairs(members, encoding).join('&'), flaw }
  if (type.startsWith('multipart/')) return { type: `${type}; boundary=part`, text: multipart(members), flaw }
  if (/[/+]xml\b/.test(type)) return { type, text: xmlOf(document, media.schema, value), flaw }
  return { type: type.includes('*') ? 'text/plain' : type, text: typeof value === 'string' ? value : 'a', flaw }
}

/** By the `encoding` of each property: `deepObject` writes `a[b]=c`, everything else repeats the name or writes JSON. */
function formPairs(members: Values, encoding: Values): string[] {
  return Object.entries(members).flatMap(([name, value]) => {
    const rule = encoding[name]
    if (isObject(rule) && rule.style === 'deepObject') return deepPairs(encodeURIComponent(name), value)
    if (Array.isArray(value)) return value.map((one) => `${encodeURIComponent(name)}=${textOf(one)}`)
    return [`${encodeURIComponent(name)}=${textOf(value)}`]
  })
}

function deepPairs(prefix: string, value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap((one, index) => deepPairs(`${prefix}[${index}]`, one))
  if (!isObject(value)) return [`${prefix}=${textOf(value)}`]
  return Object.entries(value).flatMap(([name, inner]) => deepPairs(`${prefix}[${encodeURIComponent(name)}]`, inner))
}

function textOf(value: unknown): string {
  return encodeURIComponent(typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value))
}

function multipart(members: Values): string {
  const part = (name: string, value: unknown) =>
    `--part\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value)}\r\n`
  const parts = Object.entries(members).flatMap(([name, value]) =>
    Array.isArray(value) ? value.map((one) => part(name, one)) : [part(name, value)],
  )
  return `${parts.join('')}--part--\r\n`
}
