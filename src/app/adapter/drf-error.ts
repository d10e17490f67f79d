import type { Violation } from '../../base/errors/problem.ts'
import { splitPointer } from '../../base/formats/json.ts'

/** The member for errors of the whole body: the default of Django REST framework's `NON_FIELD_ERRORS_KEY`. */
const WHOLE = 'non_field_errors'

/** The body of a 400 from a serializer of Django REST framework: `{"name": ["This field is required."], "lines": [{}, {"amount": ["A valid number is required."]}]}`. */
export function serializerErrors(violations: readonly Violation[]): unknown {
  const held = violations.map((violation) => ({
    names: violation.pointer === undefined ? [violation.parameter ?? WHOLE] : splitPointer(violation.pointer),
    message: messageOf(violation),
  }))
  return tree(held)
}

interface HeldMessage {
  readonly names: readonly string[]
  readonly message: string
}

function tree(held: readonly HeldMessage[]): unknown {
  const [first] = held
  const isList = first?.names[0] !== undefined && /^\d+$/.test(first.names[0])
  const byName = Map.groupBy(held, ({ names: [name = WHOLE] }) => name)
  const members = [...byName].map(([name, some]): [string, unknown] => {
    const inner = some.map(({ names, message }) => ({ names: names.slice(1), message }))
    const isDeep = inner.some(({ names }) => names.length > 0)
    return [name, isDeep ? tree(inner) : [...new Set(inner.map(({ message }) => message))]]
  })
  if (!isList) return Object.fromEntries(members)
  const length = Math.max(...members.map(([name]) => Number(name))) + 1
  return Array.from({ length }, (_, at) => members.find(([name]) => Number(name) === at)?.[1] ?? {})
}

function messageOf({ code, expected, received, message }: Violation): string {
  if (code === 'required' || received === undefined) return 'This field is required.'
  if (received === 'null') return 'This field may not be null.'
  if (received === '""') return 'This field may not be blank.'
  const limit = /-?\d+(?:\.\d+)?/.exec(expected)?.[0] ?? ''
  const known = code === 'type' || code === 'format' ? TYPES.find(([pattern]) => pattern.test(expected)) : undefined
  return known?.[1] ?? LIMITED[code]?.(limit, received) ?? message
}

const DATE = 'has wrong format. Use one of these formats instead: YYYY-MM-DD'

const TYPES: readonly (readonly [pattern: RegExp, message: string])[] = [
  [/true or false|boolean/, 'Must be a valid boolean.'],
  [/integer|whole number/, 'A valid integer is required.'],
  [/number/, 'A valid number is required.'],
  [/uuid/, 'Must be a valid UUID.'],
  [/date-time/, `Datetime ${DATE}Thh:mm[:ss[.uuuuuu]][+HH:MM|-HH:MM|Z].`],
  [/date/, `Date ${DATE}.`],
  [/email/, 'Enter a valid email address.'],
  [/ur[il]/, 'Enter a valid URL.'],
  [/array|list/, 'Expected a list of items.'],
  [/object/, 'Invalid data. Expected a dictionary.'],
  [/string|text/, 'Not a valid string.'],
]

const LIMITED: Readonly<Record<string, (limit: string, received: string) => string>> = {
  enum: (_limit, received) => `"${received.replaceAll('"', '')}" is not a valid choice.`,
  minLength: (limit) => `Ensure this field has at least ${limit} characters.`,
  maxLength: (limit) => `Ensure this field has no more than ${limit} characters.`,
  minItems: (limit) => `Ensure this field has at least ${limit} elements.`,
  maxItems: (limit) => `Ensure this field has no more than ${limit} elements.`,
  minimum: (limit) => `Ensure this value is greater than or equal to ${limit}.`,
  maximum: (limit) => `Ensure this value is less than or equal to ${limit}.`,
  pattern: () => 'This value does not match the required pattern.',
}
