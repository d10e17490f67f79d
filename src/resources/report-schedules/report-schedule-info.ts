import { counted } from '../../errors/counted.ts'
import { type Integer, isObject } from '../../formats/json.ts'
import type { BehaviourId } from '../../behaviours/settings.ts'
import type { BehaviourTracker } from '../../behaviours/tracker.ts'
import type { Adaptation } from '../adaptation.ts'
import { refusal } from '../handler.ts'
import { readRecipients } from './recipients.ts'
import { DATES, readDates } from './schedule-dates.ts'
import { oneOf } from '../../errors/nearest.ts'
import {
  coerceBoolean,
  coerceInteger,
  coerceText,
  mapElements,
  mapMembers,
  type Members,
  withoutNulls,
} from '../normalize-body.ts'
import type { Violation } from '../../errors/problem.ts'
import { decodeMonthDays, decodeWeekdays } from './calendar/days-to-run.ts'
import type { Added, ScheduleSettings } from './calendar/report-schedule.ts'
import type { KnownIds } from '../../engine/known-ids.ts'
import { canonicalTimeZone, isAlias, isTimeZone } from './calendar/time-zone.ts'

/** interface.md 2.4 as it was meant; parts that were not sent are undefined. */
export interface ReportScheduleInfo {
  readonly title?: string
  readonly pageId?: Integer
  readonly viewId?: Integer
  readonly attachmentInclude?: boolean
  readonly schedule?: ScheduleSettings
  /** What else a contract of the user's own names, as it was sent. */
  readonly added?: Added
}

/** The rows that ask for parts: JSON pointers, and who says that they must be there. */
export interface Required {
  readonly pointers: readonly string[]
  readonly row: BehaviourId
}

/** Mends a ReportScheduleInfo: `body.null`, `body.types: coerce`, and ids of recipients that are numbers. */
export function normalizeReportScheduleInfo(body: unknown, tracker: BehaviourTracker, follows?: Adaptation): unknown {
  if (!isObject(body)) return body
  const coerces = tracker.answers['body.types'] === 'coerce'
  const isDate = (name: string) =>
    tracker.answers['schedule.dates'] === 'honour' &&
    (DATES as readonly string[]).includes(name) &&
    !follows?.settings.has(name)
  const isInteger = (name: string) => INTEGERS.has(name) || isDate(name)
  const coerce = (value: unknown, name: string): unknown => {
    if (!coerces) return value
    const change = isInteger(name) ? coerceInteger : BOOLEANS.has(name) ? coerceBoolean : coerceText
    const coerced = change === coerceText && !TEXTS.has(name) ? value : change(value)
    if (coerced !== value) tracker.note('body.types')
    return coerced
  }
  const cleared: string[] = []
  const withoutUnset = (members: Members, at: string, kept?: ReadonlySet<string>) => {
    const rule = tracker.answers['body.null']
    if (rule === 'absent') return withoutNulls(members, tracker, kept)
    const nulls = Object.keys(members).filter((name) => members[name] === null && kept?.has(name) !== true)
    if (nulls.length > 0) tracker.note('body.null')
    // Null that is an error is left to the contract, which knows no null here.
    if (rule === 'error') return members
    cleared.push(...nulls.map((name) => `${at}/${name}`))
    return withoutNulls(members, tracker, kept)
  }
  const softenRecipient = (recipient: Members) =>
    mapMembers(withoutUnset(recipient, '/recipient'), (value, name) => {
      if (name !== 'value' || typeof value === 'string' || recipient.type === 'EMAIL') return coerce(value, name)
      return tracker.ask('recipient.id') === 'lenient' ? coerceText(value) : coerce(value, name)
    })
  const softenSchedule = (schedule: Members) =>
    mapMembers(withoutUnset(schedule, '/schedule', follows?.settings), (value, name) =>
      name === 'additionalRecipients' ? mapElements(value, softenRecipient) : coerce(value, name),
    )
  const soft = mapMembers(withoutUnset(body, '', follows?.members), (value, name) =>
    name === 'schedule' && isObject(value) ? softenSchedule(value) : coerce(value, name),
  )
  if (cleared.length > 0) clearedParts.set(soft, new Set(cleared))
  return soft
}

