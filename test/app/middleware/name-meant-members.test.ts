import type { Response } from 'supertest'
import { expect, test } from 'vitest'
import { createTester } from '../../support/tester.ts'

interface Refused {
  readonly detail: string
  readonly errors: readonly { readonly pointer: string; readonly message: string; readonly received?: string }[]
}

const refusedBy = async (response: Promise<Response>) => (await response).body as Refused

test('a member that is missing names the one that was probably meant to be it, and null is told from nothing', async () => {
  const { create, search } = createTester()
  const schedule = { frequency: 'WEEKLY', daysToRn: 'MON', hourOfDay: 9, minOfHour: 0 }
  const created = await refusedBy(create({ titel: 'Sales', pageId: 1, viewId: null, schedule }))
  expect(created.errors.map(({ message, received }) => [message, received])).toEqual([
    ['/title: expected a title that is not blank, got nothing. The body has titel: did you mean title?', undefined],
    ['/viewId: expected the id of a view, got null.', 'null'],
    [
      expect.stringMatching(
        /^\/schedule\/daysToRun: .+ got nothing\. The body has daysToRn: did you mean daysToRun\?$/,
      ),
      undefined,
    ],
  ])
  expect(created.detail).toMatch(/did you mean title\? \(and 2 more\)$/)
  const searched = await refusedBy(
    search({
      set: 'demo',
      body: { filters: [{ feild: 'name', operator: 'LIKE', value: ['a'] }] },
    }),
  )
  expect(searched.detail).toMatch(/^\/filters\/0\/field: .+ The body has feild: did you mean field\?$/)
})

test('a member of another name, or of another object, is not taken for the one that is missing', async () => {
  const { create } = createTester()
  const refused = await refusedBy(
    create({
      note: 'x',
      titel: { title: 'x' },
      pageId: 1,
      viewId: 1,
      schedule: { title: 'x' },
    }),
  )
  const messages = refused.errors.filter(({ pointer }) => pointer !== '/title').map(({ message }) => message)
  expect(messages.join()).not.toContain('did you mean')
})
