import { isObject } from '../../../base/formats/json.ts'
import { readDocumented } from '../../../contract/schemas/documented.ts'
import type { Contract, Operation } from '../../../contract/contract.ts'
import { shapeOf } from '../../../contract/schemas/shape.ts'
import type { ComparedExchange } from '../compared-exchange.ts'
import { createIsRelated } from '../related-operations.ts'

/** How deep the schemas of requests are read. */
const DEEPEST = 4

/** Names of members in request bodies. */
interface WritableNames {
  /** In recorded requests. */
  readonly sent: ReadonlySet<string>
  /** In the document. */
  readonly documented: ReadonlySet<string>
}

/** Makes a function that finds the members that requests can write, of those that an operation shows: their values may be a part of the state. */
export function createWritableNames(
  { document, operations }: Pick<Contract, 'document' | 'operations'>,
  compared: readonly ComparedExchange[],
): (showing: Operation | undefined) => WritableNames {
  const byOperation = [...Map.groupBy(compared, ({ operation }) => operation)].map(([operation, all]) => {
    const [sent, documented] = [new Set<string>(), new Set<string>()]
    for (const one of all) addValue(sent, one.sent)
    if (operation) addSchema(documented, { document, schema: readDocumented(document, operation).input }, DEEPEST)
    return { operation, sent, documented }
  })
  const isRelated = createIsRelated(operations)
  const found = new Map<Operation | undefined, WritableNames>()
  return (showing) => {
    const known = found.get(showing)
    if (known) return known
    const related = byOperation.filter(({ operation }) => !operation || !showing || isRelated(operation, showing))
    const all = {
      sent: new Set(related.flatMap(({ sent }) => [...sent])),
      documented: new Set(related.flatMap(({ documented }) => [...documented])),
    }
    found.set(showing, all)
    return all
  }
}

function addValue(names: Set<string>, value: unknown): void {
  if (Array.isArray(value)) for (const one of value) addValue(names, one)
  else if (isObject(value))
    for (const [name, one] of Object.entries(value)) {
      names.add(name)
      addValue(names, one)
    }
}

function addSchema(
  names: Set<string>,
  { document, schema }: { readonly document: unknown; readonly schema: unknown },
  levels: number,
): void {
  if (levels === 0) return
  const { properties, items } = shapeOf(document, schema, 'any')
  if (items !== undefined) addSchema(names, { document, schema: items }, levels - 1)
  for (const [name, member] of properties) {
    if (shapeOf(document, member).keywords.readOnly === true) continue
    names.add(name)
    addSchema(names, { document, schema: member }, levels - 1)
  }
}
