import { hash } from 'node:crypto'
import { allowsNull, memberAt, shapeOf, type Shape, isNumeric } from '../../../contract/schemas/shape.ts'
import { pointerOf, valueAt, withValue } from '../../../contract/pointer.ts'
import { draw, randomUuid } from '../../../engine/random.ts'
import { encodePointer, isObject, type Members, splitPointer, stringifyJson } from '../../../base/formats/json.ts'
import { codeLike } from '../../../values/new-values.ts'
import { iso } from '../../../base/formats/instant.ts'
import { allowsId } from '../documents/ids.ts'
import { OWN_NAMES } from '../infer/id-names.ts'
import { memberFor } from '../infer/owner.ts'
import type { CollectionPlan } from '../infer/plan.ts'
import { parametersOf } from '../infer/routes.ts'
import { nounsOfPath } from '../seeds/instance-place.ts'
import { plainName } from '../../../base/formats/names.ts'

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
  { identity, schema, parent: nearest, path, isSingleton }: CollectionPlan,
  ids: readonly string[],
): ReadonlyMap<string, unknown> {
  if (!path.includes('{')) return NO_MEMBERS
  const keys = path.endsWith('}') ? parametersOf(path.split('/')) : []
  const named = new Map(keys.map((name, at) => [name, ids[at] ?? '']))
  const members = new Map(keyMembers(document, schema, named, isSingleton ? keys.at(-1) : undefined))
  for (let parent = nearest; parent; { parent } = parent) {
    const pointer = memberFor(document, schema, parent)
    const id = ids[nounsOfPath(parent).length]
    if (pointer !== undefined && pointer !== identity.pointer && id !== undefined)
      members.set(pointer, idValue(parent, id))
  }
  // A member is called as the part of the path is: `account_sid` below `{AccountSid}`, and `metadata.namespace` below `{namespace}`.
  const holder = splitPointer(identity.pointer ?? '').slice(0, -1)
  for (const [at, name] of parametersOf(path.split('/')).entries())
    for (const place of [[], holder]) {
      const called = [...shapeOf(document, memberAt(document, schema, place), 'any').properties].find(
        ([one, member]) =>
          plainName(one) === plainName(name) &&
          shapeOf(document, member).types.has('string') &&
          allowsId(document, member, ids[at] ?? ''),
      )
      const pointer = called && pointerOf([...place, called[0]])
      if (pointer === undefined || pointer === identity.pointer || OWN.test(name) || members.has(pointer)) continue
      members.set(pointer, ids[at] ?? '')
    }
  return members
}

/** The `full_name` of what an owner's name and its own name find: `ada/shop` of `/repos/{owner}/{repo}`. @param ids all of the path's */
export function* fullName(
  document: unknown,
  { path, schema, isSingleton }: CollectionPlan,
  ids: readonly string[],
): Generator<[pointer: string, name: string]> {
  if (!path.endsWith('}') || isSingleton) return
  const member = memberAt(document, schema, ['full_name'])
  if (member !== undefined && shapeOf(document, member).types.has('string')) yield ['/full_name', ids.join('/')]
}

interface IdsBeside {
  /** Of the item, and its members as far as they are known. */
  readonly id: string
  readonly item: Members
  /** The item that the path names as its parent; undefined where it is not known. */
  readonly parentItem: Members | undefined
  /** What chance depends on: no other item has had the same. */
  readonly key: number
}

/**
 * Members that hold an id besides that of the item: the `uuid` beside an `id` that is one, the `uid` in `metadata` beside the name that a
 * client chooses, and `work_pool_id` of what is below `/work_pools/{name}`, where the path has the name of the parent.
 */
