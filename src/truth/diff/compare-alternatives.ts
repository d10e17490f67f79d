import { isReference, locate } from '../../contract/pointer.ts'
import type { Side } from '../../contract/schemas/split-schema.ts'
import { isObject, stringifySorted } from '../../base/formats/json.ts'
import { changeOf, directionOf, GAINS, LOSES } from './compare-values.ts'
import type { ComparisonContext, ContractReading, Direction, SchemaChange } from './change.ts'
import { type Conjunction, keyOf, type SchemaView } from './schema-view.ts'

/** What `oneOf` and `anyOf` add to a comparison. */
interface AlternativesComparison {
  readonly changes: SchemaChange[]
  /** Whether the changes are all there are: the alternatives were compared together with what stands beside them. */
  readonly isAll: boolean
}

/** Compares alternatives as sets: each of one side has to be allowed by some of the other. */
export function compareAlternatives(
  comparison: ComparisonContext,
  [before, after]: readonly [Conjunction, Conjunction],
  side: Side,
): AlternativesComparison {
  const { old, now } = comparison
  const views = [old.viewOf(before), now.viewOf(after)] as const
  const [had, has] = [views[0].groups, views[1].groups]
  if (had.length === has.length) {
    const pairs = had.flatMap((group, index) => {
      const other = has[index]
      return other ? [[group.alternatives.map(alone), other.alternatives.map(alone)] as const] : []
    })
    return { isAll: false, changes: pairs.flatMap((pair) => compareSets(comparison, pair, { side, views })) }
  }
  if (had.length + has.length === 1) {
    const sets = [spread(before, views[0], has.length), spread(after, views[1], had.length)] as const
    return { isAll: true, changes: compareSets(comparison, sets, { side, views }) }
  }
  const words = 'has other alternatives, which cannot be compared'
  return {
    isAll: false,
    changes: [{ ...changeOf('alternatives', { direction: 'changed', words }, ...views), level: 'warning' }],
  }
}

function alone(pointer: string): Conjunction {
  return { schemas: [pointer] }
}

/** The alternatives of a schema, each with what stands beside them; null is one of its own where the other side has alternatives. */
function spread(conjunction: Conjunction, { groups, types }: SchemaView, others: number): Conjunction[] {
  const [group] = groups
  if (group)
    return group.alternatives.map((pointer) => ({
      ...conjunction,
      schemas: [pointer, ...conjunction.schemas],
      without: [...(conjunction.without ?? []), group.pointer],
    }))
  if (others === 0 || !types.has('null') || types.size === 1) return [conjunction]
  const rest = [...types].filter((type) => type !== 'null')
  return [
    { ...conjunction, types: rest },
    { ...conjunction, types: ['null'] },
  ]
}

interface AlternativesContext {
  readonly side: Side
  readonly views: readonly [SchemaView, SchemaView]
}

function compareSets(
  { old, now, compare }: ComparisonContext,
  [before, after]: readonly [readonly Conjunction[], readonly Conjunction[]],
  { side, views }: AlternativesContext,
): SchemaChange[] {
  const { pairs, lost, gained } = pairUp(old, now, [before, after])
  const isLost = lost.filter((one) => !after.some((other) => !goesElsewhere(compare(one, other, side), 'widened')))
  const isGained = gained.filter(
    (one) => !before.some((other) => !goesElsewhere(compare(other, one, side), 'narrowed')),
  )
  const [left] = isLost
  const [right] = isGained
  // One that was replaced by one of the same type was changed.
  if (left && right && isLost.length === 1 && isGained.length === 1 && areAlike(old.viewOf(left), now.viewOf(right)))
    return [...pairs, [left, right] as const].flatMap(([one, other]) => compare(one, other, side))
  const direction = directionOf(isLost.length > 0, isGained.length > 0)
  const words = [
    ...(isLost.length > 0 ? [`${LOSES[side]} ${isLost.map((one) => nameOf(old, one)).join(', ')}`] : []),
    ...(isGained.length > 0 ? [`${GAINS[side]} ${isGained.map((one) => nameOf(now, one)).join(', ')}`] : []),
  ].join(' and ')
  return [
    ...pairs.flatMap(([one, other]) => compare(one, other, side)),
    ...(direction ? [changeOf('alternatives', { direction, words }, ...views)] : []),
  ]
}

/** Whether any change of the values does not go this way alone. */
function goesElsewhere(changes: readonly SchemaChange[], way: Direction): boolean {
  return changes.some(({ direction, kind }) => direction !== way && kind !== 'deprecated' && kind !== 'default')
}

function areAlike(one: SchemaView, other: SchemaView): boolean {
  return [...one.types].some((type) => other.types.has(type))
}

interface Pairing {
  readonly pairs: readonly (readonly [Conjunction, Conjunction])[]
  readonly lost: readonly Conjunction[]
  readonly gained: readonly Conjunction[]
}

/** Pairs alternatives that are one, by what says so best: a common reference, equal texts, a constant member, a title, the type null. */
function pairUp(
  old: ContractReading,
  now: ContractReading,
  [before, after]: readonly [readonly Conjunction[], readonly Conjunction[]],
): Pairing {
  const lost = [...before]
  const gained = [...after]
  const pairs: [Conjunction, Conjunction][] = []
  for (const signOf of SIGNS)
    for (const one of [...lost]) {
      const sign = signOf(old, one)
      const other = sign === undefined ? undefined : gained.find((candidate) => signOf(now, candidate) === sign)
      if (!other) continue
      pairs.push([one, other])
      lost.splice(lost.indexOf(one), 1)
      gained.splice(gained.indexOf(other), 1)
    }
  return { pairs, lost, gained }
}

type Sign = (reading: ContractReading, conjunction: Conjunction) => string | undefined

const SIGNS: readonly Sign[] = [
  ({ document }, { schemas: [pointer = ''] }) => {
    const { value } = locate(document, pointer, false)
    return isReference(value) ? value.$ref : undefined
  },
  ({ document }, { schemas: [pointer = ''], types = [] }) =>
    `${stringifySorted(locate(document, pointer).value)} ${types.join(' ')}`,
  (reading, conjunction) => {
    const { properties } = reading.viewOf(conjunction)
    for (const [name, schema] of properties) {
      const { values } = reading.viewOf(schema)
      if (values?.size === 1) return `${name}=${[...values.keys()].join('')}`
    }
    return undefined
  },
  ({ document }, { schemas: [pointer = ''] }) => {
    const { value } = locate(document, pointer)
    return isObject(value) && typeof value.title === 'string' ? value.title : undefined
  },
  ({ viewOf }, conjunction) => {
    const { types } = viewOf(conjunction)
    return types.size === 1 && types.has('null') ? 'null' : undefined
  },
]

/** `Card` for `#/components/schemas/Card`; else its title, a constant member, its types. */
function nameOf(reading: ContractReading, conjunction: Conjunction): string {
  const [byReference, , byConstant, byTitle] = SIGNS
  const reference = byReference?.(reading, conjunction)
  if (reference !== undefined) return reference.slice(reference.lastIndexOf('/') + 1)
  const name = byTitle?.(reading, conjunction) ?? byConstant?.(reading, conjunction)
  return name ?? ([...reading.viewOf(conjunction).types].join(' or ') || keyOf(conjunction))
}
