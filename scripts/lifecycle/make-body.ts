import { isObject } from '../../src/formats/json.ts'
import { sampleOf } from '../../test/support/sample.ts'
import { type Body, documentedBody, validValue, writeBody } from '../public-documents/body.ts'
import type { PublicContract, PublicOperation, Values } from '../public-documents/read-contract.ts'
import type { Validate } from '../public-documents/validator.ts'
import { successSchema } from './item.ts'
import { isServers, keywordOf, plain, propertiesOf, singular } from './schemas.ts'

/** What bodies of a document are made with. */
export interface BodyMaker {
  readonly contract: PublicContract
  readonly validate: Validate
  /** A number that was not used before. */
  next(): number
  /** The id of an item of the collection that a member such as `customer_id` names. */
  linked(noun: string): string | undefined
}

export interface Made {
  readonly value: unknown
  readonly body: Body
}

/** How many optional members a body has besides the required ones. */
const MOST_OPTIONAL = 10

/** Members that a service often wants to be unique. */
const UNIQUE = ['name', 'key', 'slug', 'code', 'login', 'username', 'title', 'email', 'identifier', 'displayname']

/** A body that creates an item: what is required, and optional members that are plain. */
export function createBody(maker: BodyMaker, operation: PublicOperation, parameter: string): Made | undefined {
  const documented = documentedBody(maker.contract.document, operation)
  if (!documented) return undefined
  const { document } = maker.contract
  const { schema } = documented.media
  const why = (value: unknown) => maker.validate(documented.schemaAt, value)
  const { value: least, flaw } = validValue(document, documented, maker.validate)
  if (!isObject(least)) return { value: least, body: writeBody(document, documented, least, flaw) }
  let value: Values = least
  const keep = (changed: Values) => {
    if (why(changed) === undefined) value = changed
  }
  // Where the response shows nothing, only the body can tell the id.
  const isSilent = propertiesOf(document, successSchema(document, operation.operation)).size === 0
  const ids = isSilent ? ['id', plain(parameter)] : []
  for (const [name, one] of optionalMembers(document, schema, value, ids)) keep({ ...value, [name]: one })
  for (const name of Object.keys(value)) keep({ ...value, [name]: individual(maker, value[name], name, parameter) })
  return { value, body: writeBody(document, documented, value, why(value)) }
}

/** Those that are no references to other things, and no ids: these are the server's to choose. */
function optionalMembers(document: Values, schema: unknown, held: Values, ids: readonly string[]): [string, unknown][] {
  return [...propertiesOf(document, schema)]
    .filter(([name, inner]) => {
      const type = keywordOf(document, inner, 'type')
      const isPlain = typeof type === 'string' && ['string', 'integer', 'number', 'boolean'].includes(type)
      const isWanted = ids.includes(plain(name))
      const isUnwanted =
        keywordOf(document, inner, 'deprecated') === true ||
        isServers(document, name, inner) ||
        /ids?$|url$|uri$|^links?$/.test(plain(name))
      return !(name in held) && isPlain && (isWanted || !isUnwanted)
    })
    .slice(0, MOST_OPTIONAL)
    .map(([name, inner]) => [name, sampleOf(document, inner)])
}

/** A value of its own for what identifies an item, and the id of a thing that exists for what names another one. */
function individual(maker: BodyMaker, value: unknown, name: string, parameter: string): unknown {
  if (isObject(value)) {
    if (name !== 'metadata' && name !== 'attributes' && name !== 'data') return value
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [key, individual(maker, inner, key, parameter)]),
    )
  }
  const bare = plain(name)
  const noun = /^(.+?)(?:id|sid|uuid)$/.exec(bare)?.[1]
  const linked = noun === undefined ? undefined : maker.linked(singular(noun))
  if (linked !== undefined) return typeof value === 'number' ? Number(linked) : linked
  if (bare !== plain(parameter) && bare !== 'id' && !UNIQUE.includes(bare)) return value
  const number = maker.next()
  if (typeof value === 'number') return 700_000 + number
  if (typeof value !== 'string') return value
  if (/^[0-9a-f]{8}-/.test(value)) return `${(0xa0000000 + number).toString(16)}${value.slice(8)}`
  return bare === 'email' ? `jane${number}@example.com` : `${bare.slice(0, 12)}-${number}`
}

/** A changed member, and the body that changes it. */
export interface Change extends Made {
  /** The path of the member in the body. */
  readonly path: readonly string[]
}

/**
 * A body that changes one member of an item, by the schema of PUT or PATCH.
 *
 * @param isWhole whether all members are sent, as PUT does
 * @param isVisible whether the item shows a member, and may show it with this value
 */
