import type { Learned } from '../../app/learned/learned.ts'
import { isObject, type Members, stringifyJson } from '../../base/formats/json.ts'
import { decodePercent } from '../../contract/pointer.ts'
import type { Contract, Operation } from '../../contract/contract.ts'
import { shapeOf } from '../../contract/schemas/shape.ts'
import { inferCollections } from '../../resources/collections/infer/infer.ts'
import type { ComparedExchange, LearntResponse } from './compared-exchange.ts'
import { OF_KINDS } from './schemas/schema-of-values.ts'
import { quotedMembers, toldMembers } from './told-members.ts'

/** Words in errors about an item that already exists. */
const TAKEN = /\b(?:exists?|taken|in use|duplicated?|unique|already)\b/i

/** How many items must differ in a member before it counts as unique, if the error does not name it. */
const LEAST_ITEMS = 2

/** How many members a composite key has at most. */
const MOST_TOGETHER = 3

/** With how many of the latest items a creation is compared. */
const MOST_COMPARED = 1000

type Names = readonly string[]

/** What was seen of the creations of one operation. */
interface Creations {
  /** Accepted creations with their responses. Deleted items are removed. */
  taken: { readonly sent: Members; readonly made: unknown }[]
  /** How many were accepted, including deleted items. */
  items: number
  /** The sets of members that two items share, by their joined names. */
  readonly shared: Map<string, Names>
  /**
   * For each refused creation, the members that it shares with the most similar item, and those of them that the error names. Items share
   * their type or status, which count only where it names them.
   */
  readonly refused: { readonly same: Names; readonly told: Names }[]
}

/**
 * Learns the unique members of a collection, as `x-standin: { unique: … }` of the operation that creates its items. A member is unique if a
 * refused creation shares it with an earlier item, and no two items share it.
 *
 * @param compared also what names things that the stand-in could not make: the service made its items
 * @param created the members of the items that each operation creates, by operationId
 */
export function learnUnique(compared: readonly ComparedExchange[], created: CreatedMembers): Learned['hints'] {
  const all = new Map<Operation, Creations>()
  for (const { operation, method, url, sent, theirs, ours, isLost } of compared) {
    if (method === 'DELETE' && theirs.status < 300)
      for (const one of all.values()) one.taken = one.taken.filter((item) => !isNamed(item, url))
    const members = created.get(operation?.operationId ?? '')
    if (!operation || !members || !isObject(sent)) continue
    const known = all.get(operation) ?? { taken: [], items: 0, shared: new Map<string, Names>(), refused: [] }
    all.set(operation, known)
    const shared = known.taken.map((one) => sharedBy(one.sent, sent, members)).filter(({ length }) => length > 0)
    if (theirs.status < 400) {
      for (const names of shared) known.shared.set(names.join(), names)
      known.items++
      known.taken.push({ sent, made: theirs.json })
      if (known.taken.length > MOST_COMPARED) known.taken.shift()
    } else if (!isLost && ours.status < 400 && isTaken(theirs)) {
      const [same] = shared.toSorted((a, b) => b.length - a.length)
      const named = toldMembers(theirs.json, same ?? []).union(quotedMembers(theirs.json, sent))
      if (same)
        known.refused.push({
          same: same.filter((name) => !OF_KINDS.test(name)),
          told: same.filter((name) => named.has(name)),
        })
    }
  }
  return Object.fromEntries(
    [...all].flatMap(([{ operationId }, seen]) => {
      const keys = seen.refused.map((one) => keyOf(one, seen)).filter((one) => one !== undefined)
      const unique = [...new Map(keys.map((key) => [stringifyJson(key), key])).values()]
      return unique.length === 0 ? [] : [[operationId, { unique }]]
    }),
  )
}

/** The members of the items that operations create, by operationId: an amended contract has other operations of the same id. */
type CreatedMembers = ReadonlyMap<string, ReadonlySet<string>>

export function createdMembers(contract: Pick<Contract, 'document' | 'operations'>): CreatedMembers {
  const plans = [...inferCollections(contract).operations.values()]
  return new Map(
    plans
      .filter(({ role, itemParameter }) => role === 'create' && itemParameter === undefined)
      .map(({ operation: { operationId }, collection: { schema } }) => [
        operationId,
        new Set(shapeOf(contract.document, schema, 'any').properties.keys()),
      ]),
  )
}

function isTaken({ status, json }: LearntResponse): boolean {
  const said = json === undefined ? '' : stringifyJson(json)
  return (status === 409 && !/\w\s+\w/.test(said)) || ([400, 409, 422].includes(status) && TAKEN.test(said))
}

function sharedBy(one: Members, other: Members, members: ReadonlySet<string>): Names {
  return Object.keys(other).filter((name) => {
    const value = other[name]
    const isPlain = (typeof value === 'string' && value !== '') || typeof value === 'number'
    return isPlain && one[name] === value && (members.size === 0 || members.has(name))
  })
}

/** The unique member, or the members of a composite key; undefined if it is unclear which they are. */
function keyOf(
  { same, told }: Creations['refused'][number],
  { shared, items }: Pick<Creations, 'shared' | 'items'>,
): string | Names | undefined {
  const isFree = (names: Names) => ![...shared.values()].some((one) => names.every((name) => one.includes(name)))
  // "The fields device, name must make a unique set."
  if (told.length > 1 && told.length <= MOST_TOGETHER && isFree(told)) return told
  const alone = (told.length > 0 || items < LEAST_ITEMS ? told : same).filter((name) => isFree([name]))
  if (alone.length > 0) return alone.length === 1 ? alone[0] : undefined
  return items >= LEAST_ITEMS && same.length > 1 && same.length <= MOST_TOGETHER && isFree(same) ? same : undefined
}

/** Whether a URL names an item by one of its values. */
function isNamed({ sent, made }: Creations['taken'][number], url: string): boolean {
  const last = decodePercent(url.split('?')[0]?.split('/').findLast(Boolean) ?? '')
  const inner = isObject(made) ? Object.values(made).filter(isObject) : []
  return [sent, made, ...inner].some(
    (one) => isObject(one) && Object.values(one).some((value) => String(value) === last),
  )
}
