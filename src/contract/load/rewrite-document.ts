import { upgradeFromTwoToThree } from '@scalar/openapi-upgrader/2.0-to-3.0'
import { upgradeFromThreeToThreeOne } from '@scalar/openapi-upgrader/3.0-to-3.1'
import { type PartKind, isMethod, memberOf, METHODS, walk } from './document-structure.ts'
import { isMadeBySpring } from './document-generators.ts'
import { createOpener } from './open-parts.ts'
import { readThreeTwo } from './read-three-two.ts'
import { bareType } from '../media-type.ts'
import { readVariants } from './read-variants.ts'
import { follow, isReference, pointerOf, valueAt } from '../pointer.ts'
import { StartupError } from '../../base/errors/problem.ts'
import { asList, asObject, isObject, type Members, splitPointer } from '../../base/formats/json.ts'
import { placeIn, type SourceFile } from '../../base/formats/source-file.ts'

/**
 * Brings a document to OpenAPI 3.1, whose schemas are JSON Schema, also from 3.2. `nullable` and `exclusiveMinimum: true` are rewritten also in
 * documents that say 3.1 and kept them, and discriminators in all.
 */
export function upgrade(document: Members): Members {
  // The upgrader writes into the top level of its argument, so it gets a copy.
  const isOld = String(document.openapi).startsWith('3.0')
  const upgraded = isOld ? (upgradeFromThreeToThreeOne({ ...document }) as Members) : document
  const readNew = readThreeTwo(upgraded)
  const withVariants = readVariants(upgraded)
  const writesObject = isMadeBySpring(upgraded) || showsObjectOtherwise(upgraded)
  const opened = createOpener(upgraded)
  const upgradeObject = (kind: PartKind, held: unknown, heldBy: string): unknown => {
    if (!isObject(held)) return held
    const read = readNew(kind, held)
    const value = kind === 'schema' ? withVariants(opened(read), heldBy) : read
    const made = Object.fromEntries(
      Object.entries(value).map(([name, inner]) => {
        const member = memberOf(kind, name)
        if (!member || typeof inner !== 'object' || inner === null) return [name, inner]
        // Outside components, `allOf` of one reference is how OpenAPI 3.0 says more of it.
        const isAlone = heldBy !== 'schemas' && Array.isArray(inner) && inner.length === 1
        const upgradeInner = (one: unknown) => upgradeObject(member.kind, one, isAlone ? '' : name)
        if (member.holds === 'one') return [name, upgradeInner(inner)]
        if (Array.isArray(inner)) return [name, inner.map(upgradeInner)]
        return [name, Object.fromEntries(Object.entries(inner).map(([key, element]) => [key, upgradeInner(element)]))]
      }),
    )
    if (kind === 'requestBody') return withJson(withSchemas(made))
    if (kind === 'response') return withSchemas(made)
    if (kind === 'parameter') return withTexts(made)
    if (kind !== 'schema') return made
    return writesObject && HOLD_ANYTHING.has(heldBy) ? withAnything(upgradeSchema(made)) : upgradeSchema(made)
  }
  return upgradeObject('document', upgraded, '') as Members
}

function upgradeSchema(schema: Members): Members {
  const limited = withLimits(asText(schema))
  return 'nullable' in limited || Array.isArray(limited.type) ? withTypes(limited) : limited
}

const HOLD_ANYTHING = new Set(['additionalProperties', 'items', 'properties'])

/** Generators describe Java's `Object`, as in `Map<String, Object>`, by `type: object` alone, although any value is allowed. */
function withAnything(schema: Members): Members {
  const { type: _, ...rest } = schema
  return isBareObject(schema) ? rest : schema
}

/** Whether an example shows that a document means any value by a bare object: `{ "type": "object", "example": "test" }`. */
function showsObjectOtherwise({ components }: Members): boolean {
  const members = Object.values(asObject(asObject(components).schemas)).flatMap((schema) =>
    Object.values(asObject(asObject(schema).properties)),
  )
  return members.some((schema) => {
    if (!isObject(schema) || !isBareObject(schema)) return false
    const shown = [schema.example, ...asList(schema.examples)].filter((one) => one !== undefined && one !== null)
    return shown.length > 0 && !shown.some(isObject)
  })
}

function isBareObject({ type, ...schema }: Members): boolean {
  return type === 'object' && Object.keys(schema).every((name) => ['description', 'example', 'examples'].includes(name))
}

/** Some documents have the schema at `application/json; charset=utf-8` and its examples at `application/json`: both are one media type. */
function withSchemas(holder: Members): Members {
  const { content } = holder
  if (!isObject(content)) return holder
  const media = Object.entries(content)
  const made = media.map(([type, held]): [string, unknown] => {
    if (!isObject(held) || 'schema' in held || '$ref' in held) return [type, held]
    const same = media.find(([other, one]) => isObject(one) && 'schema' in one && bareType(other) === bareType(type))
    return [type, { ...held, ...(same && { schema: structuredClone((same[1] as Members).schema) }) }]
  })
  return { ...holder, content: Object.fromEntries(made) }
}

/**
 * Where members are documented, the body is an object that clients send as JSON, although the document has bytes alone: converters write
 * that for operations that also take an upload.
 */
function withJson(body: Members): Members {
  const { content } = body
  const [[type, media] = [], ...others] = Object.entries(asObject(content))
  const schema = asObject(media).schema
  const isObjects = isObject(schema) && ('properties' in schema || '$ref' in schema || 'allOf' in schema)
  if (type !== 'application/octet-stream' || !isObjects || others.length > 0) return body
  return { ...body, content: { 'application/json': media, [type]: media } }
}

