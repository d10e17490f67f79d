import { expect, onTestFinished, test } from 'vitest'
import { createStandin } from '../../src/index.ts'

/** The only test of this file: validators are compiled once in a process. */
test('while the validators of a first request are compiled, other requests are answered', async () => {
  const standin = createStandin()
  onTestFinished(() => standin.stop())
  const url = await standin.start()
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
