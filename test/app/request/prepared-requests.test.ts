import { expect, test } from 'vitest'
import { createOrderTester, idsOf, list } from '../../support/contracts/order-list.ts'
import { OWN_KEY } from '../../support/contracts/small-contract.ts'
import { createControlledTester } from '../../support/control.ts'
import { heapMiB } from '../../support/heap.ts'
import { createTester, pathsOf, type Tester } from '../../support/tester.ts'
import { withoutStore } from '../../support/store.ts'
import { longTest } from '../../support/cases.ts'

/** A search that was asked before is prepared: it is neither parsed nor validated again. No response may show it. */

const EXAMPLE = {
  fieldSort: [{ field: 'created', order: 'ASC' }],
  filters: [{ field: 'name', operator: 'LIKE', value: ['report'], not: false }],
  dateFilters: [{ field: 'created', start: '2025-01-01T00:00:00.000Z', end: null, not: false }],
}

/** Everything of a response but what names the request itself. */
async function ask(tester: Tester, options: Parameters<Tester['search']>[0]) {
  const { status, headers, text } = await tester.search({ set: 'demo', ...options })
  const { 'x-request-id': _id, date: _date, ...others } = headers as Record<string, string>
  return { status, headers: others, text: text.replace(/"requestId":"[^"]*"/, '') }
}

test.for([
  { title: 'the example of the interface', query: { limit: 10 }, body: EXAMPLE },
  { title: 'an empty body', query: {}, body: {} },
  { title: 'a page without a size', query: {}, body: EXAMPLE },
  { title: 'an immediate directory', query: { directoryPath: '/finance//', immediateChildren: true }, body: {} },
  { title: 'members that are not known', query: { limit: 1, more: 1 }, body: { ...EXAMPLE, extra: { a: 1 } } },
  { title: 'nulls', query: { limit: 1 }, body: { filters: null, fieldSort: [{ field: 'size', order: null }] } },
  { title: 'a large page', query: { limit: 5000 }, body: EXAMPLE },
  { title: 'a refusal by the contract', query: {}, body: { filters: 'none' } },
  {
    title: 'a refusal by a behaviour',
    query: {},
    body: { filters: [{ field: 'nme', operator: 'LIKE', value: ['a'] }] },
  },
  { title: 'an unknown file set', set: 'none', query: {}, body: EXAMPLE },
])('$title has the same status, headers and bytes each time', async ({ title: _title, ...options }) => {
  const tester = createTester()
  const first = await ask(tester, options)
  for (let time = 0; time < 4; time++) expect(await ask(tester, options)).toEqual(first)
  expect(await ask(createTester(), options)).toEqual(first)
})

withoutStore('a file that is added, changed or removed is seen at once', async () => {
  const tester = createTester({ fixtures: [{ fileSets: [{ id: 'tiny', files: [{ path: 'other', size: 1 }] }] }] })
  const search = () => tester.paths({ set: 'tiny', body: EXAMPLE })
  const addFile = (path: string) => tester.standin.addFiles('tiny', [{ path, created: '2026-01-01T00:00:00.000Z' }])
  for (let time = 0; time < 3; time++) expect(await search()).toEqual([])
  for (const count of [1, 2, 3]) {
    addFile(`report-new-${count}`)
    for (let time = 0; time < 3; time++) expect(await search()).toHaveLength(count)
  }
})

test('a behaviour that is changed holds for the next request, in its sandbox alone', async () => {
  const tester = createTester()
  const search = async (sandbox?: string) =>
    pathsOf(
      await tester.search({
        set: 'demo',
        body: { filters: [{ field: 'name', operator: 'LIKE', value: ['BUDGET'], not: false }] },
        headers: sandbox === undefined ? {} : { 'X-Mock-Sandbox': sandbox },
      }),
    ).length
  const put = (overrides: object) =>
    tester.request().put('/__mock/behaviours?sandbox=other').send(overrides).expect(200)
  for (let time = 0; time < 3; time++) expect(await search('other')).toBeGreaterThan(0)
  await put({ 'like.case': 'sensitive' })
  for (let time = 0; time < 3; time++) expect([await search('other'), (await search()) > 0]).toEqual([0, true])
  await put({})
  for (let time = 0; time < 3; time++) expect(await search('other')).toBeGreaterThan(0)
})

test('a file set that is not there yet is found once it is', async () => {
  const tester = createTester({ behaviours: { 'set.unknown': 'empty' } })
  const search = () => ask(tester, { set: 'later', body: EXAMPLE })
  for (let time = 0; time < 3; time++) expect((await search()).headers['x-mock-behaviours']).toContain('set.unknown')
  await tester
    .request()
    .post('/__mock/file-sets')
    .send({ id: 'later', files: [{ path: 'report-1' }] })
    .expect(201)
  for (let time = 0; time < 3; time++)
    expect((await search()).headers['x-mock-behaviours']).not.toContain('set.unknown')
})

longTest('a sandbox that was removed takes its files along, though searches of it are prepared', async () => {
  const { control, search } = createControlledTester({ files: 20 })
  const searchRemoved = async (number: number) => {
    const sandbox = await control.createSandbox({ name: 'passing' })
    const files = Array.from({ length: 2000 }, (_, file) => ({ path: `${file}${'x'.repeat(200)}/${file}.txt` }))
    await control.in('passing').createFileSet({ id: 'large', files })
    for (let time = 0; time < 3; time++) {
      const { status } = await search({
        set: 'large',
        query: { limit: 1 },
        headers: { 'X-Mock-Sandbox': 'passing' },
        body: { filters: [{ field: 'name', operator: 'EQUALS', value: [`${number}.txt`], not: false }] },
      })
      expect(status).toBe(200)
    }
    await control.deleteSandbox(sandbox.name)
  }
  await searchRemoved(0)
  const before = heapMiB()
  for (let number = 1; number <= 10; number++) await searchRemoved(number)
  expect(heapMiB() - before).toBeLessThan(5)
})

const TEXT = { type: 'string' }
const PAGED = {
  query: { status: TEXT, limit: { type: 'integer' }, page: { type: 'integer' }, cursor: TEXT },
  envelope: (data: object) => ({ type: 'object', properties: { data, total: { type: 'integer' }, next: TEXT } }),
  headers: ['Link'],
}

/** A response to a list, without what names the request itself. */
async function askList(tester: ReturnType<typeof createOrderTester>, query: string) {
  const { status, headers, text } = await list(tester, query)
  const { 'x-request-id': _id, date: _date, ...others } = headers as Record<string, string>
  return { status, headers: others, text: text.replaceAll(/"requestId":"[^"]*"|\/tmp[^"]*/g, '') }
}

