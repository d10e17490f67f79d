import { expect, test } from 'vitest'
import { createBank } from '../../support/contracts/bank.ts'

test('nothing is invented for a new item that only its client or a book could know', async () => {
  const { send, accountOf } = createBank()
  const { body } = await send('post', '/customers', { name: 'Ann', email: 'ann@example.org' })
  expect(body).not.toHaveProperty('born_on')
  const accounts = [await accountOf(), await accountOf()]
  expect(accounts).toMatchObject([{ balance: 0 }, { balance: 0 }])
  const ibans = new Set(accounts.map(({ iban }) => String(iban)))
  expect([...ibans]).toEqual([expect.stringMatching(/^DE\d{20}$/), expect.stringMatching(/^DE\d{20}$/)])
})

test('a filter by account_id finds what has it as from_account_id or as to_account_id', async () => {
  const { send, listed, accountOf } = createBank()
  const [from, to, other] = [await accountOf(), await accountOf(), await accountOf()]
  const transfer = { from_account_id: from.id, to_account_id: to.id, amount: 5, currency: 'EUR' }
  const { body } = await send('post', '/transfers', transfer)
  for (const { id } of [from, to])
    expect(await listed(`/transfers?account_id=${String(id)}`)).toMatchObject([{ id: body.id }])
  expect(await listed(`/transfers?account_id=${String(other.id)}`)).toEqual([])
})

test('what items begin with is what requests may write of it', async () => {
  const { listed } = createBank()
  const events = (await listed('/hooks')).flatMap((hook) => hook.events as string[])
  expect(new Set(events)).toEqual(new Set(['transfer.completed', 'account.frozen']))
})

test('what only the response to a creation has is shown once', async () => {
  const { send, listed } = createBank()
  const { body } = await send('post', '/hooks', { url: 'https://example.org/hook', events: ['account.frozen'] })
  expect(body).toMatchObject({ secret: expect.stringMatching(/^\w{16,}$/) as string })
  expect((await listed('/hooks')).at(-1)).toEqual({ id: body.id, url: body.url, events: body.events })
})

test('a status and what is kept of it agree in what items begin with', async () => {
  for (const account of await createBank().listed('/accounts'))
    if (account.status !== 'frozen') expect(account).toMatchObject({ frozen_at: null, freeze_reason: null })
})

test('a body that names something unknown is answered with the 404 that can mean nothing else', async () => {
  const { send } = createBank()
  const account = { customer_id: 'b7458d4e-7c9e-4304-b7fd-c2accf626570', currency: 'EUR' }
  const { status, body } = await send('post', '/accounts', account)
  expect([status, body.error]).toMatchObject([404, { code: 'item_not_found', message: 'There is no such customer.' }])
})

test('errors have the codes of the examples, or are spelled as these', async () => {
  const { send } = createBank()
  const codeOf = async (...sent: Parameters<typeof send>) => (await send(...sent)).body.error
  expect(await codeOf('post', '/customers', { name: 7, email: 'a@b.example' })).toMatchObject({
    code: 'invalid_input',
    field: 'name',
  })
  const unknown = '/customers/b7458d4e-7c9e-4304-b7fd-c2accf626570'
  expect(await codeOf('get', unknown)).toMatchObject({ code: 'customer_missing' })
  // This 404 has no example.
  expect(await codeOf('delete', unknown)).toMatchObject({ code: 'item_not_found' })
})

test('a generated response repeats what the query says of it', async () => {
  expect((await createBank().send('get', '/rates?base=CHF')).body).toMatchObject({ base: 'CHF' })
})
