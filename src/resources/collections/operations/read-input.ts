import { refusal } from '../../../behaviours/refusal.ts'
import { valueAt, withValue } from '../../../contract/pointer.ts'
import { memberAt, shapeOf } from '../../../contract/schemas/shape.ts'
import { shown } from '../../../base/errors/problem.ts'
import { asObject, encodePointer, isObject, type Members, splitPointer } from '../../../base/formats/json.ts'
import type { Call, Reading } from '../../handler.ts'
import { isStamp, readOnlyMembers } from '../items/server-members.ts'
import type { OperationPlan } from '../infer/plan.ts'
import { keepNamed } from '../items/show.ts'
import type { OperationWork } from './work.ts'
import { plainName } from '../../../base/formats/names.ts'
import { idOf } from '../documents/ids.ts'

/**
 * The item of a body: the members that the contract names, without those that only the service writes. A body may have some of them
 * beside the object that looks like the item.
 */
export function readInput(work: OperationWork, { body }: Pick<Call, 'body'>): Members {
  const { document, plan } = work
  const { input, into, collection } = plan
  const held = input && valueAt(body, input.pointer)
  if (into !== '') return isObject(held) ? withValue({}, into, writable(work, held)) : {}
  if (!input || input.pointer === '' || !isObject(body))
    return isObject(held) ? writable(work, unwrapped(work, held)) : {}
  const [envelope] = splitPointer(input.pointer)
  const { properties } = shapeOf(document, collection.schema, 'any')
  const beside = Object.entries(body).filter(([name]) => name !== envelope && properties.has(name))
  return writable(work, { ...Object.fromEntries(beside), ...asObject(held) })
}

/** Unwraps a body with one undocumented member that holds members of the item: `{"data": {…}}`. */
function unwrapped({ document, plan: { input, collection } }: OperationWork, body: Members): Members {
  const [first, ...others] = Object.entries(body)
  const [name, inner] = first ?? []
  if (name === undefined || !isObject(inner) || others.length > 0) return body
  const named = shapeOf(document, collection.schema, 'any').properties
  const isNamed = named.has(name) || shapeOf(document, input?.schema, 'any').properties.has(name)
  return !isNamed && Object.keys(inner).some((one) => named.has(one)) ? inner : body
}

/** The items of a body that is a list, or one item in its place. */
export function readInputs(work: OperationWork, { body }: Pick<Call, 'body'>): Members[] {
  const { input, collection } = work.plan
  const held = input && valueAt(body, input.pointer)
  if (input?.pointer === '' && isObject(held)) return [writable(work, held)]
  if (!Array.isArray(held)) return []
  if (!isListOfNames(work)) return held.map((one: unknown) => (isObject(one) ? writable(work, one) : {}))
  // What is beside the names is said of each of them: `{"usernames": ["ann", "bob"], "admin": true}`.
  const named = shapeOf(work.document, collection.schema, 'any').properties
  const beside = Object.entries(asObject(body)).filter(([name]) => named.has(name))
  return held.map((one: unknown) => withValue(Object.fromEntries(beside), collection.identity.pointer ?? '/id', one))
}

/** Whether a body has the names of the items that it creates, and not the items. */
export function isListOfNames({ document, plan: { input } }: OperationWork): boolean {
  return input?.isList === true && shapeOf(document, input.schema).types.has('string')
}

function writable({ document, plan }: OperationWork, value: Members): Members {
  const schema = schemaOf(document, plan)
  const named = {
    ...(keepNamed(document, schema, sentMembers(document, schema, value), 'request') as Members),
    ...sentMembers(document, schema, keepNamed(document, plan.input?.schema, value, 'request') as Members),
  }
  const kept = keptMembers(document, { input: plan.input?.schema, schema })
  return Object.fromEntries(Object.entries(named).filter(([name]) => !kept.has(name)))
}

/** The schema of the item, or of its member that the body describes. */
function schemaOf(document: unknown, { collection, into }: OperationPlan): unknown {
  return memberAt(document, collection.schema, splitPointer(into))
}

