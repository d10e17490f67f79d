import type { Contract, Operation } from '../../contract/contract.ts'
import { templateShape } from '../../contract/template.ts'
import { type Change, found, LEVELS, type Use, type FoundChange, type PairContext } from './change.ts'
import { compareBodies, compareParameters, compareResponses } from './compare-messages.ts'
import { pairOperations, titleOf } from './compare-operations.ts'
import { createSchemaComparison } from './compare-schemas.ts'
import { credentialsOf, findAt } from './document-parts.ts'

/**
 * Finds what changed between two contracts for their clients: in operations, parameters, bodies and responses. Texts for people,
 * examples, webhooks and callbacks are not compared.
 *
 * @returns the most severe first, each with all its uses
 */
export function compareContracts(old: Contract, now: Contract): readonly Change[] {
  const { pairs, removed, added } = pairOperations(old, now)
  const compare = createSchemaComparison({ old: old.document, now: now.document })
  const contracts = { old, now }
  const all = [
    ...removed.map((one) => [one, found('operation-removed', 'breaking', 'is removed', placeOf(one))] as const),
    ...added.map((one) => [one, found('operation-added', 'compatible', 'is new', placeOf(undefined, one))] as const),
    ...pairs.flatMap((pair) =>
      comparePair({ ...pair, contracts, compare }).map((change) => [pair.old, change] as const),
    ),
  ]
  return merge(all, contracts)
}

function placeOf(old?: Operation, now?: Operation) {
  return { side: 'request', part: { kind: 'operation' }, before: old?.pointer, after: now?.pointer } as const
}

function comparePair(context: PairContext): FoundChange[] {
  return [
    ...compareAddress(context),
    ...compareSecurity(context),
    ...compareParameters(context),
    ...compareBodies(context),
    ...compareResponses(context),
  ]
}

function compareAddress({ old, now, contracts }: PairContext): FoundChange[] {
  const place = placeOf(old, now)
  const [was, is] = [findAt(contracts.old, old.pointer).value, findAt(contracts.now, now.pointer).value]
  const isMoved = templateShape(titleOf(old)) !== templateShape(titleOf(now))
  const isDeprecated = is.deprecated === true && was.deprecated !== true
  return [
    ...(isMoved ? [found('operation-moved', 'breaking', movedTo(old, now), place)] : []),
    ...(isDeprecated ? [found('deprecated', 'warning', 'is deprecated now', place)] : []),
  ]
}

/** Operations that moved together with their server have the same words, so that they become one change. */
function movedTo(old: Operation, now: Operation): string {
  return old.method === now.method && templateShape(old.path) === templateShape(now.path)
    ? `is below ${now.basePath || '/'} now, instead of ${old.basePath || '/'}`
    : `is ${titleOf(now)} now`
}

/** Whoever could use an operation has to be able to with the same credentials. */
function compareSecurity({ old, now, contracts }: PairContext): FoundChange[] {
  const [had, has] = [credentialsOf(contracts.old, old), credentialsOf(contracts.now, now)]
  const suffices = (given: readonly string[], needed: readonly string[]) => needed.every((one) => given.includes(one))
  const refused = had.filter((given) => !has.some((needed) => suffices(given, needed)))
  if (refused.length === 0) return []
  const needs = has.map((one) => one.join(' and ')).join(', or ')
  const words = `needs ${needs} now${refused.length < had.length ? ` of those that used ${refused.map((one) => one.join(' and ')).join(', or ')}` : ''}`
  return [found('security', 'breaking', words, placeOf(old, now))]
}

/** One change for all uses of the same part of the documents. */
function merge(
  all: readonly (readonly [Operation, FoundChange])[],
  { old, now }: PairContext['contracts'],
): readonly Change[] {
  const merged = new Map<string, Omit<Change, 'uses'> & { uses: Use[] }>()
  for (const [operation, { part, pointer = '', before, after, ...change }] of all) {
    const { kind, side, words } = change
    // An operation on its own is one thing; what moved with its server is not.
    const place = kind === 'operation-moved' || kind === 'security' ? '' : `${before ?? ''}\n${after ?? ''}`
    const key = [kind, side, change.level, words, place].join('\n')
    const known = merged.get(key) ?? {
      ...change,
      before: before === undefined ? undefined : old.placeOf(before),
      after: after === undefined ? undefined : now.placeOf(after),
      uses: [],
    }
    merged.set(key, known)
    known.uses.push({ operation: titleOf(operation), part, pointer })
  }
  return [...merged.values()].sort((a, b) => LEVELS.indexOf(a.level) - LEVELS.indexOf(b.level))
}
