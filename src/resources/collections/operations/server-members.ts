import { shapeOf, type Shape } from '../../../contract/schemas/shape.ts'
import { isObject, splitPointer } from '../../../formats/json.ts'
import { iso } from '../../../formats/instant.ts'
import type { Members } from '../../request-body.ts'
import { plainName } from '../infer/names.ts'
import { memberFor } from '../infer/owner.ts'
import type { CollectionPlan } from '../infer/plan.ts'
import { nounsOfPath } from '../seeds/instance-place.ts'

/** A copy of an object with another value at a pointer; objects on the way are made. */
export function withValue(value: Members, pointer: string, inner: unknown): Members {
  const [name = '', ...rest] = splitPointer(pointer)
  const held = value[name]
  const next = rest.length === 0 ? inner : withValue(isObject(held) ? held : {}, `/${rest.join('/')}`, inner)
  return { ...value, [name]: next }
}

/** The id as its member holds it. */
export function idValue({ identity: { type, isText } }: Pick<CollectionPlan, 'identity'>, id: string): unknown {
  return type === 'integer' && !isText && /^-?\d{1,15}$/.test(id) ? Number(id) : id
}

/**
 * The ids of the parents of an item, by the pointers of the members that it has for them.
 *
 * @param ids those in the name of the instance, the outermost first
 */
export function parentMembers(
  document: unknown,
  { identity, schema, parent: nearest }: CollectionPlan,
  ids: readonly string[],
): ReadonlyMap<string, unknown> {
  const members = new Map<string, unknown>()
  for (let parent = nearest; parent; { parent } = parent) {
    const pointer = memberFor(document, schema, parent)
    const id = ids[nounsOfPath(parent).length]
    if (pointer !== undefined && pointer !== identity.pointer && id !== undefined)
      members.set(pointer, idValue(parent, id))
  }
  return members
}

/** A copy with known values, by their pointers. */
export function withMembers(value: Members, known: ReadonlyMap<string, unknown>): Members {
  return [...known].reduce<Members>((made, [pointer, one]) => withValue(made, pointer, one), value)
}

const CREATED = new Set([
  'createdat',
  'created',
  'createdon',
  'creationtime',
  'createdtime',
  'datecreated',
  'creationdate',
  'createddate',
  'createtime',
  'inserted',
  'insertedat',
])
const UPDATED = new Set([
  'updatedat',
  'updated',
  'updatedon',
  'updatetime',
  'dateupdated',
  'lastupdated',
  'lastupdatedat',
  'modified',
  'modifiedat',
  'modifiedon',
  'lastmodified',
  'lastmodifiedat',
  'lastmodifieddate',
  'datemodified',
  'updateddate',
  'updatedtime',
  'modifiedtime',
  'lastupdatetime',
])

/** The members that only the service writes, as a write at `now` leaves them. @param before undefined for a new item @param now epoch ms */
export function stampMembers(document: unknown, schema: unknown, before: Members | undefined, now: number): Members {
  const stamped: Record<string, unknown> = {}
  for (const [name, member] of shapeOf(document, schema, 'any').properties) {
    const plain = plainName(name)
    const isUpdate = UPDATED.has(plain)
    if (isUpdate || (before === undefined && CREATED.has(plain))) {
      const value = instantFor(shapeOf(document, member), now)
      if (value !== undefined) stamped[name] = value
    } else if ((plain === 'version' || plain === 'revision') && shapeOf(document, member).types.has('integer')) {
      const held = before?.[name]
      stamped[name] = typeof held === 'number' ? held + 1 : 1
    }
  }
  return stamped
}

/** A moment as a schema has it: RFC 3339, a date, or seconds or milliseconds since 1970. */
function instantFor({ types, keywords: { format } }: Shape, now: number): unknown {
  if (types.has('integer') || types.has('number')) return format === 'int64' ? now : Math.floor(now / 1000)
  if (!types.has('string')) return undefined
  if (format === 'date') return iso(now).slice(0, 10)
  return format === 'date-time' || format === undefined ? iso(now) : undefined
}

/** Pointers of the members at the top that clients cannot write. */
export function readOnlyMembers(document: unknown, schema: unknown): ReadonlySet<string> {
  const { properties } = shapeOf(document, schema, 'any')
  return new Set(
    [...properties].flatMap(([name, member]) => (shapeOf(document, member).keywords.readOnly === true ? [name] : [])),
  )
}
