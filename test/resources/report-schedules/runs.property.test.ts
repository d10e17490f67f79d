import fc from 'fast-check'
import { expect, test } from 'vitest'
import { FIRST, LAST, NaiveRuns, type NaiveSchedule, type RunLine, ZONES } from './naive-runs.ts'
import { type ControlledTester, createControlledTester } from '../../support/control.ts'
import type { Advance } from '../../../src/index.ts'
import { cases } from '../../support/cases.ts'

const HOUR = 3_600_000
const WEEKDAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT']

const schedule: fc.Arbitrary<NaiveSchedule> = fc.record({
  title: fc.constantFrom('A', 'B', 'C'),
  rule: fc
    .record({
      days: fc.oneof(
        fc.constantFrom(...WEEKDAYS).map((daysToRun) => ({ frequency: 'WEEKLY' as const, daysToRun })),
        fc.constantFrom(1, 15, 29, 30, 31).map((day) => ({ frequency: 'MONTHLY' as const, daysToRun: String(day) })),
      ),
      // Clocks change in these hours.
      hourOfDay: fc.constantFrom(0, 1, 2, 3, 12, 23),
      minOfHour: fc.constantFrom(0, 15, 30, 45),
      timezone: fc.constantFrom(...ZONES),
    })
    .map(({ days, ...time }) => ({ ...days, ...time })),
  enabled: fc.boolean(),
  recipients: fc.array(fc.constantFrom('a@x', 'b@x', 'c@x'), { maxLength: 3 }),
})

type Step =
  | { readonly kind: 'create'; readonly schedule: NaiveSchedule }
  | { readonly kind: 'update'; readonly pick: number; readonly schedule: NaiveSchedule }
  | { readonly kind: 'switch' | 'delete'; readonly pick: number }
  | { readonly kind: 'advance' | 'back'; readonly hours: number }
  | { readonly kind: 'next' | 'checkpoint' | 'restore' | 'move-state' }

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('create' as const), schedule }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('update' as const), pick: fc.nat(), schedule }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom('switch' as const, 'delete' as const), pick: fc.nat() }) },
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('advance' as const), hours: fc.integer({ min: 0, max: 1500 }) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('back' as const), hours: fc.integer({ min: 1, max: 500 }) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constantFrom('next' as const, 'checkpoint' as const, 'restore' as const, 'move-state' as const),
    }),
  },
)

function bodyOf({ title, rule, enabled, recipients }: NaiveSchedule) {
  const additionalRecipients = recipients.map((value) => ({ type: 'EMAIL', value }))
  return { title, pageId: 1, viewId: 2, schedule: { ...rule, enabled, additionalRecipients } }
}

function linesOf({ runs }: Advance): RunLine[] {
  return runs.map(
    ({ at, scheduleId, title, deliveries }) =>
      `${at} ${scheduleId} ${title} ${deliveries.map(({ recipient }) => recipient.value).join()}`,
  )
}

/** Takes one step in the server and in the model, which must agree. */
async function take(
  one: Step,
  naive: NaiveRuns,
  { control, create, update }: ControlledTester,
  kept: Kept,
): Promise<void> {
  const ids = [...naive.schedules.keys()]
  const id = 'pick' in one ? ids[one.pick % Math.max(1, ids.length)] : undefined
  const before = id === undefined ? undefined : naive.schedules.get(id)
  switch (one.kind) {
    case 'create':
      expect((await create(bodyOf(one.schedule))).body).toMatchObject({ id: naive.nextId })
      naive.create(one.schedule)
      return
    case 'update':
    case 'switch': {
      if (id === undefined || !before) return
      const after = one.kind === 'update' ? one.schedule : { ...before, enabled: !before.enabled }
      expect((await update(id, bodyOf(after))).status).toBe(200)
      naive.schedules.set(id, after)
      return
    }
    case 'delete':
      if (id === undefined) return
      await control.deleteReportSchedule(id)
      naive.schedules.delete(id)
      return
    case 'advance': {
      const to = Math.min(naive.now + one.hours * HOUR, LAST - 50 * HOUR)
      expect(linesOf(await control.advanceClock({ to: new Date(to).toISOString() }))).toEqual(naive.advance(to))
      return
    }
    case 'back':
      naive.now = Math.max(FIRST + 50 * HOUR, naive.now - one.hours * HOUR)
      await control.putClock({ mode: 'frozen', now: new Date(naive.now).toISOString() })
      return
    case 'next': {
      const [next] = naive.toCome()
      if (!next || next.at > LAST - 50 * HOUR) return
      expect(linesOf(await control.advanceClock({ toNextRun: true }))).toEqual(naive.advance(next.at))
      return
    }
    case 'checkpoint':
      await control.createCheckpoint({ name: 'c' })
      kept.state = naive.copy()
      return
    case 'restore':
      if (!kept.state) return
      await control.restoreCheckpoint('c')
      become(naive, kept.state)
      return
    case 'move-state': {
      const state = await control.getState()
      await control.reset()
      await control.putState(state)
      return
    }
  }
}

interface Kept {
  state?: NaiveRuns
}

function become(naive: NaiveRuns, other: NaiveRuns): void {
  const { now, nextId, schedules, lastRuns, lines } = other.copy()
  Object.assign(naive, { now, nextId, schedules, lastRuns, lines })
}

test('whatever is created, changed and moved, the runs are those of a naive calendar', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      const now = Date.parse('2026-02-20T10:20:30Z')
      const tester = createControlledTester({ clock: now })
      const { control } = tester
      for (const { id } of (await control.listReportSchedules()).reportSchedules) await control.deleteReportSchedule(id)
      const naive = new NaiveRuns(now)
      naive.nextId = 7
      const kept: Kept = {}
      for (const one of steps) await take(one, naive, tester, kept)
      const { deliveries } = await control.listDeliveries()
      const sent = deliveries.map(
        ({ at, scheduleId, title, recipient }) => `${at} ${scheduleId} ${title} ${recipient.value}`,
      )
      const expected = naive.lines.flatMap((line) => {
        const [at, id, title, recipients = ''] = line.split(' ')
        return recipients === '' ? [] : recipients.split(',').map((one) => `${at} ${id} ${title} ${one}`)
      })
      expect(sent).toEqual(expected)
    }),
    { numRuns: cases(60, 6), seed: 20260305 },
  )
}, 120_000)
