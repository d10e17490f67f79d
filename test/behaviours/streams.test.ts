import { expect } from 'vitest'
import { writeContract } from '../support/contracts/small-contract.ts'
import { LONG_POLLING } from '../support/contracts/long-polling.ts'
import { STREAMS } from '../support/contracts/streams.ts'
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
