import type { BehaviourId } from '../../../types/behaviour-settings.d.ts'
import type { BehaviourTracker } from '../../behaviours/tracker.ts'
import { LAST_INSTANT, parseInstant } from '../../base/formats/instant.ts'
import { isKnownId, type KnownIds } from './fixtures.ts'
import type { ExpectedWords } from '../../base/errors/problem.ts'
import { counted } from '../../base/errors/wording.ts'
import { isObject, type Members } from '../../base/formats/json.ts'
import type { Adaptation } from '../adaptation.ts'
import { decodeMonthDays, decodeWeekdays } from './next-run-date.ts'
import { type AddedMembers, type Recipient, recipientKey, type ScheduleSettings } from './report-schedule.ts'
import { canonicalTimeZone, isAlias, isTimeZone, nearestTimeZone } from './time-zone.ts'

/** A body that is being read. Reading goes on after a violation, to report all of them. */
export interface SettingsReading {
  readonly tracker: BehaviourTracker
  /** The settings under those of a schedule that was sent in part. */
  readonly base?: ScheduleSettings | undefined
  readonly adaptation?: Adaptation | undefined
  /** Ids that fixtures list. Absent for what is not a request, which may name any. */
  readonly knownIds?: KnownIds | undefined
  refuse(behaviour: BehaviourId, pointer: string, expected: ExpectedWords, received?: unknown, meant?: string): void
}

/** Reads `schedule`. What was not sent comes from `base`, or else from `create.defaults`. */
export function readSettings(schedule: Members, reading: SettingsReading): ScheduleSettings {
  const { tracker, base, adaptation } = reading
  const defaults = tracker.settings['create.defaults']
  const given = base ? { ...base, ...schedule } : schedule
  const frequency = textOf(given.frequency)
  const daysToRun = textOf(given.daysToRun)
  if (frequency !== undefined) checkFrequency(frequency, daysToRun, reading)
  checkRange('hourOfDay', schedule.hourOfDay, 23, reading)
  checkRange('minOfHour', schedule.minOfHour, 59, reading)
  const recipients =
    'additionalRecipients' in schedule
      ? readRecipients(schedule.additionalRecipients, reading)
      : base?.additionalRecipients
  const added = addedMembers(schedule, adaptation?.added['/schedule'], base?.added)
  if (!base && !('enabled' in schedule && 'additionalRecipients' in schedule)) tracker.note('create.defaults')
  return {
    frequency,
    daysToRun,
    hourOfDay: typeof given.hourOfDay === 'number' ? given.hourOfDay : undefined,
    minOfHour: typeof given.minOfHour === 'number' ? given.minOfHour : undefined,
    timezone: readZone(textOf(given.timezone), reading),
    enabled: typeof given.enabled === 'boolean' ? given.enabled : defaults.enabled,
    additionalRecipients: recipients ?? defaults.additionalRecipients,
    ...readDates(schedule, reading),
    ...(added ? { added } : {}),
  }
}

