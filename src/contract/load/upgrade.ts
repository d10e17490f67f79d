import { upgradeFromThreeToThreeOne } from '@scalar/openapi-upgrader/3.0-to-3.1'
import { type Kind, memberOf } from './grammar.ts'
import { encodePointer, isObject } from '../../formats/json.ts'
import { upgradeFromTwoToThree } from '@scalar/openapi-upgrader/2.0-to-3.0'
import { partsOf } from '../pointer.ts'
import type { SourceFile } from '../../formats/source-file.ts'
import { StartupError } from '../../errors/problem.ts'

type Values = Readonly<Record<string, unknown>>

/**
 * Upgrades a document to OpenAPI 3.1, whose schemas are JSON Schema. `nullable` and `exclusiveMinimum: true` are rewritten also in
 * documents that say 3.1 and kept them.
 */
export function upgrade(document: Values): Values {
  // The upgrader writes into the top level of its argument, so it gets a copy.
  const isOld = String(document.openapi).startsWith('3.0')
  return upgradeObject('document', isOld ? (upgradeFromThreeToThreeOne({ ...document }) as Values) : document) as Values
}

function upgradeObject(kind: Kind, value: unknown): unknown {
  if (!isObject(value)) return value
  const made = Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      const member = memberOf(kind, name)
      if (!member || typeof inner !== 'object' || inner === null) return [name, inner]
      if (member.holds === 'one') return [name, upgradeObject(member.kind, inner)]
      if (Array.isArray(inner)) return [name, inner.map((element) => upgradeObject(member.kind, element))]
      return [
        name,
        Object.fromEntries(Object.entries(inner).map(([key, element]) => [key, upgradeObject(member.kind, element)])),
      ]
    }),
  )
  if (kind !== 'schema') return made
  const limited = withLimits(made)
  return 'nullable' in limited || Array.isArray(limited.type) ? withTypes(limited) : limited
}

/** Before OpenAPI 3.1 `exclusiveMinimum: true` stood beside the `minimum` that it made exclusive. */
function withLimits(schema: Values): Values {
  if (typeof schema.exclusiveMinimum !== 'boolean' && typeof schema.exclusiveMaximum !== 'boolean') return schema
  const made: Record<string, unknown> = { ...schema }
  for (const [exclusive, limit] of LIMITS) {
    const isExclusive = made[exclusive]
    if (typeof isExclusive !== 'boolean' || (isExclusive && typeof made[limit] !== 'number')) continue
    if (isExclusive) made[exclusive] = made[limit]
    else Reflect.deleteProperty(made, exclusive)
  }
  return made
}

const LIMITS = [
  ['exclusiveMinimum', 'minimum'],
  ['exclusiveMaximum', 'maximum'],
] as const

/** `nullable` counts beside a `type` alone (OpenAPI 3.0.3, 4.7.24.1). */
function withTypes({ nullable, ...schema }: Values): Values {
  if (schema.type === undefined) return schema
  const types = [schema.type].flat(2)
  if (nullable === true && !types.includes('null')) types.push('null')
  return { ...schema, type: types.length === 1 ? types[0] : types }
}

/**
 * Converts Swagger 2.0 to OpenAPI 3.0; other documents stay as they are. Lines remain those of the file.
 *
 * @throws StartupError for a document that cannot be converted
 */
export function fromSwagger(document: SourceFile): SourceFile {
  const { file, value, lineOf } = document
  if (!isObject(value) || value.swagger !== '2.0') return document
  try {
    // The upgrader writes into its argument.
    const upgraded: unknown = upgradeFromTwoToThree(structuredClone(value))
    return { file, value: upgraded, lineOf: (pointer) => lineOf(pointerInSwagger(pointer)) }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new StartupError([
      `${file}:${lineOf('/swagger')}: /swagger: the document cannot be converted to OpenAPI 3: ${reason}. Check it with a Swagger validator, or convert it yourself.`,
    ])
  }
}

const SECTIONS: Readonly<Record<string, string>> = {
  schemas: 'definitions',
  requestBodies: 'parameters',
  securitySchemes: 'securityDefinitions',
}

/** The pointer of a part in the Swagger document: `/definitions/Pet` for `/components/schemas/Pet`. */
function pointerInSwagger(pointer: string): string {
  const parts = partsOf(pointer)
  const [first, section = '', ...rest] = parts
  const moved = first === 'components' ? [SECTIONS[section] ?? section, ...rest] : parts
  const body = moved.indexOf('requestBody')
  if (body >= 0) return written([...moved.slice(0, body), 'parameters'])
  const content = moved.indexOf('content')
  // Media types stood in `produces`; the schema was the response's own.
  return written(content < 0 ? moved : moved.toSpliced(content, 2))
}

function written(parts: readonly string[]): string {
  return parts.map((part) => `/${encodePointer(part)}`).join('')
}
