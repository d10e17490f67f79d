import fc from 'fast-check'
import { test, expect } from 'vitest'
import { createTester, type Tester, weekly } from '../../support/tester.ts'
import { cases } from '../../support/cases.ts'

/** A body that was sent before is neither parsed nor validated again. No response to a create or an update may show it. */

const BODIES = [
  weekly(),
  weekly({ title: 'Monthly costs', pageId: 7 }, { frequency: 'MONTHLY', daysToRun: '31' }),
  weekly({ viewId: 9, attachmentInclude: true }, { additionalRecipients: [{ type: 'EMAIL', value: 'a@example.com' }] }),
  weekly({ schedule: { hourOfDay: 23 } }),
  { title: 'Only a title' },
  { schedule: null, pageId: null },
  { id: 1 },
  { pageId: -1, color: 'red' },
  {},
]

const BEHAVIOURS = fc.record(
  {
    'update.schedule': fc.constantFrom('replace', 'deep-merge'),
    'update.omitted': fc.constantFrom('keep', 'clear'),
    'update.unknown-id': fc.constantFrom('404', 'create'),
    'update.links': fc.constantFrom('allow', 'ignore', 'error'),
    'update.concurrent': fc.constantFrom('last-write-wins', 'etag'),
    'body.null': fc.constantFrom('absent', 'clear', 'error'),
    'create.duplicate': fc.constantFrom('allow', 'conflict-on-title'),
  },
  { requiredKeys: [] },
)

const STEP = fc.record({
  /** 0 creates. */
  id: fc.constantFrom(0, 1, 1, 2, 7, 8),
  body: fc.constantFrom(...BODIES),
  hours: fc.constantFrom(0, 0, 24),
})

async function send({ create, update }: Tester, id: number, body: string) {
  const { status, headers, text } = await (id === 0 ? create(body) : update(id, body))
  return { status, headers: headers as unknown, text }
}

test('creates and updates have the same status, headers and bytes whether their bodies were sent before or not', async () => {
  await fc.assert(
    fc.asyncProperty(BEHAVIOURS, fc.array(STEP, { minLength: 4, maxLength: 25 }), async (behaviours, steps) => {
      const [repeating, varying] = [createTester({ behaviours }), createTester({ behaviours })]
      let now = Date.parse('2026-03-05T14:30:00.000Z')
      for (const [number, { id, body, hours }] of steps.entries()) {
        now += hours * 3_600_000
        for (const tester of [repeating, varying]) tester.moveTo(now)
        const text = JSON.stringify(body)
        // Spaces mean nothing in JSON, but make another text of it.
        const expected = await send(varying, id, text + ' '.repeat(number))
        expect(await send(repeating, id, text)).toEqual(expected)
      }
    }),
    { numRuns: cases(60, 6) },
  )
})

test('an update is compared with the links that the schedule has now, not with earlier ones', async () => {
  const { create, update, request } = createTester({ behaviours: { 'update.links': 'allow' } })
  await create(weekly())
  for (const viewId of [200, 200, 200, 201, 200, 201, 200]) {
    await update(7, weekly({ viewId: viewId === 200 ? 201 : 200 }))
    const { headers } = await update(7, weekly({ viewId }))
    expect(headers['x-mock-behaviours']).toContain('update.links')
    const repeated = await update(7, weekly({ viewId }))
    expect(repeated.headers['x-mock-behaviours']).not.toContain('update.links')
  }
  await request().put('/__mock/behaviours').send({ 'update.links': 'error' }).expect(200)
  for (let time = 0; time < 3; time++) {
    expect((await update(7, weekly())).status).toBe(200)
    expect((await update(7, weekly({ viewId: 201 }))).status).toBe(400)
  }
})

test('a part of a schedule is laid over the settings that are stored now', async () => {
  const { create, update } = createTester({ behaviours: { 'update.schedule': 'deep-merge' } })
  await create(weekly())
  for (const daysToRun of ['TUE', 'WED', 'THU', 'FRI']) {
    await update(7, weekly({}, { daysToRun }))
    const answer = await update(7, { schedule: { hourOfDay: 23 } })
    expect(answer.body).toMatchObject({ schedule: { daysToRun, hourOfDay: 23 } })
  }
})
