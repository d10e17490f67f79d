import type { Operation } from '../../../contract/contract.ts'
import { follow, valueAt } from '../../../contract/pointer.ts'
import { readDocumented } from '../../../contract/schemas/documented.ts'
import { shapeOf } from '../../../contract/schemas/shape.ts'
import { refusal } from '../../../behaviours/refusal.ts'
import { itemExists } from '../../../base/errors/resource-errors.ts'
import { withArticle } from '../../../base/errors/wording.ts'
import { asObject, encodePointer, isObject, type Members } from '../../../base/formats/json.ts'
import { plainName, wordsOf } from '../../../base/formats/names.ts'
import type { Call } from '../../handler.ts'
import type { Documents } from '../documents/documents.ts'
import { selectNow } from '../documents/select.ts'
import { hintOfOperation } from '../infer/hints.ts'
import { LOGINS, NAMING } from '../infer/id-names.ts'
import { isOfPeople } from '../infer/people.ts'
import type { CollectionPlan, OperationPlan } from '../infer/plan.ts'

/** What the document says of members whose values no two items share. */
export interface UniqueMembers {
  /** Each entry is a unique member, or the members of a composite key. */
  readonly keys: readonly (readonly string[])[]
  /** Whether a creation with a known value gives the item that has it. */
  readonly givesExisting: boolean
}

/**
 * Members are unique whose description says so, which a path takes for the id, `/tags/name/{name}` and `/tags/by-slug/{slug}`, of which
 * the creation says what it does "if a tag with the same name already exists", and those that its 409 names: "Email already registered".
 * `x-standin: { unique: [code, [owner, title]] }` replaces all of these.
 */
function readUnique(document: unknown, { collection, operation, input }: OperationPlan): UniqueMembers {
  const { paths } = asObject(document)
  const own = operation.path.replace(/\/$/, '')
  const keys = Object.keys(asObject(paths)).flatMap((path) => {
    const [, word = '', name = ''] = path.startsWith(own) ? (OTHER_KEY.exec(path.slice(own.length)) ?? []) : []
    return word !== '' && plainName(word) === plainName(name) ? [plainName(word)] : []
  })
  const { summary, description } = (follow(document, valueAt(document, operation.pointer)) ?? {}) as Members
  const said = `${String(summary)}. ${String(description)}`.replaceAll(/\s+/g, ' ')
  const [, same = ''] = SAME.exec(said) ?? []
  const conflict = readDocumented(document, operation).described(409)
  const taken = takenIn(conflict)
  const isText = (schema: unknown) => {
    const { types, keywords } = shapeOf(document, schema)
    return types.has('string') && !('enum' in keywords)
  }
  const texts = [...shapeOf(document, collection.schema, 'any').properties].filter(
    ([name, schema]) => isText(schema) && collection.identity.pointer !== `/${encodePointer(name)}`,
  )
  const named = texts.filter(([name, schema]) => {
    const plain = plainName(name)
    const isCalled = UNIQUE.test(String(shapeOf(document, schema).keywords.description))
    return isCalled || keys.includes(plain) || plain === plainName(same) || taken.some((word) => endsWith(name, word))
  })
  const isOfItem =
    BARE.test(conflict.trim()) ||
    (DUPLICATE.test(conflict) && taken.some((word) => NOUNS.has(word) || endsWith(collection.noun, word)))
  const { required, properties: sendable } = shapeOf(document, input?.schema, 'any')
  const isNatural = (name: string) => NATURAL_KEYS.includes(plainName(name)) || isOwnId(name, collection)
  // A schema that requires nothing leaves open what a body must have.
  const isSent = (name: string) => (required.size === 0 ? sendable.has(name) : required.has(name))
  const { isChosen, pointer = '' } = collection.identity
  // A name that is the id is refused as an id. Where clients may send an id too, the conflict may be about that, and not about the name.
  const isName = isChosen && !/^\/(id|uuid)$/.test(pointer)
  const isSure = (name: string) => !isChosen || plainName(name) !== 'name'
  const natural = isName ? [] : texts.filter(([name]) => isSent(name) && isNatural(name) && isSure(name))
  const ofPerson = natural.filter(([name]) => isOfPeople(collection) && PERSONAL_KEYS.includes(plainName(name)))
  const first = ofPerson.length > 0 ? ofPerson : natural.slice(0, 1)
  const names = named.length === 0 && isOfItem ? first : named
  return { keys: hintedKeys(operation) ?? names.map(([name]) => [name]), givesExisting: EXISTING.test(said) }
}

/** The keys in `x-standin`; undefined without `unique`. */
function hintedKeys(operation: Operation): readonly (readonly string[])[] | undefined {
  const { unique } = hintOfOperation(operation)
  return Array.isArray(unique) ? unique.map((one: unknown) => [one].flat().map(String)) : undefined
}

/** What a description says of another item's values: `email` of "Email already registered", `code` of "a hotel with this code exists". */
function takenIn(description: string): string[] {
  const said = description.toLowerCase()
  return TAKEN.flatMap((pattern) => [...said.matchAll(pattern)].flatMap(([, ...words]) => words.filter(Boolean)))
}

