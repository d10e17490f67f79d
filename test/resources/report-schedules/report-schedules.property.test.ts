import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyFault, anyPart, anyRules, anyWhole, behavioursOf, shownBy } from './arbitrary-report-schedules.ts'
import { type Info, NaiveReportSchedules, type Shown } from './naive-report-schedules.ts'
import { NOW } from '../../support/tester.ts'
import { type Answer, overWire, type Wire } from '../../support/wire.ts'
import { stringifyJson } from '../../../src/base/formats/json.ts'
import { cases } from '../../support/cases.ts'

/** The first id that a test is given: six schedules come with the package. */
const FIRST = 7

type Step =
  | { readonly kind: 'create'; readonly info: Info; readonly fault: object | null }
  | { readonly kind: 'update'; readonly place: number; readonly info: Info; readonly fault: object | null }
  | { readonly kind: 'wait'; readonly minutes: number }

const noFault = fc.constant(null)
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('create' as const), info: anyWhole, fault: noFault }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('create' as const), info: anyPart, fault: noFault }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('create' as const), info: anyWhole, fault: anyFault }) },
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('update' as const), place: fc.nat(99), info: anyPart, fault: noFault }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('update' as const), place: fc.nat(99), info: anyPart, fault: anyFault }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('wait' as const), minutes: fc.integer({ min: 1, max: 60_000 }) }),
  },
)

/** Takes one step in the server and in the model: their responses must agree, and a refusal must change nothing. */
async function take(
  step: Exclude<Step, { kind: 'wait' }>,
  model: NaiveReportSchedules,
  wire: Wire,
  now: number,
): Promise<void> {
  const body = stringifyJson({ ...step.info, ...step.fault })
  const ids = [...model.stored.keys(), FIRST + 1000]
  const id = step.kind === 'update' ? (ids[step.place % ids.length] ?? FIRST) : 0
  const answer = step.kind === 'create' ? await wire.create(body) : await wire.update(id, body)
  const accepted = step.fault === null
  const expected = accepted
    ? step.kind === 'create'
      ? model.create(step.info, now)
      : model.update(id, step.info, now)
    : undefined
  expect(shownBy(answer), `${step.kind} ${id}: ${body}`).toEqual(expected)
  const refusals = step.kind === 'create' || model.stored.has(id) ? [400] : [400, 404]
  if (expected === undefined) expect(refusals).toContain(answer.status)
  // With `clear` even an empty update would change what it looks at.
  if (model.rules.omitted === 'clear') return
  for (const one of model.stored.keys()) expect(shownBy(await wire.update(one, {}))).toEqual(model.show(one, now))
}

test('any sequence of creates and updates is answered as a map would answer it, and what is refused changes nothing', async () => {
  await fc.assert(
    fc.asyncProperty(anyRules, fc.array(anyStep, { minLength: 1, maxLength: 20 }), async (rules, steps) => {
      let now = NOW
      await overWire({ files: 1, now: () => now, behaviours: behavioursOf(rules) }, async (wire) => {
        const model = new NaiveReportSchedules(rules, FIRST)
        for (const step of steps) {
          if (step.kind === 'wait') now += step.minutes * 60_000
          else await take(step, model, wire, now)
        }
        const last = await wire.create(stringifyJson({ title: 'Last', pageId: 1, viewId: 1, schedule: WEEKLY }))
        expect(shownBy(last)).toHaveProperty('id', model.nextId)
      })
    }),
    { numRuns: cases(40, 5) },
  )
})

const WEEKLY = { frequency: 'WEEKLY', daysToRun: 'MON', hourOfDay: 8, minOfHour: 30 }

test('updates that are sent at once end as if they had come one after the other, never mixed', async () => {
  const anyUpdates = fc.array(fc.tuple(anyPart, fc.nat(200_000)), { minLength: 2, maxLength: 4 })
  await fc.assert(
    fc.asyncProperty(anyWhole, anyUpdates, anyRules, async (first, updates, rules) => {
      await overWire({ files: 1, behaviours: behavioursOf(rules) }, async (wire) => {
        const model = new NaiveReportSchedules(rules, FIRST)
        expect(shownBy(await wire.create(stringifyJson(first)))).toEqual(model.create(first, NOW))
        // Padding makes bodies arrive in pieces, so that they are read side by side.
        const bodies = updates.map(([info, padding]) => stringifyJson({ ...info, padding: 'x'.repeat(padding) }))
        const answers = await Promise.all(bodies.map((body) => wire.update(FIRST, body)))
        const orders = permutations(updates.map(([info], index) => ({ info, answer: answers[index] })))
        const last = shownBy(await wire.update(FIRST, { title: 'Last' }))
        const explains = orders.some((order) => isExplainedBy(order, model.copy(), last))
        expect(explains, `${bodies.map((body) => body.slice(0, 500)).join('\n')}\n${stringifyJson(last)}`).toBe(true)
      })
    }),
    { numRuns: cases(40, 5) },
  )
})

interface Sent {
  readonly info: Info
  readonly answer: Answer | undefined
}

/** Whether every answer, and the end, are those of the model when the updates come in this order. */
function isExplainedBy(order: readonly Sent[], model: NaiveReportSchedules, last: Shown): boolean {
  const agrees = ({ info, answer }: Sent) => isSame(answer && shownBy(answer), model.update(FIRST, info, NOW))
  return order.every(agrees) && isSame(last, model.update(FIRST, { title: 'Last' }, NOW))
}

function isSame(actual: Shown, expected: Shown): boolean {
  try {
    expect(actual).toEqual(expected)
    return true
  } catch {
    return false
  }
}

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length === 0) return [[]]
  return items.flatMap((item, index) =>
    permutations(items.filter((_, other) => other !== index)).map((rest) => [item, ...rest]),
  )
}
