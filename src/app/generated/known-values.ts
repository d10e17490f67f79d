import type { Operation } from '../../contract/contract.ts'
import { isObject, type Members } from '../../base/formats/json.ts'
import type { ParameterValue } from '../../resources/handler.ts'
import type { Choice, PreferredResponse } from './prism.ts'

interface SentValues {
  readonly body: unknown
  /** Of the path. */
  readonly parameters: Readonly<Record<string, ParameterValue>>
  readonly wanted: PreferredResponse
}

/** What the request says about the response: plain members of its body, path parameters, and the last of these as `id`. */
export function knownValues(
  { path, method }: Operation,
  { body, parameters }: Pick<SentValues, 'body' | 'parameters'>,
): Record<string, unknown> {
  const sent = method === 'GET' || !isObject(body) ? [] : Object.entries(body)
  const last = /\{([^{}]+)\}$/.exec(path)?.[1] ?? ''
  const id = parameters[last]
  return {
    ...Object.fromEntries(sent.filter(([, value]) => value !== null && typeof value !== 'object')),
    ...(id === undefined || !/id$/i.test(last) ? {} : { id }),
    ...parameters,
  }
}

/** The example of a success with what the request says of it, as far as the contract allows that: the name that was sent, the id of the path. */
export function toldExample(operation: Operation, request: SentValues, choice: Choice): unknown {
  const { body, status, headers } = choice
  if (!isObject(body) || status >= 300 || request.wanted.example !== undefined) return body
  const known = knownValues(operation, request)
  const sent = operation.method === 'GET' || !isObject(request.body) ? {} : request.body
  const told = [{ ...known, ...sent }, known].map((values) => withKnown(body, values))
  return told.find((one) => operation.acceptsResponse(status, one, String(headers['Content-type']))) ?? body
}

/**
 * A value with known members in the place of those of the same name and type. Those that it does not have itself may be in the objects
 * that it has, as in `{"ok": true, "channel": {"name": …}}`.
 */
function withKnown(value: Members, known: Members): Members {
  const isSame = (held: unknown, name: string) => Object.hasOwn(known, name) && typeOf(held) === typeOf(known[name])
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

function merged(held: unknown, known: unknown): unknown {
  return isObject(held) && isObject(known) ? { ...held, ...known } : known
}

function typeOf(value: unknown): string {
  return Array.isArray(value) ? 'array' : typeof value
}
