import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Json } from '../../../../src/base/formats/json.ts'
import { createDocuments, type OwnedDocuments } from '../../../../src/resources/collections/documents/documents.ts'
import { select, selectInSteps } from '../../../../src/resources/collections/documents/select.ts'
import type {
  Condition,
  Selection,
  DocumentSortKey,
} from '../../../../src/resources/collections/documents/selection.ts'
import { parseJson, stringifyJson } from '../../../../src/base/formats/json.ts'
import { storeDocument } from '../../../../src/resources/collections/documents/stored-document.ts'
import { type NaiveDocument, naiveSelect } from './naive-selection.ts'
import { cases } from '../../../support/cases.ts'

const TEXTS = ['', 'a', 'B', 'Ab', 'straße', '\u{1f600}', '\uff5e', '7']
const INSTANTS = [
  '1969-12-31T23:59:59.999999999Z',
  '2026-03-01T09:00:00Z',
  '2026-03-01T09:00:00.000Z',
  '2026-03-01T10:00:00+01:00',
  '2026-03-01T09:00:00.000000001Z',
  '2026-03-01T08:59:59.5-00:30',
  '2025-12-31T23:00:00-05:00',
]
const NUMBERS = [7, -1, -0, 0, -7.5, 1e300, 0.5, 7n, 9_007_199_254_740_993n, 9_007_199_254_740_992]
const scalar = fc.constantFrom<Json[]>(null, true, false, ...TEXTS, ...INSTANTS, ...NUMBERS)
const structure = fc.constantFrom<Json[]>({ a: 1, b: 2 }, { b: 2, a: 1 }, {}, ['a'], [['a'], null])
const value = fc.oneof(
  { weight: 6, arbitrary: scalar },
  { weight: 2, arbitrary: fc.array(fc.oneof(scalar, structure), { maxLength: 3 }) },
  { weight: 1, arbitrary: structure },
)
const given = fc.record(
  {
    value: fc.record(
      { any: value, few: fc.constantFrom('open', 'paid'), in: fc.record({ 'a b': value }) },
      { requiredKeys: [] },
    ),
    hidden: fc.record({ parent: fc.constantFrom<Json[]>('1', '2', 1) }, { requiredKeys: [] }),
  },
  { noNullPrototype: true },
)
interface Given {
  readonly value: Readonly<Record<string, Json>>
  readonly hidden: Readonly<Record<string, Json>>
}

