import { nearest } from '../base/errors/wording.ts'
import { asList, asObject } from '../base/formats/json.ts'
import type { Contract, Operation } from './contract.ts'
import { valueAt } from './pointer.ts'

/** What settings call an operation: `createOrder`, `POST /orders` or, with others, `tag:orders`. */
function namesOf(
  { operationId, method, path, basePath, pointer }: Operation,
  document: unknown,
  parents: ReadonlyMap<unknown, unknown>,
): readonly string[] {
  // A set that grows while it is walked: a tag, the one that it is below (OpenAPI 3.2), and so on.
  const tags = new Set(asList(asObject(valueAt(document, pointer)).tags))
  for (const tag of tags) if (parents.has(tag)) tags.add(parents.get(tag))
  const tagged = [...tags].map((tag) => `tag:${String(tag)}`)
  return [operationId, `${method} ${path}`, `${method} ${basePath}${path}`, ...tagged]
}

/** The tag that each tag is below. */
function parentTags(document: unknown): ReadonlyMap<unknown, unknown> {
  const tags = asList(asObject(document).tags).map(asObject)
  return new Map(tags.flatMap(({ name, parent }) => (parent === undefined ? [] : [[name, parent] as const])))
}

/** The operations that names stand for; for a name of none, a sentence. */
export function findOperations(
  { operations, document, file }: Contract,
  names: readonly string[],
): { readonly found: ReadonlySet<Operation>; readonly unknown: readonly string[] } {
  const found = new Set<Operation>()
  const unknown: string[] = []
  const parents = parentTags(document)
  const named = operations.map((operation) => ({ operation, known: namesOf(operation, document, parents) }))
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
