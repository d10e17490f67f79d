import { agree, probe, type Probe } from '../probe.ts'
import { open, type Traffic } from '../traffic.ts'
import { asStored, calendars, type CalendarSettings, nextRun, weekdayOf } from '../run-calendar.ts'
import { runRule } from '../../../resources/report-schedules/next-run-date.ts'
import type { Members } from '../../../base/formats/json.ts'
import type { ScheduleSeen } from '../schedule-seen.ts'
import { DATES, SETTINGS } from '../schedule-uses.ts'
import { put, has, isDone, probeByWrite, nowOf } from './schedules/own-schedule.ts'
import { headerOf } from '../../recordings/recorded-exchange.ts'
import { type ClockChange, clockChanges } from '../../recordings/zones.ts'

const TOP = [
  ...['id', 'reportViewId', 'pageId', 'title', 'viewName', 'type', 'ownerId', 'embedViewId', 'owner', 'cardCount'],
  ...['recipientCount', 'cardId', 'schedule'],
]

/** What responses to creates and updates have. */
export const RESPONSES: readonly Probe[] = [
  probeByWrite('response.recipients', {
    done({ schedule, shown }) {
      if (Array.isArray(shown.additionalRecipients)) return 'yes'
      return Array.isArray(schedule.additionalRecipients) && has(shown, 'enabled') ? 'no' : undefined
    },
    ask: [{}],
  }),

  probeByWrite('response.nulls', {
    done({ response, shown }) {
      const values = [
        ...TOP.map((name) => response[name]),
        ...(has(response, 'schedule') ? SETTINGS.map((name) => shown[name]) : []),
      ]
      // Of a schedule that is switched off, null may be how it shows that it has no next run.
      if (has(response, 'schedule') && (shown.enabled === true || shown.nextRunDate !== null))
        values.push(shown.nextRunDate)
      // A service that has no start dates shows none.
      if (values.includes(null) || DATES.some((name) => shown[name] === null)) return 'null'
      return values.includes(undefined) ? 'omit' : undefined
    },
    ask: [{}],
  }),

  probeByWrite('next-run.disabled', {
    isMeant: (seen) => seen.shown.enabled === false && isRunning(seen),
    done({ shown: { nextRunDate } }, traffic) {
      if (typeof nextRunDate === 'number') return 'computed'
      if (nextRunDate === undefined) return 'absent'
      return traffic.settingOf('response.nulls') === 'omit' ? 'null' : undefined
    },
    ask: [{}],
  }),

  probe('next-run.lag', {
    conclude({ schedules }) {
      const enabled = schedules.filter((seen) => isDone(seen) && seen.shown.enabled === true && isRunning(seen))
      const present = enabled.filter(({ shown }) => typeof shown.nextRunDate === 'number')
      if (present.length < enabled.length)
        return open('nextRunDate is not there at once, and calibration does not wait for it')
      return agree(present, () => 'at-once')
    },
    ask: (questioner) => put(questioner, { schedule: { enabled: true } }),
  }),
]

/** Whether it has all that a run needs, and no end. */
function isRunning({ shown }: ScheduleSeen): boolean {
  return runRule(asStored(shown)) !== undefined && !has(shown, 'expirationDate')
}

type CalendarId = keyof CalendarSettings

const [MINUTE, DAY] = [60_000, 86_400_000]

/** The clocks of two machines may differ that much. */
const DOUBT = 10 * MINUTE

/** When a schedule runs, where the calendar leaves a choice. */
export const NEXT_RUN: readonly Probe[] = [
  probeByCalendar('days.short-month', function* (traffic) {
    if (!maySend(traffic, 'MONTHLY') || !['31', 'list'].includes(traffic.settingOf('days.monthly') ?? '')) return
    const usual = { frequency: 'MONTHLY', hourOfDay: 6, minOfHour: 30, timezone: 'UTC' }
    for (const daysToRun of ['31', '30', '29'])
      for (const startDate of startDates(traffic)) yield { ...usual, daysToRun, startDate }
  }),
  probeByCalendar('next-run.gap', (traffic) => rulesAt(traffic, true)),
  probeByCalendar('next-run.overlap', (traffic) => rulesAt(traffic, false)),
]

