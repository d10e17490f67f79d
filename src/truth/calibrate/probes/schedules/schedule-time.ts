import { probe, type Probe, type Asking, type Questioner } from '../../probe.ts'
import type { ScheduleSeen } from '../../schedule-seen.ts'
import { open, settled, type Traffic } from '../../traffic.ts'
import { LINKS } from '../../schedule-uses.ts'
import { isZone } from '../../../recordings/zones.ts'
import {
  ownSchedule,
  put,
  concludeList,
  has,
  historyOf,
  idOf,
  isDone,
  isRefusedFor,
  probeByWrite,
} from './own-schedule.ts'

const FREQUENCIES = ['WEEKLY', 'MONTHLY', 'DAILY'] as const

/** Days that every service accepts for a frequency. */
const USUAL_DAYS = { WEEKLY: 'MON', MONTHLY: '1', DAILY: 'MON' } as const

type Frequency = (typeof FREQUENCIES)[number]

/** Which schedules are accepted. */
export const SCHEDULE_TIME: readonly Probe[] = [
  probe('frequency.values', {
    conclude(traffic) {
      return concludeList(FREQUENCIES, (frequency) => {
        const about = traffic.schedules.filter(({ schedule }) => schedule.frequency === frequency)
        const done = about.find(isDone)
        const refused = about.find((seen) => isRefusedFor(seen, traffic, 'frequency.values'))
        return done ? { isIn: true, seen: done } : refused && { isIn: false, seen: refused }
      })
    },
    *ask(questioner) {
      yield* ownSchedule(questioner)
      for (const frequency of FREQUENCIES) {
        const isKnown = questioner.traffic.schedules.some(
          ({ schedule, fields }) => schedule.frequency === frequency && fields.title === 'S',
        )
        if (!isKnown && !accepted(questioner.traffic).includes(frequency))
          yield* put(questioner, { schedule: { frequency, daysToRun: USUAL_DAYS[frequency] } })
      }
    },
  }),

  probeByWrite('days.weekly', {
    isMeant: ({ uses }) => uses.has('days.weekly:list'),
    done: 'list',
    refused: 'single',
    ask: (questioner) => askDays(questioner, 'WEEKLY', ['MON,WED']),
  }),

  probe('days.monthly', {
    conclude(traffic) {
      const list = traffic.schedules.find((seen) => isDone(seen) && seen.uses.has('days.monthly:list'))
      if (list) return settled('list', [list])
      const refused = traffic.schedules.filter((seen) => isRefusedFor(seen, traffic, 'days.monthly'))
      const isLate = ({ uses }: ScheduleSeen) => ['29', '30', '31'].some((day) => uses.has(`days.monthly:${day}`))
      const early = refused.find((seen) => isLate(seen) && !seen.uses.has('days.monthly:list'))
      if (early) return settled('28', [early])
      const short = refused.find((seen) => seen.uses.has('days.monthly:list') && !isLate(seen))
      const late = traffic.schedules.find((seen) => isDone(seen) && isLate(seen))
      return short && late && settled('31', [short, late])
    },
    ask: (questioner) => askDays(questioner, 'MONTHLY', ['1,15', '31']),
  }),

  refusedAlways('days.mismatch', function* (questioner) {
    const [frequency] = accepted(questioner.traffic)
    if (frequency === 'WEEKLY' || frequency === 'MONTHLY')
      yield* put(questioner, { schedule: { frequency, daysToRun: frequency === 'WEEKLY' ? '15' : 'MON' } })
  }),

  refusedAlways('time.range', (questioner) => put(questioner, { schedule: { hourOfDay: 24 } })),

  probeByWrite('schedule.dates', {
    isMeant: ({ schedule }) => typeof schedule.startDate === 'number' && !('expirationDate' in schedule),
    done: ({ schedule: { startDate }, shown }) =>
      shown.startDate === startDate ? 'honour' : has(shown, 'startDate') ? undefined : 'ignore',
    // One that is honoured is never refused.
    refused: (_seen, traffic) => (traffic.settingOf('body.unknown') === 'error' ? 'ignore' : undefined),
    ask: [{ schedule: { startDate: 946_684_800_000 } }],
  }),

  probeByWrite('zone.invalid', {
    isMeant: ({ schedule: { timezone } }) =>
      typeof timezone === 'string' && /^[A-Z][a-z]+\/[A-Z][a-z]+$/.test(timezone) && !isZone(timezone),
    done: ({ shown }) => (shown.timezone === 'UTC' ? 'utc' : undefined),
    refused: 'error',
    ask: [{}, { schedule: { timezone: 'Mars/Olympus' } }],
  }),

  probeByWrite('zone.alias', {
    isMeant: ({ schedule }) => Object.hasOwn(PRESENT_NAMES, String(schedule.timezone)),
    done({ schedule: { timezone }, shown }) {
      if (shown.timezone === PRESENT_NAMES[String(timezone)]) return 'canonicalise'
      return shown.timezone === timezone ? 'accept' : undefined
    },
    refused: 'reject',
    ask: [{ schedule: { timezone: 'America/New_York' } }, { schedule: { timezone: 'US/Eastern' } }],
  }),

  probeByWrite('zone.short', {
    isMeant: ({ schedule }) => schedule.timezone === '+02:00',
    done: ({ shown }) => (shown.timezone === '+02:00' ? 'any' : undefined),
    refused: 'strict',
    ask: [{}, { schedule: { timezone: '+02:00' } }],
  }),

  probeByWrite('zone.omitted', {
    isMeant: (seen, traffic) =>
      has(seen.fields, 'schedule') && !has(seen.schedule, 'timezone') && isDefaulted(seen, traffic),
    done: ({ shown: { timezone } }) => (typeof timezone === 'string' ? timezone : undefined),
    *ask(questioner) {
      const { traffic } = questioner
      const own = yield* ownSchedule(questioner)
      const without = { schedule: { timezone: undefined } }
      if (!own) return
      if (traffic.settingOf('update.schedule') === 'replace') yield* put(questioner, without)
      else if (traffic.settingOf('body.null') === 'clear') yield* put(questioner, { schedule: { timezone: null } })
      else if (traffic.settingOf('update.omitted') === 'clear') {
        yield* put(questioner, { fields: { schedule: undefined } })
        yield* put(questioner, without)
      } else {
        // It was created without a time zone, and has the page and the view of the other one.
        const made = traffic.schedules.find((one) => one.kind === 'create' && isDone(one) && isWithoutZone(one))
        const id = made && idOf(made)
        if (id !== undefined) yield* put(questioner, { ...without, id })
      }
    },
  }),
]

