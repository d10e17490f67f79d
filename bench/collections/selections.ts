/** Pages of a collection, selected by Standin's indexes and by what everybody writes first: a filter, a sort and a slice. */
import { createDocuments, type OwnedDocuments } from '../../src/resources/collections/documents/documents.ts'
import { select } from '../../src/resources/collections/documents/select.ts'
import type { Selection } from '../../src/resources/collections/documents/selection.ts'
import { storeDocument } from '../../src/resources/collections/documents/stored-document.ts'
import type { Run } from '../frame/bench.ts'
import { compare } from '../frame/compare.ts'
import type { Table } from '../frame/result.ts'
import { median } from '../frame/spread.ts'
import { type Order, orderAt, ordersOf } from './orders.ts'

interface Question {
  readonly name: string
  readonly selection: Selection
  filter(order: Order): boolean
  compare(a: Order, b: Order): number
}

const NEWEST = [{ pointer: '/created_at', descending: true }]
const byNewest = (a: Order, b: Order) => (a.created_at < b.created_at ? 1 : -1)

const QUESTIONS: readonly Question[] = [
  {
    name: 'newest first',
    selection: { conditions: [], order: NEWEST },
    filter: () => true,
    compare: byNewest,
  },
  {
    name: 'of a status, newest first',
    selection: { conditions: [{ pointer: '/status', oneOf: ['paid'] }], order: NEWEST },
    filter: ({ status }) => status === 'paid',
    compare: byNewest,
  },
  {
    name: 'of a customer, newest first',
    selection: { conditions: [{ pointer: '/customer_id', oneOf: [42] }], order: NEWEST },
    filter: ({ customer_id }) => customer_id === 42,
    compare: byNewest,
  },
  {
    name: 'of a status and between two totals, by total',
    selection: {
      conditions: [
        { pointer: '/status', oneOf: ['paid', 'open'] },
        { pointer: '/total', from: { value: 100 }, to: { value: 700, exclusive: true } },
      ],
      order: [{ pointer: '/total', descending: false }],
    },
    filter: ({ status, total }) => (status === 'paid' || status === 'open') && total >= 100 && total < 700,
    compare: (a, b) => a.total - b.total,
  },
  {
    name: 'with a tag, by total',
    selection: {
      conditions: [{ pointer: '/tags', oneOf: ['campaign-3'] }],
      order: [{ pointer: '/total', descending: true }],
    },
    filter: ({ tags }) => tags.includes('campaign-3'),
    compare: (a, b) => b.total - a.total,
  },
  {
    name: 'with a text, newest first',
    selection: { conditions: [{ pointers: ['/note', '/status'], text: 'ORDER 77' }], order: NEWEST },
    filter: ({ note, status }) => [note, status].some((text) => text.toLowerCase().includes('order 77')),
    compare: byNewest,
  },
]

const COUNT = 100_000
const OFFSET = 200
const LIMIT = 20
/** Pages of one sample. */
const PAGES = 7

/** Ids of a page, and how many there are in all. */
interface Page {
  readonly count: number
  readonly ids: readonly number[]
}

/** @throws Error when the two find different orders */
export async function measureSelections({ quick, progress }: Run, count = COUNT): Promise<Table[]> {
  const orders = [...ordersOf(count)]
  const stored = orders.map((order) => [String(order.id), storeDocument(order)] as const)
  const warm = createDocuments(stored)
  const tables: Table[] = []
  for (const question of QUESTIONS) {
    const [ours, theirs] = [askStandin(warm, question), askPlain(orders, question)]
    if (JSON.stringify(ours) !== JSON.stringify(theirs)) throw new Error(`${question.name}: the pages differ`)
    const plain = () => medianOf(() => askPlain(orders, question))
    const measure = (heat: string, standin: () => number, chart = false) =>
      compare({
        title: `${question.name}, ${heat}`,
        unit: 'ms',
        better: 'less',
        reference: 'filter and sort',
        chart,
        detail: !chart,
        rounds: quick ? 2 : 5,
        contenders: { Standin: standin, 'filter and sort': plain },
        progress,
      })
    tables.push(
      await measure('first time', () => timeFirst(createDocuments(stored), question)),
      await measure('again', () => medianOf(() => askStandin(warm, question))),
      await measure('after a write', () => medianOf(() => askStandin(warm, question), writer(warm, orders)), true),
    )
  }
  return tables
}

function askStandin(documents: OwnedDocuments, { selection }: Question): Page {
  const selected = select(documents, selection)
  return { count: selected.count, ids: selected.slice(OFFSET, LIMIT).map(({ id }) => Number(id)) }
}

function askPlain(orders: readonly Order[], { filter, compare: by }: Question): Page {
  const found = orders.filter(filter).sort((a, b) => by(a, b) || a.id - b.id)
  return { count: found.length, ids: found.slice(OFFSET, OFFSET + LIMIT).map(({ id }) => id) }
}

function timeFirst(documents: OwnedDocuments, question: Question): number {
  const began = performance.now()
  askStandin(documents, question)
  return performance.now() - began
}

/** Milliseconds of one page. @param before not counted */
function medianOf(ask: () => unknown, before: () => void = () => undefined): number {
  const times: number[] = []
  for (let page = 0; page < PAGES; page++) {
    before()
    const began = performance.now()
    ask()
    times.push(performance.now() - began)
  }
  return median(times)
}

/** Gives one order after the other the values of another. */
function writer(documents: OwnedDocuments, orders: Order[]): () => void {
  let at = 0
  return () => {
    at = (at + 997) % orders.length
    const order = { ...orderAt(at * 3 + 1, orders.length), id: at + 1 }
    orders[at] = order
    documents.replace(String(order.id), storeDocument(order))
  }
}
