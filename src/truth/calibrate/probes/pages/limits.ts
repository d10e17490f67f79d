import type { BehaviourSettings } from '../../../../../types/behaviour-settings.d.ts'
import { probe, type Probe, type ProbeRequest } from '../../probe.ts'
import { deduce, type Deduction } from '../../search-model/deduction.ts'
import { SORT_FIELDS } from '../../../../behaviours/file-fields.ts'
import { open, settled, type Traffic } from '../../traffic.ts'
import { type Amount, type AmountBound, askForBound, boundOf, isExact } from '../bounds.ts'
import { filterBy, TEXT_FIELDS } from '../../search-model/candidates.ts'

/** A fieldSort of so many keys; undefined where no such list is known to be accepted for anything but its length. */
function sortOf(amount: number, { domainOf }: Deduction): ProbeRequest | undefined {
  const fields = SORT_FIELDS.filter((field) => domainOf(`sortField:${field}`).every(Boolean))
  const order = domainOf('sort.order-absent').includes('error') ? { order: 'ASC' } : {}
  const isOnly = (unknown: string, value: string) => domainOf(unknown).every((one) => one === value)
  const [first] = fields
  const fieldAt = (at: number) => {
    if (first !== undefined && isOnly('sort.duplicate', 'first')) return first
    return isOnly('sort.unknown', 'ignore') ? `colour${at}` : fields[at]
  }
  const names = Array.from({ length: amount }, (_, at) => fieldAt(at))
  return names.some((name) => name === undefined)
    ? undefined
    : { body: { fieldSort: names.map((field) => ({ field, ...order })) } }
}

/** A filter of a text with so many values, or with so long a one. */
function filterOf(value: readonly string[], deduction: Deduction): ProbeRequest | undefined {
  const isIgnored = !deduction.domainOf('filter.unknown').includes('error')
  const mostLikely = (words: readonly string[], kind: string) =>
    [1, 2].flatMap((size) => words.filter((word) => isPossible(deduction.domainOf(`${kind}:${word}`), size)))[0]
  const field = isIgnored ? 'colour' : mostLikely(TEXT_FIELDS, 'field')
  const operator = mostLikely(['IN', 'EQUALS', 'LIKE'], 'operator')
  return field === undefined || operator === undefined ? undefined : filterBy({ field, operator, value })
}

/** Whether true is among so many values that are possible. */
function isPossible(domain: readonly unknown[], size: number): boolean {
  return domain.length === size && domain.includes(true)
}

/** What the bounds of filters are about. */
function filterAmounts(traffic: Traffic): readonly Amount[] {
  const date = { field: 'created', start: '2000-01-01T00:00:00Z' }
  const many = <Item>(amount: number, item: Item) => Array.from({ length: amount }, () => item)
  return [
    {
      use: 'filter.max:filters',
      guess: 100,
      searchWith: (amount) => ({ body: { dateFilters: many(amount, date) } }),
    },
    { use: 'filter.max:values', guess: 1000, searchWith: (amount) => filterOf(many(amount, 'x'), deduce(traffic)) },
    {
      use: 'filter.max:characters',
      guess: 1024,
      searchWith: (amount) => filterOf(['x'.repeat(amount)], deduce(traffic)),
    },
  ]
}

function evidenceOf({ acceptedBy, refusedBy }: AmountBound) {
  return [refusedBy, acceptedBy].filter((search) => search !== undefined)
}

/** `2 filters` when that many are accepted and more were not tried. */
function atLeast(name: string, { accepted, refused }: AmountBound): string {
  return refused === Infinity ? `at least ${accepted} ${name}` : `${accepted} to ${refused - 1} ${name}`
}

export const LIMITS: readonly Probe[] = [
  probe('sort.max', {
    conclude(traffic) {
      const bound = boundOf('sort.max', traffic)
      if (isExact(bound)) return settled(bound.accepted, evidenceOf(bound))
      return open(`the service takes ${atLeast('sort keys', bound)}; more could not be asked for`)
    },
    ask: (questioner) =>
      askForBound(questioner, {
        use: 'sort.max',
        guess: 16,
        searchWith: (amount) => sortOf(amount, deduce(questioner.traffic)),
      }),
  }),

  probe('filter.max', {
    conclude(traffic) {
      const bounds = (['filters', 'values', 'characters'] as const).map(
        (name) => [name, boundOf(`filter.max:${name}`, traffic)] as const,
      )
      if (!bounds.every(([, bound]) => isExact(bound))) {
        const known = bounds.map(([name, bound]) => atLeast(name, bound))
        return open(`the service takes ${known.join(', ')}; more could not be asked for`)
      }
      const value = Object.fromEntries(bounds.map(([name, { accepted }]) => [name, accepted]))
      return settled(
        value as BehaviourSettings['filter.max'],
        bounds.flatMap(([, bound]) => evidenceOf(bound).slice(0, 1)),
      )
    },
    *ask(questioner) {
      for (const amount of filterAmounts(questioner.traffic)) yield* askForBound(questioner, amount)
    },
  }),
]
