import { isObject } from '../../base/formats/json.ts'
import { readDocumented } from '../../contract/schemas/documented.ts'
import { shapeOf } from '../../contract/schemas/shape.ts'
import type { ComparedExchange } from './compared-exchange.ts'

/** How deep the schemas of requests are read. */
const DEEPEST = 4

/** The names of members that requests have, and of those that they may have: what a response shows of them may be a part of the state. */
export function writableNames(
  document: unknown,
  compared: readonly ComparedExchange[],
): { readonly sent: ReadonlySet<string>; readonly documented: ReadonlySet<string> } {
  const [names, documented] = [new Set<string>(), new Set<string>()]
  const addValue = (value: unknown): void => {
    if (Array.isArray(value)) for (const one of value) addValue(one)
    else if (isObject(value))
      for (const [name, one] of Object.entries(value)) {
        names.add(name)
        addValue(one)
      }
  }
  const addSchema = (schema: unknown, levels: number): void => {
    if (levels === 0) return
    const { properties, items } = shapeOf(document, schema, 'any')
    if (items !== undefined) addSchema(items, levels - 1)
    for (const [name, member] of properties) {
      if (shapeOf(document, member).keywords.readOnly === true) continue
      documented.add(name)
      addSchema(member, levels - 1)
    }
  }
  const operations = new Set(compared.flatMap(({ operation }) => operation ?? []))
  for (const operation of operations) addSchema(readDocumented(document, operation).input, DEEPEST)
  for (const { sent } of compared) addValue(sent)
  return { sent: names, documented }
}
