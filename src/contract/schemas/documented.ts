import { rememberingAll } from '../../base/cache.ts'
import { asObject, isObject } from '../../base/formats/json.ts'
import { follow, valueAt } from '../pointer.ts'

/** The responses and the request body that a document has for one operation. */
export interface Documented {
  /** The statuses of its responses as they are written: `200`, `4XX`, `default`. */
  readonly statuses: readonly string[]
  /** The response of a status; undefined when none is documented. A 201 without content has that of the 200 beside it. */
  response(status: number): DocumentedResponse | undefined
  /**
   * The documented status for one of Standin's. A status that is documented itself, or by its range, stays. Else it is the documented
   * one with the same meaning, or whose description has it; else it stays, unless `rule` asks for the documented one of the closest
   * meaning.
   */
  statusFor(status: number, rule?: 'usual' | 'documented'): number
  /** The description of the response of a status; empty where none is documented for the status itself. */
  described(status: number): string
  /** The schema of a JSON body. */
  readonly body: unknown
  /** The schema of a body with members: of JSON, else of any type, else of a form. */
  readonly input: unknown
  readonly hasBody: boolean
}

export interface DocumentedResponse {
  /** Its JSON media type; undefined for a response without one. */
  readonly contentType: string | undefined
  readonly schema: unknown
  /** Of that media type; undefined for none. */
  readonly example: unknown
  /** Whether it has more examples than that. */
  readonly isOneOfSeveral: boolean
  /** All of its media types. */
  readonly types: readonly string[]
  /** The names of its headers that need not be there. */
  readonly optionalHeaders: readonly string[]
  /** The example of a response that is plain text; empty without one, undefined for any other response. */
  readonly text: string | undefined
}

/** @param pointer of the operation in the document */
export function readDocumented(document: unknown, { pointer }: { readonly pointer: string }): Documented {
  const held = objectAt(document, valueAt(document, pointer))
  const responses = asObject(held.responses)
  const read = rememberingAll((name: string) => contentOf(document, responses[name]))
  const statuses = Object.keys(responses).filter((name) => !name.startsWith('x-'))
  const described = (name: string) => {
    const { description } = objectAt(document, responses[name])
    return typeof description === 'string' ? description : ''
  }
  return {
    statuses,
    described: (status) => described(String(status)),
    statusFor: (status, rule = 'usual') => documentedStatus(status, { statuses, rule, described }),
    response(status) {
      const name = responseName(status, responses)
      const own = name === undefined ? undefined : read(name)
      // Generators document what a method returns at 200. A 201 that is annotated beside it has a description, and headers at most.
      const isBare = status === 201 && own?.types.length === 0 && Object.hasOwn(responses, '200')
      return isBare ? { ...read('200'), optionalHeaders: own.optionalHeaders } : own
    },
    body: contentOf(document, held.requestBody).schema,
    input: inputOf(document, held.requestBody),
    hasBody: held.requestBody !== undefined,
  }
}

/** OpenAPI 3.1, 4.8.16.1: the status itself, else its range such as `4XX`, else `default`. */
export function responseName(status: number, responses: object): string | undefined {
  return [String(status), `${Math.floor(status / 100)}XX`, 'default'].find((name) => Object.hasOwn(responses, name))
}

interface DocumentedStatuses {
  readonly statuses: readonly string[]
  readonly rule: 'usual' | 'documented'
  /** The description of one. */
  described(status: string): string
}

function documentedStatus(status: number, { statuses, rule, described }: DocumentedStatuses): number {
  if (statuses.includes(String(status)) || statuses.includes(`${Math.floor(status / 100)}XX`)) return status
  if (status >= 200 && status < 300) {
    const successes = statuses.map(Number).filter((one) => one >= 200 && one < 300)
    return successes.length > 0 ? Math.min(...successes) : status
  }
  const alike = (others: readonly number[] = []) => others.find((other) => statuses.includes(String(other)))
  const words = WORDS[status]
  const said = words && statuses.find((one) => /^4\d\d$/.test(one) && words.test(described(one)))
  const same = alike(SAME[status]) ?? (said === undefined ? undefined : Number(said))
  if (same !== undefined || statuses.includes('default')) return same ?? status
  // FastAPI documents 200 and 422 alone, and responds 404 nevertheless.
  return alike(NEAR[status]) ?? (rule === 'usual' ? undefined : alike(LIKE[status])) ?? status
}