/** Old names and the present ones. */
const PRESENT_NAMES: Readonly<Record<string, string>> = {
  'US/Eastern': 'America/New_York',
  'Asia/Calcutta': 'Asia/Kolkata',
}

function isWithoutZone({ fields, schedule }: ScheduleSeen): boolean {
  return LINKS.every((name) => has(fields, name)) && has(fields, 'schedule') && !('timezone' in schedule)
}

/** Whether no earlier time zone can have been kept. */
function isDefaulted(seen: ScheduleSeen, traffic: Traffic): boolean {
  if (seen.kind === 'create' || traffic.settingOf('update.schedule') === 'replace') return true
  if (traffic.settingOf('update.schedule') !== 'deep-merge') return false
  if (seen.schedule.timezone === null && traffic.settingOf('body.null') === 'clear') return true
  const before = historyOf(traffic, seen.id, seen.exchange)
  const last = before.at(-1)
  if (last && !has(last.response, 'schedule')) return true
  return before[0]?.kind === 'create' && before.every(({ schedule }) => !has(schedule, 'timezone'))
}

function accepted(traffic: Traffic): readonly Frequency[] {
  return FREQUENCIES.filter((frequency) =>
    traffic.schedules.some((seen) => isDone(seen) && seen.schedule.frequency === frequency),
  )
}

function* askDays(questioner: Questioner, frequency: Frequency, days: readonly string[]): Asking {
  if (!accepted(questioner.traffic).includes(frequency)) return
  for (const daysToRun of days) yield* put(questioner, { schedule: { frequency, daysToRun } })
}

/** A behaviour with one setting: such requests are refused. */
function refusedAlways(id: 'days.mismatch' | 'time.range', ask: (questioner: Questioner) => Asking<unknown>): Probe {
  return probe(id, {
    conclude(traffic) {
      const about = traffic.schedules.filter(({ uses }) => [...uses].some((use) => use.startsWith(`${id}:`)))
      const done = about.find(isDone)
      if (done) return open(`it is accepted (${done.exchange.source}), which no setting covers`)
      const refused = about.find((seen) => isRefusedFor(seen, traffic, id))
      return refused && settled('error', [refused])
    },
    ask,
  })
}