/** By softened body: JSON pointers of what was null where null empties (`body.null: clear`). */
const clearedParts = new WeakMap<object, ReadonlySet<string>>()

/** The parts of a softened body that were null and are to be emptied. */
export function clearedOf(body: unknown): ReadonlySet<string> {
  return (isObject(body) ? clearedParts.get(body) : undefined) ?? NOTHING
}

const NOTHING: ReadonlySet<string> = new Set()

const INTEGERS = new Set(['pageId', 'viewId', 'hourOfDay', 'minOfHour'])
const BOOLEANS = new Set(['attachmentInclude', 'enabled'])
const TEXTS = new Set(['title', 'frequency', 'daysToRun', 'timezone', 'type', 'value'])

interface Reading {
  /** Ids that fixtures list; undefined for what is no request, and may name any. */
  readonly knownIds?: KnownIds | undefined
  readonly required: readonly Required[]
  readonly base?: ScheduleSettings | undefined
  readonly follows?: Adaptation | undefined
}

/**
 * Reads a ReportScheduleInfo that was softened. `base` are the settings that a schedule sent in part is laid over, and `required`
 * what must be there. Parts of the wrong type are left to the contract.
 */
export function readReportScheduleInfo(
  body: unknown,
  tracker: BehaviourTracker,
  { required, base, follows, knownIds }: Reading,
): { info: ReportScheduleInfo; violations: Violation[] } {
  const violations: Violation[] = []
  const members = isObject(body) ? body : {}
  for (const { pointers, row } of required)
    for (const pointer of pointers)
      if (!follows || follows.names(pointer)) requirePart(members, pointer, row, tracker, violations)
  const { title, attachmentInclude, schedule } = members
  if (typeof title === 'string' && title.trim() === '') {
    tracker.note('create.required')
    violations.push(refusal('create.required', { pointer: '/title' }, 'a title that is not blank', title))
  }
  const text = typeof title === 'string' ? readTitle(title, tracker, violations) : undefined
  const pageId = readId(members.pageId, '/pageId', tracker, violations)
  const viewId = readId(members.viewId, '/viewId', tracker, violations)
  const settings = isObject(schedule)
    ? readSettings(schedule, { base, follows, knownIds }, tracker, violations)
    : undefined
  const added = addedOf(members, follows?.members)
  return {
    info: {
      ...(text === undefined ? {} : { title: text }),
      ...(pageId === undefined ? {} : { pageId }),
      ...(viewId === undefined ? {} : { viewId }),
      ...(typeof attachmentInclude === 'boolean' ? { attachmentInclude } : {}),
      ...(settings ? { schedule: settings } : {}),
      ...(added ? { added } : {}),
    },
    violations,
  }
}

/** `title.text`; characters are code points. */
function readTitle(title: string, tracker: BehaviourTracker, violations: Violation[]): string {
  const { spaces, characters } = tracker.answers['title.text']
  const trimmed = title.trim()
  if (trimmed !== title && trimmed !== '') tracker.note('title.text')
  const text = spaces === 'trim' ? trimmed : title
  const length = text.length > characters ? Array.from(text).length : 0
  if (length > characters)
    violations.push(refusal('title.text', { pointer: '/title' }, `at most ${counted(characters, 'character')}`, length))
  return text
}

/** Whether a part is not there that could be: what lies below a part that is missing itself is not asked for twice. */
function isLeftOut(members: Members, pointer: string): boolean {
  const [, name = '', inner] = PARTS.get(pointer) ?? pointer.split('/')
  const holder = inner === undefined ? members : members[name]
  return isObject(holder) && !((inner ?? name) in holder)
}

/** Whether a softened body leaves anything out; with `/schedule/` anything of the schedule that it holds. */
export function leavesOut(body: unknown, below = '/'): boolean {
  if (!isObject(body)) return false
  for (const part of PARTS.keys()) if (part.startsWith(below) && isLeftOut(body, part)) return true
  return false
}

