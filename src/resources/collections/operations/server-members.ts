import { shapeOf, type Shape } from '../../../contract/schemas/shape.ts'
import { chanceKey, draw } from '../../../engine/random.ts'
import { randomUuid } from '../../../engine/uuid.ts'
import { isObject, splitPointer } from '../../../formats/json.ts'
import { iso } from '../../../formats/instant.ts'
import { generateRequired } from '../../../values/generate-value.ts'
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

interface NewId {
  readonly documents: { readonly made: number; get(id: string): unknown } | undefined
  readonly instance: string
  readonly seed: number
}

/** An id that no item of the instance has or had. */
export function nextId({ identity }: CollectionPlan, document: unknown, { documents, instance, seed }: NewId): string {
  const first = (documents?.made ?? 0) + 1
  const free = identity.most === undefined || first <= identity.most ? undefined : freeId(identity.most, documents)
  if (free !== undefined) return free
  for (let number = first; ; number++) {
    const isCounted = identity.type === 'integer' || number > first + MAX_TRIES
    const id = isCounted ? String(number) : textId(identity.schema, document, `${seed} ${instance} ${number}`)
    if (!documents?.get(id)) return id
  }
}

/** An id that no item has, where the contract allows so few that one may be given again. */
function freeId(most: number, documents: NewId['documents']): string | undefined {
  for (let number = 1; number <= Math.min(most, MOST_SEARCHED); number++)
    if (!documents?.get(String(number))) return String(number)
  return undefined
}

const MOST_SEARCHED = 1000

/** The schema of an id may allow few texts, even one. */
const MAX_TRIES = 20

function textId(schema: unknown, document: unknown, purpose: string): string {
  const key = chanceKey(0, `id ${purpose}`)
  const { keywords } = shapeOf(document, schema)
  if (keywords.pattern !== undefined || keywords.maxLength !== undefined) {
    const bare = { ...keywords, example: undefined, examples: undefined, default: undefined, type: 'string' }
    const made = generateRequired(
      { document, schema: bare, pointer: '', name: 'id' },
      { key, now: 0 },
      { invents: 'little', turn: 0 },
    )
    if (typeof made === 'string' && made !== '') return made
  }
  return randomUuid(draw(key, 0), draw(key, 1), draw(key, 2), draw(key, 3))
}

/** The id as its member holds it. */
export function idValue({ identity: { type } }: Pick<CollectionPlan, 'identity'>, id: string): unknown {
  return type === 'integer' && /^-?\d{1,15}$/.test(id) ? Number(id) : id
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