/** YAML reads `enum: [1, 2]` as numbers, also beside `type: string`. In a parameter both are sent as the same text. */
function withTexts(parameter: Members): Members {
  const { schema } = parameter
  if (!isObject(schema) || schema.type !== 'string' || !Array.isArray(schema.enum)) return parameter
  const texts = schema.enum.map((one: unknown) => (typeof one === 'number' ? String(one) : one))
  return { ...parameter, schema: { ...schema, enum: texts } }
}

/** The upgrader takes the type from `format: binary`, though JSON can hold such a member only as a text. */
function asText(schema: Members): Members {
  const isBinary = schema.contentMediaType === 'application/octet-stream' && !('type' in schema) && !('$ref' in schema)
  return isBinary ? { type: 'string', ...schema } : schema
}

/** Before OpenAPI 3.1 `exclusiveMinimum: true` stood beside the `minimum` that it made exclusive. */
function withLimits(schema: Members): Members {
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

/**
 * `nullable` counts beside a `type` alone (OpenAPI 3.0.3, 4.7.24.1), but authors and tools also write it beside alternatives, and mean
 * it. An enumeration has to have null itself.
 */
function withTypes({ nullable, ...schema }: Members): Members {
  const name = ['anyOf', 'oneOf'].find((one) => Array.isArray(schema[one]))
  if (schema.type === undefined)
    return nullable === true && name !== undefined ? { ...schema, [name]: [schema[name], NULL].flat() } : schema
  const types = [schema.type].flat(2)
  if (nullable === true && !types.includes('null')) types.push('null')
  return { ...schema, type: types.length === 1 ? types[0] : types }
}

const NULL = { type: 'null' }

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
    return {
      file,
      value: upgraded,
      lineOf: (pointer) => lineOf(pointerInSwagger(pointer)),
      placeOf: (pointer) => placeIn(document, pointerInSwagger(pointer)),
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new StartupError([
      `${placeIn(document, '/swagger')}: /swagger: the document cannot be converted to OpenAPI 3: ${reason}. Check it with a Swagger validator, or convert it yourself.`,
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
  const parts = splitPointer(pointer)
  const [first, section = '', ...rest] = parts
  const moved = first === 'components' ? [SECTIONS[section] ?? section, ...rest] : parts
  const body = moved.indexOf('requestBody')
  if (body >= 0) return pointerOf([...moved.slice(0, body), 'parameters'])
  const content = moved.indexOf('content')
  // Media types stood in `produces`; the schema was the response's own.
  return pointerOf(content < 0 ? moved : moved.toSpliced(content, 2))
}

/**
 * Removes parts of a document in place, and then references to what is gone: such a schema accepts everything, any other part is
 * removed too.
 */
export function leaveOut(document: Members, pointers: readonly string[]): void {
  let parts: readonly string[] = pointers
  do {
    // From the end, so that removing an element does not move the ones still to be removed.
    for (const pointer of [...new Set(parts)].sort(compareParts).reverse()) remove(document, pointer)
    parts = dangling(document)
  } while (parts.length > 0)
}

function remove(document: Members, pointer: string): void {
  const parts = splitPointer(pointer)
  const last = parts.pop() ?? ''
  const holder = valueAt(document, pointerOf(parts))
  if (Array.isArray(holder)) holder.splice(Number(last), 1)
  else if (typeof holder === 'object' && holder !== null) Reflect.deleteProperty(holder, last)
}

/** The pointers of references that lead nowhere. */
function dangling(document: Members): string[] {
  const found: string[] = []
  walk(document, (kind: PartKind, value, pointer) => {
    if (!isReference(value) || follow(document, value) !== undefined || kind === 'example') return
    found.push(kind === 'schema' ? `${pointer}/$ref` : pointer)
  })
  return found
}

function compareParts(one: string, other: string): number {
  const [a, b] = [splitPointer(one), splitPointer(other)]
  for (const [index, part] of a.entries()) {
    const against = b[index]
    if (against === undefined) return 1
    if (part !== against)
      return /^\d+$/.test(part) && /^\d+$/.test(against) ? Number(part) - Number(against) : part < against ? -1 : 1
  }
  return a.length - b.length
}

/** Gives each operation without an id one of its method and path, such as `getThingsById`. */
export function withIds(document: Members): Members {
  const paths = asObject(document.paths)
  const taken = new Set(idsIn(paths))
  const made = Object.entries(paths).map(([path, item]): [string, unknown] => {
    if (!isObject(item)) return [path, item]
    const members = Object.entries(item).map(([name, held]): [string, unknown] => {
      const isNameless = isMethod(name) && isObject(held) && held.operationId === undefined
      return [name, isNameless ? { operationId: freeId(idOf(name, path), taken), ...held } : held]
    })
    return [path, Object.fromEntries(members)]
  })
  return { ...document, paths: Object.fromEntries(made) }
}

function idsIn(paths: Members): string[] {
  return Object.values(paths).flatMap((item) =>
    METHODS.flatMap((method) => {
      const held = isObject(item) ? item[method] : undefined
      return isObject(held) && typeof held.operationId === 'string' ? [held.operationId] : []
    }),
  )
}

/** `get` and `/things/{id}/parts` are `getThingsByIdParts`. */
function idOf(method: string, path: string): string {
  const words = path.replaceAll(/\{([^{}]*)\}/g, ' by $1 ').match(/[\p{L}\p{N}]+/gu) ?? []
  return [method, ...words.map((word) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`)].join('')
}

function freeId(wanted: string, taken: Set<string>): string {
  let id = wanted
  for (let number = 2; taken.has(id); number++) id = `${wanted}${number}`
  taken.add(id)
  return id
}
