import { isObject, stringifyJson } from '../../formats/json.ts'

/** JSON text in which the members of objects stand in the order of their names: equal values have equal texts. */
export function stringifySorted(value: unknown): string {
  return stringifyJson(sorted(value))
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (!isObject(value)) return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([name, inner]) => [name, sorted(inner)]))
}
