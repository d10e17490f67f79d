import type { BehaviourTracker } from '../../behaviours/tracker.ts'
import { refusal } from '../handler.ts'
import type { Members } from '../normalize-body.ts'
import { parseInstant } from '../../engine/instant.ts'
import type { Violation } from '../../errors/problem.ts'
import { LAST_INSTANT } from '../../engine/clock.ts'
import type { ScheduleSettings } from './calendar/report-schedule.ts'

/** The members of a schedule that `schedule.dates` is about. */
export const DATES = ['startDate', 'expirationDate'] as const

type Dates = Pick<ScheduleSettings, (typeof DATES)[number]>

interface Reading {
  readonly base?: Dates | undefined
  /** Members of a schedule that a contract of the user's own names: their form is the contract's. */
  readonly named?: ReadonlySet<string> | undefined
}

/** JSON pointers of what behaviours take and the interface does not show. */
export function takenBeyondContract({ answers }: BehaviourTracker): readonly string[] {
  return answers['schedule.dates'] === 'honour' ? DATES.map((name) => `/schedule/${name}`) : []
}

/** The startDate and expirationDate of a schedule; what was not sent is as `base` has it. A contract that names them may allow null. */
export function readDates(
  schedule: Members,
  { base, named }: Reading,
  tracker: BehaviourTracker,
  violations: Violation[],
): Dates {
  const dates: { -readonly [Name in keyof Dates]: Dates[Name] } = {}
  const refuse = (name: string, expected: string, received: unknown) =>
    void violations.push(refusal('schedule.dates', { pointer: `/schedule/${name}` }, expected, received))
  for (const name of DATES) {
    const isHeeded = name in schedule && tracker.ask('schedule.dates') === 'honour'
    const isNamed = named?.has(name) === true
    if (isHeeded && isNamed && schedule[name] === null) continue
    const value = isHeeded ? instantOf(schedule[name], isNamed) : base?.[name]
    if (value !== undefined) dates[name] = value
    else if (isHeeded) refuse(name, EXPECTED, schedule[name])
  }
  const { startDate, expirationDate } = dates
  if (startDate === undefined || expirationDate === undefined || startDate < expirationDate) return dates
  if (DATES.some((name) => name in schedule)) {
    const [name, expected] =
      'startDate' in schedule
        ? (['startDate', `a time before the expirationDate ${expirationDate}`] as const)
        : (['expirationDate', `a time after the startDate ${startDate}`] as const)
    refuse(name, expected, dates[name])
  }
  return dates
}

const EXPECTED = `an integer from 0 to ${LAST_INSTANT}, which is milliseconds since the Unix epoch`

/** Epoch ms; undefined for what is none. Another contract may write an instant as text. */
function instantOf(sent: unknown, mayBeText: boolean): number | undefined {
  const value = mayBeText && typeof sent === 'string' ? parseInstant(sent)?.ms : sent
  return Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= LAST_INSTANT
    ? (value as number)
    : undefined
}
