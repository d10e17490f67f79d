import { typeInWords } from '../../base/errors/wording.ts'
import { listed } from '../reports/listed.ts'
import type { Side } from '../../contract/schemas/split-schema.ts'
import { shown } from '../../base/errors/problem.ts'
import { stringifySorted } from '../../base/formats/json.ts'
import type { LocatedKeyword, SchemaView, Type } from './schema-view.ts'
import type { Direction, SchemaChange } from './change.ts'

/** What changed in the values that one level of a schema allows, its members and elements aside. */
export function compareValues(old: SchemaView, now: SchemaView, side: Side): SchemaChange[] {
  const types = compareTypes(old, now, side)
  // Where the type is another one, so are its values and limits.
  if (![...old.types].some((type) => now.types.has(type))) return types
  return [...types, ...compareEnums(old, now, side), ...compareKeywords(old, now, side)]
}

function compareTypes(old: SchemaView, now: SchemaView, side: Side): SchemaChange[] {
  const lost = [...old.types].filter((type) => !now.types.has(type))
  const gained = [...now.types].filter((type) => !old.types.has(type))
  const direction = directionOf(lost.length > 0, gained.length > 0)
  // Types that follow from the values are told with the values.
  if (!direction || (old.values && now.values)) return []
  const [none, all] = [lost.length === old.types.size, now.types]
  const words =
    direction === 'changed' || none
      ? `is ${typeNames(all)} instead of ${typeNames(old.types)}`
      : direction === 'narrowed'
        ? `${isOf(lost, 'fraction') ? FEWER[side] : LOSES[side]} ${typeNames(isOf(lost, 'fraction') ? ['integer'] : lost)}`
        : `${GAINS[side]} ${typeNames(gained)}`
  return [changeOf('type', { direction, words }, old, now)]
}

export const LOSES: Readonly<Record<Side, string>> = { request: 'no longer accepts', response: 'is no longer' }
export const GAINS: Readonly<Record<Side, string>> = { request: 'also accepts', response: 'may now be' }
const FEWER: Readonly<Record<Side, string>> = { request: 'accepts only', response: 'is always' }

function isOf(types: readonly Type[], only: Type): boolean {
  return types.length === 1 && types[0] === only
}

function typeNames(types: Iterable<Type>): string {
  const names = new Set<string>(types)
  if (names.size === 0) return 'nothing'
  if (names.size === 7) return 'any value'
  if (names.has('fraction')) {
    names.delete('integer')
    names.delete('fraction')
    names.add('number')
  }
  return [...names].map(typeInWords).join(' or ')
}

function compareEnums(old: SchemaView, now: SchemaView, side: Side): SchemaChange[] {
  if (!old.values && !now.values) return []
  const lost = old.values && now.values ? missing(old.values, now.values) : []
  const gained = old.values && now.values ? missing(now.values, old.values) : []
  const direction = directionOf(!old.values || lost.length > 0, !now.values || gained.length > 0)
  if (!direction) return []
  const parts = [
    ...(old.values ? [] : [`${side === 'request' ? 'accepts only' : 'is always one of'} ${list(now.values)} now`]),
    ...(now.values ? [] : [`${side === 'request' ? 'accepts' : 'may now be'} any value`]),
    ...(lost.length > 0 ? [`${LOSES[side]} ${listed(lost.map(shown), MAX_LISTED)}`] : []),
    ...(gained.length > 0 ? [`${GAINS[side]} ${listed(gained.map(shown), MAX_LISTED)}`] : []),
  ]
  return [changeOf('enum', { direction, words: parts.join(' and ') }, old, now)]
}

function missing(among: ReadonlyMap<string, unknown>, other: ReadonlyMap<string, unknown>): unknown[] {
  return [...among].flatMap(([json, value]) => (other.has(json) ? [] : [value]))
}

function list(values: SchemaView['values']): string {
  return listed([...(values?.values() ?? [])].map(shown), MAX_LISTED)
}

/** More values are not listed. */
const MAX_LISTED = 8

