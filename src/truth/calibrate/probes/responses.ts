import { probe, type Probe, agree } from '../probe.ts'
import { open } from '../traffic.ts'
import { ruleOf } from '../run-calendar.ts'
import type { ScheduleSeen } from '../schedule-seen.ts'
import { DATES, SETTINGS } from '../schedule-uses.ts'
import { put, has, isDone, probeByWrite } from './schedules/own-schedule.ts'

const TOP = [
  ...['id', 'reportViewId', 'pageId', 'title', 'viewName', 'type', 'ownerId', 'embedViewId', 'owner', 'cardCount'],
  ...['recipientCount', 'cardId', 'schedule'],
]

/** What responses to creates and updates have. */
export const RESPONSES: readonly Probe[] = [
  probeByWrite('response.recipients', {
    read({ outcome, schedule, shown }) {
      if (outcome !== 'done') return undefined
      if (Array.isArray(shown.additionalRecipients)) return 'yes'
      return Array.isArray(schedule.additionalRecipients) && has(shown, 'enabled') ? 'no' : undefined
    },
    ask: put,
  }),

  probeByWrite('response.nulls', {
    read(seen) {
      const { response, shown } = seen
      if (!isDone(seen)) return undefined
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
    ask: put,
  }),

  probeByWrite('next-run.disabled', {
    read(seen, traffic) {
      const { shown } = seen
      if (!isDone(seen) || shown.enabled !== false || !isRunning(seen)) return undefined
      if (typeof shown.nextRunDate === 'number') return 'computed'
      if (shown.nextRunDate === undefined) return 'absent'
      return traffic.settingOf('response.nulls') === 'omit' ? 'null' : undefined
    },
    ask: put,
  }),

  probe({
    id: 'next-run.lag',
    writes: true,
    conclude({ schedules }) {
      const enabled = schedules.filter((seen) => isDone(seen) && seen.shown.enabled === true && isRunning(seen))
      const present = enabled.filter(({ shown }) => typeof shown.nextRunDate === 'number')
      if (present.length < enabled.length)
        return open('nextRunDate is not there at once, and calibration does not wait for it')
      return agree(present.map(({ exchange }) => ({ value: 'at-once' as const, exchange })))
    },
    ask: (questioner) => put(questioner, { schedule: { enabled: true } }),
  }),
]

/** Whether it has all that a run needs, and no end. */
function isRunning({ shown }: ScheduleSeen): boolean {
  return ruleOf({ timezone: 'UTC', ...shown }) !== undefined && !has(shown, 'expirationDate')
}
