import { expect, test } from 'vitest'
import { createBank } from '../../../support/contracts/bank.ts'

const ALL = ['pending', 'queued', 'in_progress', 'completed', 'failed'] as const

/** What the 409 of a cancellation says, and the statuses of the transfers that can be cancelled. */
const SAID: readonly (readonly [string, readonly string[]])[] = [
  ['Only pending transfers can be cancelled', ['pending']],
  ['Only pending or queued transfers may be cancelled.', ['pending', 'queued']],
  [
    'Transfers can only be cancelled while they are pending, queued or in progress.',
    ['pending', 'queued', 'in_progress'],
  ],
  ['The transfer must be pending.', ['pending']],
  ['The transfer is not pending.', ['pending']],
  ['The transfer is not yet in progress', ['in_progress']],
  ['The transfer was already completed or failed', ['pending', 'queued', 'in_progress']],
  ['A completed transfer cannot be cancelled.', ['pending', 'queued', 'in_progress', 'failed']],
  ['Cannot cancel transfers that have failed', ['pending', 'queued', 'in_progress', 'completed']],
  ['It must not be completed', ['pending', 'queued', 'in_progress', 'failed']],
  ['The transfer is already cancelled.', ALL],
  // Nothing that is said: what is completed is not cancelled.
  ['Conflict', ['pending', 'queued', 'in_progress', 'failed']],
  ['Another request is changing the transfer.', ['pending', 'queued', 'in_progress', 'failed']],
]

test.each(SAID)('an action whose 409 says "%s" is for items that are %j', async (cancelling, allowed) => {
  const { send, accountOf } = createBank({ cancelling })
  const [from, to] = [await accountOf(), await accountOf()]
  const cancellable: string[] = []
  for (const status of ALL) {
    const transfer = { from_account_id: from.id, to_account_id: to.id, amount: 5, currency: 'EUR', status }
    const { id } = (await send('post', '/transfers', transfer)).body
    const { status: answered } = await send('post', `/transfers/${String(id)}/cancel`)
    if (answered === 200) cancellable.push(status)
    else expect(answered).toBe(409)
    // What was done is not done again.
    expect((await send('post', `/transfers/${String(id)}/cancel`)).status).toBe(409)
  }
  expect(cancellable).toEqual(allowed)
})

test('what undoes an action gives the status of before, and clears what was kept of it', async () => {
  const { send, accountOf } = createBank()
  const { id, status } = await accountOf()
  expect(status).toBe('active')
  const [freeze, unfreeze] = ['freeze', 'unfreeze'].map((word) => `/accounts/${String(id)}/${word}`)
  expect((await send('post', unfreeze!)).status).toBe(409)
  const { body } = await send('post', freeze!, { reason: 'fraud' })
  expect(body).toMatchObject({ status: 'frozen', freeze_reason: 'fraud', frozen_at: expect.any(String) as string })
  expect((await send('post', unfreeze!)).body).toMatchObject({ status: 'active', freeze_reason: null, frozen_at: null })
})