export function changeBody(
  maker: BodyMaker,
  operation: PublicOperation,
  { isWhole, item, identity, isVisible }: ChangeRequest,
): Change | undefined {
  const { document } = maker.contract
  const documented = documentedBody(
    document,
    operation,
    (type) => /[/+]json\b/.test(type) && !type.includes('json-patch'),
  )
  if (!documented || documented.type.includes('json-patch')) return undefined
  const { schema } = documented.media
  const why = (value: unknown) => maker.validate(documented.schemaAt, value)
  const { value: sample } = validValue(document, documented, maker.validate)
  if (!isObject(sample)) return undefined
  const identified = Object.entries(identity ?? {}).reduce<Values>((value, [name, id]) => {
    return why({ ...value, [name]: id }) === undefined ? { ...value, [name]: id } : value
  }, sample)
  const least = adopt(identified, item)
  const base = isWhole ? withOptional(document, schema, least, { why, item }) : least
  for (const path of candidates(document, schema, least)) {
    const [outer, inner] = path
    if (outer === undefined) continue
    const outerSchema = propertiesOf(document, schema).get(outer)
    const memberSchema = inner === undefined ? outerSchema : propertiesOf(document, outerSchema).get(inner)
    const held = valueAt(item, path) ?? valueAt(base, path) ?? sampleOf(document, memberSchema)
    for (const changed of otherValues(held, keywordOf(document, memberSchema, 'enum'))) {
      const value = inner === undefined ? { ...base, [outer]: changed } : nested(base, [outer, inner], changed)
      if (!isVisible(path, changed) || why(value) !== undefined) continue
      return { value, path, body: writeBody(document, documented, value) }
    }
  }
  return { value: base, path: [], body: writeBody(document, documented, base, why(base)) }
}

export interface ChangeRequest {
  readonly isWhole: boolean
  /** The item as it was read. */
  readonly item: Values
  /** The member that names the item, for a body that names it. */
  readonly identity?: Values | undefined
  isVisible(path: readonly string[], value: unknown): boolean
}

/** What the item has, where the sample has a member of the same type: ids stay what they are. */
function adopt(sample: Values, item: Values): Values {
  return Object.fromEntries(
    Object.entries(sample).map(([name, value]) => {
      const held = item[name]
      if (isObject(value) && isObject(held)) return [name, adopt(value, held)]
      return [name, typeof held === typeof value && !isObject(value) && !Array.isArray(value) ? held : value]
    }),
  )
}

interface Whole {
  readonly item: Values
  why(value: unknown): string | undefined
}

function withOptional(document: Values, schema: unknown, least: Values, { why, item }: Whole) {
  let value = least
  for (const [name, one] of optionalMembers(document, schema, value, []))
    for (const member of Object.entries(adopt({ [name]: one }, item)))
      if (why({ ...value, [member[0]]: member[1] }) === undefined) value = { ...value, [member[0]]: member[1] }
  return value
}

/** Members that may be changed: those of the body, and of its objects. Names that identify come last. */
function candidates(document: Values, schema: unknown, least: Values): string[][] {
  const found = [...propertiesOf(document, schema)].flatMap(([name, inner]): string[][] => {
    if (isServers(document, name, inner)) return []
    const type = keywordOf(document, inner, 'type')
    if (typeof type === 'string' && ['string', 'integer', 'number', 'boolean'].includes(type)) return [[name]]
    if (!(name in least) && name !== 'metadata' && name !== 'spec') return []
    return [...propertiesOf(document, inner)]
      .filter(([key, one]) => !isServers(document, key, one))
      .map(([key]) => [name, key])
  })
  const isRisky = (path: readonly string[]) =>
    /id$|^name$|^key$|^slug$|^code$|^number$|version|^type$|^kind$|^object$|^status$|^state$/.test(
      plain(path.at(-1) ?? ''),
    )
  return [...found.filter((path) => !isRisky(path)), ...found.filter((path) => /^name$/.test(path.join('/')))].slice(
    0,
    40,
  )
}

function* otherValues(held: unknown, members: unknown): Generator {
  if (Array.isArray(members)) {
    yield* members.filter((one) => one !== held && one !== null)
    return
  }
  if (typeof held === 'boolean') yield !held
  if (typeof held === 'number') yield* [held + 1, held - 1]
  if (typeof held !== 'string') return
  yield* [
    `${held}b`,
    held.replace(/.$/, (last) => (last === 'b' ? 'c' : 'b')),
    'changed',
    'https://example.com/changed',
  ]
  if (/^\d{4}-\d\d-\d\d/.test(held)) yield held.replace(/^\d{4}/, (year) => String(Number(year) + 1))
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((held, name) => (isObject(held) ? held[name] : undefined), value)
}

function nested(base: Values, [outer, inner]: readonly [string, string], value: unknown): Values {
  const held = base[outer]
  return { ...base, [outer]: { ...(isObject(held) ? held : {}), [inner]: value } }
}
