import { shapeOf, typesOf } from '../../../contract/schemas/shape.ts'
import { valueAt } from '../../../contract/pointer.ts'
import { plainName, wordsOf } from '../../../base/formats/names.ts'
import { singular } from '../../../base/formats/plurals.ts'
import { withArticle } from '../../../base/errors/wording.ts'
import { asText, encodePointer } from '../../../base/formats/json.ts'
import type { CollectionPlan } from '../infer/plan.ts'
import { statusMembers } from '../lifecycles/status-words.ts'
import { holdsItem } from './payload.ts'
import type { Happening, Trigger } from './webhook-plan.ts'

const CREATED =
  /^(create[ds]?|creation|new|add(ed)?|register(ed)?|insert(ed)?|open(ed)?|submit(ted)?|place[d]?|post(ed)?|start(ed)?)$/
const UPDATED = /^(update[ds]?|change[ds]?|modif(y|ied)|edit(ed)?|save[d]?|status)$/
const DELETED = /^(delete[ds]?|deletion|remove[ds]?|removal|destroy(ed)?|cancel(l?ed)?|archive[d]?)$/
/** Words of names that say nothing of what happens. */
const EMPTY =
  /^(on|webhook|webhooks|hook|event|events|callback|notification|notify|notifications|the|a|an|any|your|is|are|was|has|have|been|get|got|successfully|v\d|post|data)$/

/** What a name says: `order shipped` of `onOrderShipped`. */
export function tellingWords(name: string): string {
  return wordsOf(name)
    .filter((word) => !EMPTY.test(word))
    .join(' ')
}

interface Described {
  /** `x-standin: { on: order.shipped }` */
  readonly said: string | undefined
  /** What the message calls itself; undefined where no member names it. */
  readonly event: string | undefined
  /** What the document calls it. */
  readonly names: readonly string[]
  /** What the document says of it in sentences. */
  readonly sentences: readonly string[]
  readonly body: unknown
  /** Whose items a callback is about. */
  readonly of: CollectionPlan | undefined
}

/** Reads from names when a message is sent; undefined where they do not say. */
export function readTrigger(
  document: unknown,
  collections: readonly CollectionPlan[],
  { said, event, names, sentences, body, of }: Described,
): Trigger | undefined {
  const usable = collections.filter(({ isSingleton }) => !isSingleton)
  const wordsIn = (read: readonly string[]) => read.map((name) => wordsOf(name).map((word) => singular(word)))
  const telling = said ?? event
  // One event of several is not what the others are, whatever the document calls all of them.
  const words = wordsIn(telling === undefined ? names : [telling])
  // One event of several is not what the description says of all of them.
  const clauses = wordsIn(telling === undefined ? sentences.flatMap(clausesIn) : [])
  const collection =
    named(usable, [...words, ...wordsIn(names), ...clauses]) ??
    of ??
    usable.find(({ schema }) => holdsItem(document, body, schema))
  if (!collection) return undefined
  const nouns = new Set([...wordsOf(collection.noun), ...wordsOf(collection.name)].map((word) => singular(word)))
  for (const all of [...words, ...clauses]) {
    const rest = all.filter((word) => !nouns.has(word) && !EMPTY.test(word))
    const trigger = changeOf(document, collection, rest)
    if (trigger) return trigger
  }
  const isNamedAlone = words.some((all) => all.length > 0 && all.every((word) => nouns.has(word) || EMPTY.test(word)))
  return isNamedAlone && !of ? { collection, change: 'any' } : undefined
}

/** The words that say when: `an order is shipped` of "Sent when an order is shipped, at most once." */
function clausesIn(sentence: string): readonly string[] {
  return [...sentence.matchAll(WHEN)].map(([, clause = '']) => clause)
}

/** Up to where the sentence says something else. */
const WHEN =
  /\b(?:when|whenever|once|after|as soon as|each time|every time)\s+((?:(?!\b(?:and|but|if|so|to|for|with)\b)[^.,;:()])+)/gi

/** The collection whose items most words name. */
function named(
  collections: readonly CollectionPlan[],
  names: readonly (readonly string[])[],
): CollectionPlan | undefined {
  for (const words of names) {
    const found = collections
      .map((collection) => ({ collection, noun: wordsOf(collection.noun).map((word) => singular(word)) }))
      .filter(({ noun }) => noun.length > 0 && noun.every((word) => words.includes(word)))
      .toSorted((one, other) => other.noun.length - one.noun.length || depthOf(one) - depthOf(other))
    if (found[0]) return found[0].collection
  }
  return undefined
}

function depthOf({ collection }: { readonly collection: CollectionPlan }): number {
  return collection.path.split('/').length
}

function changeOf(document: unknown, collection: CollectionPlan, rest: readonly string[]): Trigger | undefined {
  if (rest.length === 0) return undefined
  const plain = rest.join('')
  for (const { pointer, values } of statusMembers(document, collection.schema)) {
    const value =
      values.find((one) => plainName(asText(one)) === plain) ??
      values.find((one) => rest.includes(plainName(asText(one))))
    if (value !== undefined) return { collection, change: 'any', status: { pointer, value } }
  }
  // `verified`, which is `is_verified` or `verified` of the item.
  for (const [name, member] of shapeOf(document, collection.schema, 'any').properties)
    if (typesOf(document, member).includes('boolean') && plainName(name).replace(/^(is|has)/, '') === plain)
      return { collection, change: 'any', status: { pointer: `/${encodePointer(name)}`, value: true } }
  const change = rest.some((word) => DELETED.test(word))
    ? 'deleted'
    : rest.some((word) => CREATED.test(word))
      ? 'created'
      : rest.some((word) => UPDATED.test(word))
        ? 'updated'
        : undefined
  return change && { collection, change }
}

/** Whether a change is what a message is about. */
export function triggers({ change, status }: Trigger, happened: Happening): boolean {
  if (!status) return change === 'any' || change === happened.change
  if (happened.change === 'deleted') return false
  return (
    valueAt(happened.after, status.pointer) === status.value &&
    valueAt(happened.before, status.pointer) !== status.value
  )
}

/** When a message is sent, in words: `an order becomes shipped`. */
export function describeTrigger({ collection: { noun }, change, status }: Trigger): string {
  const item = withArticle(noun)
  if (status) return `${status.pointer} of ${item} becomes ${asText(status.value)}`
  return change === 'any' ? `${item} is created, updated or deleted` : `${item} is ${change}`
}
