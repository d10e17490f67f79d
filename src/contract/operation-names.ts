import { nearest } from '../base/errors/wording.ts'
import { asList, asObject } from '../base/formats/json.ts'
import type { Contract, Operation } from './contract.ts'
import { valueAt } from './pointer.ts'

/** What settings call an operation: `createOrder`, `POST /orders` or, with others, `tag:orders`. */
function namesOf({ operationId, method, path, basePath, pointer }: Operation, document: unknown): readonly string[] {
  const tags = asList(asObject(valueAt(document, pointer)).tags)
  return [operationId, `${method} ${path}`, `${method} ${basePath}${path}`, ...tags.map((tag) => `tag:${String(tag)}`)]
}

/** The operations that names stand for; for a name of none, a sentence. */
export function findOperations(
  { operations, document, file }: Contract,
  names: readonly string[],
): { readonly found: ReadonlySet<Operation>; readonly unknown: readonly string[] } {
  const found = new Set<Operation>()
  const unknown: string[] = []
  const named = operations.map((operation) => ({ operation, known: namesOf(operation, document) }))
  for (const name of names) {
    const meant = named.filter(({ known }) => known.includes(name))
    for (const { operation } of meant) found.add(operation)
    if (meant.length > 0) continue
    const known = new Set(named.flatMap((one) => one.known))
    const near = nearest(name, known)
    const hint = near === undefined ? `It has ${[...known].slice(0, 10).join(', ')}.` : `Did you mean \`${near}\`?`
    unknown.push(`${file} has no operation \`${name}\`. ${hint}`)
  }
  return { found, unknown }
}