/** The members that the user's contract names, laid over those of before. */
export function addedMembers(
  members: Members,
  names: ReadonlySet<string> | undefined,
  before?: AddedMembers,
): AddedMembers | undefined {
  if (!names) return before
  const sent = Object.entries(members).filter(([name]) => names.has(name))
  return sent.length === 0 ? before : { ...before, ...(Object.fromEntries(sent) as AddedMembers) }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function checkRange(name: string, value: unknown, most: number, { refuse }: SettingsReading): void {
  if (typeof value !== 'number' || (value >= 0 && value <= most)) return
  refuse('time.range', `/schedule/${name}`, `an integer from 0 to ${most}`, value)
}

function checkFrequency(
  frequency: string,
  daysToRun: string | undefined,
  { tracker: { settings, note }, refuse }: SettingsReading,
): void {
  const known: readonly string[] = settings['frequency.values']
  if (!known.includes(frequency)) refuse('frequency.values', '/schedule/frequency', known, frequency)
  else if (frequency === 'DAILY') note('frequency.values')
  if (daysToRun === undefined || (frequency !== 'WEEKLY' && frequency !== 'MONTHLY')) return
  const [behaviour, decode, decodeOther] =
    frequency === 'WEEKLY'
      ? (['days.weekly', decodeWeekdays, decodeMonthDays] as const)
      : (['days.monthly', decodeMonthDays, decodeWeekdays] as const)
  const allowsList = settings[behaviour] === 'list'
  const most = settings['days.monthly'] === '28' ? 28 : 31
  const expected = {
    'days.weekly': allowsList ? 'weekdays such as MON,WED' : 'one of SUN, MON, TUE, WED, THU, FRI, SAT',
    'days.monthly': allowsList
      ? 'days of the month such as 1,15'
      : `a day of the month from 1 to ${most}, without leading zero`,
  }[behaviour]
  const isList = daysToRun.includes(',')
  const days = decode(daysToRun)
  if (!days) refuse(decodeOther(daysToRun) ? 'days.mismatch' : behaviour, '/schedule/daysToRun', expected, daysToRun)
  else if ((isList && !allowsList) || days.some((day) => day > most))
    refuse(behaviour, '/schedule/daysToRun', expected, daysToRun)
  if (isList) note(behaviour)
}

function readZone(zone: string | undefined, { tracker, refuse }: SettingsReading): string {
  const pointer = '/schedule/timezone'
  if (zone === undefined) return tracker.ask('zone.omitted')
  if (!isTimeZone(zone, 'any')) {
    if (tracker.ask('zone.invalid') === 'error')
      refuse(
        'zone.invalid',
        pointer,
        'an IANA time zone in region/city form, such as America/New_York',
        zone,
        nearestTimeZone(zone),
      )
    return 'UTC'
  }
  if (!isTimeZone(zone, tracker.settings['zone.short'])) {
    const expected = 'a time zone in region/city form, spelt as the IANA database does, or UTC or GMT'
    refuse('zone.short', pointer, expected, zone)
    return 'UTC'
  }
  if (!isTimeZone(zone, 'strict')) tracker.note('zone.short')
  if (!isAlias(zone) || zone === 'GMT') return zone
  const rule = tracker.ask('zone.alias')
  if (rule === 'canonicalise') return canonicalTimeZone(zone)
  if (rule === 'reject') refuse('zone.alias', pointer, `the present name of the zone, ${canonicalTimeZone(zone)}`, zone)
  return zone
}

const RECIPIENTS = '/schedule/additionalRecipients'

/** Undefined for what is not an array. */
function readRecipients(sent: unknown, reading: SettingsReading): readonly Recipient[] | undefined {
  const { tracker, refuse } = reading
  if (!Array.isArray(sent)) return undefined
  const most = tracker.settings['recipient.max']
  if (sent.length > most) {
    refuse('recipient.max', RECIPIENTS, `at most ${counted(most, 'recipient')}`, sent.length)
    return undefined
  }
  const recipients = sent.flatMap((one: unknown, index) => readRecipient(one, `${RECIPIENTS}/${index}`, reading) ?? [])
  return distinct(recipients, reading)
}

function readRecipient(
  one: unknown,
  pointer: string,
  { tracker, knownIds, refuse }: SettingsReading,
): Recipient | undefined {
  if (!isObject(one)) return undefined
  const { type, value } = one
  const known: readonly string[] = tracker.settings['recipient.types']
  if (type !== 'EMAIL') tracker.note('recipient.types')
  if (type === undefined || (typeof type === 'string' && !known.includes(type)))
    refuse('recipient.types', `${pointer}/type`, known, type)
  // The contract refuses values that are not text.
  const isSent = typeof value === 'string'
  if (isSent || value === undefined) {
    if (type === 'EMAIL') {
      const isWrong = !isSent || (!isAddress(value) && tracker.ask('recipient.email') === 'light')
      const expected = `an e-mail address of at most ${LONGEST_ADDRESS} characters, such as jane@example.com`
      if (isWrong) refuse('recipient.email', `${pointer}/value`, expected, value)
    } else if (type === 'USER' || type === 'GROUP') {
      const kind = type.toLowerCase()
      const list = type === 'USER' ? 'users' : 'groups'
      if (!isSent || !/^\d+$/.test(value)) {
        tracker.note('recipient.id')
        refuse('recipient.id', `${pointer}/value`, `the id of a ${kind} in digits`, value)
      } else if (knownIds && tracker.ask('recipients.known') === 'listed' && !isKnownId(knownIds, list, value))
        refuse('recipients.known', `${pointer}/value`, `the id of a ${kind} that a fixture lists under ${list}`, value)
    }
  }
  return typeof type === 'string' && isSent ? { type, value } : undefined
}

const LONGEST_ADDRESS = 254

/** One `@` with text on both sides, no white space, no control characters. One pass without backtracking. */
function isAddress(text: string): boolean {
  const at = text.indexOf('@')
  if (text.length > LONGEST_ADDRESS || at < 1 || at === text.length - 1 || text.includes('@', at + 1)) return false
  return !/[\s\p{Cc}]/u.test(text)
}

function distinct(recipients: readonly Recipient[], { tracker, refuse }: SettingsReading): readonly Recipient[] {
  if (recipients.length < 2) return recipients
  const seen = new Map<string, Recipient>()
  for (const [index, recipient] of recipients.entries()) {
    const key = recipientKey(recipient)
    if (seen.has(key) && tracker.ask('recipient.duplicates') === 'error')
      refuse('recipient.duplicates', `${RECIPIENTS}/${index}`, 'each recipient once', recipient)
    seen.set(key, recipient)
  }
  return tracker.settings['recipient.duplicates'] === 'dedupe' ? [...seen.values()] : recipients
}

/** The settings that `schedule.dates` is about. */
export const DATES = ['startDate', 'expirationDate'] as const

type Dates = Pick<ScheduleSettings, (typeof DATES)[number]>

/** JSON pointers of fields that behaviours accept beyond the contract. */
export function acceptedBeyondContract({ settings }: BehaviourTracker): readonly string[] {
  return settings['schedule.dates'] === 'honour' ? DATES.map((name) => `/schedule/${name}`) : []
}

function readDates(schedule: Members, { tracker, base, adaptation, refuse }: SettingsReading): Dates {
  const dates: { -readonly [Name in keyof Dates]: Dates[Name] } = {}
  for (const name of DATES) {
    const isHonoured = name in schedule && tracker.ask('schedule.dates') === 'honour'
    // The contract of a user that names the date decides on its form, and may allow null.
    const isNamed = adaptation?.added['/schedule']?.has(name) === true
    if (isHonoured && isNamed && schedule[name] === null) continue
    const value = isHonoured ? instantOf(schedule[name], isNamed) : base?.[name]
    if (value !== undefined) dates[name] = value
    else if (isHonoured) refuse('schedule.dates', `/schedule/${name}`, INSTANT, schedule[name])
  }
  const { startDate, expirationDate } = dates
  if (startDate === undefined || expirationDate === undefined || startDate < expirationDate) return dates
  if ('startDate' in schedule)
    refuse('schedule.dates', '/schedule/startDate', `a time before the expirationDate ${expirationDate}`, startDate)
  else if ('expirationDate' in schedule)
    refuse('schedule.dates', '/schedule/expirationDate', `a time after the startDate ${startDate}`, expirationDate)
  return dates
}

const INSTANT = `an integer from 0 to ${LAST_INSTANT}, which is milliseconds since the Unix epoch`

/** Epoch ms; undefined for anything else. */
function instantOf(sent: unknown, mayBeText: boolean): number | undefined {
  const value = mayBeText && typeof sent === 'string' ? parseInstant(sent)?.ms : sent
  const isInstant = Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= LAST_INSTANT
  return isInstant ? (value as number) : undefined
}
