import { expect, onTestFinished, test } from 'vitest'
import { createStandin } from '../../src/index.ts'
import { createControlledTester, refusalOf } from '../support/control.ts'
import { createDirectory } from '../support/command.ts'
import { KEY_HEADER, weekly } from '../support/tester.ts'

const inside = (name: string, ttl?: string) => ({
  'X-Mock-Sandbox': name,
  ...(ttl === undefined ? {} : { 'X-Mock-Sandbox-TTL': ttl }),
})
const at = (time: string) => `2026-03-05T${time}Z`

/** It is 14:30 at first. */
function createShared(options: Parameters<typeof createControlledTester>[0] = { sandboxTtl: '1h' }) {
  const tester = createControlledTester(options)
  return {
    ...tester,
    names: async () => (await tester.control.listSandboxes()).sandboxes.map(({ name }) => name),
    /** The id of the next schedule: 7 in a sandbox that has only just begun. */
    createIn: async (name: string, ttl?: string) =>
      ((await tester.create(weekly(), inside(name, ttl))).body as { id: number }).id,
  }
}

test('a sandbox expires when no request has used it for its time to live, and its name begins anew', async () => {
  const { createIn, names, moveTo } = createShared()
  expect([await createIn('a'), await createIn('a')]).toEqual([7, 8])
  moveTo(at('15:29:59'))
  expect(await createIn('a')).toBe(9)
  moveTo(at('16:29:58.999'))
  expect(await names()).toEqual(['default', 'a'])
  moveTo(at('16:29:59'))
  expect(await names()).toEqual(['default'])
  expect(await createIn('a')).toBe(7)
})

test('a request finds an expired sandbox gone, also when nothing has listed the sandboxes since', async () => {
  const { createIn, moveTo } = createShared()
  await createIn('a')
  moveTo(at('15:30:00'))
  expect(await createIn('a')).toBe(7)
})

test('the list says when each expires, and looking at it is no use', async () => {
  const { createIn, control, moveTo } = createShared()
  await createIn('a')
  moveTo(at('15:00:00'))
  const { sandboxes } = await control.listSandboxes()
  expect(sandboxes).toMatchObject([
    { name: 'default', ttl: null, expiresAt: null },
    { name: 'a', ttl: 'PT1H', expiresAt: at('15:30:00.000') },
  ])
  expect(await control.getSandbox('a')).toMatchObject({ expiresAt: at('15:30:00.000') })
})

test('the control API uses a sandbox that it names', async () => {
  const { createIn, standin, control, moveTo, request } = createShared()
  await createIn('a')
  moveTo(at('15:00:00'))
  await request().get('/__mock/clock?sandbox=a').expect(200)
  expect(await control.getSandbox('a')).toMatchObject({ expiresAt: at('16:00:00.000') })
  moveTo(at('16:00:00'))
  await request().get('/__mock/clock?sandbox=a').expect(404)
  await standin.stop()
})

test('a sandbox can have a time to live of its own, or none', async () => {
  const { control, createIn, names, moveTo } = createShared()
  expect(await control.createSandbox({ name: 'short', ttl: 'PT90S' })).toMatchObject({ ttl: 'PT1M30S' })
  expect(await control.createSandbox({ name: 'kept', ttl: null })).toMatchObject({ ttl: null, expiresAt: null })
  expect(await control.forkSandbox('kept', { name: 'fork', ttl: '2d' })).toMatchObject({ ttl: 'P2D' })
  await createIn('kept')
  expect(await control.forkSandbox('kept', { name: 'past', at: 0 })).toMatchObject({ ttl: 'PT1H' })
  await createIn('by-header', '5m')
  moveTo(at('14:31:30'))
  expect(await names()).toEqual(['default', 'kept', 'fork', 'past', 'by-header'])
  moveTo(at('14:35:00'))
  expect(await names()).toEqual(['default', 'kept', 'fork', 'past'])
  moveTo('2026-03-07T14:29:59Z')
  expect(await names()).toEqual(['default', 'kept', 'fork'])
  moveTo('2036-03-07T14:30:00Z')
  expect(await names()).toEqual(['default', 'kept'])
})

