import { expect, test } from 'vitest'
import { ORDER_HANDLERS } from '../../resources/user-operations/order-handlers.ts'
import { createControlledTester } from '../../support/control.ts'
import { serve } from '../../support/serve.ts'
import { ask, changedContract, ORDERS_CONTRACT } from '../../support/contracts/orders.ts'
import { createTester, KEY_HEADER, SEARCH } from '../../support/tester.ts'
import { defineOperation, events, type UserHandle, problem, type UntypedOperation } from '../../../src/index.ts'

const ORDER = { id: 7, item: 'Lamp', count: 1, state: 'open', placed: '2026-03-05T14:30:00.000Z' }
const OTHERS = ORDER_HANDLERS.filter(({ operationId }) => operationId !== 'getOrder')

test.for<[string, UserHandle<UntypedOperation>, string]>([
  [
    'has a member of another type',
    () => ({ status: 200, body: { ...ORDER, count: 'one' }, events: [events.create('orders', 7, ORDER)] }),
    'The response 200 of the handler of getOrder breaks the contract: /count: expected an integer, got "one".',
  ],
  [
    'lacks a member',
    () => ({ status: 200, body: { ...ORDER, item: undefined } }),
    '/item: expected a string, got nothing.',
  ],
  [
    'breaks an enumeration',
    () => ({ status: 200, body: { ...ORDER, state: 'lost' } }),
    '/state: expected one of open, paid',
  ],
  ['has no body', () => ({ status: 200 }), 'the body: expected an object, got nothing.'],
  [
    'has a status that is not documented',
    () => ({ status: 201, body: ORDER }),
    'the status: expected one of the documented statuses 200, 404, got 201.',
  ],
  [
    'is JSON of another name, and wrong',
    () => ({ status: 200, body: { id: 7 }, contentType: 'application/vnd.order+json' }),
    '/item: expected a string, got nothing. (and 3 more)',
  ],
])('an own answer that %s does not leave, and changes nothing', async ([, handle, complaint]) => {
  const { request, control } = createControlledTester({
    contract: ORDERS_CONTRACT,
    handlers: [defineOperation('getOrder', handle), ...OTHERS],
    selfCheck: false,
  })
  const answer = await ask({ request }, 'get', '/7')
  expect(answer.status).toBe(500)
  expect((answer.body as { detail: string }).detail).toContain(complaint)
  expect((answer.body as { detail: string }).detail).toContain('a defect of the handler, not of the request')
  expect((await control.getState()).collections).toBeUndefined()
  const [exchange] = (await control.listExchanges()).exchanges
  expect(exchange?.problem).toContain(complaint)
  expect(exchange?.issues[0]?.expected).toBeDefined()
  expect(exchange?.defect).toContain(complaint)
  expect(exchange?.defect).toContain('(in options.handlers)')
})

test('a refusal that cannot be made to fit what the contract documents for its status is a defect too', async () => {
  const contract = changedContract((at) => {
    at('/components/responses/Refusal/content/application~1problem+json').schema = {
      type: 'object',
      maxProperties: 0,
      minProperties: 1,
    }
  })
  const refusing = (status: number) => ({
    contract,
    handlers: [defineOperation('getOrder', () => problem(status, 'No')), ...OTHERS],
    selfCheck: false,
  })
  const documented = await ask(createTester(refusing(404)), 'get', '/7')
  expect(documented.status).toBe(500)
  const complaint = 'The response 404 of the handler of getOrder breaks the contract: the body: expected'
  expect((documented.body as { detail: string }).detail).toContain(complaint)
})

/** Its files are at most ten bytes large, which most are not. */
const NARROW = changedContract((at) => {
  at('/components/schemas/FileRecord/properties').size = { type: 'integer', maximum: 10 }
})

const NARROWED = { contract: NARROW, handlers: ORDER_HANDLERS, files: 3000 }

test('responses of the built-in operations are checked against the contract with selfCheck, and only with it', async () => {
  const lax = createTester({ ...NARROWED, selfCheck: false })
  expect((await lax.search({ set: 'demo' })).status).toBe(200)
  const strict = createTester({ ...NARROWED, selfCheck: true })
  const answer = await strict.search({ set: 'demo' })
  expect(answer.status).toBe(500)
  expect((answer.body as { detail: string }).detail).toMatch(
    /^The response 200 of searchFiles breaks the contract: \/files\/\d+.*got/,
  )
  expect((answer.body as { errors: object[] }).errors.length).toBeGreaterThan(0)
})

test('a page that is sent while it is made breaks off where it breaks the contract', async () => {
  const { search, control } = createControlledTester({
    ...NARROWED,
    selfCheck: true,
    behaviours: { 'limit.max': 'clamp:100000' },
  })
  await expect(search({ set: 'demo', query: { limit: 3000 } })).rejects.toThrow()
  const [exchange] = (await control.listExchanges()).exchanges
  expect(exchange?.problem).toContain('The response 200 of searchFiles breaks the contract')
  expect(exchange?.defect).toContain('/files/')
})

test('a violation is a mock defect in the log of the command line, which takes the flag and the variable', async () => {
  for (const [flags, env] of [
    [['--self-check'], {}],
    [[], { STANDIN_SELF_CHECK: 'true' }],
  ] as const) {
    const { command, url } = await serve(['--files', '10', '--contract', NARROW, ...flags], { env })
    const headers = { [KEY_HEADER]: 'key', 'Content-Type': 'application/json' }
    const answer = await fetch(`${url}${SEARCH}/demo/files/search`, { method: 'POST', headers, body: '{}' })
    expect(answer.status).toBe(500)
    await command.until(/MOCK DEFECT in POST .*: Defect: The response 200 of searchFiles breaks the contract: \/files/)
    command.child.kill()
    await command.ended
  }
})