export function* otherIds(
  document: unknown,
  { schema, parent, identity }: CollectionPlan,
  { id, item, parentItem, key }: IdsBeside,
): Generator<[pointer: string, id: unknown]> {
  const fits = (pointer: string, one: unknown) => {
    const member = memberAt(document, schema, splitPointer(pointer))
    return member !== undefined && allowsId(document, member, String(one))
  }
  const uuid = () => randomUuid(draw(key, 0), draw(key, 1), draw(key, 2), draw(key, 3))
  for (const name of identity.others()) {
    if (item[name] !== undefined) continue
    const { example } = shapeOf(document, memberAt(document, schema, [name])).keywords
    // A UUID is the id under either name. Else the other one looks like the example, which is the id of another item.
    const others = identity.isChosen ? [] : [codeLike(String(example), key), uuid()]
    const made = [/^[\da-f-]{36}$/i.test(id) ? id : undefined, ...others]
    const own = made.find((one) => one !== undefined && fits(`/${name}`, one))
    if (own !== undefined) yield [`/${name}`, own]
  }
  const holder = splitPointer(identity.pointer ?? '').slice(0, -1)
  const uid = pointerOf([...holder, 'uid'])
  if (identity.isChosen && holder.length > 0 && uid !== identity.pointer && valueAt(item, uid) === undefined) {
    const made = uuid()
    if (fits(uid, made)) yield [uid, made]
  }
  const above = parentItem?.id
  const pointer = parent && memberFor(document, schema, { noun: parent.noun })
  if (above === undefined || !pointer || pointer === identity.pointer || parent.identity.pointer === '/id') return
  if (/id$/i.test(pointer) && fits(pointer, above)) yield [pointer, above]
}

const NO_MEMBERS: ReadonlyMap<string, unknown> = new Map()

/** Names that say nothing of what they are of. */
const OWN = /^(id|uuid|name|key|slug|number|code|type|kind|version)$/i

/** A copy with known values, by their pointers. */
export function withMembers(value: Members, known: ReadonlyMap<string, unknown>): Members {
  return [...known].reduce<Members>((made, [pointer, one]) => withValue(made, pointer, one), value)
}

const CREATED = new Set([
  'datejoined',
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
  'creationtimestamp',
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
  'lastactivity',
])

interface WrittenMembers {
  /** Undefined for a new item. */
  readonly before: Members | undefined
  /** Epoch ms. */
  readonly now: number
}

/**
 * An item with what only the service writes, as a write leaves it: moments, versions and entity tags, also beside the id where that is
 * in a member such as `metadata`.
 */
export function withStamps(
  document: unknown,
  { schema, identity: { pointer = '' } }: Pick<CollectionPlan, 'schema' | 'identity'>,
  value: Members,
  { before, now }: WrittenMembers,
): Members {
  const path = splitPointer(pointer).slice(0, -1)
  const stamped = { ...value, ...stampsOf(document, schema, value, { before, now }) }
  if (path.length === 0) return stamped
  const holder = path.map((name) => `/${encodePointer(name)}`).join('')
  const at = (one: unknown) => {
    const held = valueAt(one, holder)
    return isObject(held) ? held : undefined
  }
  const inner = memberAt(document, schema, path)
  const held = at(stamped) ?? {}
  const stamps = stampsOf(document, inner, held, { before: before && (at(before) ?? {}), now })
  return Object.keys(stamps).length === 0 ? stamped : withValue(stamped, holder, { ...held, ...stamps })
}

function stampsOf(document: unknown, schema: unknown, value: Members, { before, now }: WrittenMembers): Members {
  const stamped: Record<string, unknown> = {}
  for (const [name, member] of shapeOf(document, schema, 'any').properties) {
    const plain = plainName(name)
    // Nothing has been done yet with what may have no last activity.
    if (plain === 'lastactivity' && allowsNull(document, member)) continue
    const isMoment = UPDATED.has(plain) || (before === undefined && CREATED.has(plain))
    const stamp = isMoment
      ? instantFor(shapeOf(document, member), now)
      : versionFor(plain, shapeOf(document, member), before?.[name])
    if (stamp !== undefined) stamped[name] = stamp
    // A replacement need not repeat when the item was created.
    else if (CREATED.has(plain) && value[name] === undefined && before?.[name] !== undefined)
      stamped[name] = before[name]
    else if (plain === 'etag' && shapeOf(document, member).types.has('string'))
      stamped[name] = hash('sha1', stringifyJson([{ ...value, [name]: null }, now]), 'base64url').slice(0, 16)
  }
  return stamped
}

