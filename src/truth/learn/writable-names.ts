import { isObject } from '../../base/formats/json.ts'
import { readDocumented } from '../../contract/schemas/documented.ts'
import type { Contract, Operation } from '../../contract/contract.ts'
import { shapeOf } from '../../contract/schemas/shape.ts'
import type { ComparedExchange } from './compared-exchange.ts'
import { createIsAbout } from './subjects.ts'

/** How deep the schemas of requests are read. */
const DEEPEST = 4

interface WritableNames {
  /** Of what requests have. */
  readonly sent: ReadonlySet<string>
  /** Of what they may have. */
  readonly documented: ReadonlySet<string>
}

/** The names of members that requests have, and of those that they may have: what a response shows of them may be a part of the state. */
export function createWritableNames(
  { document, operations }: Pick<Contract, 'document' | 'operations'>,
  compared: readonly ComparedExchange[],
): (showing: Operation | undefined) => WritableNames {
  const byOperation = new Map<Operation | undefined, { sent: Set<string>; documented: Set<string> }>()
  const namesOf = (operation: Operation | undefined) => {
    const names = byOperation.get(operation) ?? { sent: new Set(), documented: new Set() }
    if (!byOperation.has(operation) && operation)
      addSchema(names.documented, { document, schema: readDocumented(document, operation).input }, DEEPEST)
    byOperation.set(operation, names)
    return names
  }
  for (const { operation, sent } of compared) addValue(namesOf(operation).sent, sent)
  const isAbout = createIsAbout(operations)
  const found = new Map<Operation | undefined, WritableNames>()
  return (showing) => {
    const known = found.get(showing)
    if (known) return known
    const related = [...byOperation].flatMap(([one, names]) =>
      !one || !showing || isAbout(one, showing) ? [names] : [],
    )
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
