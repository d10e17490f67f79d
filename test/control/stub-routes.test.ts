import supertest from 'supertest'
import { expect, onTestFinished, test } from 'vitest'
import { replay } from '../../src/app/replay/replay.ts'
import { parseJson, stringifyJson } from '../../src/base/formats/json.ts'
import { createStandin, type StandinOptions } from '../../src/index.ts'
import { createDirectory } from '../support/command.ts'
import { weekly } from '../support/tester.ts'

const SHOP = 'examples/shop/contract.yaml'

/** A shop, its control API, and what a request to it gets. */
function openShop(options: StandinOptions = {}) {
  const standin = createStandin({ contract: SHOP, ...options })
  onTestFinished(() => standin.stop())
  const request = supertest(standin.app)
  const read = async (id: number, sandbox = 'default') => {
    const { status, headers } = await request.get(`/products/${id}`).set('X-Mock-Sandbox', sandbox)
    return [status, headers['x-mock-stub']] as const
  }
  return { standin, request, read, control: standin.control }
}

const GONE = { operation: 'getProduct', when: { path: { productId: 1 } }, respond: { status: 404 } }

test('a stub that is declared while the server runs is for the next request, in its sandbox, until a reset', async () => {
  const { control, read } = openShop()
  const before = await read(1)
  const { stubs } = await control.declareStubs({ name: 'gone', ...GONE })
  expect(stubs).toEqual([
    {
      name: 'gone',
      operations: ['getProduct'],
      place: null,
      uses: null,
      stub: { name: 'gone', ...GONE },
      problem: null,
    },
  ])
  expect([await read(1), await read(2), await read(1, 'other')]).toEqual([[404, 'gone'], [200, undefined], before])
  await control.createSandbox({ name: 'copy', from: 'default' })
  expect(await read(1, 'copy')).toEqual([404, 'gone'])
  await control.reset()
  expect([await read(1), await read(1, 'copy')]).toEqual([before, [404, 'gone']])
})

test('the latest comes first, before those of files, and one of the same name replaces it', async () => {
  const { control, read } = openShop({ stubs: [{ name: 'file', operation: 'getProduct', respond: { status: 404 } }] })
  expect(await read(1)).toEqual([404, 'file'])
  await control.declareStubs({
    stubs: [
      { name: 'first', ...GONE, times: 1 },
      { name: 'second', ...GONE },
    ],
  })
  expect([await read(1), await read(1)]).toEqual([
    [404, 'first'],
    [404, 'second'],
  ])
  await control.declareStubs({ name: 'first', ...GONE, times: 1 })
  expect([await read(1), await read(1)]).toEqual([
    [404, 'first'],
    [404, 'second'],
  ])
  const { stubs } = await control.listStubs()
  expect(stubs.map(({ name, place, uses }) => [name, place, uses])).toEqual([
    ['first', null, 1],
    ['second', null, null],
    ['file', 'options.stubs[0]', null],
  ])
  await control.removeStub('second')
  expect(await read(1)).toEqual([404, 'file'])
  expect(await control.removeStubs()).toEqual({ removed: 1 })
  await expect(control.removeStub('second')).rejects.toThrow('No stub "second" was declared in the sandbox default.')
})

test('requests of a scenario lead it from state to state', async () => {
  const { control, request } = openShop()
  const product = { id: 7, name: 'Pot', category: 'kitchen', price: 1 }
  const stock = (inStock: boolean, scenario: object) => ({
    operation: 'getProduct',
    respond: { body: { ...product, inStock } },
    scenario: { name: 'stock', ...scenario },
  })
  await control.declareStubs({
    stubs: [
      stock(true, { when: 'Started' }),
      stock(false, { when: 'sold' }),
      { operation: 'listProducts', respond: { status: 200 }, scenario: { name: 'stock', becomes: 'sold' } },
    ],
  })
  const inStock = async () => ((await request.get('/products/7')).body as { inStock: boolean }).inStock
  expect([await inStock(), await inStock()]).toEqual([true, true])
  await request.get('/products')
  expect([await inStock(), await inStock(), (await control.listStubs()).scenarios]).toEqual([
    false,
    false,
    { stock: 'sold' },
  ])
  await control.reset()
  expect((await control.listStubs()).scenarios).toEqual({})
})

