import assert from 'node:assert/strict'
import type { Rounds } from '../campaign.ts'
import { createChance } from '../chance.ts'
import { type Service, startService } from '../service.ts'
import { readZone, type Rule, runsOf, type Stretch } from './zone-runs.ts'
import { weekly } from '../../../test/support/tester.ts'

const FROM = Date.parse('2010-01-01T00:00:00.000Z')
const TO = Date.parse('2030-01-01T00:00:00.000Z')
const DAY = 86_400_000
const ZONES = Intl.supportedValuesOf('timeZone')
const SCHEDULES = 8
const WEEKDAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT']

export async function open(): Promise<Rounds> {
  const service = await startService({ files: 0, clock: FROM })
  let runs = 0
  return {
    async run({ number, seed }) {
      service.forget()
      try {
        runs += await runZone(service, ZONES[number % ZONES.length]!, createChance(seed))
      } catch (error) {
        service.keep()
        throw error
      }
    },
    requests: service.requests,
    async close() {
      await service.stop()
      return { runs }
    },
  }
}

interface Expected {
  readonly id: number
  readonly rule: Rule
  readonly runs: readonly number[]
}

/** @returns how many runs were compared */
async function runZone(service: Service, zone: string, chance: () => number): Promise<number> {
  const { control } = service
  await control.reset()
  for (const { id } of (await control.listReportSchedules()).reportSchedules) await control.deleteReportSchedule(id)
  const stretches = readZone(zone, FROM - 7 * DAY, TO + 7 * DAY)
  const schedules: Expected[] = []
  for (let number = 0; number < SCHEDULES; number++) {
    const rule = createRule(stretches, number % 2 === 0 ? 'WEEKLY' : 'MONTHLY', chance)
    const { text } = await service.create(weekly({}, { ...rule, timezone: zone }))
    schedules.push({
      rule,
      runs: runsOf(stretches, rule, FROM, TO + 300 * DAY),
      ...(JSON.parse(text) as { id: number }),
    })
  }
  const found = new Map<number, number[]>(schedules.map(({ id }) => [id, []]))
  for (let now = FROM; now < TO;) {
    now = Math.min(TO, nextMoment(now, schedules, chance))
    const { runs } = await control.advanceClock({ to: new Date(now).toISOString() })
    for (const { scheduleId, at } of runs) found.get(scheduleId)!.push(Date.parse(at))
    for (const one of schedules) await checkNextRun(service, one, now)
  }
  for (const { id, rule, runs } of schedules)
    assert.deepEqual(
      found.get(id)!.map(toText),
      runs.filter((at) => at <= TO).map(toText),
      `${zone} ${JSON.stringify(rule)}`,
    )
  return [...found.values()].reduce((sum, each) => sum + each.length, 0)
}

function toText(at: number): string {
  return new Date(at).toISOString()
}

/** Around a clock change of the zone, if it has any; sometimes anywhere. */
function createRule(stretches: readonly Stretch[], frequency: Rule['frequency'], chance: () => number): Rule {
  const changes = stretches.slice(1)
  const change = changes[Math.floor(chance() * changes.length)]
  const { from, offset } = change && chance() < 0.8 ? change : { from: FROM + chance() * (TO - FROM), offset: 0 }
  // Within two hours of the change, before, in and after it.
  const wall = new Date(from + offset + (chance() - 0.5) * 4 * 3_600_000)
  const date = chance() < 0.3 ? 28 + Math.floor(chance() * 4) : wall.getUTCDate()
  return {
    frequency,
    daysToRun: frequency === 'WEEKLY' ? WEEKDAYS[wall.getUTCDay()]! : String(date),
    hourOfDay: wall.getUTCHours(),
    minOfHour: wall.getUTCMinutes(),
  }
}

/** At a run, a millisecond before or after it, or up to two years on. */
function nextMoment(now: number, schedules: readonly Expected[], chance: () => number): number {
  const { runs } = schedules[Math.floor(chance() * schedules.length)]!
  const to = now + chance() ** 2 * 730 * DAY
  const run = runs.find((at) => at > to) ?? TO
  return Math.max(now + 1, Math.floor(chance() < 0.7 ? run + Math.floor(chance() * 3) - 1 : to))
}

async function checkNextRun(service: Service, { id, rule, runs }: Expected, now: number): Promise<void> {
  const { text } = await service.update(id, {})
  const { schedule } = JSON.parse(text) as { schedule: { nextRunDate: number } }
  const expected = runs.find((at) => at > now)
  assert.equal(toText(schedule.nextRunDate), toText(expected ?? Number.NaN), `${toText(now)} ${JSON.stringify(rule)}`)
}