function requirePart(
  members: Members,
  pointer: string,
  row: BehaviourId,
  tracker: BehaviourTracker,
  violations: Violation[],
): void {
  if (!isLeftOut(members, pointer)) return
  tracker.note(row)
  const whole = row === 'update.schedule' ? '; a schedule that is sent replaces the stored one whole' : ''
  violations.push(refusal(row, { pointer }, `${EXPECTED[pointer] ?? 'a value'}${whole}`))
}

/** Every part that there is, and what is expected there. */
const EXPECTED: Readonly<Record<string, string>> = {
  '/title': 'a title that is not blank',
  '/pageId': 'the id of a page',
  '/viewId': 'the id of a view',
  '/schedule': 'an object with frequency, daysToRun, hourOfDay and minOfHour',
  '/schedule/frequency': 'WEEKLY or MONTHLY',
  '/schedule/daysToRun': 'a weekday such as MON, or a day of the month such as 15',
  '/schedule/hourOfDay': 'an hour from 0 to 23',
  '/schedule/minOfHour': 'a minute from 0 to 59',
  '/schedule/timezone': 'a time zone such as Europe/London',
  '/schedule/enabled': 'true or false',
  '/schedule/additionalRecipients': 'an array of { type, value }',
  '/attachmentInclude': 'true or false',
}

/** The same pointers, taken apart once: each request looks for each of them. */
const PARTS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.keys(EXPECTED).map((pointer) => [pointer, pointer.split('/')]),
)

const LARGEST = 2n ** 63n - 1n

/** An integer beyond 2^53 is a bigint, whether it came as digits or as `1e18`, so that it is written and compared exactly. */
function readId(
  sent: unknown,
  pointer: string,
  tracker: BehaviourTracker,
  violations: Violation[],
): Integer | undefined {
  if (typeof sent !== 'bigint' && !Number.isInteger(sent)) return undefined
  const value = Number.isSafeInteger(sent) ? (sent as number) : BigInt(sent as Integer)
  const refuse = (row: BehaviourId, expected: string) =>
    void violations.push(refusal(row, { pointer }, expected, value))
  if (typeof value === 'bigint') {
    tracker.note('body.int64')
    const isLong = value > LARGEST || value < -LARGEST - 1n
    if (tracker.answers['body.int64'] === 'safe53') refuse('body.int64', 'an integer of at most 2^53 - 1')
    else if (isLong) refuse('body.int64', 'an integer of at most 2^63 - 1')
  }
  if (value <= 0 && tracker.ask('body.ids') === 'error') refuse('body.ids', 'a positive integer')
  return value
}

/** A schedule replaces the stored one unless the behaviour catalogue merges them. */
function readSettings(
  schedule: Members,
  { base, follows, knownIds }: Pick<Reading, 'base' | 'follows' | 'knownIds'>,
  tracker: BehaviourTracker,
  violations: Violation[],
): ScheduleSettings {
  const refuse = (...args: Parameters<typeof refusal>) => void violations.push(refusal(...args))
  const { answers } = tracker
  const defaults = answers['create.defaults']
  const part = <Name extends keyof ScheduleSettings>(name: Name, type: 'string' | 'number' | 'boolean') => {
    const value = name in schedule ? schedule[name] : base?.[name]
    return typeof value === type ? (value as ScheduleSettings[Name]) : undefined
  }
  const frequency = part('frequency', 'string')
  const daysToRun = part('daysToRun', 'string')
  if (frequency !== undefined) {
    const known: readonly string[] = answers['frequency.values']
    if (!known.includes(frequency))
      refuse('frequency.values', { pointer: '/schedule/frequency' }, oneOf(known, frequency), frequency)
    else if (frequency === 'DAILY') tracker.note('frequency.values')
    if (daysToRun !== undefined) checkDays(frequency, daysToRun, tracker, violations)
  }
  checkRange('hourOfDay', schedule.hourOfDay, 23, violations)
  checkRange('minOfHour', schedule.minOfHour, 59, violations)
  const recipients =
    'additionalRecipients' in schedule
      ? readRecipients(schedule.additionalRecipients, { tracker, violations, knownIds })
      : base?.additionalRecipients
  const added = addedOf(schedule, follows?.settings, base?.added)
  if (!base && !('enabled' in schedule && 'additionalRecipients' in schedule)) tracker.note('create.defaults')
  return {
    frequency,
    daysToRun,
    hourOfDay: part('hourOfDay', 'number'),
    minOfHour: part('minOfHour', 'number'),
    timezone: readZone(part('timezone', 'string'), tracker, violations),
    enabled: part('enabled', 'boolean') ?? defaults.enabled,
    additionalRecipients: recipients ?? defaults.additionalRecipients,
    ...readDates(schedule, { base, named: follows?.settings }, tracker, violations),
    ...(added ? { added } : {}),
  }
}

