import type { Parameter } from '../../../contract/contract.ts'
import { linearPattern } from '../../../contract/schemas/patterns.ts'
import { isNumeric, shapeOf } from '../../../contract/schemas/shape.ts'
import { chanceKey, draw, randomUuid } from '../../../engine/random.ts'
import { itemExists } from '../../../base/errors/resource-errors.ts'
import { codeLike } from '../../../values/new-values.ts'
import { generateRequired } from '../../../values/generate-value.ts'
import type { CollectionPlan, ItemIdentity } from '../infer/plan.ts'
import { valueAt } from '../../../contract/pointer.ts'

/** Tells whether a path may have an id, as requests are read. */
export function pathLimits(document: unknown, parameter: Parameter | undefined): (id: string) => boolean {
  if (!parameter) return () => true
  const { check, schema } = parameter
  const isNumber = isNumeric(shapeOf(document, schema))
  return (id) => {
    if (isNumber && !/^-?\d{1,15}$/.test(id)) return false
    return !check || check(isNumber ? Number(id) : id).length === 0
  }
}

const ID_FORMATS: Readonly<Record<string, RegExp>> = {
  uuid: /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i,
  ipv4: /^\d{1,3}(\.\d{1,3}){3}$/,
  ipv6: /^[\da-f:.]*:[\da-f:.]*$/i,
}

/** Whether a schema allows an id. The keywords are read, because compiling schemas would delay the start. */
export function allowsId(document: unknown, schema: unknown, id: string): boolean {
  const { keywords, types } = shapeOf(document, schema)
  const {
    enum: values,
    pattern,
    minLength = 0,
    maxLength = Infinity,
    minimum = -Infinity,
    maximum = Infinity,
  } = keywords
  const isNumber = isNumeric({ types })
  const value = isNumber ? Number(id) : id
  if (Array.isArray(values) && !values.includes(value)) return false
  if (isNumber && !types.has('string'))
    return Number.isInteger(value) && Number(value) >= Number(minimum) && Number(value) <= Number(maximum)
  if (!types.has('string')) return true
  const format = Object.hasOwn(ID_FORMATS, String(keywords.format)) ? ID_FORMATS[String(keywords.format)] : undefined
  if (format && !format.test(id)) return false
  const { length } = id
  if (length < Number(minLength) || length > Number(maxLength)) return false
  return typeof pattern !== 'string' || matches(pattern, id)
}

function matches(pattern: string, id: string): boolean {
  try {
    return linearPattern(pattern).test(id)
  } catch {
    return true
  }
}

/** The ids that a contract lists, where it does; undefined for any. */
export function choicesOf(document: unknown, schemas: readonly unknown[]): readonly string[] | undefined {
  const lists = schemas.map((schema) => shapeOf(document, schema).keywords.enum).filter((one) => Array.isArray(one))
  const [first] = lists as unknown[][]
  const ids = first?.filter((one) => one !== null).map(String)
  return ids?.filter((id) => schemas.every((schema) => allowsId(document, schema, id)))
}

interface NewId {
  /** An existing id, whose style new ids follow. */
  readonly like?: string | undefined
  readonly documents: { readonly made: number; get(id: string): unknown } | undefined
  readonly instance: string
  readonly seed: number
}

/** An unused id that no deleted item had, and that the path allows. @throws Problem 409 where the contract allows no more */
export function nextId(
  { identity, noun }: Pick<CollectionPlan, 'identity' | 'noun'>,
  document: unknown,
  { documents, instance, seed, like }: NewId,
): string {
  const { most, choices, type } = identity
  if (choices) {
    const free = choices.find((id) => !documents?.get(id))
    if (free !== undefined) return free
    throw itemExists({ detail: `There is a ${noun} for each id that the contract allows.`, violations: [] })
  }
  const first = (documents?.made ?? 0) + 1
  const free = most === undefined || first <= most ? undefined : freeId(most, documents)
  if (free !== undefined) return free
  for (let number = first; ; number++) {
    const isCounted = type === 'integer' || number > first + MAX_TRIES
    const id = isCounted
      ? String(number)
      : textId(identity, document, { purpose: `${seed} ${instance} ${number}`, like })
    if (!documents?.get(id) && (isFitting(identity, document, id) || number > first + MAX_SEARCHED)) return id
  }
}