const pointer = fc.constantFrom('/any', '/any', '/in/a b', '/in/a b', '/few', '/in', '/none')
const bound = fc.option(
  fc.record({ value: fc.constantFrom(...TEXTS, ...INSTANTS, ...NUMBERS), exclusive: fc.boolean() }),
  { nil: undefined },
)
const oneOf = fc.array(fc.oneof(scalar, structure), { maxLength: 3 })
const plainCondition: fc.Arbitrary<Condition> = fc.oneof(
  fc.record({ pointer, oneOf }),
  fc.record({ pointer: fc.constant('/few'), oneOf: fc.constant(['open']) }),
  fc.record({ pointer, from: bound, to: bound }),
  fc.record({
    pointers: fc.array(pointer, { minLength: 1, maxLength: 2 }),
    text: fc.constantFrom('a', 'AB', 'ß', '7', '.'),
    at: fc.constantFrom(undefined, 'start' as const, 'end' as const),
  }),
  fc.record({ hidden: fc.constantFrom('parent', 'none'), oneOf }),
)
const condition: fc.Arbitrary<Condition> = fc.oneof(
  { weight: 5, arbitrary: plainCondition },
  { weight: 1, arbitrary: fc.record({ empty: pointer, isNot: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({
      anyOf: fc.array(fc.array(plainCondition, { maxLength: 2 }), { maxLength: 2 }),
      isNot: fc.boolean(),
    }),
  },
)
const sortKey: fc.Arbitrary<DocumentSortKey> = fc.record({ pointer, descending: fc.boolean() })
const selection: fc.Arbitrary<Selection> = fc.record({
  conditions: fc.array(condition, { maxLength: 3 }),
  order: fc.array(sortKey, { maxLength: 2 }),
  newestFirst: fc.boolean(),
})

type Write = { readonly add: Given } | { readonly replace: number; readonly by: Given } | { readonly remove: number }
const write: fc.Arbitrary<Write> = fc.oneof(
  given.map((add) => ({ add })),
  fc.record({ replace: fc.nat(), by: given }),
  fc.nat().map((remove) => ({ remove })),
)

/** Documents, and the same as a plain list. */
interface Both {
  readonly documents: OwnedDocuments
  naive: readonly NaiveDocument[]
}

/** The same documents several times, so that there are more than are looked at without an index. */
function create(all: readonly Given[], times: number): Both {
  const repeated = Array.from({ length: times }, () => all).flat()
  const documents = createDocuments(
    repeated.map(({ value, hidden }, index) => [`${index + 1}`, storeDocument(value, hidden)] as const),
  )
  return { documents, naive: repeated.map((one, index) => ({ ...one, id: `${index + 1}`, seq: index + 1 })) }
}

function change(both: Both, write: Write): void {
  const { documents, naive } = both
  if ('add' in write) {
    const seq = documents.made + 1
    documents.add(`${seq}`, storeDocument(write.add.value, write.add.hidden))
    both.naive = [...naive, { ...write.add, id: `${seq}`, seq }]
    return
  }
  const chosen = naive.at(('remove' in write ? write.remove : write.replace) % naive.length)
  if (!chosen) return
  if ('remove' in write) documents.remove(chosen.id)
  else documents.replace(chosen.id, storeDocument(write.by.value, write.by.hidden))
  both.naive = naive.flatMap((one) => (one !== chosen ? [one] : 'by' in write ? [{ ...chosen, ...write.by }] : []))
}

const fork = ({ documents, naive }: Both): Both => ({ documents: documents.copy(), naive })
const idsOf = (entries: readonly { readonly id: string }[]) => entries.map(({ id }) => id)

function compareWithNaive({ documents, naive }: Both, wanted: Selection): void {
  const expected = idsOf(naiveSelect(naive, wanted))
  const selected = select(documents, wanted)
  expect(idsOf(selected.slice(0, Infinity))).toEqual(expected)
  expect(selected.count).toBe(expected.length)
  expect(idsOf(selected.slice(3, 2))).toEqual(expected.slice(3, 5))
}

const TIMES = fc.constantFrom(1, 60)
const DOCUMENTS = fc.array(given, { minLength: 1, maxLength: 12 })

test('a selection is what a filter and a sort make of the documents, in forks and after writes too', () => {
  fc.assert(
    fc.property(
      DOCUMENTS,
      TIMES,
      fc.array(selection, { minLength: 1, maxLength: 3 }),
      fc.array(fc.tuple(fc.nat(1), fc.array(write, { maxLength: 4 })), { maxLength: 4 }),
      (all, times, selections, rounds) => {
        const original = create(all, times)
        for (const one of selections) compareWithNaive(original, one)
        const both = [original, fork(original)]
        for (const [which, writes] of rounds) {
          for (const one of writes) change(both[which]!, one)
          for (const each of both) for (const one of selections) compareWithNaive(each, one)
        }
      },
    ),
    { numRuns: cases(300, 30) },
  )
})

test('a walk by places has every document once that stays as it is, whatever is written meanwhile', () => {
  fc.assert(
    fc.property(DOCUMENTS, TIMES, selection, fc.array(write, { maxLength: 20 }), (all, times, wanted, writes) => {
      const both = create(all, times)
      const before = new Set(both.naive)
      const seen: string[] = []
      const coming = writes.values()
      let place
      for (;;) {
        const selected = select(both.documents, wanted)
        const from = place ? selected.indexAfter(parseJson(stringifyJson(place)) as typeof place) : 0
        const page = selected.slice(from, 7)
        seen.push(...idsOf(page))
        const last = page.at(-1)
        if (!last) break
        place = selected.placeOf(last)
        const next = coming.next().value
        if (next) change(both, next)
      }
      const untouched = naiveSelect(
        both.naive.filter((one) => before.has(one)),
        wanted,
      )
      const ids = new Set(idsOf(untouched))
      expect(seen.filter((id) => ids.has(id))).toEqual(idsOf(untouched))
    }),
  )
})

test('a selection in steps has the documents as they are at its first step, whatever is written between two', () => {
  fc.assert(
    fc.property(DOCUMENTS, fc.tuple(selection, selection), fc.array(write), (all, [first, second], writes) => {
      const both = create(all, 200)
      const { naive } = both
      const works = [selectInSteps(both.documents, first), selectInSteps(both.documents, second)]
      const steps = works.map((work) => work.next())
      for (const one of writes) change(both, one)
      const found = works.map((work, at) => {
        let step = steps[at]!
        while (!step.done) step = work.next()
        return idsOf(step.value.slice(0, Infinity))
      })
      expect(found).toEqual([first, second].map((one) => idsOf(naiveSelect(naive, one))))
      compareWithNaive(both, first)
    }),
    { numRuns: cases(30) },
  )
})
