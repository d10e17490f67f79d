import { isObject } from '../../src/base/formats/json.ts'
import { sampleOf } from '../../test/support/contracts/sample.ts'
import { type DocumentedBody, documentedBody, isStructured, validValue, writeBody } from '../public-documents/body.ts'
import type { PublicOperation, Values } from '../public-documents/read-contract.ts'
import { type BodyMaker, documentedOnly, type Made, optionalMembers } from './make-body.ts'
import { linkMembers } from './references.ts'
import { isServers, itemsOf, keywordOf, listOf, plain, propertiesOf } from './schemas.ts'

/** A changed member, and the body that changes it. */
export interface Change extends Made {
  /** The path of the member in the body. */
  readonly path: readonly string[]
}

export interface ChangeRequest {
  /** Whether all members are sent, as PUT does. */
  readonly isWhole: boolean
  /** The item as it was read. */
  readonly item: Values
  /** The member that names the item, for a body that names it. */
  readonly identity?: Values | undefined
  /** Whether the item shows a member, and may show it with this value. */
  isVisible(path: readonly string[], value: unknown): boolean
}

/** A body that changes one member of an item, by the schema of PUT or PATCH; undefined where none is documented. */
export function changeBody(
  maker: BodyMaker,
  operation: PublicOperation,
  { isWhole, item, identity, isVisible }: ChangeRequest,
): Change | undefined {
  const { document } = maker.contract
  const documented = changingBody(document, operation)
  if (!documented || !isStructured(documented.type)) return undefined
  if (isPatch(document, documented)) return patchBody(maker, documented, { item, isVisible })
  const { schema } = documented.media
  const why = (value: unknown) => maker.validate(documented.schemaAt, value)
  const { value: whole } = validValue(document, documented, maker.validate)
  if (!isObject(whole)) return undefined
  const sample = documentedOnly(document, schema, whole)
  const known = [...Object.entries(adopt(sample, item)), ...Object.entries(identity ?? {})]
  const least = withValid(withValid(sample, known, why), Object.entries(linkedMembers(sample, item, maker)), why)
  const optional = isWhole
    ? Object.entries(adopt(Object.fromEntries(optionalMembers(document, schema, least)), item))
    : []
  const base = withValid(least, optional, why)
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

function changingBody(document: Values, operation: PublicOperation): DocumentedBody | undefined {
  const isPlain = (type: string) => /[/+]json\b/.test(type) && !type.includes('json-patch')
  return documentedBody(document, operation, isPlain)
}

/** RFC 6902, by its media type or by the members of its operations. */
function isPatch(document: Values, { type, media }: DocumentedBody): boolean {
  const names = propertiesOf(document, itemsOf(document, media.schema))
  return type.includes('json-patch') || (names.has('op') && names.has('path'))
}

function patchBody(
  { contract: { document }, validate }: BodyMaker,
  documented: DocumentedBody,
  { item, isVisible }: Pick<ChangeRequest, 'item' | 'isVisible'>,
): Change {
  const op = listOf(
    keywordOf(document, propertiesOf(document, itemsOf(document, documented.media.schema)).get('op'), 'enum'),
  ).find((one) => plain(String(one)) === 'replace')
  const patchOf = (name: string, value: unknown) => [{ op: op ?? 'replace', path: `/${name}`, value }]
  const names = Object.keys(item).filter((name) => !isRisky([name]) && !isServers(document, name, undefined))
  for (const name of names)
    for (const changed of otherValues(item[name], undefined)) {
      const patch = patchOf(name, changed)
      const isValid = isVisible([name], changed) && validate(documented.schemaAt, patch) === undefined
      if (isValid) return { value: { [name]: changed }, path: [name], body: writeBody(document, documented, patch) }
    }
  return {
    value: undefined,
    path: [],
    body: writeBody(document, documented, [], 'no member can be changed by a patch'),
  }
}

/** What the item has, where the sample has a member of the same type: ids stay what they are. */
function adopt(sample: Values, item: Values): Values {
  return Object.fromEntries(
    Object.entries(sample).map(([name, value]) => {
      const held = item[name]
      if (isObject(value) && isObject(held)) return [name, adopt(value, held)]
      const isAlike = typeof held === typeof value && Array.isArray(held) === Array.isArray(value)
      return [name, isAlike && held !== null && !isObject(value) ? held : value]
    }),
  )
}

/** The members that are not in the item, with ids of things that exist. */
function linkedMembers(sample: Values, item: Values, { linked }: BodyMaker): Values {
  const missing = Object.fromEntries(Object.entries(sample).filter(([name]) => !(name in item)))
  return linkMembers(missing, linked) as Values
}

function withValid(value: Values, members: readonly [string, unknown][], why: (value: unknown) => string | undefined) {
  return members.reduce<Values>((held, [name, one]) => {
    const changed = { ...held, [name]: one }
    return why(changed) === undefined || why(held) !== undefined ? changed : held
  }, value)
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
  return [...found.filter((path) => !isRisky(path)), ...found.filter((path) => /^name$/.test(path.join('/')))].slice(
    0,
    40,
  )
}

function isRisky(path: readonly string[]): boolean {
  return /id$|^name$|^key$|^slug$|^code$|^number$|version|^type$|^kind$|^object$|^status$|^state$/.test(
    plain(path.at(-1) ?? ''),
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