const TAKEN = [
  /\b(?:with|of|for) (?:(?:the|that|this|an?|same|given|provided|specified) )*([\w-]+)(?: (?:or|and) ([\w-]+))? exists/g,
  /\b([\w-]+)(?: (?:or|and) (?:the )?([\w-]+))?(?: address)?(?: (?:is|are|has|have))?(?: been)? (?:already|taken|in use)\b/g,
  /\bduplicated? ([\w-]+)/g,
  /\b([\w-]+) (?:must be|is not|not) unique/g,
]

/** Whether a name is a word, or ends with it: `ownerEmail`. */
function endsWith(name: string, word: string): boolean {
  return plainName(name) === plainName(word) || wordsOf(name).at(-1) === word
}

/** `clientId` of a client whose id is another member. */
function isOwnId(name: string, { noun }: CollectionPlan): boolean {
  return plainName(name) === `${plainName(noun)}id`
}

/** A conflict of which the document says no more. For a new item it is another one with the same name or code. */
const BARE = /^conflict\.?$|\bconflicts? with (?:the |an )?(?:existing|current)\b/i
const DUPLICATE = /\bexists?\b|\bduplicated?\b/i
/** What descriptions call an item of any kind. */
const NOUNS = new Set(['resource', 'item', 'entity', 'object', 'record', 'entry', 'it'])
/** What people tell items apart by, where a document says only that one "already exists"; the body must have it. */
const NATURAL_KEYS = [...NAMING, 'code', 'sku', 'email']

/** No two accounts share one of these. */
const PERSONAL_KEYS = [...LOGINS, 'email']

const OTHER_KEY = /^\/(?:by[-_]?)?(\w+)\/\{(\w+)\}\/?$/
const UNIQUE = /\b(?:must be unique|(?:is|are|a|the) unique(?! id))\b|^unique\b(?! id)/i
const SAME = /\b(?:with|of) (?:the|that|this) (?:same )?(\w+) already exists/i
const EXISTING =
  /already exists,? (?:(?:the|that|this|an) )?(?:existing|same) \w+ (?:is|will be|gets) returned|already exists,? (?:it )?returns? (?:the|that|it)/i

/**
 * What the creation of items says of them, for an operation that changes one: no change makes two items share what no creation does.
 *
 * @param views the operations on the collection
 */
export function uniqueFor(document: unknown, plan: OperationPlan, views: readonly OperationPlan[]): UniqueMembers {
  const creating = plan.role === 'create' ? [] : views.filter(({ role }) => role === 'create')
  const { keys, givesExisting } = readUnique(document, plan)
  return { keys: [...keys, ...creating.flatMap((one) => readUnique(document, one).keys)], givesExisting }
}

interface UniqueWrite {
  readonly unique: UniqueMembers
  readonly given: Members
  /** The item that is changed; undefined for a new one. */
  readonly changed?: { readonly id: string; readonly before: Members } | undefined
  readonly documents: Documents
  readonly collection: CollectionPlan
  readonly document: unknown
  readonly call: Call
}

/** The id of the item that has one of these values already, where the creation gives it. @throws Problem 409 `collections.unique` */
export function findSame(written: UniqueWrite): string | undefined {
  const { unique, given, changed, documents, collection, document, call } = written
  const { noun } = collection
  const { properties } = shapeOf(document, collection.schema, 'any')
  for (const names of unique.keys) {
    const sent = names.flatMap((name) => {
      const value = keyOf(given[name] ?? changed?.before[name])
      // What was sent by its id may be shown as an object.
      const isShown = shapeOf(document, properties.get(name), 'any').properties.has('id')
      return value === undefined ? [] : [{ name, value, pointer: `/${encodePointer(name)}${isShown ? '/id' : ''}` }]
    })
    const isNew = changed === undefined || sent.some(({ name, value }) => keyOf(changed.before[name]) !== value)
    if (sent.length < names.length || !isNew) continue
    const conditions = sent.map(({ pointer, value }) => ({ pointer, oneOf: [value] }))
    const { slice } = selectNow(documents, { conditions, order: [] })
    const same = slice(0, 2).find(({ id }) => id !== changed?.id)
    if (!same || call.tracker.ask('collections.unique') === 'accept') continue
    if (unique.givesExisting) return same.id
    throw itemExists({
      detail: `There is ${withArticle(noun)} with the ${sent.map(({ name, value }) => `${name} ${value}`).join(' and the ')} already.`,
      violations: sent.map(({ name, value, pointer }) =>
        refusal('collections.unique', { pointer }, `${withArticle(name)} that no ${noun} has`, value),
      ),
    })
  }
  return undefined
}

/** A value by which items are told apart: its own, or the id of the object that it is. */
function keyOf(value: unknown): string | number | undefined {
  const key = isObject(value) ? value.id : value
  return typeof key === 'string' || typeof key === 'number' ? key : undefined
}