/** The types that a keyword is about; of any type when it is not listed. */
const ABOUT: Readonly<Record<string, readonly Type[]>> = {
  ...about(['string'], 'minLength maxLength pattern'),
  ...about(['integer', 'fraction'], 'minimum maximum exclusiveMinimum exclusiveMaximum multipleOf'),
  ...about(['array'], 'minItems maxItems uniqueItems contains minContains maxContains prefixItems unevaluatedItems'),
  ...about(
    ['object'],
    'minProperties maxProperties patternProperties propertyNames dependentRequired dependentSchemas unevaluatedProperties discriminator',
  ),
}

function about(types: readonly Type[], keywords: string): Record<string, readonly Type[]> {
  return Object.fromEntries(keywords.split(' ').map((keyword) => [keyword, types]))
}

function compareKeywords(old: SchemaView, now: SchemaView, side: Side): SchemaChange[] {
  const names = [...new Set([...old.keywords.keys(), ...now.keywords.keys()])]
  return names.flatMap((name) => {
    const isMeant = !ABOUT[name]?.every((type) => !old.types.has(type) || !now.types.has(type))
    const [before, after] = [old.keywords.get(name), now.keywords.get(name)]
    if (!isMeant || isSame(before, after)) return []
    const change = compareKeyword(name, before, after, side)
    return change
      ? [
          {
            ...change,
            kind: name,
            pointer: '',
            before: before?.pointer ?? old.pointer,
            after: after?.pointer ?? now.pointer,
          },
        ]
      : []
  })
}

function isSame(before: LocatedKeyword | undefined, after: LocatedKeyword | undefined): boolean {
  return stringifySorted(before?.value ?? null) === stringifySorted(after?.value ?? null)
}

type ValueChange = Pick<SchemaChange, 'direction' | 'words' | 'level'>

function compareKeyword(
  name: string,
  before: LocatedKeyword | undefined,
  after: LocatedKeyword | undefined,
  side: Side,
): ValueChange | undefined {
  const words = wordsOf(name, before?.value, after?.value)
  if (name === 'default')
    return side === 'request' && before ? { direction: 'changed', level: 'warning', words } : undefined
  if (name === 'deprecated') return after && { direction: 'changed', level: 'warning', words: 'is deprecated now' }
  if (name === 'discriminator' || OPAQUE.has(name))
    return { direction: 'changed', level: 'warning', words: `has another \`${name}\`, which cannot be compared` }
  if (!before || !after) return { direction: before ? 'widened' : 'narrowed', words }
  if (name === 'pattern') return { direction: 'changed', level: 'warning', words: `${words}, which cannot be compared` }
  return { direction: directionOfLimit(name, before.value, after.value), words }
}

/** Keywords with schemas whose effect depends on each other. */
const OPAQUE = new Set([
  ...['not', 'if', 'then', 'else', 'contains', 'minContains', 'maxContains', 'prefixItems', 'patternProperties'],
  ...['propertyNames', 'dependentRequired', 'dependentSchemas', 'unevaluatedItems', 'unevaluatedProperties'],
])

function directionOfLimit(name: string, before: unknown, after: unknown): Direction {
  if (name === 'format') return FORMATS[`${String(before)} ${String(after)}`] ?? 'changed'
  if (typeof before !== 'number' || typeof after !== 'number') return 'changed'
  if (name === 'multipleOf') return before % after === 0 ? 'widened' : after % before === 0 ? 'narrowed' : 'changed'
  const isLower = /^(?:min|exclusiveMin)/.test(name)
  return isLower === after > before ? 'narrowed' : 'widened'
}

const FORMATS: Readonly<Record<string, Direction>> = { 'int32 int64': 'widened', 'int64 int32': 'narrowed' }

function wordsOf(name: string, before: unknown, after: unknown): string {
  if (before === undefined) return `has \`${name}\` ${shown(after)} now`
  if (after === undefined) return `has no \`${name}\` any more, which was ${shown(before)}`
  return `has \`${name}\` ${shown(after)} instead of ${shown(before)}`
}

/** Undefined when nothing was lost and nothing gained. */
export function directionOf(hasLost: boolean, hasGained: boolean): Direction | undefined {
  if (hasLost) return hasGained ? 'changed' : 'narrowed'
  return hasGained ? 'widened' : undefined
}

export function changeOf(
  kind: string,
  { direction, words }: Pick<SchemaChange, 'direction' | 'words'>,
  old: SchemaView,
  now: SchemaView,
): SchemaChange {
  return { kind, direction, words, pointer: '', before: old.pointer, after: now.pointer }
}
