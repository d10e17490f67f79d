import { expect } from 'vitest'
import { writeContract } from '../support/contracts/small-contract.ts'
import { LONG_POLLING } from '../support/contracts/long-polling.ts'
import { STREAMS, TICKS } from '../support/contracts/streams.ts'
import { describeBehaviour, type BehaviourTest } from '../support/describe-behaviour.ts'

type Tester = Parameters<BehaviourTest>[0]

/** Opens a stream, creates an order, and gives the first part that comes after it, or all. */
async function listen({ standin }: Tester) {
  const { body } = await standin.fetch('http://localhost/orders/stream')
  const reader = body!.pipeThrough(new TextDecoderStream()).getReader()
  await standin.fetch('http://localhost/orders', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ customer: 'Ann', status: 'placed' }),
  })
  let text = ''
  for (;;) {
    const { value, done } = await reader.read()
    text += value ?? ''
    if (done || text.includes('Ann')) return { text, done, leave: () => reader.cancel() }
  }
}

describeBehaviour(
  'streams.changes',
  {
    live: async (tester) => {
      const { done, leave } = await listen(tester)
      expect(done).toBe(false)
      await leave()
    },
    generated: async (tester) => {
      const { text, done } = await listen(tester)
      expect(done).toBe(true)
      expect(text.match(/^data: /gm)).toHaveLength(3)
    },
  },
  () => ({ contract: writeContract(STREAMS), documents: 0 }),
)

/** Asks for tasks, of which there are none, and adds one. @returns whether the response has it */
async function getsTask({ standin }: Tester): Promise<boolean> {
  const response = standin.fetch('http://localhost/tasks?wait_seconds=30')
  await standin.control.getHealth()
  await standin.fetch('http://localhost/tasks', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ text: 'work' }),
  })
  return (await (await response).text()).includes('work')
}

describeBehaviour(
  'streams.wait',
  {
    wait: async (tester) => expect(await getsTask(tester)).toBe(true),
    respond: async (tester) => expect(await getsTask(tester)).toBe(false),
  },
  () => ({ contract: writeContract(LONG_POLLING), documents: 0 }),
)

/** The ids of the first events of a stream that is about no collection, and whether it ends after the third. */
async function ticks({ standin }: Tester, headers: Record<string, string> = {}) {
  const { body } = await standin.fetch('http://localhost/prices/live', { headers })
  const reader = body!.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  for (;;) {
    const ids = [...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id))
    if (ids.length > 3) await reader.cancel()
    if (ids.length > 3) return ids
    const { value, done } = await reader.read()
    if (done) return ids
    text += value
    // The clock stands still until all that is due was sent.
    if (!text.includes('id: 3\n')) await standin.control.advanceClock({ by: 'PT30S' })
  }
}

describeBehaviour(
  'streams.pace',
  {
    'at-once': async (tester) => {
      expect(await ticks(tester)).toEqual([1, 2, 3])
      expect(await ticks(tester, { 'Last-Event-ID': '3' })).toEqual([1, 2, 3])
    },
    'resumed:30': async (tester) => {
      expect(await ticks(tester)).toEqual([1, 2, 3])
      expect((await ticks(tester, { 'Last-Event-ID': '3' }))[0]).toBe(4)
    },
    'paced:10': async (tester) => expect((await ticks(tester)).slice(0, 4)).toEqual([1, 2, 3, 4]),
  },
  () => ({ contract: writeContract(TICKS), clock: '2026-03-01T09:00:00Z' }),
)
