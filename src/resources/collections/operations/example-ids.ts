import { isObject } from '../../../base/formats/json.ts'
import { plainName } from '../../../base/formats/names.ts'

/** An id in a member, such as `7` in `customer_id`. @param name a plain one */
export function exampleKey(name: string, id: unknown): string {
  return `${name} ${String(id)}`
}

/** Keywords beside which a contract gives values. */
const VALUES = new Set(['example', 'examples', 'default', 'enum', 'const'])

/** Keywords whose schemas are about the same member, or about those inside it. */
const INSIDE = new Set(['properties', 'items', 'allOf', 'anyOf', 'oneOf'])

/** The ids that a contract gives as examples, defaults or choices of members, such as `customer_id`, `customer_ids` or `customer.id`. */
export function findExampleIds(document: unknown): ReadonlySet<string> {
  const found = new Set<string>()
  const seen = new Set<unknown>()
  const gather = (value: unknown, name: string): void => {
    if (Array.isArray(value)) for (const one of value) gather(one, name)
    else if (isObject(value)) for (const [inner, one] of Object.entries(value)) gather(one, nameIn(name, inner))
    else if (/ids?$/.test(name)) found.add(exampleKey(name.replace(/s$/, ''), value))
  }
  const visit = (held: unknown, name: string): void => {
    if (typeof held !== 'object' || held === null || seen.has(held)) return
    seen.add(held)
    if (Array.isArray(held)) for (const one of held) visit(one, name)
    else
      for (const [key, one] of Object.entries(held)) {
        if (VALUES.has(key)) gather(one, name)
        visit(one, INSIDE.has(key) ? name : nameIn(name, key))
      }
  }
  visit(document, '')
  return found
}

/** `customer.id` is `customerid`. */
function nameIn(parent: string, name: string): string {
  const plain = plainName(name)
  return plain === 'id' ? `${parent}id` : plain
}
