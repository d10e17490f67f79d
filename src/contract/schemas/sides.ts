import { follow } from './lookup.ts'
import type { Side } from './schemas.ts'
import { isObject } from '../../formats/json.ts'

type Values = Readonly<Record<string, unknown>>

/** What a side need not have: OpenAPI 3.0.3, 4.7.24.1, `readOnly` and `writeOnly`. */
const SPARED: Readonly<Record<Side, string>> = { request: 'readOnly', response: 'writeOnly' }

/** The names that a schema requires on one side of an exchange; undefined when it requires the same on both. */
export function requiredOn(side: Side, document: Values, { required, properties }: Values): string[] | undefined {
  if (!Array.isArray(required) || !isObject(properties)) return undefined
  const names = required as string[]
  const kept = names.filter((name) => !isSpared(document, properties, name, side))
  return kept.length < names.length ? kept : undefined
}

function isSpared(document: Values, properties: Values, name: string, side: Side): boolean {
  const property = Object.hasOwn(properties, name) ? properties[name] : undefined
  if (!isObject(property)) return false
  if (property[SPARED[side]] === true) return true
  const named = follow(document, property)
  return isObject(named) && named[SPARED[side]] === true
}
