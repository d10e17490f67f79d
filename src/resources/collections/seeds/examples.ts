import { createLookup, valueAt } from '../../../contract/pointer.ts'
import { jsonTypeOf, responseName } from '../../../contract/schemas/documented.ts'
import { encodePointer, isObject, type Members, stringifySorted } from '../../../base/formats/json.ts'
import { idOf } from '../documents/ids.ts'
import type { CollectionPlan, OperationPlan } from '../infer/plan.ts'

/** A document that the contract gives as an example. */
export interface Example {
  readonly id: string | undefined
  readonly value: Members
  /** A JSON pointer, for messages. */
  readonly origin: string
}

/** Further ones are skipped. */
const MOST = 200

/**
 * The examples of items of a collection: those of responses first, then those of schemas. The same item in several places is one, with
 * the members of all of them.
 */
export function findExamples(document: unknown, plan: CollectionPlan, operations: Iterable<OperationPlan>): Example[] {
  const own = [...operations].filter(({ collection, role }) => collection === plan && role !== 'action')
  const found = [
    ...own.flatMap((one) => examplesOfResponse(document, one)),
    ...examplesOfSchema(document, plan.schema, ''),
  ]
  const byIdentity = new Map<string, Example>()
  for (const { value, origin } of found.slice(0, MOST)) {
    const id = plan.isSingleton ? undefined : idOf(plan.identity, value)
    const key = plan.isSingleton ? '' : (id ?? stringifySorted(value))
    const known = byIdentity.get(key)
    byIdentity.set(key, known ? { ...known, value: { ...value, ...known.value } } : { id, value, origin })
  }
  return [...byIdentity.values()]
}

interface FoundExample {
  readonly value: Members
  readonly origin: string
}

/** The examples of the items that the response of an operation shows. */
export function examplesOfResponse(document: unknown, { operation, output }: OperationPlan): FoundExample[] {
  const { located, status, schema } = output
  if (!located) return []
  const lookup = createLookup(document)
  const responses = lookup.at(`${operation.pointer}/responses`)
  const name = isObject(responses) ? responseName(status, responses) : undefined
  const response = lookup.locate(`${operation.pointer}/responses/${name ?? status}`)
  const content = lookup.at(`${response}/content`)
  const type = isObject(content) ? jsonTypeOf(Object.keys(content)) : undefined
  if (type === undefined) return []
  const at = `${response}/content/${encodePointer(type)}`
  const media = lookup.at(at)
  const { example, examples } = isObject(media) ? media : {}
  const named = isObject(examples) ? Object.entries(examples) : []
  const bodies = [
    ...(example === undefined ? [] : [{ value: example, origin: `${at}/example` }]),
    ...named.flatMap(([name, one]) => {
      const held = lookup.follow(one)
      return isObject(held) ? [{ value: held.value, origin: `${at}/examples/${encodePointer(name)}` }] : []
    }),
    ...valuesOfSchema(document, schema, `${at}/schema`),
  ]
  const items = bodies.flatMap(({ value, origin }) => {
    const held = valueAt(value, located.pointer)
    const many = located.isMap && isObject(held) ? Object.values(held) : Array.isArray(held) ? held : []
    const list: readonly unknown[] = located.isList ? many : [held]
    return list.filter(isObject).map((item) => ({ value: item, origin }))
  })
  return [...items, ...examplesOfSchema(document, located.schema, `${at}/schema`)]
}

function examplesOfSchema(document: unknown, schema: unknown, origin: string): FoundExample[] {
  return valuesOfSchema(document, schema, origin).flatMap(({ value }) => (isObject(value) ? [{ value, origin }] : []))
}

/** Examples beside a schema, or in a schema that it refers to. */
function valuesOfSchema(document: unknown, schema: unknown, origin: string) {
  const target = createLookup(document).follow(schema)
  const held = [schema, target].filter(isObject)
  const place = isObject(schema) && typeof schema.$ref === 'string' ? schema.$ref.slice(1) : origin
  const values = held.flatMap(({ example, examples }): unknown[] => [
    ...(example === undefined ? [] : [example]),
    ...(Array.isArray(examples) ? (examples as unknown[]) : []),
  ])
  return [...new Set(values)].map((value) => ({ value, origin: `${place}/example` }))
}
