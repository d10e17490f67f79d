import { once } from '../../../base/cache.ts'
import { alternativesOf, isNumeric, memberAt, shapeOf, type Shape } from '../../../contract/schemas/shape.ts'
import type { Parameter } from '../../../contract/contract.ts'
import { encodePointer, splitPointer } from '../../../base/formats/json.ts'
import { isIdName, LOGINS, namesOfId, OTHER_IDS, thingOf, WORDS } from './id-names.ts'
import { idExample } from '../documents/id-style.ts'
import { choicesOf, pathLimits } from '../documents/ids.ts'
import { isOpenItem } from './open-items.ts'
import type { ItemIdentity } from './plan.ts'
import { plainName, wordsOf } from '../../../base/formats/names.ts'

interface IdentityParts {
  readonly document: unknown
  /** Of an item, by the operation that shows it best; then by the others. */
  readonly schemas: readonly unknown[]
  /** Of an item in the list; undefined where there is none. */
  readonly listed: unknown
  readonly noun: string
  /** The path parameter that names an item; undefined where no path has one. */
  readonly parameter: Parameter | undefined
  /** The schema of the item in the body of a creation; undefined where there is none. */
  readonly input: unknown
  /** Whether another part of the path names the owner, so that the text which names an item is often its name. */
  readonly isOwned: boolean
  /** The member that the contract names by `x-standin`. */
  readonly named: string | undefined
  /** Pointers of the operations on the items. */
  readonly operations: readonly string[]
}

/** Objects inside an item that may hold its id, as in Kubernetes. */
const INSIDE = ['metadata', 'meta', 'attributes']

/** Finds the member that holds the id: the one that the path parameter is called after, else `id`, else `<noun>Id`. */
export function findIdentity(parts: IdentityParts): ItemIdentity {
  const { document, schemas, input, named, parameter, operations } = parts
  const found =
    named === undefined
      ? (findMember(parts) ?? inOpenItem(parts))
      : { pointer: `/${encodePointer(named)}`, schema: schemas[0] }
  const { pointer, schema } = found ?? {}
  const memberOf = (one: unknown) =>
    pointer === undefined ? undefined : memberAt(document, one, splitPointer(pointer))
  const member = memberOf(schema)
  const isChosen =
    pointer !== undefined &&
    input !== undefined &&
    (isWritable(document, input, pointer) || (member === undefined && isOpenItem(document, input)))
  const pathSchema = likeMember(document, parameter?.schema, member)
  const fits = pathLimits(document, parameter && { ...parameter, schema: pathSchema })
  const choices = choicesOf(document, [pathSchema, member])
  // The texts of the document are searched when the first id is made, and not at the start.
  const like = once(() => idExample(document, { schema: schemas[0], pointer, own: [member, pathSchema], operations }))
  const others = once(() =>
    OTHER_IDS.filter(
      (name) => pointer === '/id' && schemas.some((one) => memberAt(document, one, [name]) !== undefined),
    ),
  )
  return {
    pointer,
    schema: member,
    pathSchema,
    isChosen,
    choices,
    fits,
    like,
    others,
    most: choices?.length ?? parameter?.most,
    // An id that another response documents as a number is numeric.
    type: typeOf(document, [member, pathSchema, ...schemas.map(memberOf)]),
    isText: shapeOf(document, member).types.has('string') && !isNumeric(shapeOf(document, member)),
  }
}

/** The schema of a path parameter; of one that allows numbers and texts, the alternative with the type of the member that holds the id. */
function likeMember(document: unknown, schema: unknown, member: unknown): unknown {
  if (member === undefined) return schema
  const { types } = shapeOf(document, member)
  const isAlike = (one: unknown) => !shapeOf(document, one).types.isDisjointFrom(types)
  return alternativesOf(document, schema).find(isAlike) ?? schema
}

/** Items with any members have the one that their path names: `id` for `{id}` and `{recordId}`, `name` for `{name}`. */
function inOpenItem({ document, schemas: [schema], parameter }: IdentityParts): FoundMember | undefined {
  if (parameter === undefined || !isOpenItem(document, schema)) return undefined
  const name = isIdName(parameter.name) ? 'id' : parameter.name
  return { pointer: `/${encodePointer(name)}`, schema }
}

interface FoundMember {
  readonly pointer: string
  /** Of the item that has it. */
  readonly schema: unknown
}

/** A list may show members of an item that a read does not. */
function findMember(parts: IdentityParts): FoundMember | undefined {
  const [schema] = parts.schemas
  const listed = parts.input === undefined ? findListed(parts, schema) : undefined
  if (listed !== undefined) return { pointer: listed, schema }
  for (const [index, schema] of parts.schemas.entries()) {
    const shape = shapeOf(parts.document, schema, 'any')
    const pointer = index > 0 && shape.properties.size === 0 ? undefined : findPointer(parts, shape)
    if (pointer !== undefined) return { pointer, schema }
  }
  return undefined
}

