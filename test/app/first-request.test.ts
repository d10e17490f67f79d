import { expect, onTestFinished, test } from 'vitest'
import { createStandin, type StandinOptions } from '../../src/index.ts'

/** What happens once in a process; `vitest.config.ts` gives this file a process of its own. */

async function start(options: StandinOptions): Promise<string> {
  const standin = createStandin(options)
  onTestFinished(() => standin.stop())
  return standin.start()
}

test('a server is starting until what generates responses is loaded, and ready then', async () => {
  // The first fetch of a process takes long enough to miss what it should see.
  await fetch('data:,')
  const url = await start({ contract: 'test/resources/user-operations/orders.yaml' })
  const statuses: string[] = []
  while (statuses.at(-1) !== 'ready') {
    const response = await fetch(`${url}/__mock/health`)
    const { status } = (await response.json()) as { status: string }
    expect(response.status).toBe(status === 'ready' ? 200 : 503)
    statuses.push(status)
  }
  expect(new Set(statuses)).toEqual(new Set(['starting', 'ready']))
})

test('while the validators of a first request are compiled, other requests are answered', async () => {
  const url = await start({})
  await (await fetch(`${url}/__mock/info`)).json()
  const state = { isOver: false }
  const first = fetch(`${url}/__mock/state`, {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ ...((await (await fetch(`${url}/__mock/state`)).json()) as object), clock: 'noon' }),
  }).finally(() => (state.isOver = true))
  let answered = 0
  while (!state.isOver) {
    await (await fetch(`${url}/__mock/health`)).text()
    answered++
  }
  expect((await first).status).toBe(400)
  expect(answered).toBeGreaterThan(2)
})
