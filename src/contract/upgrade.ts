import { upgradeFromThreeToThreeOne } from '@scalar/openapi-upgrader/3.0-to-3.1'
import { type Kind, memberOf } from './grammar.ts'
import { isObject } from '../json.ts'

type Values = Readonly<Record<string, unknown>>

/**
 * Brings a document up to OpenAPI 3.1, whose schemas are JSON Schema. What `nullable` means is written as a type here also where
 * the document says that it is 3.1 already: many were, and kept it.
 */
export function upgrade(document: Values): Values {
  // The upgrader writes into the top level of its argument, so it gets a copy.
  const isOld = String(document.openapi).startsWith('3.0')
  return settle('document', isOld ? (upgradeFromThreeToThreeOne({ ...document }) as Values) : document) as Values
}

function settle(kind: Kind, value: unknown): unknown {
  if (!isObject(value)) return value
  const made = Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      const member = memberOf(kind, name)
      if (!member || typeof inner !== 'object' || inner === null) return [name, inner]
      if (member.holds === 'one') return [name, settle(member.kind, inner)]
      if (Array.isArray(inner)) return [name, inner.map((element) => settle(member.kind, element))]
      return [
        name,
        Object.fromEntries(Object.entries(inner).map(([key, element]) => [key, settle(member.kind, element)])),
      ]
    }),
  )
  return kind === 'schema' && ('nullable' in made || Array.isArray(made.type)) ? withTypes(made) : made
}

/** `nullable` counts beside a `type` alone (OpenAPI 3.0.3, 4.7.24.1). */
function withTypes({ nullable, ...schema }: Values): Values {
  if (schema.type === undefined) return schema
  const types = [schema.type].flat(2)
  if (nullable === true && !types.includes('null')) types.push('null')
  return { ...schema, type: types.length === 1 ? types[0] : types }
}
