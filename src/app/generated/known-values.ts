import type { Operation } from '../../contract/contract.ts'
import { isObject, type Members } from '../../base/formats/json.ts'
import { wordsOf } from '../../base/formats/names.ts'
import type { ParameterValue } from '../../resources/handler.ts'
import { singular } from '../../base/formats/plurals.ts'
import type { Choice, PreferredResponse } from './prism.ts'

interface SentValues {
  readonly body: unknown
  /** Of the path. */
  readonly parameters: Readonly<Record<string, ParameterValue>>
  /** The query as sent. */
  readonly search: string
  readonly wanted: PreferredResponse
}

/**
 * What the request says about the response: plain members of its body, or its query, path parameters, and the last of these as `id`. What comes before
 * a parameter names it, too: `orderId` and `order_id` of `/orders/{id}/payments`.
 */
export function knownValues(
  { path, method, parameters: documented }: Operation,
  { body, parameters, search }: Omit<SentValues, 'wanted'>,
): Record<string, unknown> {
  const asked = [...new URLSearchParams(search)].filter(([name]) =>
    documented.some((one) => one.in === 'query' && one.name === name),
  )
  const told = asked.map(([name, text]) => [name, /^\d{1,15}$/.test(text) ? Number(text) : text] as const)
  const sent = method === 'GET' ? told : isObject(body) ? Object.entries(body) : []
  const last = /\{([^{}]+)\}$/.exec(path)?.[1] ?? ''
  const id = parameters[last]
  const above = [...path.matchAll(/\/([^/{}]+)\/\{([^{}]+)\}(?=\/)/g)].flatMap(([, word = '', name = '']) => {
    const noun = singular(word)
    return parameters[name] === undefined ? [] : [`${noun}Id`, `${noun}_id`].map((one) => [one, parameters[name]])
  })
  // `call_sid` of `/calls/{CallSid}`
  const spelled = Object.entries(parameters).flatMap(([name, value]) => {
    const [first = '', ...rest] = wordsOf(name)
    const camel = first + rest.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
    return [[[first, ...rest].join('_'), value] as const, [camel, value] as const]
  })
  return {
    ...(Object.fromEntries([...above, ...spelled]) as Record<string, unknown>),
    ...Object.fromEntries(sent.filter(([, value]) => value !== null && typeof value !== 'object')),
    ...(id === undefined || !/id$/i.test(last) ? {} : { id }),
    ...parameters,
  }
}

/**
 * A value whose only list has as many elements as the request asks for: by `n`, or one for each that it sends as `input`.
 *
 * @param n where it does not say how many
 */
export function withCount(value: unknown, body: unknown, n?: unknown): unknown {
  const count = isObject(value) && isObject(body) ? (countOf(body) ?? countOf({ n })) : undefined
  const lists = Object.entries(isObject(value) ? value : {}).filter(([, one]) => Array.isArray(one) && isObject(one[0]))
  const [[name, list] = []] = lists
  if (count === undefined || name === undefined || !Array.isArray(list) || lists.length > 1) return value
  const elements = Array.from({ length: count }, (_, at): unknown => {
    const one: unknown = list[at % list.length]
    return isObject(one) && 'index' in one ? { ...one, index: at } : one
  })
  return { ...(value as Members), [name]: elements }
}

const MOST = 100

function countOf({ n, input, inputs = input, texts = inputs }: Members): number | undefined {
  if (typeof n === 'number' && Number.isInteger(n) && n > 0) return Math.min(n, MOST)
  if (Array.isArray(texts) && texts.length > 0) return Math.min(texts.length, MOST)
  return typeof texts === 'string' ? 1 : undefined
}

/** The example of a success with what the request says of it, as far as the contract allows that: the name that was sent, the id of the path. */
export function toldExample(operation: Operation, request: SentValues, choice: Choice): unknown {
  const { body, status, headers } = choice
  if (!isObject(body) || status >= 300 || request.wanted.example !== undefined) return body
  const known = knownValues(operation, request)
  const sent = operation.method === 'GET' || !isObject(request.body) ? {} : request.body
  const told = [{ ...known, ...sent }, known].map((values) => withTold(body, values))
  return told.find((one) => operation.acceptsResponse(status, one, String(headers['Content-type']))) ?? body
}

/**
 * A value with known members in the place of those of the same name and type. Those that it does not have itself may be in the objects
 * that it has, as in `{"ok": true, "channel": {"name": …}}`.
 */
function withTold(value: Members, known: Members): Members {
  const isSame = (held: unknown, name: string) =>
    Object.hasOwn(known, name) && (typeOf(held) === typeOf(known[name]) || isIdAsText(held, known[name]))
  const others = Object.fromEntries(Object.entries(known).filter(([name]) => !Object.hasOwn(value, name)))
  return Object.fromEntries(
    Object.entries(value).map(([name, held]) => {
      if (isSame(held, name)) return [name, merged(held, known[name])]
      const inner = isObject(held)
        ? Object.fromEntries(Object.entries(others).filter(([one]) => isSame(held[one], one)))
        : {}
      return [name, isObject(held) ? merged(held, inner) : held]
    }),
  )
}

/** Whether a response has as digits what a request sends as a number, such as an id. */
function isIdAsText(held: unknown, known: unknown): boolean {
  return typeof held === 'string' && typeof known === 'number' && /^\d+(\.\d+)?$/.test(held)
}

function merged(held: unknown, known: unknown): unknown {
  if (isIdAsText(held, known)) return String(known)
  return isObject(held) && isObject(known) ? { ...held, ...known } : known
}

function typeOf(value: unknown): string {
  return Array.isArray(value) ? 'array' : typeof value
}