/** Without a create, clients learn ids only from the list: a version, where items have no id. */
function findListed(parts: IdentityParts, schema: unknown): string | undefined {
  const shape = shapeOf(parts.document, schema, 'any')
  const list = shapeOf(parts.document, parts.listed, 'any')
  const shared = new Map([...shape.properties].filter(([name]) => list.properties.has(name)))
  const own = shared.size === shape.properties.size ? undefined : findName(parts, { ...shape, properties: shared })
  return own === undefined ? undefined : `/${encodePointer(own)}`
}

function findPointer(parts: IdentityParts, shape: Shape): string | undefined {
  const own = findName(parts, shape)
  if (own !== undefined) return `/${encodePointer(own)}`
  const { document, noun, parameter } = parts
  const objects = [...shape.properties].flatMap(([name, member]) => {
    const inner = shapeOf(document, member, 'any')
    return inner.properties.size > 0 && inner.items === undefined ? [{ name, inner }] : []
  })
  const inside = INSIDE.flatMap((name) => objects.find((one) => one.name === name) ?? [])
  const named = wordsFor(noun, parameter?.name).flatMap(
    (word) => objects.find(({ name }) => isCalled(name, word)) ?? [],
  )
  for (const { name, inner } of [...inside, ...named]) {
    const isOf = inside.some((one) => one.name === name)
    const found = findName(isOf ? parts : { ...parts, noun: name }, inner)
    if (found !== undefined) return `/${encodePointer(name)}/${encodePointer(found)}`
  }
  return undefined
}

/** Memberships identify a person by a nested object such as `user`. */
const MEMBERS = /^(member|collaborator|participant|follower|subscriber|contributor|watcher|assignee|reviewer)$/

/** Names of a nested object whose id is also the id of the item: `group` in the permission of a group. */
function wordsFor(noun: string, parameter: string | undefined): string[] {
  const thing = parameter === undefined ? undefined : thingOf(parameter)
  const plain = [noun, ...(thing === undefined ? [] : [thing])].map(plainName).filter((word) => word.length > 2)
  return [...new Set([...plain, ...(plain.some((word) => MEMBERS.test(word)) ? ['user', 'account'] : [])])]
}

/** `org` is short for `organization`, but `payment` not for `paymentMethod`. */
function isCalled(name: string, word: string): boolean {
  const plain = plainName(name)
  return plain === word || (wordsOf(name).length === 1 && plain.startsWith(word))
}

/** The member of an object that a path parameter may name. */
function findName({ document, noun, parameter, isOwned }: IdentityParts, { properties }: Shape): string | undefined {
  const members = new Map([...properties].toReversed().map(([name, schema]) => [plainName(name), { name, schema }]))
  const isText = parameter !== undefined && !parameter.isImplied && parameter.type === 'string'
  const isHandle = isText && !isNumeric(shapeOf(document, parameter.schema)) && !isIdName(parameter.name)
  const find = (names: readonly string[]) =>
    names.flatMap((name) => members.get(name) ?? []).find(({ schema }) => isScalar(document, schema))
  const names = namesOfId({ noun, parameter: parameter?.name })
  const found = find(names.filter((name) => mayHold(document, members.get(name), parameter)))
  const isNumber = found !== undefined && plainName(found.name) === 'id' && isNumeric(shapeOf(document, found.schema))
  const isPerson = PERSON.test(plainName(noun)) || PERSON.test(plainName(parameter?.name ?? ''))
  return (
    (isHandle && isNumber ? find(isPerson ? LOGINS : isOwned ? [...HANDLES, 'name'] : HANDLES) : undefined) ?? found
  )?.name
}

/** Members that a text parameter without `id` in its name refers to, rather than a numeric id. */
const HANDLES = ['slug', 'handle', 'key']
const PERSON = /(user|username|login|owner|org|organization|member|account|subuser)$/

/** Whether the type of the path parameter fits the member. */
function mayHold(
  document: unknown,
  member: { readonly name: string; readonly schema: unknown } | undefined,
  parameter: Parameter | undefined,
): boolean {
  if (!member || parameter === undefined) return member !== undefined
  const isUuid = (schema: unknown) => shapeOf(document, schema).keywords.format === 'uuid'
  if (isUuid(parameter.schema)) return isUuid(member.schema) || !WORDS.has(plainName(member.name))
  if (parameter.type !== 'integer' && !isNumeric(shapeOf(document, parameter.schema))) return true
  return isNumeric(shapeOf(document, member.schema)) || !WORDS.has(plainName(member.name))
}

function isScalar(document: unknown, schema: unknown): boolean {
  const { types, properties } = shapeOf(document, schema)
  return properties.size === 0 && !types.has('object') && !types.has('array') && !types.has('boolean')
}

/** Whether a body may have a member that it is allowed to write. */
function isWritable(document: unknown, schema: unknown, pointer: string): boolean {
  const member = memberAt(document, schema, splitPointer(pointer))
  return member !== undefined && shapeOf(document, member).keywords.readOnly !== true
}

function typeOf(document: unknown, schemas: readonly unknown[]): ItemIdentity['type'] {
  if (schemas.some((one) => isNumeric(shapeOf(document, one)))) return 'integer'
  return schemas.some((one) => shapeOf(document, one).keywords.format === 'uuid') ? 'uuid' : 'text'
}
