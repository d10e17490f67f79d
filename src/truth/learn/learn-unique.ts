import type { Learned } from '../../app/learned/learned.ts'
import { isObject, type Members, stringifyJson } from '../../base/formats/json.ts'
import { decodePercent } from '../../contract/pointer.ts'
import type { Contract, Operation } from '../../contract/contract.ts'
import { shapeOf } from '../../contract/schemas/shape.ts'
import { inferCollections } from '../../resources/collections/infer/infer.ts'
import { toldOf } from './learn-refusals.ts'
import type { ComparedExchange, LearntResponse } from './compared-exchange.ts'
import { OF_KINDS } from './schema-of-values.ts'

/** What services say of an item that there is already. */
const TAKEN = /\b(?:exists?|taken|in use|duplicated?|unique|already)\b/i

/** How many items tell that no two have something in common, where the service does not say what it was. */
const LEAST_ITEMS = 2

/** How many members tell items apart together, at most. */
const MOST_TOGETHER = 3

/** How many items a creation is compared with, the latest. */
const MOST_COMPARED = 1000

type Names = readonly string[]

/** What was seen of the creations of one operation. */
interface Creations {
  /** Those that the service took, and what it responded, as far as they were not deleted. */
  taken: { readonly sent: Members; readonly made: unknown }[]
  /** How many there were. */
  items: number
  /** The members in which two items are alike. */
  readonly shared: Map<string, Names>
  /** Those that a creation which was refused shares with the item that is most like it, and those of them that the error speaks of. */
  readonly refused: { readonly same: Names; readonly told: Names }[]
}

/**
 * Which members tell the items of a collection apart, as `x-standin: { unique: … }` of the operation that creates them: those that a
 * creation which was refused shares with an item before it, and no two items share.
 *
 * @param membersOf of the items that an operation creates; undefined for one that creates none
 */
export function learnUnique(
  compared: readonly ComparedExchange[],
  membersOf: (operation: Operation) => ReadonlySet<string> | undefined,
): Learned['hints'] {
  const all = new Map<Operation, Creations>()
  for (const { operation, method, url, sent, theirs, ours } of compared) {
    if (method === 'DELETE' && theirs.status < 300)
      for (const one of all.values()) one.taken = one.taken.filter((item) => !isNamed(item, url))
    const members = operation && membersOf(operation)
    if (!members || !isObject(sent)) continue
    const known = all.get(operation) ?? { taken: [], items: 0, shared: new Map<string, Names>(), refused: [] }
    all.set(operation, known)
    const shared = known.taken.map((one) => sharedBy(one.sent, sent, members)).filter(({ length }) => length > 0)
    if (theirs.status < 400) {
      for (const names of shared) known.shared.set(names.join(), names)
      known.items++
      known.taken.push({ sent, made: theirs.json })
      if (known.taken.length > MOST_COMPARED) known.taken.shift()
    } else if (ours.status < 400 && isTaken(theirs)) {
      const [same] = shared.toSorted((a, b) => b.length - a.length)
      if (same) known.refused.push({ same, told: same.filter((name) => toldOf(theirs.json, same).has(name)) })
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

/** Makes a function that lists the members of the items which an operation creates; undefined for one that creates none. */
export function createdMembers(contract: Pick<Contract, 'document' | 'operations'>) {
  const { operations } = inferCollections(contract)
  return (operation: Operation): ReadonlySet<string> | undefined => {
    // The same operation of a contract that was amended since.
    const plan = [...operations.values()].find((one) => one.operation.operationId === operation.operationId)
    if (plan?.role !== 'create' || plan.itemParameter !== undefined) return undefined
    return new Set(shapeOf(contract.document, plan.collection.schema, 'any').properties.keys())
  }
}

function isTaken({ status, json }: LearntResponse): boolean {
  const said = json === undefined ? '' : stringifyJson(json)
  return (status === 409 && !/\w\s+\w/.test(said)) || ([400, 409, 422].includes(status) && TAKEN.test(said))
}

function sharedBy(one: Members, other: Members, members: ReadonlySet<string>): Names {
  return Object.keys(other).filter((name) => {
    const value = other[name]
    const isPlain = (typeof value === 'string' && value !== '') || typeof value === 'number'
    // Many items are of one kind.
    return isPlain && one[name] === value && !OF_KINDS.test(name) && (members.size === 0 || members.has(name))
  })
}

/** The member that tells items apart, or those that do together; undefined where it is not clear which. */
function keyOf(
  { same, told }: Creations['refused'][number],
  { shared, items }: Pick<Creations, 'shared' | 'items'>,
): string | Names | undefined {
  const isFree = (names: Names) => ![...shared.values()].some((one) => names.every((name) => one.includes(name)))
  const alone = (told.length > 0 || items < LEAST_ITEMS ? told : same).filter((name) => isFree([name]))
  if (alone.length > 0) return alone.length === 1 ? alone[0] : undefined
  return items >= LEAST_ITEMS && same.length > 1 && same.length <= MOST_TOGETHER && isFree(same) ? same : undefined
}

/** Whether an address names an item: by what was sent, or by what the service made of it. */
function isNamed({ sent, made }: Creations['taken'][number], url: string): boolean {
  const last = decodePercent(url.split('?')[0]?.split('/').findLast(Boolean) ?? '')
  const inner = isObject(made) ? Object.values(made).filter(isObject) : []
  return [sent, made, ...inner].some(
    (one) => isObject(one) && Object.values(one).some((value) => String(value) === last),
  )
}