/** What was sent of the members that a contract of the user's own names, laid over what is there. */
function addedOf(members: Members, names: ReadonlySet<string> | undefined, before?: Added): Added | undefined {
  if (!names) return before
  const sent = Object.entries(members).filter(([name]) => names.has(name))
  return sent.length === 0 ? before : { ...before, ...(Object.fromEntries(sent) as Added) }
}

function checkRange(name: string, value: unknown, most: number, violations: Violation[]): void {
  if (typeof value !== 'number' || (value >= 0 && value <= most)) return
  violations.push(refusal('time.range', { pointer: `/schedule/${name}` }, `an integer from 0 to ${most}`, value))
}

function checkDays(frequency: string, daysToRun: string, tracker: BehaviourTracker, violations: Violation[]): void {
  const { answers } = tracker
  const refuse = (row: BehaviourId, expected: string) =>
    void violations.push(refusal(row, { pointer: '/schedule/daysToRun' }, expected, daysToRun))
  const isList = daysToRun.includes(',')
  if (frequency === 'WEEKLY') {
    const lists = answers['days.weekly'] === 'list'
    const expected = lists ? 'weekdays such as MON,WED' : 'one of SUN, MON, TUE, WED, THU, FRI, SAT'
    const days = decodeWeekdays(daysToRun)
    if (!days) refuse(decodeMonthDays(daysToRun) ? 'days.mismatch' : 'days.weekly', expected)
    else if (isList && !lists) refuse('days.weekly', expected)
    if (isList) tracker.note('days.weekly')
  }
  if (frequency === 'MONTHLY') {
    const rule = answers['days.monthly']
    const most = rule === '28' ? 28 : 31
    const expected =
      rule === 'list' ? 'days of the month such as 1,15' : `a day of the month from 1 to ${most}, without leading zero`
    const days = decodeMonthDays(daysToRun)
    if (!days) refuse(decodeWeekdays(daysToRun) ? 'days.mismatch' : 'days.monthly', expected)
    else if ((isList && rule !== 'list') || days.some((day) => day > most)) refuse('days.monthly', expected)
    if (isList) tracker.note('days.monthly')
  }
}

function readZone(zone: string | undefined, tracker: BehaviourTracker, violations: Violation[]): string {
  if (zone === undefined) return tracker.ask('zone.omitted')
  const refuse = (row: BehaviourId, expected: string) =>
    void violations.push(refusal(row, { pointer: '/schedule/timezone' }, expected, zone))
  if (!isTimeZone(zone, 'any')) {
    if (tracker.ask('zone.invalid') === 'utc') return 'UTC'
    refuse('zone.invalid', 'an IANA time zone in region/city form, such as America/New_York')
    return 'UTC'
  }
  if (!isTimeZone(zone, tracker.answers['zone.short'])) {
    refuse('zone.short', 'a time zone in region/city form, spelt as the IANA database does, or UTC or GMT')
    return 'UTC'
  }
  if (!isTimeZone(zone, 'strict')) tracker.note('zone.short')
  if (!isAlias(zone) || zone === 'GMT') return zone
  const answer = tracker.ask('zone.alias')
  if (answer === 'canonicalise') return canonicalTimeZone(zone)
  if (answer === 'reject') refuse('zone.alias', `the present name of the zone, ${canonicalTimeZone(zone)}`)
  return zone
}