test('a state that was exported has the stubs, their counts and the scenarios', async () => {
  const { control, read } = openShop()
  await control.declareStubs({ name: 'once', ...GONE, times: 2, scenario: { name: 'a', becomes: 'b' } })
  await read(1)
  const state = await control.getState()
  await control.in('other').putState(state)
  expect(await control.in('other').listStubs()).toMatchObject({
    stubs: [{ name: 'once', uses: 1 }],
    scenarios: { a: 'b' },
  })
  expect([await read(1, 'other'), await read(1, 'other')]).toEqual([
    [404, 'once'],
    [200, undefined],
  ])
})

test('stubs outlive a restart with --data', async () => {
  const directory = createDirectory({})
  onTestFinished(() => directory.remove())
  const first = createStandin({ contract: SHOP, data: directory.path })
  await first.control.declareStubs({ name: 'gone', ...GONE })
  await first.stop()
  const { read } = openShop({ data: directory.path })
  expect(await read(1)).toEqual([404, 'gone'])
})

test('a response with places is checked when it is sent, with the contract of the package too', async () => {
  const standin = createStandin()
  const operation = 'updateReportSchedule'
  await standin.control.declareStubs({ operation, respond: { body: { id: '{$uuid}' } } })
  const wrong = await supertest(standin.app)
    .put('/api/content/v1/reportschedules/1')
    .set('X-SERVICE-Developer-Token', 'k')
    .send(weekly())
  expect([wrong.status, JSON.stringify(wrong.body)]).toEqual([500, expect.stringContaining('stub')])
})

test('a replay of a sandbox has the stubs', async () => {
  const { control, read } = openShop()
  await control.declareStubs({ name: 'gone', ...GONE, times: 1 })
  expect([await read(1), (await read(1))[0]]).toEqual([[404, 'gone'], 200])
  const document = parseJson(stringifyJson(await control.getReplay()))
  const again = await replay({ file: 'run.json', value: document, lineOf: () => 1 })
  expect([again.exchanges, again.skipped, again.difference]).toEqual([2, [], undefined])
})

test.each([
  [{}, 'expected an operation, such as createOrder or `POST /orders`; got nothing'],
  [{ operation: 'getProdct', respond: {} }, 'Did you mean `getProduct`?'],
  [{ operation: 'getProduct' }, 'it does nothing. Give it `respond` or `fault`.'],
  [{ ...GONE, whem: {} }, 'A stub has an unknown field `whem`. Did you mean `when`?'],
  [{ ...GONE, respond: { body: { id: 'x' } } }, 'Correct it, or set `validate: false` beside it.'],
  [{ ...GONE, scenario: 'a' }, 'A scenario must be a mapping with name, when, becomes'],
  [{ ...GONE, scenario: { name: 'a' } }, 'a name, and `when`, `becomes` or both. It begins in the state Started.'],
  [{ name: 'file', ...GONE }, 'there is a stub "file" in options.stubs[0]. Give it another name.'],
  [
    {
      stubs: [
        { name: 'a', ...GONE },
        { name: 'a', ...GONE },
      ],
    },
    '/stubs/1/name: there are two stubs "a".',
  ],
  [{ stubs: [] }, 'stubs: expected an array of at least 1 element'],
  [
    { stubs: [{ ...GONE, respond: { status: 99 } }, GONE] },
    '/stubs/0/respond/status: expected a status from 200 to 599',
  ],
  [{ operation: 'tag:Customers', respond: { status: 99 } }, 'expected a status from 200 to 599, got 99.'],
])('%j is refused, and nothing is declared', async (stub, message) => {
  const { control } = openShop({ stubs: [{ name: 'file', operation: 'listProducts', respond: {} }] })
  await expect(control.declareStubs(stub)).rejects.toThrow(message)
  expect((await control.listStubs()).stubs).toHaveLength(1)
})
