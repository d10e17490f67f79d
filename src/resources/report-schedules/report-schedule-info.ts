import { counted } from '../../base/errors/wording.ts'
import {
  asObject,
  coerceBoolean,
  coerceInteger,
  coerceText,
  type Integer,
  isObject,
  mapElements,
  mapMembers,
  type Members,
} from '../../base/formats/json.ts'
import type { BehaviourId, BehaviourSettings } from '../../../types/behaviour-settings.d.ts'
import type { BehaviourTracker } from '../../behaviours/tracker.ts'
import type { Adaptation } from '../adaptation.ts'
import { refusal } from '../handler.ts'
import type { Violation } from '../../base/errors/problem.ts'
import type { AddedMembers, ScheduleSettings } from './report-schedule.ts'
import { addedMembers, DATES, readSettings, type SettingsReading } from './schedule-settings.ts'

/** The body of a create or an update as read. Fields that were not sent are absent. */
export interface ReportScheduleInfo {
  readonly title?: string
  readonly pageId?: Integer
  readonly viewId?: Integer
  readonly attachmentInclude?: boolean
  readonly schedule?: ScheduleSettings
  /** Other members that the user's contract names, as sent. */
  readonly added?: AddedMembers
}

interface FieldRule {
  /** `body.types: coerce` */
  readonly coerce?: (value: unknown) => unknown
  /** For the message of a required field that is missing. */
  readonly expected: string | ((settings: BehaviourSettings) => string)
}

/** @example inWords(['WEEKLY', 'MONTHLY']) // 'WEEKLY or MONTHLY' */
function inWords(values: readonly string[]): string {
  return new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(values)
}

const FIELDS: Readonly<Record<string, FieldRule>> = {
  title: { coerce: coerceText, expected: 'a title that is not blank' },
  pageId: { coerce: coerceInteger, expected: 'the id of a page' },
  viewId: { coerce: coerceInteger, expected: 'the id of a view' },
  schedule: { expected: 'an object with frequency, daysToRun, hourOfDay and minOfHour' },
  attachmentInclude: { coerce: coerceBoolean, expected: 'true or false' },
}

/** The fields of `schedule`. */
const SETTINGS: Readonly<Record<string, FieldRule>> = {
  frequency: { coerce: coerceText, expected: (settings) => inWords(settings['frequency.values']) },
  daysToRun: { coerce: coerceText, expected: 'a weekday such as MON, or a day of the month such as 15' },
  hourOfDay: { coerce: coerceInteger, expected: 'an hour from 0 to 23' },
  minOfHour: { coerce: coerceInteger, expected: 'a minute from 0 to 59' },
  timezone: { coerce: coerceText, expected: 'a time zone such as Europe/London' },
  enabled: { coerce: coerceBoolean, expected: 'true or false' },
  additionalRecipients: { expected: 'an array of { type, value }' },
}

const RECIPIENT: Readonly<Record<string, FieldRule>> = {
  type: { coerce: coerceText, expected: '' },
  value: { coerce: coerceText, expected: '' },
}

const COERCIONS = new Map(
  Object.entries({ ...FIELDS, ...SETTINGS, ...RECIPIENT }).map(([name, { coerce }]) => [name, coerce]),
)
const FIELD_NAMES = Object.keys(FIELDS)
const SETTING_NAMES = Object.keys(SETTINGS)

/** Applies `body.null`, `body.types: coerce` and `recipient.id: lenient`. */
export function normalizeReportScheduleInfo(
  body: unknown,
  tracker: BehaviourTracker,
  adaptation?: Adaptation,
): unknown {
  if (!isObject(body)) return body
  const { settings } = tracker
  const cleared = new Set<string>()
  const coerce = createCoercion(tracker, adaptation)
  const normalize = (members: Members, { at, nullable, change }: NormalizedObject) =>
    mapMembers(members, (value, name) => {
      if (value !== null || nullable?.has(name) === true) return change(value, name)
      tracker.note('body.null')
      // The contract refuses null.
      if (settings['body.null'] === 'error') return value
      if (settings['body.null'] === 'clear') cleared.add(`${at}/${name}`)
      return undefined
    })
  const recipient = (one: Members) => {
    const isId = (name: string, value: unknown) =>
      name === 'value' && typeof value !== 'string' && one.type !== 'EMAIL' && tracker.ask('recipient.id') === 'lenient'
    const change = (value: unknown, name: string) => (isId(name, value) ? coerceText(value) : coerce(value, name))
    return normalize(one, { at: '/recipient', change })
  }
  const setting = (value: unknown, name: string) =>
    name === 'additionalRecipients' ? mapElements(value, recipient) : coerce(value, name)
  const field = (value: unknown, name: string) =>
    name === 'schedule' && isObject(value)
      ? normalize(value, { at: '/schedule', nullable: adaptation?.added['/schedule'], change: setting })
      : coerce(value, name)
  const normalized = normalize(body, { at: '', nullable: adaptation?.added[''], change: field })
  if (cleared.size > 0) clearedFields.set(normalized, cleared)
  return normalized
}

/** `body.types: coerce` */
function createCoercion(tracker: BehaviourTracker, adaptation: Adaptation | undefined) {
  const { settings } = tracker
  const coercionOf = (name: string) => {
    const isDate = (DATES as readonly string[]).includes(name) && settings['schedule.dates'] === 'honour'
    return isDate && !adaptation?.added['/schedule']?.has(name) ? coerceInteger : COERCIONS.get(name)
  }
  return (value: unknown, name: string) => {
    if (settings['body.types'] !== 'coerce') return value
    const coerced = coercionOf(name)?.(value) ?? value
    if (coerced !== value) tracker.note('body.types')
    return coerced
  }
}

