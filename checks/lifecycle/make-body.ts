import { isObject } from '../../src/base/formats/json.ts'
import { sampleOf } from '../../test/support/contracts/sample.ts'
import { type Body, documentedBody, isStructured, validValue, writeBody } from '../public-documents/body.ts'
import type { PublicContract, PublicOperation, Values } from '../public-documents/read-contract.ts'
import type { Validate } from '../public-documents/validator.ts'
import { successSchema } from './item.ts'
import { type Linked, linkMembers } from './references.ts'
import { isServers, keywordOf, partLike, plain, propertiesOf } from './schemas.ts'

/** What bodies of a document are made with. */
export interface BodyMaker {
  readonly contract: PublicContract
  readonly validate: Validate
  /** A number that was not used before. */
  next(): number
  readonly linked: Linked
}

export interface Made {
  readonly value: unknown
  readonly body: Body
}

/** How many optional members a body has besides the required ones. */
const MOST_OPTIONAL = 10

/** Members that a service often wants to be unique. */
const UNIQUE = ['name', 'key', 'slug', 'code', 'login', 'username', 'title', 'email', 'identifier', 'displayname']

interface CreationOf {
  /** Of the path of items. */
  readonly parameter: string
  readonly read: PublicOperation
  /** The ids of the items that the path leads through, by the names that a member may have for them. */
  readonly parents: ReadonlyMap<string, string>
}

/**
 * A body that creates an item: what is required, and optional members that are plain.
 *
 * @param read the operation that shows the item, whose schema may be stricter than that of the body
 */
export function createBody(
  maker: BodyMaker,
  operation: PublicOperation,
  { parameter, read, parents }: CreationOf,
): Made | undefined {
  const { document } = maker.contract
  const documented = documentedBody(document, operation)
  if (!documented) return undefined
  const { schema } = documented.media
  const why = (value: unknown) => maker.validate(documented.schemaAt, value)
  const { value: least, flaw } = validValue(document, documented, maker.validate)
  // A body of bytes says nothing of the item.
  if (!isStructured(documented.type)) return { value: undefined, body: writeBody(document, documented, least, flaw) }
  if (!isObject(least)) return { value: least, body: writeBody(document, documented, least, flaw) }
  let value: Values = documentedOnly(document, schema, least)
  // An example may have members that the schema does not have.
  if (why(value) !== undefined) value = least
  const keep = (changed: Values) => {
    if (why(changed) === undefined) value = changed
  }
  // Where the response shows nothing, only the body can tell the id.
  const isSilent = propertiesOf(document, successSchema(document, operation.operation)).size === 0
  const ids = isSilent ? ['id', plain(parameter)] : []
  for (const [name, one] of optionalMembers(document, schema, value, ids)) keep({ ...value, [name]: one })
  const names = [...propertiesOf(document, schema).keys()]
  const shown = partLike(document, successSchema(document, read.operation), names)
  for (const name of Object.keys(value)) {
    keep({ ...value, [name]: fitting(document, value[name], memberOf(document, { schema, shown }, name)) })
    keep({ ...value, [name]: individual(maker, value[name], name, parameter) })
    keep({ ...value, [name]: linkMembers(value[name], maker.linked, name) })
    const parent = parents.get(plain(name))
    if (parent !== undefined) keep({ ...value, [name]: typeof value[name] === 'number' ? Number(parent) : parent })
  }
  return { value, body: writeBody(document, documented, value, why(value)) }
}

/** Without what the schema does not name: examples may have more. */
export function documentedOnly(document: Values, schema: unknown, value: Values): Values {
  const known = propertiesOf(document, schema)
  return known.size === 0 ? value : Object.fromEntries(Object.entries(value).filter(([name]) => known.has(name)))
}

/** Those that are no references to other things, and no ids: these are the server's to choose. */
export function optionalMembers(
  document: Values,
  schema: unknown,
  held: Values,
  ids: readonly string[] = [],
): [string, unknown][] {
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

/** The schema of a member in the body, and in what is read. */
interface BothSchemas {
  readonly schema: unknown
  readonly shown: unknown
}

function memberOf(document: Values, { schema, shown }: BothSchemas, name: string): BothSchemas {
  return { schema: propertiesOf(document, schema).get(name), shown: propertiesOf(document, shown).get(name) }
}

const STRICTER = ['enum', 'format', 'pattern', 'maxLength', 'minLength', 'minimum', 'maximum', 'multipleOf']

/** A value that what is read can show too, where its schema asks for more. */
function fitting(document: Values, value: unknown, both: BothSchemas): unknown {
  if (isObject(value)) {
    const fitted = ([name, inner]: [string, unknown]) => [
      name,
      fitting(document, inner, memberOf(document, both, name)),
    ]
    return Object.fromEntries(Object.entries(value).map(fitted)) as unknown
  }
  const { schema, shown } = both
  if (shown === undefined || Array.isArray(value)) return value
  const members = keywordOf(document, shown, 'enum')
  if (Array.isArray(members)) return members.includes(value) ? value : members[0]
  const isStricter = STRICTER.some((keyword) => {
    const wanted = keywordOf(document, shown, keyword)
    return wanted !== undefined && wanted !== keywordOf(document, schema, keyword)
  })
  const sample = isStricter ? sampleOf(document, shown) : value
  return typeof sample === typeof value ? sample : value
}

/** A value of its own for what identifies an item. */
function individual(maker: BodyMaker, value: unknown, name: string, parameter: string): unknown {
  if (isObject(value)) {
    if (name !== 'metadata' && name !== 'attributes' && name !== 'data') return value
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [key, individual(maker, inner, key, parameter)]),
    )
  }
  const bare = plain(name)
  if (bare !== plain(parameter) && bare !== 'id' && !UNIQUE.includes(bare)) return value
  const number = maker.next()
  if (typeof value === 'number') return 700_000 + number
  if (typeof value !== 'string') return value
  if (/^[0-9a-f]{8}-/.test(value)) return `${(0xa0000000 + number).toString(16)}${value.slice(8)}`
  return bare === 'email' ? `jane${number}@example.com` : `${bare.slice(0, 12)}-${number}`
}
