import fc from 'fast-check'
import { expect, test } from 'vitest'
import { chooseBehaviours } from '../../../../../src/behaviours/behaviours.ts'
import { readCatalog } from '../../../../../src/behaviours/catalog.ts'
import { createBehaviourTracker } from '../../../../../src/behaviours/tracker.ts'
import { createTokenCodec } from '../../../../../src/engine/random.ts'
import { readPackaged } from '../../../../../src/base/formats/source-file.ts'
import { createDocuments, type OwnedDocuments } from '../../../../../src/resources/collections/documents/documents.ts'
import { select } from '../../../../../src/resources/collections/documents/select.ts'
import type { Selection } from '../../../../../src/resources/collections/documents/selection.ts'
import { storeDocument } from '../../../../../src/resources/collections/documents/stored-document.ts'
import { type ListPage, pageOf } from '../../../../../src/resources/collections/lists/pages/list-page.ts'
import type { PagePosition } from '../../../../../src/resources/collections/lists/read-list-query.ts'

const behaviours = chooseBehaviours(readCatalog(readPackaged('spec/behaviours.yaml').value))
const tokens = createTokenCodec(1, 'test')

interface List {
  readonly documents: OwnedDocuments
  readonly selection: Selection
  readonly size: number
}

const pageAt = ({ documents, selection, size }: List, position: PagePosition): ListPage =>
  pageOf({
    ...{ selected: select(documents, selection), documents, position, size, limit: size, tokens, scope: 'orders' },
    ...{ faults: undefined, continues: true, instance: 'orders' },
    tracker: createBehaviourTracker(behaviours),
  })

const idsOf = ({ entries }: ListPage) => entries.map(({ id }) => id)

const all = ({ documents, selection }: List) =>
  select(documents, selection)
    .slice(0, Infinity)
    .map(({ id }) => id)

const START: PagePosition = { kind: 'start' }
const to = (text: string): PagePosition => ({ kind: 'after', text, where: { parameter: 'cursor' } })

/** The pages from one on, by tokens. @param change what happens between two pages */
function walk(
  list: List,
  rel: 'next' | 'prev',
  start: PagePosition,
  change: (page: ListPage) => void = () => undefined,
) {
  const pages: string[][] = []
  for (let position: PagePosition | undefined = start; position && pages.length < 100;) {
    const page = pageAt(list, position)
    pages.push(idsOf(page))
    const token = page.token(rel)
    position = token === undefined ? undefined : to(token)
    change(page)
  }
  return pages
}

/** Documents of few different values, so that many are equal in the order. */
const values = fc.array(fc.record({ rank: fc.nat(3), kind: fc.constantFrom('a', 'b', null) }), { maxLength: 24 })
const lists = fc
  .record({
    values,
    size: fc.integer({ min: 1, max: 7 }),
    descending: fc.boolean(),
    newestFirst: fc.boolean(),
    isFiltered: fc.boolean(),
  })
  .map(({ values: found, size, descending, newestFirst, isFiltered }): List => {
    const documents = createDocuments(found.map((value, at) => [String(at + 1), storeDocument(value)] as const))
    const conditions = isFiltered ? [{ pointer: '/kind', oneOf: ['a', 'b'] }] : []
    return { documents, size, selection: { conditions, newestFirst, order: [{ pointer: '/rank', descending }] } }
  })

test('a walk by tokens meets every item once, in order, forwards and backwards', () => {
  fc.assert(
    fc.property(lists, (list) => {
      const pages = walk(list, 'next', START)
      expect(pages.flat()).toEqual(all(list))
      const last = pages.at(-1)?.[0]
      if (pages.length < 2 || last === undefined) return
      const back = walk(list, 'prev', { kind: 'before', text: last, where: { parameter: 'before' } })
      expect([...back.toReversed(), pages.at(-1) ?? []].flat()).toEqual(all(list))
    }),
  )
})

test('pages by number and by offset are those of the walk', () => {
  fc.assert(
    fc.property(lists, (list) => {
      for (const [page, ids] of walk(list, 'next', START).entries()) {
        expect(idsOf(pageAt(list, { kind: 'page', page }))).toEqual(ids)
        expect(idsOf(pageAt(list, { kind: 'offset', offset: page * list.size }))).toEqual(ids)
      }
    }),
  )
})

const changes = fc.array(fc.record({ removed: fc.nat(30), rank: fc.nat(3) }), { minLength: 1, maxLength: 10 })

test('a walk by tokens meets what stays once and in order, while items come and go', () => {
  fc.assert(
    fc.property(lists, changes, (list, planned) => {
      const { documents } = list
      const before = all(list)
      const removed = new Set<string>()
      let next = 100
      const change = () => {
        const step = planned[next % planned.length]
        const id = String(step?.removed ?? 0)
        if (documents.get(id)) {
          documents.remove(id)
          removed.add(id)
        }
        documents.add(String(next++), storeDocument({ rank: step?.rank ?? 0, kind: 'a' }))
      }
      const seen = walk(list, 'next', START, () => {
        if (next < 110) change()
      }).flat()
      expect(new Set(seen).size).toBe(seen.length)
      const stayed = before.filter((id) => !removed.has(id))
      expect(seen.filter((id) => stayed.includes(id))).toEqual(stayed)
    }),
  )
})