/** Both mean a request with invalid content. */
const SAME: Readonly<Record<number, readonly number[]>> = { 400: [422], 422: [400] }

/** Services make no difference between them: no rights or not enough, gone or never there, a state in the way. */
const NEAR: Readonly<Record<number, readonly number[]>> = { 401: [403], 403: [401], 410: [404], 412: [409, 428] }

/** How the description of another status says that it is for this one, such as 400: "No tag with this id". */
const WORDS: Readonly<Record<number, RegExp>> = {
  404: /\b(?:not? (?:be )?found|no such|unknown|no longer exist|(?:does|do|did)(?: not|n't) exist|no \w+ (?:exists|with))\b/i,
  409: /\b(?:already (?:exists?|used|taken|registered|in use)|duplicated?|conflicts?|must be unique|not unique)\b/i,
}

/** The documented statuses that may replace one that is not documented, the nearest first. */
const LIKE: Readonly<Record<number, readonly number[]>> = {
  404: [410, 400, 422],
  406: [400, 422],
  409: [412, 400, 422],
  410: [400, 422],
  412: [400, 422],
  413: [400, 422],
  415: [400, 422],
}

function contentOf(document: unknown, held: unknown): DocumentedResponse {
  const { content, headers } = objectAt(document, held)
  const types = Object.keys(asObject(content))
  const described = types.filter((type) => isObject(content) && 'schema' in objectAt(document, content[type]))
  const type = jsonTypeOf(described) ?? jsonTypeOf(types)
  const { schema, example, examples } = isObject(content) && type !== undefined ? objectAt(document, content[type]) : {}
  const [first, ...more] = Object.values(asObject(examples))
  const contentType = type !== undefined && ANYTHING.test(type) ? 'application/json' : type
  return {
    contentType,
    schema,
    example: example ?? objectAt(document, first).value,
    isOneOfSeveral: more.length > 0,
    types,
    optionalHeaders: Object.entries(asObject(headers)).flatMap(([name, header]) =>
      objectAt(document, header).required === true ? [] : [name],
    ),
    text: types.length > 0 && types.every((one) => one.startsWith(PLAIN)) ? plainText(document, content) : undefined,
  }
}

const PLAIN = 'text/plain'

/** Whether a text response to a create is the id of the new item: its example has a digit, or is missing. Others are a sentence, or `OK`. */
export function mayBeId(text: string): boolean {
  return text === '' || /\d/.test(text)
}

function plainText(document: unknown, content: unknown): string {
  const [held] = Object.values(asObject(content))
  const { example, schema } = objectAt(document, held)
  const examples = [example, objectAt(document, schema).example]
  return examples.find((one) => typeof one === 'string') ?? ''
}

function inputOf(document: unknown, held: unknown): unknown {
  const { content } = objectAt(document, held)
  if (!isObject(content)) return undefined
  // A JSON Patch describes a change, not an item (RFC 6902).
  const types = Object.keys(content).filter((one) => !/json-patch/i.test(one))
  if (types.length === 0 && Object.keys(content).length > 0) return {}
  const type = jsonTypeOf(types) ?? INPUTS.map((one) => types.find((type) => one.test(type))).find((one) => one)
  return type === undefined ? undefined : objectAt(document, content[type]).schema
}

const INPUTS = [/x-www-form-urlencoded/i, /^multipart\/form-data/i]

function objectAt(document: unknown, held: unknown): Readonly<Record<string, unknown>> {
  return asObject(follow(document, held))
}

/** The JSON media type among several: problem documents first, then plain JSON, then what is JSON beneath or may be, as Spring writes it. */
export function jsonTypeOf(types: readonly string[]): string | undefined {
  const known = ['application/problem+json', 'application/json'].find((type) => types.includes(type))
  return known ?? types.find((type) => /[/+]json(?![\w-])/i.test(type)) ?? types.find((type) => ANYTHING.test(type))
}

const ANYTHING = /^(?:\*|application)\/\*/
