import { shapeOf, isSameSchema } from '../../../contract/schemas/shape.ts'
import { follow, withValue } from '../../../contract/pointer.ts'
import { encodePointer, isObject, type Members, splitPointer } from '../../../base/formats/json.ts'
import { draw, randomUuid } from '../../../engine/random.ts'
import { exampleOf } from '../../../values/merge-schema.ts'
import { idLike } from '../../../values/new-values.ts'
import { plainName } from '../../../base/formats/names.ts'
import type { DocumentMaker } from '../../../values/document-maker.ts'
import type { MessageFacts, WebhookEvent } from './webhook-plan.ts'

interface PayloadSubject {
  readonly noun: string
  /** As items show it. */
  readonly id: unknown
  /** The ids of the items that it lies below, by their nouns. */
  readonly parents: readonly (readonly [noun: string, id: string])[]
  /** The item that the message is about; undefined where it is about none. */
  readonly item: Members | undefined
  /** The item before the change; undefined where it was not there. */
  readonly before: Members | undefined
  /** The schema of the item. */
  readonly itemSchema: unknown
}

interface PayloadRequest extends PayloadSubject, Omit<MessageFacts, 'subject'> {
  readonly make: DocumentMaker
}

type Known = readonly (readonly [pointer: string, value: unknown])[]

/**
 * The body of a message: what it is about where the schema has a place for it, examples of the document, and believable values elsewhere.
 * Undefined where none is valid.
 */
export function makePayload(
  document: unknown,
  { schema, naming, called, example, check }: WebhookEvent,
  { make, now, key, idKey, said, ...subject }: PayloadRequest,
): Members | undefined {
  const { properties, required } = shapeOf(document, schema, 'any')
  const isOfItem = subject.item !== undefined && isItem(document, schema, subject.itemSchema)
  const own: Known = [
    ...Object.entries(said).flatMap(([name, value]) =>
      properties.has(name) ? [[`/${encodePointer(name)}`, value] as const] : [],
    ),
    ...(isOfItem ? [] : [...called, ...ofEnvelope(document, schema, { now, idKey })]),
  ]
  const about = { noun: subject.noun, path: undefined, references: () => undefined }
  const withKnown = (places: Known) => {
    const known = new Map([...own, ...places, ...(naming ? [naming] : [])])
    const overlaid = (base: Members) =>
      [...known].reduce<Members>((held, [pointer, value]) => withValue(held, pointer, value), base)
    if (isObject(example) && check.accepts(overlaid(example))) return overlaid(example)
    // Only the first document has the examples of single members.
    const made = make({ key, index: 0, count: 1, variant: 0, now, isNew: true, ...about, known })
    if (!made) return undefined
    // What is made to agree with it may have changed what is known, such as the dates of an item.
    return check.accepts(overlaid(made)) ? overlaid(made) : made
  }
  const place = { ...subject, schema, pointer: '' }
  const made =
    withKnown([...placesOf(document, { ...place, isWhole: true })]) ??
    withKnown([...placesOf(document, { ...place, isWhole: false })]) ??
    withKnown([])
  if (!made || !isOfItem) return made
  // An item that is the whole body has no more than it has, but what names the event.
  const item = subject.item ?? {}
  const isKept = (name: string) => name in item || required.has(name) || naming?.[0] === `/${encodePointer(name)}`
  const plain = Object.fromEntries(Object.entries(made).filter(([name]) => isKept(name)))
  return check.accepts(plain) ? plain : made
}

interface PayloadPlace extends PayloadSubject {
  readonly schema: unknown
  readonly pointer: string
  /** Whether an item below the top is taken whole, and not member by member. */
  readonly isWhole: boolean
}

/** An id that no other message has, and the moment where it is a number. */
function* ofEnvelope(
  document: unknown,
  schema: unknown,
  { now, idKey }: Pick<PayloadRequest, 'now' | 'idKey'>,
): Generator<Known[number]> {
  for (const [name, member] of shapeOf(document, schema, 'any').properties) {
    const at = `/${encodePointer(name)}`
    const { keywords, types } = shapeOf(document, member)
    if (keywords.default !== undefined) yield [at, keywords.default]
    else if (/^(event|message|delivery|webhook|notification)?(id|uuid)$/.test(plainName(name)) && types.has('string')) {
      const isUuid = keywords.format === 'uuid' || keywords.pattern !== undefined || exampleOf(keywords) === undefined
      yield [at, isUuid ? uuidOf(idKey) : idLike(exampleOf(keywords), keywords, idKey)]
    } else if (types.has('integer') && TIME.test(plainName(name))) {
      const isInMilliseconds = Number(exampleOf(keywords) ?? 0) > 1e11 || /(ms|millis)$/.test(plainName(name))
      yield [at, isInMilliseconds ? now : Math.floor(now / 1000)]
    }
  }
}