test('the header counts for the request that makes the sandbox, of the service or of the control API', async () => {
  const { createIn, control, request } = createShared({})
  await createIn('a')
  await createIn('a', '5m')
  await request().post('/__mock/reset').set(inside('b', '10s')).expect(200)
  const { sandboxes } = await control.listSandboxes()
  expect(sandboxes.map(({ name, ttl }) => [name, ttl])).toEqual([
    ['default', null],
    ['a', null],
    ['b', 'PT10S'],
  ])
})

test('expired sandboxes make room for new ones, and the default one never expires', async () => {
  const { createIn, create, names, moveTo } = createShared({ sandboxTtl: '1h', maxSandboxes: 3 })
  await create(weekly(), { [KEY_HEADER]: 'key' })
  await createIn('a')
  moveTo(at('15:00:00'))
  await createIn('b')
  expect((await create(weekly(), inside('c'))).body).toMatchObject({
    detail: expect.stringContaining('--sandbox-ttl') as string,
  })
  moveTo(at('15:30:00'))
  expect(await createIn('c')).toBe(7)
  expect(await names()).toEqual(['default', 'b', 'c'])
  moveTo(at('23:00:00'))
  expect(((await create(weekly(), { [KEY_HEADER]: 'key' })).body as { id: number }).id).toBe(8)
})

test('a sandbox whose clock is frozen or far ahead expires by the clock of the machine', async () => {
  const { createIn, control, names, moveTo } = createShared({ sandboxTtl: '1h', clock: '2026-01-01T00:00:00Z' })
  await createIn('a')
  await control.advanceClock({ by: 'P1Y' })
  expect(await names()).toEqual(['default', 'a'])
  moveTo(at('15:30:00'))
  expect(await names()).toEqual(['default'])
})

test.for([['soon'], ['0s'], [''], ['-1h'], ['400d'], ['1h30'], ['P']] as const)(
  'the time to live %j is refused',
  async ([ttl]) => {
    const { control, create, names } = createShared({})
    const complaint = `expected a duration from 1 second to 365 days, such as 90s, 15m, 1h or PT1H30M, got ${JSON.stringify(ttl)}`
    expect(await refusalOf(control.createSandbox({ name: 'a', ttl }))).toBe(
      `400 /problems/sandbox-ttl-invalid: /ttl: ${complaint}.`,
    )
    if (ttl !== '')
      expect((await create(weekly(), inside('a', ttl))).body).toMatchObject({
        detail: `X-Mock-Sandbox-TTL: ${complaint}.`,
      })
    expect(await names()).toEqual(['default'])
    expect(() => createStandin({ sandboxTtl: ttl })).toThrow(
      `options.sandboxTtl: Expected a duration from 1 second to 365 days, such as 90s, 15m, 1h or PT1H30M; got ${JSON.stringify(ttl)}.`,
    )
  },
)

test('sandboxes of a data directory keep their own time to live, and a start begins to count anew', async () => {
  const { path: data, remove } = createDirectory({})
  onTestFinished(remove)
  const first = createShared({ data })
  await first.control.createSandbox({ name: 'short', ttl: '15m' })
  await first.control.createSandbox({ name: 'kept', ttl: null })
  await first.createIn('usual')
  await first.standin.stop()
  const second = createShared({ data, sandboxTtl: '1h' })
  onTestFinished(() => second.standin.stop())
  const { sandboxes } = await second.control.listSandboxes()
  expect(sandboxes.map(({ name, ttl, expiresAt }) => [name, ttl, expiresAt])).toEqual([
    ['default', null, null],
    ['short', 'PT15M', at('14:45:00.000')],
    ['kept', null, null],
    ['usual', 'PT1H', at('15:30:00.000')],
  ])
})
