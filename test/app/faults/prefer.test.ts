import { expect, test } from 'vitest'
import type { Response } from 'supertest'
import { createTester } from '../../support/tester.ts'

function messagesOf(response: Response): string[] {
  return (response.body as { errors: { message: string }[] }).errors.map(({ message }) => message)
}

test('everything that is wrong in Prefer is reported at once, each with what was expected', async () => {
  const { search } = createTester()
  const refused = await search({
    set: 'demo',
    headers: { Prefer: 'wait=long, code=99, fault=shrt-page, return=minimal, dynamic=maybe' },
  })
  expect(refused.status).toBe(400)
  expect(messagesOf(refused)).toEqual([
    'Prefer: wait: expected seconds from 0 to 55, such as 2 or 0.5, got "long".',
    'Prefer: code: expected one that the contract documents (200), or a status from 400 to 599, got "99".',
    expect.stringMatching(/^Prefer: fault: expected one of .*, got "shrt-page"\. Did you mean short-page\?$/) as string,
    'Prefer: dynamic: expected true or false, got "maybe".',
  ])
  expect(refused.body).toMatchObject({
    detail: 'Prefer: wait: expected seconds from 0 to 55, such as 2 or 0.5, got "long".',
  })
})
