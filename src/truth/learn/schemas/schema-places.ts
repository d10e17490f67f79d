import { LIKE_ID } from '../../../app/learned/schema-names.ts'
import { asObject, encodePointer, isObject, type Members, stringifyJson } from '../../../base/formats/json.ts'
import { plainName } from '../../../base/formats/names.ts'
import { followOnce, isReference, targetOf } from '../../../contract/pointer.ts'
import { shapeOf } from '../../../contract/schemas/shape.ts'
import { kindOf } from '../../recordings/differences/values.ts'

/** A schema of the document, or the place of one that it does not have. */
export interface SchemaPlace {
  /** The schema that it is in: `#/components/schemas/Pet`, or `createPet 201`. */
  readonly name: string
  /** In that schema. */
  readonly pointer: string
  /** Undefined where the document has none. */
  readonly schema: unknown
  /** The member that it is of. */
  readonly member: string
  /** The place of the object that it is in. */
  readonly holder: string
  /** Whether the document names no member of that object. */
  readonly isOpen: boolean
}

type SchemaAtPlace = Pick<SchemaPlace, 'name' | 'pointer' | 'schema'>

/** Called with each value, and whether it is in an item that was not seen before. */
type Note = (place: SchemaPlace, member: string, value: unknown, isNew: boolean) => void

interface Visiting {
  readonly document: unknown
  /** The items that were seen. */
  readonly known: Set<string>
  /** How many new items, and objects in them, were seen at each place. */
  readonly newItems: Map<string, number>
  readonly note: Note
}

/**
 * Visits the members of a body, each with the place of its schema.
 *
 * @param isNew whether the value is in an item that was not seen before; what is in no item, such as a count, is not
 */
export function visitMembers(run: Visiting, value: unknown, at: SchemaAtPlace, isNew = false): void {
  const { document, note } = run
  const here = leadTo(document, at)
  const holder = `${here.name} ${here.pointer}`
  if (Array.isArray(value)) {
    const place = placeBelow(document, here, '/items', shapeOf(document, here.schema, 'any').items)
    // Elements of lists without a schema are described together with the list.
    for (const one of value) {
      if (place.schema === undefined) note({ ...place, member: '', holder, isOpen: true }, '', one, false)
      else visitMembers(run, one, place, isNew)
    }
    return
  }
  if (!isObject(value)) return
  const { properties, keywords } = shapeOf(document, here.schema, 'any')
  const isFresh = isNewItem(run, holder, value) ?? isNew
  if (isFresh) run.newItems.set(holder, (run.newItems.get(holder) ?? 0) + 1)
  const isOpen = properties.size === 0 && here.schema !== undefined
  for (const [name, one] of Object.entries(value)) {
    const others = isObject(keywords.additionalProperties) ? keywords.additionalProperties : undefined
    const isFree = !properties.has(name) && (others !== undefined || LIKE_ID.test(name))
    const schema = isFree ? others : properties.get(name)
    const step = isFree ? '/additionalProperties' : `/properties/${encodePointer(name)}`
    // What may be anything stays so.
    if (isFree && others !== undefined && saysNothing(document, others)) continue
    const place = placeBelow(document, here, step, schema)
    note({ ...place, member: name, holder, isOpen }, name, one, isFresh)
    if (schema !== undefined) visitMembers(run, one, place, isFresh)
  }
}

function saysNothing(document: unknown, schema: unknown): boolean {
  const { types, properties, items } = shapeOf(document, schema, 'any')
  return types.size === 0 && properties.size === 0 && items === undefined
}

/** How most objects call their own id. */
const IDS = ['id', '_id', 'uuid', 'uid', 'key', 'name', 'slug']

/** Whether an object with an id is seen for the first time; undefined for one without. */
function isNewItem({ known }: Visiting, holder: string, value: Members): boolean | undefined {
  const own = IDS.map((one) => value[one]).find((one) => typeof one === 'string' || typeof one === 'number')
  // `groupId` and `artifactId` name an artifact together.
  const ids = Object.entries(value).filter(
    ([member, one]) => plainName(member) !== 'etag' && kindOf(member, one) === 'id',
  )
  if (own === undefined && ids.length === 0) return undefined
  const item = `${holder} ${stringifyJson(own ?? ids)}`
  const isNew = !known.has(item)
  known.add(item)
  return isNew
}

/** Where references, and the one alternative to null, lead. */
function leadTo(document: unknown, at: SchemaAtPlace, steps = 8): SchemaAtPlace {
  const { name, pointer, schema } = at
  if (steps === 0 || !isObject(schema)) return at
  if (isReference(schema))
    return leadTo(
      document,
      { name: `#${targetOf(schema)}`, pointer: '', schema: followOnce(document, schema) },
      steps - 1,
    )
  for (const keyword of ['anyOf', 'oneOf', 'allOf']) {
    const some = schema[keyword]
    if (!Array.isArray(some) || schema.properties !== undefined) continue
    const others = some.flatMap((one: unknown, index) => (asObject(one).type === 'null' ? [] : [{ one, index }]))
    const [only] = others
    if (only && others.length === 1)
      return leadTo(document, { name, pointer: `${pointer}/${keyword}/${only.index}`, schema: only.one }, steps - 1)
  }
  return at
}

/** The place of a schema below another; it may stand in a part of `allOf`, and in what that refers to. */
function placeBelow(document: unknown, at: SchemaAtPlace, step: string, schema: unknown): SchemaAtPlace {
  const own = { name: at.name, pointer: at.pointer + step, schema }
  if (schema === undefined) return own
  const holder = holderOf(document, at, schema)
  return holder ? { name: holder.name, pointer: holder.pointer + step, schema } : own
}

function holderOf(document: unknown, at: SchemaAtPlace, wanted: unknown, steps = 8): SchemaAtPlace | undefined {
  const { name, pointer, schema } = leadTo(document, at)
  if (steps === 0 || !isObject(schema)) return undefined
  const { properties, items, additionalProperties } = schema
  const own: readonly unknown[] = [...Object.values(asObject(properties)), items, additionalProperties]
  if (own.includes(wanted)) return { name, pointer, schema }
  for (const keyword of ['allOf', 'anyOf', 'oneOf'])
    for (const [index, one] of ((schema[keyword] ?? []) as readonly unknown[]).entries()) {
      const found = holderOf(
        document,
        { name, pointer: `${pointer}/${keyword}/${index}`, schema: one },
        wanted,
        steps - 1,
      )
      if (found) return found
    }
  return undefined
}