/** How the members of one object of the body are normalized. */
interface NormalizedObject {
  readonly at: string
  /** Members that the user's contract names; it may allow null. */
  readonly nullable?: ReadonlySet<string> | undefined
  readonly change: (value: unknown, name: string) => unknown
}

/** By normalized body: JSON pointers of the fields that null clears (`body.null: clear`). */
const clearedFields = new WeakMap<object, ReadonlySet<string>>()

const NOTHING: ReadonlySet<string> = new Set()

/** JSON pointers of the fields that the request clears with null. */
export function clearedOf(body: unknown): ReadonlySet<string> {
  return (typeof body === 'object' && body ? clearedFields.get(body) : undefined) ?? NOTHING
}

/** What a body says, and what it does not. */
export interface ReadInfo {
  readonly info: ReportScheduleInfo
  readonly violations: Violation[]
  readonly omitsField: boolean
  /** Whether it has a schedule that leaves out any setting. */
  readonly omitsSetting: boolean
  readonly cleared: ReadonlySet<string>
}

/** JSON pointers of fields that a behaviour requires. */
export interface Required {
  readonly pointers: readonly string[]
  readonly behaviour: BehaviourId
}

type InfoReading = SettingsReading & { readonly required: readonly Required[] }

/** Reads a normalized body. The contract refuses fields of the wrong type. */
export function readReportScheduleInfo(
  body: unknown,
  tracker: BehaviourTracker,
  options: Omit<InfoReading, 'tracker' | 'refuse'>,
): ReadInfo {
  const violations: Violation[] = []
  const refuse: InfoReading['refuse'] = (behaviour, pointer, ...rest) =>
    void violations.push(refusal(behaviour, { pointer }, ...rest))
  const reading: InfoReading = { ...options, tracker, refuse }
  const members = asObject(body)
  const schedule = isObject(members.schedule) ? members.schedule : undefined
  requireFields(members, schedule, reading)
  const { attachmentInclude } = members
  const info = {
    title: readTitle(members.title, reading),
    pageId: readId(members.pageId, '/pageId', reading),
    viewId: readId(members.viewId, '/viewId', reading),
    attachmentInclude: typeof attachmentInclude === 'boolean' ? attachmentInclude : undefined,
    schedule: schedule && readSettings(schedule, reading),
    added: addedMembers(members, options.adaptation?.added['']),
  }
  const omitsSetting = schedule !== undefined && SETTING_NAMES.some((name) => !(name in schedule))
  const omitsField = omitsSetting || FIELD_NAMES.some((name) => !(name in members))
  return { info: withoutUndefined(info), violations, omitsField, omitsSetting, cleared: clearedOf(members) }
}

function requireFields(
  members: Members,
  schedule: Members | undefined,
  { required, adaptation, tracker, refuse }: InfoReading,
): void {
  for (const { pointers, behaviour } of required) {
    const whole = behaviour === 'update.schedule' ? '; a schedule that is sent replaces the stored one whole' : ''
    for (const pointer of pointers) {
      const name = pointer.slice(pointer.lastIndexOf('/') + 1)
      const [holder, fields] = pointer.startsWith('/schedule/') ? [schedule, SETTINGS] : [members, FIELDS]
      // A setting is not missed where there is no schedule.
      if (!holder || name in holder || adaptation?.names(pointer) === false) continue
      tracker.note(behaviour)
      const { expected = 'a value' } = fields[name] ?? {}
      refuse(behaviour, pointer, `${typeof expected === 'string' ? expected : expected(tracker.settings)}${whole}`)
    }
  }
}

/** `title.text` counts code points. */
function readTitle(title: unknown, { tracker, refuse }: InfoReading): string | undefined {
  if (typeof title !== 'string') return undefined
  const { spaces, characters } = tracker.settings['title.text']
  const trimmed = title.trim()
  if (trimmed === '') {
    tracker.note('create.required')
    refuse('create.required', '/title', 'a title that is not blank', title)
  } else if (trimmed !== title) tracker.note('title.text')
  const text = spaces === 'trim' ? trimmed : title
  const length = text.length > characters ? Array.from(text).length : 0
  if (length > characters) refuse('title.text', '/title', `at most ${counted(characters, 'character')}`, length)
  return text
}

const LARGEST = 2n ** 63n - 1n

/** Integers beyond 2^53 are bigints, also those written as `1e18`, so that no digit is lost. */
function readId(sent: unknown, pointer: string, { tracker, refuse }: InfoReading): Integer | undefined {
  if (typeof sent !== 'bigint' && !Number.isInteger(sent)) return undefined
  const value = Number.isSafeInteger(sent) ? (sent as number) : BigInt(sent as Integer)
  if (typeof value === 'bigint') {
    tracker.note('body.int64')
    const isLong = value > LARGEST || value < -LARGEST - 1n
    if (tracker.settings['body.int64'] === 'safe53')
      refuse('body.int64', pointer, 'an integer of at most 2^53 - 1', value)
    else if (isLong) refuse('body.int64', pointer, 'an integer of at most 2^63 - 1', value)
  }
  if (value <= 0 && tracker.ask('body.ids') === 'error') refuse('body.ids', pointer, 'a positive integer', value)
  return value
}

type WithoutUndefined<T> = { [Name in keyof T]?: Exclude<T[Name], undefined> }

export function withoutUndefined<T extends object>(members: T): WithoutUndefined<T> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as WithoutUndefined<T>
}