test.for([
  '',
  'limit=3',
  'limit=3&page=2',
  'status=paid',
  'colour=red&limit=2',
  'limit=x',
  'page=9',
  'cursor=none',
  '/orders/3',
])('a list has the same status, headers and bytes each time it is asked for with %j', async (query) => {
  const tester = createOrderTester(PAGED)
  const first = await askList(tester, query)
  for (let time = 0; time < 4; time++) expect(await askList(tester, query)).toEqual(first)
  expect(await askList(createOrderTester(PAGED), query)).toEqual(first)
})

test('a repeated list shows what has changed: items, behaviours, the clock, the host and faults', async () => {
  const tester = createOrderTester(PAGED)
  const { control, request } = tester
  const ids = async () => {
    for (let time = 0; time < 3; time++) await list(tester, 'limit=20')
    return idsOf(await list(tester, 'limit=20'))
  }
  const all = await ids()
  await request().delete('/orders/2').set(OWN_KEY).expect(204)
  expect(await ids()).toEqual(all.filter((id) => id !== 2))
  await control.putBehaviours({ 'collections.order': 'newest-first' })
  expect(await ids()).toEqual(all.filter((id) => id !== 2).reverse())
  await control.reset()
  expect(await ids()).toEqual(all)
  tester.moveTo('2030-01-01T00:00:00Z')
  expect((await list(tester, 'limit=20')).headers.date).toContain('2030')
  const linkFor = async (host: string) =>
    (await request().get('/orders?limit=20&page=1').set(OWN_KEY).set('Host', host)).headers.link!
  for (const host of ['localhost:1', 'localhost:2', 'localhost:1']) expect(await linkFor(host)).toContain(host)
  await control.armFaults({ kind: 'duplicate-entry', times: 1 })
  expect(idsOf(await list(tester, 'limit=20'))).toHaveLength(11)
  expect(await ids()).toHaveLength(10)
  await list(tester, 'limit=2')
  const { exchanges } = await control.listExchanges({ limit: 5 })
  expect(exchanges.map(({ answer }) => (JSON.parse(answer?.body ?? '') as { data: [] }).data.length)).toEqual([
    10, 10, 10, 10, 2,
  ])
})