const TIME = /^(timestamp|time|created|createdat|date|at|occurredat|sentat|eventtime|triggeredat)(ms|millis)?$/

function uuidOf(key: number): string {
  return randomUuid(draw(key, 0), draw(key, 1), draw(key, 2), draw(key, 3))
}

/** Levels of a body that may have the item or parts of it. */
const DEEPEST = 3
/** What envelopes call what they carry. */
const CARRIED = /^(data|object|resource|payload|item|record|entity|body|details|attributes|model)$/
/** Members that an envelope has of its own. */
const OF_ENVELOPE =
  /^(id|type|kind|event|action|topic|name|object|version|url|created|createdat|timestamp|time|date|occurredat|sentat|livemode|apiversion|eventtype|eventid)$/

/** Members that items of all kinds have there. */
const OF_JSON_API = /^(type|attributes|relationships|links|meta)$/

/** Where a body has an item, or members of it. */
function* placesOf(document: unknown, place: PayloadPlace): Generator<Known[number]> {
  const { schema, pointer, item, before, itemSchema, noun, id, parents, isWhole } = place
  if (item === undefined) return
  const { properties } = shapeOf(document, schema, 'any')
  if (isItem(document, schema, itemSchema)) {
    if (isWhole && pointer !== '') yield [pointer, readable(document, item, itemSchema)]
    else yield* membersOf(document, place)
    return
  }
  const members = new Map(Object.entries(item).map(([name, value]) => [plainName(name), value]))
  for (const [name, member] of properties) {
    const at = `${pointer}/${encodePointer(name)}`
    const plain = plainName(name)
    const shape = shapeOf(document, member, 'any')
    const parent = parents.find(([above]) => plain === `${plainName(above)}id`)
    if (plain === `${plainName(noun)}id` || (plain === 'id' && CARRIED.test(plainName(holderOf(pointer)))))
      yield [at, id]
    else if (parent) yield [at, shape.types.has('integer') ? Number(parent[1]) : parent[1]]
    else if (BEFORE.test(plain)) {
      if (before) yield* placesOf(document, { ...place, item: before, schema: member, pointer: at })
    } else if (shape.items !== undefined && isItem(document, shape.items, itemSchema))
      yield [at, [readable(document, item, itemSchema)]]
    else if (shape.properties.size > 0) {
      if (pointer.split('/').length < DEEPEST) yield* placesOf(document, { ...place, schema: member, pointer: at })
    } else if (shape.types.size === 0 || shape.types.has('object')) {
      if (CARRIED.test(plain) || plain === plainName(noun)) yield [at, readable(document, item, itemSchema)]
    } else if (!OF_ENVELOPE.test(plain) && members.has(plain) && !isObject(members.get(plain)))
      yield [at, members.get(plain)]
  }
}

const BEFORE = /^(previous|old|before|prior)/

function holderOf(pointer: string): string {
  return splitPointer(pointer).at(-1) ?? ''
}

function* membersOf(document: unknown, { schema, pointer, item = {}, itemSchema }: PayloadPlace) {
  const { properties } = shapeOf(document, schema, 'any')
  for (const [name, value] of Object.entries(readable(document, item, itemSchema)))
    if (properties.has(name)) yield [`${pointer}/${encodePointer(name)}`, value] as const
}

/** As reads show it: what the schema names, without what only clients write, such as a password. */
function readable(document: unknown, item: Members, schema: unknown): Members {
  const { properties } = shapeOf(document, schema, 'any')
  const isShown = (name: string) => {
    const member = follow(document, properties.get(name))
    return properties.size === 0 || (properties.has(name) && !(isObject(member) && member.writeOnly === true))
  }
  return Object.fromEntries(Object.entries(item).filter(([name]) => isShown(name)))
}

/** Whether a schema describes items: it is theirs, or has most of their members. */
function isItem(document: unknown, schema: unknown, itemSchema: unknown): boolean {
  if (isSameSchema(schema, itemSchema) || follow(document, schema) === follow(document, itemSchema)) return true
  const [own, items] = [schema, itemSchema].map((one) => [...shapeOf(document, one, 'any').properties.keys()])
  if (!own || !items || own.length < 2 || items.length < 2) return false
  const shared = own.filter((name) => items.includes(name) && !OF_JSON_API.test(name)).length
  return shared >= 2 && shared * 3 >= 2 * Math.min(own.length, items.length) && own.some((name) => /^id$/i.test(name))
}

/** Whether a body carries an item of a schema, itself or below it. */
export function holdsItem(document: unknown, schema: unknown, itemSchema: unknown, levels = DEEPEST): boolean {
  if (schema === undefined || levels === 0) return false
  if (isItem(document, schema, itemSchema)) return true
  const { properties, items } = shapeOf(document, schema, 'any')
  return [...properties.values(), items].some(
    (one) => one !== undefined && holdsItem(document, one, itemSchema, levels - 1),
  )
}