/** The members that clients cannot write. */
function keptMembers(
  document: unknown,
  { input, schema }: { readonly input: unknown; readonly schema: unknown },
): ReadonlySet<string> {
  const taken = shapeOf(document, input, 'any').properties
  const stamps = [...shapeOf(document, schema, 'any').properties.keys()].filter(isStamp)
  return new Set([
    ...[...readOnlyMembers(document, schema), ...stamps].filter((name) => !taken.has(name)),
    ...readOnlyMembers(document, input),
  ])
}

/** Pointers into a body: the members that its schema leaves out and the item has, which are stored where they are sent. */
export function storedBeyond({ document, plan }: OperationWork): readonly string[] {
  const { input } = plan
  if (!input || input.isList) return []
  const schema = schemaOf(document, plan)
  const kept = keptMembers(document, { input: input.schema, schema })
  const names = [...shapeOf(document, schema, 'any').properties.keys()].filter((name) => !kept.has(name))
  // Members of the item may also be beside the object that looks like it.
  const holders = input.pointer === '' || plan.into !== '' ? [input.pointer] : [input.pointer, '']
  return holders.flatMap((holder) => names.map((name) => `${holder}/${encodePointer(name)}`))
}

/** Members of a body that only the service writes: `collections.read-only` ignores or refuses them. @param before the item as it is */
export function checkReadOnly(
  { document, plan }: OperationWork,
  { body, tracker }: Pick<Call, 'body' | 'tracker'>,
  before: Members | undefined,
): Pick<Reading, 'violations' | 'ignored'> {
  const { input, into } = plan
  if (!input) return { violations: [] }
  const known = valueAt(before, into)
  const held = valueAt(body, input.pointer)
  const kept = keptMembers(document, { input: input.schema, schema: schemaOf(document, plan) })
  const items = input.isList && Array.isArray(held) ? held.entries() : [['', held] as const]
  const sent = [...items].flatMap(([index, item]) => {
    const at = `${input.pointer}${index === '' ? '' : `/${index}`}`
    // A client may send back what it has read.
    return Object.entries(asObject(item))
      .filter(([name, value]) => kept.has(name) && !(isObject(known) && shown(known[name]) === shown(value)))
      .map(([name, value]) => ({ pointer: `${at}/${encodePointer(name)}`, value }))
  })
  if (sent.length === 0) return { violations: [] }
  if (tracker.ask('collections.read-only') === 'ignore')
    return { violations: [], ignored: sent.map(({ pointer }) => pointer) }
  const refused = sent.map(({ pointer, value }) =>
    refusal('collections.read-only', { pointer }, 'nothing, since it is readOnly', value),
  )
  return { violations: refused }
}

/** The id in a body that is not that of the item in the path, as `collections.other-id` says. @param before the item as it is */
export function checkOtherId(
  work: OperationWork,
  { body, tracker }: Pick<Call, 'body' | 'tracker'>,
  before: Members | undefined,
): Pick<Reading, 'violations' | 'ignored'> {
  const { role, input, itemParameter, keyedBy, collection } = work.plan
  const { identity } = collection
  const isOfPath = itemParameter !== undefined && keyedBy === undefined && (role === 'replace' || role === 'merge')
  if (!isOfPath || !input || input.isList || identity.pointer === undefined) return { violations: [] }
  const [sent, own] = [idOf(identity, valueAt(body, input.pointer)), idOf(identity, before)]
  if (sent === undefined || own === undefined || sent === own || renamedId(work, body) !== undefined)
    return { violations: [] }
  const pointer = `${input.pointer}${identity.pointer}`
  if (tracker.ask('collections.other-id') === 'keep') return { violations: [], ignored: [pointer] }
  return { violations: [refusal('collections.other-id', { pointer }, `${own}, the id in the path`, sent)] }
}

/** Empty texts in the place of names: `collections.empty-name`. */
export function checkEmptyNames(
  { document, plan: { input, role } }: OperationWork,
  { body, tracker }: Pick<Call, 'body' | 'tracker'>,
): Pick<Reading, 'violations'> {
  if (!input || input.isList) return { violations: [] }
  const { properties, required } = shapeOf(document, input.schema, 'any')
  const isName = (name: string) =>
    (required.has(name) && NAMES.test(plainName(name))) || (role === 'create' && plainName(name) === 'name')
  const names = Object.entries(asObject(valueAt(body, input.pointer))).flatMap(([name, value]) => {
    if (value !== '' || !isName(name)) return []
    const { types, keywords } = shapeOf(document, properties.get(name))
    return types.has('string') && keywords.default !== '' ? [name] : []
  })
  if (names.length === 0 || tracker.ask('collections.empty-name') === 'accept') return { violations: [] }
  return {
    violations: names.map((name) => {
      const pointer = `${input.pointer}/${encodePointer(name)}`
      return refusal('collections.empty-name', { pointer }, 'a text that is not empty', '')
    }),
  }
}