/** Whether there are ids that both the path and the member allow. */
export function canMakeId(identity: ItemIdentity, document: unknown): boolean {
  if (identity.choices) return identity.choices.length > 0
  const isCounted = identity.type === 'integer'
  return Array.from({ length: isCounted ? MAX_SEARCHED : MAX_TRIES }, (_, at) => at + 1).some((number) => {
    const id = isCounted ? String(number) : textId(identity, document, { purpose: `first ${number}` })
    return [identity.schema, identity.pathSchema].every((schema) => allowsId(document, schema, id))
  })
}

function isFitting(identity: ItemIdentity, document: unknown, id: string): boolean {
  return identity.fits(id) && allowsId(document, identity.schema, id)
}

/** An unused id of a contract that allows only few, so ids of deleted items are used again. */
function freeId(most: number, documents: NewId['documents']): string | undefined {
  for (let number = 1; number <= Math.min(most, MAX_SEARCHED); number++)
    if (!documents?.get(String(number))) return String(number)
  return undefined
}

const MAX_SEARCHED = 1000

/** The schema of an id may allow only a few texts, or one. */
const MAX_TRIES = 20

/** The keywords that constrain texts. */
const TEXT_KEYWORDS = ['pattern', 'minLength', 'maxLength', 'format']

/** Formats of ids that are not UUIDs. */
const OTHER_FORMATS = new Set(['ipv4', 'ipv6', 'ip', 'email', 'hostname', 'date', 'date-time', 'uri', 'url'])

interface TextId {
  readonly purpose: string
  readonly like?: string | undefined
}

function textId(identity: ItemIdentity, document: unknown, { purpose, like }: TextId): string {
  const { schema, pathSchema, type } = identity
  const key = chanceKey(0, `id ${purpose}`)
  const limits = [schema, pathSchema].map((one) => constraintsOf(document, one))
  const style = like !== undefined && SHOWS_CODES.test(like) ? like : identity.like()
  const alike = type === 'text' && style !== undefined ? codeLike(style, key) : undefined
  const allowed = (id: string) => [schema, pathSchema].every((one) => allowsId(document, one, id))
  if (alike !== undefined && allowed(alike)) return alike
  const isLimited = limits.some(
    ({ pattern, maxLength, format }) => (pattern ?? maxLength) !== undefined || OTHER_FORMATS.has(String(format)),
  )
  const uuid = randomUuid(draw(key, 0), draw(key, 1), draw(key, 2), draw(key, 3))
  // A text of 36 characters has the length of a UUID.
  const isAsLong = limits.some(({ minLength, maxLength }) => minLength === 36 && maxLength === 36)
  if (isLimited && type !== 'uuid' && !(isAsLong && allowed(uuid))) {
    const place = { document, schema: { type: 'string', allOf: limits }, pointer: '', name: 'id' }
    const made = generateRequired(place, { key, now: 0 }, { invents: 'little', turn: 0 })
    if (typeof made === 'string' && made !== '') return made
  }
  return uuid
}

/** An id of lower-case letters alone may be a word. */
export const SHOWS_CODES = /\d|[A-Z]/

function constraintsOf(document: unknown, schema: unknown): Readonly<Record<string, unknown>> {
  const { keywords } = shapeOf(document, schema)
  return Object.fromEntries(
    TEXT_KEYWORDS.flatMap((name) => (keywords[name] === undefined ? [] : [[name, keywords[name]]])),
  )
}

/** The id of an item as a text; undefined where it has none. */
export function idOf({ pointer }: ItemIdentity, item: unknown): string | undefined {
  const id = pointer === undefined ? undefined : valueAt(item, pointer)
  return typeof id === 'string' || typeof id === 'number' || typeof id === 'bigint' ? String(id) : undefined
}