/** None, and where dates are honoured, the beginning of each month of a year. */
function startDates(traffic: Traffic): readonly (number | undefined)[] {
  if (traffic.settingOf('schedule.dates') !== 'honour') return [undefined]
  const now = new Date(nowOf(traffic))
  return Array.from({ length: 12 }, (_, month) => Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1 + month, 1))
}

function maySend(traffic: Traffic, frequency: string): boolean {
  return traffic.schedules.some((seen) => isDone(seen) && seen.schedule.frequency === frequency)
}

/** Zones that change their clocks, each at another time of the year. */
const ZONES = [
  ...['America/New_York', 'Europe/Berlin', 'Pacific/Auckland', 'Australia/Sydney', 'America/Santiago', 'Africa/Cairo'],
  ...['Africa/Casablanca', 'Asia/Jerusalem', 'Asia/Beirut', 'America/Havana', 'Australia/Lord_Howe', 'Asia/Gaza'],
  ...['Europe/Chisinau', 'America/Nuuk', 'Antarctica/Troll', 'America/Asuncion'],
]

/** Rules for a local time that is skipped, or happens twice. Without dates, the next run must be soon. */
function* rulesAt(traffic: Traffic, isGap: boolean): Generator<Members> {
  const isHonoured = traffic.settingOf('schedule.dates') === 'honour'
  const now = nowOf(traffic)
  for (const zone of ZONES)
    for (const change of clockChanges(zone, now, isHonoured ? 366 : 32))
      if (change.isGap === isGap)
        for (const frequency of ['MONTHLY', 'WEEKLY', 'DAILY'] as const)
          if (maySend(traffic, frequency)) yield ruleAt(change, frequency, isHonoured ? change.at - DAY / 2 : undefined)
}

function ruleAt({ zone, local }: ClockChange, frequency: string, startDate: number | undefined): Members {
  const date = new Date(local)
  return {
    frequency,
    daysToRun: frequency === 'MONTHLY' ? String(date.getUTCDate()) : weekdayOf(local),
    hourOfDay: date.getUTCHours(),
    minOfHour: date.getUTCMinutes(),
    timezone: zone,
    startDate,
  }
}

/** @param rules in the order of preference; the first one is sent whose next run shows the setting, whatever the other settings are */
function probeByCalendar(id: CalendarId, rules: (traffic: Traffic) => Iterable<Members>): Probe {
  return probeByWrite<CalendarId>(id, {
    done: (seen) => readCalendar(seen, id),
    *ask(questioner) {
      const { traffic } = questioner
      const isComputed = traffic.settingOf('next-run.disabled') === 'computed'
      if (!isComputed && traffic.settingOf('next-run.lag') !== 'at-once') return
      for (const rule of rules(traffic)) {
        const runs = runsOf(rule, nowOf(traffic))
        const shows = runs?.every(([one, at]) => runs.every(([other, then]) => one[id] === other[id] || at !== then))
        if (!shows) continue
        yield* put(questioner, { schedule: { ...rule, enabled: !isComputed } })
        return
      }
    },
  })
}

/** The next run in every calendar; undefined when it depends on the very minute. */
function runsOf(rule: Members, now: number): readonly (readonly [CalendarSettings, number | undefined])[] | undefined {
  const runs = calendars().map((calendar) => [calendar, nextRun(rule, now - DOUBT, calendar)] as const)
  const isSteady = runs.every(([calendar, at]) => at === nextRun(rule, now + DOUBT, calendar))
  return isSteady ? runs : undefined
}

/** The setting in all calendars that have the run of the response. */
function readCalendar<Id extends CalendarId>(seen: ScheduleSeen, id: Id): CalendarSettings[Id] | undefined {
  const { shown, schedule, exchange, kind } = seen
  if (typeof shown.nextRunDate !== 'number') return undefined
  const timezone = shown.timezone ?? (kind === 'create' ? schedule.timezone : undefined)
  const date = Date.parse(headerOf(exchange.response.headers, 'date') ?? '')
  const runs = runsOf({ ...shown, timezone }, Number.isNaN(date) ? exchange.at : date)
  const values = new Set(runs?.filter(([, at]) => at === shown.nextRunDate).map(([calendar]) => calendar[id]))
  const [value] = values
  return values.size === 1 ? value : undefined
}