const NAMES = /name$|^(?:title|slug|key|login)$/

/**
 * The members of a body under the names that items have for them: `FriendlyName` of a form is `friendly_name` of the item, and `new_name` is
 * its name from now on. A file tells its name, size and type.
 */
function sentMembers(document: unknown, schema: unknown, sent: Members): Members {
  const { properties } = shapeOf(document, schema, 'any')
  const own = new Map([...properties.keys()].map((name) => [plainName(name), name]))
  const nameOf = (name: string) => {
    if (properties.has(name)) return name
    const plain = plainName(name)
    // Only a name of two words: `news` is not a new `s`.
    const changed = /^new[_-]?(?=[A-Z]|(?<=[_-]))/.test(name) ? plain.slice(3) : plain
    return own.get(plain) ?? own.get(changed) ?? name
  }
  const renamed = Object.entries(sent).map(([name, value]): [string, unknown] => [nameOf(name), value])
  return {
    ...Object.fromEntries(Object.values(sent).flatMap((one) => factsOf(own, one))),
    ...Object.fromEntries(renamed),
  }
}

/** Names of the members that tell of a file. */
const FILE_FACTS = {
  name: ['filename', 'originalfilename', 'originalname', 'name', 'title'],
  size: ['size', 'bytes', 'sizebytes', 'filesize', 'contentlength', 'length'],
  type: ['mimetype', 'contenttype', 'mediatype'],
}

/** What an uploaded file says of the item, as the fields of a form have it. */
function factsOf(own: ReadonlyMap<string, string>, file: unknown): [string, unknown][] {
  if (!isObject(file) || !(file.bytes instanceof Uint8Array)) return []
  const facts = { name: file.fileName, size: file.bytes.length, type: file.contentType }
  return Object.entries(FILE_FACTS).flatMap(([fact, names]): [string, unknown][] => {
    const name = names.map((one) => own.get(one)).find((one) => one !== undefined)
    return name === undefined ? [] : [[name, facts[fact as keyof typeof facts]]]
  })
}

/**
 * The id that a change gives to an item: `{"new_name": "help wanted"}` where the name is the id, or `{"name": …}` where the item has an
 * `id` beside the name that paths have, so that the name is no more than a name.
 */
export function renamedId(
  { document, plan }: Pick<OperationWork, 'document' | 'plan'>,
  body: unknown,
): string | undefined {
  const { identity, schema } = plan.collection
  const [member = '', ...inner] = splitPointer(identity.pointer ?? '')
  const hasOwnId = member !== 'id' && inner.length === 0 && shapeOf(document, schema, 'any').properties.has('id')
  const isWritten = plan.role !== 'action' && memberAt(document, plan.input?.schema, [member]) !== undefined
  const names = [`new${plainName(member)}`, ...(hasOwnId && isWritten ? [plainName(member)] : [])]
  const [, id] = Object.entries(asObject(body)).find(([name]) => names.includes(plainName(name))) ?? []
  return typeof id === 'string' && id !== '' && member !== '' ? id : undefined
}

/**
 * The pointer of the id in the body of a create that must have it, where it is called `id`: often the contract has one schema for items and for
 * new ones, and the service sets the id. Undefined elsewhere, as for a required `slug`.
 */
export function requiredId(document: unknown, { role, input, collection }: OperationPlan): string | undefined {
  const [name = '', ...inner] = splitPointer(collection.identity.pointer ?? '')
  if (role !== 'create' || !input || inner.length > 0 || !/^_?(id|uuid|guid)$/i.test(name)) return undefined
  if (!shapeOf(document, input.schema, 'any').required.has(name)) return undefined
  const { readOnly } = shapeOf(document, memberAt(document, input.schema, [name])).keywords
  return readOnly === true ? undefined : `${input.pointer}/${name}`
}

export const MARK_READ_ONLY = 'If the server sets it, mark it readOnly in the contract.'
