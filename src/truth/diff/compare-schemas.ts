import type { Side } from '../../contract/schemas/split-schema.ts'
import { locate } from '../../contract/pointer.ts'
import { encodePointer, isObject } from '../../base/formats/json.ts'
import { compareAlternatives } from './compare-alternatives.ts'
import { compareValues } from './compare-values.ts'
import type { Compare, ComparisonContext, ContractReading, SchemaChange } from './change.ts'
import { type Conjunction, createSchemaViews, keyOf, type SchemaView } from './schema-view.ts'

/** Of one kind in one schema, more places are not told. */
const MAX_PLACES = 20

/** @param documents OpenAPI 3.1 with local references only */
export function createSchemaComparison(documents: { readonly old: unknown; readonly now: unknown }): Compare {
  const [old, now] = [documents.old, documents.now].map((document) => ({
    document,
    viewOf: createSchemaViews(document),
  })) as [ContractReading, ContractReading]
  const known = new Map<string, readonly SchemaChange[]>()
  const underway = new Set<string>()
  /** How many comparisons met one that is under way: their results lack what that one will find. */
  let cuts = 0
  const compare: Compare = (before, after, side) => {
    const key = `${side}\n${keyOf(before)}\n\n${keyOf(after)}`
    const found = known.get(key)
    if (found) return found
    if (underway.has(key)) {
      cuts++
      return []
    }
    const cutsBefore = cuts
    underway.add(key)
    const changes = limited(compareLevel({ old, now, compare }, [before, after], side))
    underway.delete(key)
    if (underway.size === 0) cuts = 0
    if (cuts === cutsBefore || underway.size === 0) known.set(key, changes)
    return changes
  }
  return compare
}

function compareLevel(
  comparison: ComparisonContext,
  [before, after]: readonly [Conjunction, Conjunction],
  side: Side,
): SchemaChange[] {
  const alternatives = compareAlternatives(comparison, [before, after], side)
  if (alternatives.isAll) return alternatives.changes
  const [old, now] = [comparison.old.viewOf(before), comparison.now.viewOf(after)]
  const both = (type: 'object' | 'array') => old.types.has(type) && now.types.has(type)
  return [
    ...compareValues(old, now, side),
    ...(both('object') ? compareMembers(comparison, [old, now], side) : []),
    ...(both('object') ? compareOthers(comparison, [old, now], side) : []),
    ...(both('array') ? below('*', comparison.compare(old.items ?? ANY, now.items ?? ANY, side)) : []),
    ...alternatives.changes,
  ]
}

/** A schema that allows everything. */
const ANY: Conjunction = { schemas: [] }

function below(name: string, changes: readonly SchemaChange[]): SchemaChange[] {
  const step = name === '*' ? '/*' : `/${encodePointer(name)}`
  return changes.map((change) => ({ ...change, pointer: step + change.pointer }))
}

type Views = readonly [old: SchemaView, now: SchemaView]

function compareMembers({ old: reading, now: newReading, compare }: ComparisonContext, [old, now]: Views, side: Side) {
  const names = new Set([...old.properties.keys(), ...now.properties.keys(), ...old.required, ...now.required])
  return [...names].flatMap((name): SchemaChange[] => {
    const [before, after] = [
      memberOf(reading.document, old, name, side),
      memberOf(newReading.document, now, name, side),
    ]
    if (!before.isThere && !after.isThere) return []
    const places = { before: before.pointer, after: after.pointer, pointer: '' }
    const isRemoved = before.schema !== undefined && !after.schema && !now.others
    const isAdded = after.schema !== undefined && !before.schema && !old.others
    const changes = isRemoved
      ? [{ ...removed(side), ...places }]
      : isAdded
        ? [{ ...added(side, after.isRequired, isClosed(old)), ...places }]
        : [
            ...requirement(before.isRequired, after.isRequired, side).map((one) => ({ ...one, ...places })),
            ...compare(before.schema ?? othersOf(old), after.schema ?? othersOf(now), side),
          ]
    return below(name, changes)
  })
}

interface ComparedProperty {
  readonly isThere: boolean
  readonly schema: Conjunction | undefined
  readonly isRequired: boolean
  /** Undefined when it is only required. */
  readonly pointer: string | undefined
}

/** A member as one side of an exchange sees it: requests have none that are `readOnly`, responses none that are `writeOnly`. */
function memberOf(document: unknown, view: SchemaView, name: string, side: Side): ComparedProperty {
  const schema = view.properties.get(name)
  const hidden = side === 'request' ? 'readOnly' : 'writeOnly'
  const isHidden = schema?.schemas.some((at) =>
    [locate(document, at, false), locate(document, at)].some(({ value }) => isObject(value) && value[hidden] === true),
  )
  const isRequired = isHidden !== true && view.required.has(name)
  return {
    isThere: isHidden !== true && (schema !== undefined || isRequired),
    schema: isHidden === true ? undefined : schema,
    isRequired,
    pointer: schema?.schemas[0],
  }
}

/** What a member without a schema of its own has to match. */
function othersOf({ others }: SchemaView): Conjunction {
  return others === undefined || others === false ? ANY : others
}

function isClosed(view: SchemaView): boolean {
  return view.others === false || view.keywords.get('unevaluatedProperties')?.value === false
}

type KeywordChange = Pick<SchemaChange, 'kind' | 'direction' | 'level' | 'words'>

function removed(side: Side): KeywordChange {
  const words = side === 'request' ? 'is no longer documented' : 'is no longer returned'
  return { kind: 'member-removed', direction: 'changed', level: 'breaking', words }
}

function added(side: Side, isRequired: boolean, wasClosed: boolean): KeywordChange {
  const kind = 'member-added'
  if (side === 'request') {
    const direction = isRequired ? 'narrowed' : 'widened'
    return { kind, direction, words: isRequired ? 'is new and required' : 'is new and optional' }
  }
  const direction = wasClosed ? 'widened' : 'narrowed'
  if (!wasClosed) return { kind, direction, words: 'is new' }
  return { kind, direction, level: 'warning', words: 'is new, where no other member was allowed' }
}

function requirement(was: boolean, is: boolean, side: Side): KeywordChange[] {
  if (was === is) return []
  const direction = is ? 'narrowed' : 'widened'
  if (side === 'request')
    return [{ kind: 'required', direction, words: is ? 'is required now' : 'is no longer required' }]
  return [{ kind: 'required', direction, words: is ? 'is always returned now' : 'may now be missing' }]
}

function compareOthers({ compare }: ComparisonContext, [old, now]: Views, side: Side): SchemaChange[] {
  const places = { before: old.pointer, after: now.pointer, pointer: '' }
  if (old.others === false || now.others === false) {
    if (old.others === now.others) return []
    const isNarrower = now.others === false
    const words = isNarrower ? 'allows no other members now' : 'may now have other members'
    const kind = 'additionalProperties'
    if (isNarrower) return [{ kind, direction: 'narrowed', words, ...places }]
    return [{ kind, direction: 'widened', ...(side === 'response' ? { level: 'warning' } : {}), words, ...places }]
  }
  return old.others || now.others ? below('*', compare(old.others ?? ANY, now.others ?? ANY, side)) : []
}

/** A schema that refers to itself in many places would have the same difference in thousands. */
function limited(changes: readonly SchemaChange[]): readonly SchemaChange[] {
  const counts = new Map<string, number>()
  return changes.filter(({ kind, words, before, after }) => {
    const key = [kind, words, before, after].join('\n')
    const count = (counts.get(key) ?? 0) + 1
    counts.set(key, count)
    return count <= MAX_PLACES
  })
}
