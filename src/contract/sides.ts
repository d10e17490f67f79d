import { walk } from './grammar.ts'
import { follow } from './lookup.ts'
import type { Side } from './schemas.ts'
import { isObject } from '../json.ts'

type Values = Readonly<Record<string, unknown>>

/** What a side need not have: OpenAPI 3.0.3, 4.7.24.1, `readOnly` and `writeOnly`. */
const SPARED: Readonly<Record<Side, string>> = { request: 'readOnly', response: 'writeOnly' }

/** Whether a required property belongs to one side of an exchange alone. */
export function hasSides(document: Values): boolean {
  const known = sided.get(document)
  if (known !== undefined) return known
  let has = false
  walk(document, (kind, value) => {
    has ||=
      kind === 'schema' &&
      isObject(value) &&
      (Object.keys(SPARED) as Side[]).some((side) => spares(document, value, side))
  })
  sided.set(document, has)
  return has
}

const sided = new WeakMap<object, boolean>()

/** The document as one side of an exchange sees it: what belongs to the other is not required there. */
export function viewOf(document: Values, side: Side): Values {
  const copy = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(copy)
    if (!isObject(value)) return value
    const made = Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, copy(inner)]))
    return spares(document, value, side)
      ? { ...made, required: requiredOf(value).filter((name) => !isSpared(document, value, name, side)) }
      : made
  }
  return copy(document) as Values
}

function spares(document: Values, schema: Values, side: Side): boolean {
  return requiredOf(schema).some((name) => isSpared(document, schema, name, side))
}

function requiredOf({ required, properties }: Values): readonly string[] {
  return Array.isArray(required) && isObject(properties) ? (required as string[]) : []
}

function isSpared(document: Values, { properties }: Values, name: string, side: Side): boolean {
  const property = isObject(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined
  if (!isObject(property)) return false
  if (property[SPARED[side]] === true) return true
  const named = follow(document, property)
  return isObject(named) && named[SPARED[side]] === true
}
