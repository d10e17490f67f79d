import { isObject, type Members } from '../base/formats/json.ts'

/**
 * A copy with another value at a place; without it for undefined. Objects on the way are made; a way that leads through something else,
 * such as a text, changes nothing.
 */
export function replaceAt(whole: Members, path: readonly string[], to: unknown): Members {
  return replaced(whole, path, to) as Members
}

function replaced(value: unknown, [name, ...rest]: readonly string[], to: unknown): unknown {
  if (name === undefined) return to
  if (Array.isArray(value)) {
    const elements: readonly unknown[] = value
    const changed = elements.map((one, index) => (String(index) === name ? replaced(one, rest, to) : one))
    return changed.filter((one) => one !== undefined)
  }
  if (value === undefined ? to === undefined : !isObject(value)) return value
  const { [name]: held, ...others } = isObject(value) ? value : {}
  const inner = replaced(held, rest, to)
  return inner === undefined ? others : { ...(value ?? {}), [name]: inner }
}