/** The next version; undefined for a member that has none, such as the text `v2`. */
function versionFor(plain: string, { types }: Shape, held: unknown): unknown {
  if (!VERSIONS.has(plain)) return undefined
  // That of Kubernetes is a text; as a number it is the version of something else, which clients write.
  if (plain !== 'resourceversion') {
    if (!types.has('integer')) return undefined
    return typeof held === 'number' ? held + 1 : 1
  }
  if (!types.has('string')) return undefined
  return typeof held === 'string' && /^\d{1,15}$/.test(held) ? String(Number(held) + 1) : '1'
}

const VERSIONS = new Set(['version', 'revision', 'resourceversion'])

/** Whether a name is that of a moment that the service writes. */
export function isStamp(name: string): boolean {
  return CREATED.has(plainName(name)) || isUpdateStamp(name)
}

/** Whether a name is that of the moment of the last change: `updated_at`, `lastModified`. */
export function isUpdateStamp(name: string): boolean {
  return UPDATED.has(plainName(name))
}

/** A moment as a schema has it: RFC 3339, a date, as in mails and headers (RFC 2822, RFC 1123), or seconds or milliseconds since 1970. */
export function instantFor({ types, keywords: { format } }: Shape, now: number): unknown {
  if (isNumeric({ types })) return format === 'int64' ? now : Math.floor(now / 1000)
  if (!types.has('string')) return undefined
  if (format === 'date') return iso(now).slice(0, 10)
  if (/rfc-?(1123|2822)$/i.test(String(format))) return new Date(now).toUTCString()
  return format === 'date-time' || format === undefined ? iso(now) : undefined
}

/** Pointers of the members at the top that clients cannot write. */
export function readOnlyMembers(document: unknown, schema: unknown): ReadonlySet<string> {
  const { properties } = shapeOf(document, schema, 'any')
  return new Set(
    [...properties].flatMap(([name, member]) => (shapeOf(document, member).keywords.readOnly === true ? [name] : [])),
  )
}

/**
 * The parts of a path that name one thing together, by the pointers of the members that hold them: `/repos/{owner}/{repo}` is
 * `{"owner": {"login": …}, "name": …}`. A part without such a member is not shown.
 *
 * @param last the part that names the thing itself; undefined where the parts name its owner
 */
function* keyMembers(
  document: unknown,
  schema: unknown,
  keys: ReadonlyMap<string, string>,
  last: string | undefined,
): Generator<readonly [string, unknown]> {
  const { properties } = shapeOf(document, schema, 'any')
  for (const [parameter, text] of keys) {
    const thing = plainName(parameter).replace(/(?<=..)(id|name|slug|key|number|code)$/, '')
    const own = [plainName(parameter), thing, ...OWN_NAMES.map((name) => `${thing}${name}`)]
    const found = findHolder(document, properties, { names: parameter === last ? [...own, ...OWN_NAMES] : own, text })
    if (found) yield found
  }
}

interface Wanted {
  readonly names: readonly string[]
  readonly text: string
}

function findHolder(
  document: unknown,
  properties: Shape['properties'],
  { names, text }: Wanted,
): readonly [string, unknown] | undefined {
  for (const wanted of names) {
    const [name, member] = [...properties].find(([one]) => plainName(one) === wanted) ?? []
    if (name === undefined) continue
    const { types, properties: inner, keywords } = shapeOf(document, member, 'any')
    // A path may have `guides` where the item has `guide`.
    if (Array.isArray(keywords.enum) && !keywords.enum.includes(text)) continue
    const inside = inner.size > 0 ? findHolder(document, inner, { names: OWN_NAMES, text }) : undefined
    if (inside) return [`/${encodePointer(name)}${inside[0]}`, inside[1]]
    if (types.has('string')) return [`/${encodePointer(name)}`, text]
    if (isNumeric({ types }) && /^\d{1,15}$/.test(text)) return [`/${encodePointer(name)}`, Number(text)]
  }
  return undefined
}
