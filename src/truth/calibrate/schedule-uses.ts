import { isObject, type Members, stringifyJson } from '../../base/formats/json.ts'
import { headerOf } from '../recordings/recorded-exchange.ts'
import { decodeMonthDays, decodeWeekdays } from '../../resources/report-schedules/next-run-date.ts'
import { type Uses, when } from './use.ts'
import { type SentSearch, usesOfHeaders } from './uses.ts'
import { isOffset, isZone, presentNameOf } from '../recordings/zones.ts'

/** A create or an update as it was sent. */
export interface SentSchedule extends Pick<SentSearch, 'exchange' | 'key' | 'body'> {
  readonly kind: 'create' | 'update'
  /** Of an update, as it was sent. */
  readonly id: string | undefined
  /** The body; empty when it is no object. */
  readonly fields: Members
  /** `schedule` of the body; empty when it is no object. */
  readonly schedule: Members
}

export const FIELDS = ['title', 'pageId', 'viewId', 'schedule', 'attachmentInclude'] as const

/** What a schedule runs by. */
export const RULE = ['frequency', 'daysToRun', 'hourOfDay', 'minOfHour'] as const
export const SETTINGS = [...RULE, 'timezone', 'enabled', 'additionalRecipients'] as const
export const DATES = ['startDate', 'expirationDate'] as const

/**
 * The same as `findUses`, for creates and updates. What depends on the schedule that is stored has its id in the detail; where the
 * settings of a schedule are sent in part, so that it is unknown what they were combined with, the detail is used once only.
 */
export function findScheduleUses(sent: SentSchedule, path: string, query: string): ReadonlySet<string> {
  return new Set([
    `key:${sent.key ?? ''}`,
    ...when(!/^\/api\/content\/v1\/reportschedules(\/[^/]+)?$/.test(path) && !path.includes('%'), 'http.path'),
    ...when(path.includes('%'), 'http.encoding'),
    ...when(query !== '', 'http.unknown-query'),
    ...usesOfHeaders(sent),
    ...usesOfMatch(sent),
    ...usesOfBody(sent),
    ...(sent.kind === 'create' ? usesOfCreate(sent) : usesOfUpdate(sent)),
    ...usesOfFields(sent.fields),
    ...usesOfSettings(sent.schedule),
    ...recipientUses(sent.schedule.additionalRecipients),
  ])
}

/** What a schedule that was created stands for in later updates of it. */
export function usesOfStored(sent: SentSchedule, id: unknown): Uses {
  return typeof id === 'number' || typeof id === 'bigint' ? usesOfTarget(sent, String(id)) : []
}

function usesOfMatch({ exchange: { request } }: SentSchedule): Uses {
  const match = headerOf(request.headers, 'if-match')
  return match === undefined ? [] : [`update.concurrent:${match}`]
}

function usesOfBody({ exchange: { request }, body }: SentSchedule): Uses {
  const size = Buffer.byteLength(request.body ?? '')
  if (size === 0) return ['http.empty-body']
  return isObject(body) ? when(size > SMALL, `size:${size}`) : ['http.json']
}

/** Any service takes bodies of this size. */
const SMALL = 1024

function isMissing(values: Members, name: string): boolean {
  return values[name] === undefined || values[name] === null
}

function usesOfCreate({ fields, schedule }: SentSchedule): Uses {
  return [
    ...when('id' in fields, 'body.unknown:id'),
    ...FIELDS.filter((name) => isMissing(fields, name)).map((name) => `create.required:/${name}`),
    ...(isObject(fields.schedule) ? SETTINGS : [])
      .filter((name) => isMissing(schedule, name))
      .map((name) => `create.required:/schedule/${name}`),
  ]
}

function usesOfUpdate(sent: SentSchedule): Uses {
  const { id = '', body, fields, schedule, exchange } = sent
  const omitted = isObject(fields.schedule) ? RULE.filter((name) => isMissing(schedule, name)) : []
  const isSplit = isMissing(schedule, 'frequency') !== isMissing(schedule, 'daysToRun')
  return [
    ...usesOfTarget(sent, id),
    ...when(!/^(0|[1-9]\d{0,17})$/.test(id), `update.id-form:${id}`),
    ...when(isObject(body) && Object.keys(body).length === 0, 'update.empty'),
    ...('id' in fields ? ['body.unknown:id', `update.body-id:${String(fields.id) === id ? 'same' : 'other'}`] : []),
    ...FIELDS.filter((name) => isMissing(fields, name)).map((name) => `update.omitted:${name}`),
    ...omitted.map((name) => `update.schedule:${name}`),
    ...when(omitted.length > 0 && isSplit, `update.schedule:in part, ${exchange.at} ${exchange.source}`),
  ]
}

function usesOfTarget({ key, fields }: SentSchedule, id: string): Uses {
  return [
    `update.unknown-id:${id}`,
    `schedule.owner:${id} ${key ?? ''}`,
    ...LINKS.filter((name) => !isMissing(fields, name)).map(
      (name) => `update.links:${id} ${name}=${shown(fields[name])}`,
    ),
  ]
}

export const LINKS = ['pageId', 'viewId'] as const

/** As text, of a length that a set can hold. */
function shown(value: unknown): string {
  return stringifyJson(value).slice(0, 80)
}

const isText = (value: unknown) => typeof value === 'string'
const isInteger = (value: unknown) => typeof value === 'bigint' || Number.isInteger(value)
const isFlag = (value: unknown) => typeof value === 'boolean'

const TYPES: Readonly<Record<string, (value: unknown) => boolean>> = {
  ...{ title: isText, frequency: isText, daysToRun: isText, timezone: isText },
  ...{ pageId: isInteger, viewId: isInteger, hourOfDay: isInteger, minOfHour: isInteger },
  ...{ attachmentInclude: isFlag, enabled: isFlag, schedule: isObject },
  additionalRecipients: (value) => Array.isArray(value) && value.every(isObject),
}

/** Members that are null, of a wrong type, or unknown. */
function usesOfMembers(values: Members, known: readonly string[], at: string): Uses {
  return Object.entries(values).flatMap(([name, value]) => {
    if (!known.includes(name)) return ['body.unknown']
    if (value === null) return [`body.null:${at}/${name}`]
    return when(TYPES[name]?.(value) === false, `body.types:${at}/${name}=${shown(value)}`)
  })
}

function usesOfFields(fields: Members): Uses {
  return [
    ...usesOfMembers(fields, [...FIELDS, 'id'], ''),
    ...(typeof fields.title === 'string' ? usesOfTitle(fields.title) : []),
    ...LINKS.flatMap((name) => usesOfLink(name, fields[name])),
  ]
}

/** Of a title that a service may trim, both lengths. */
function usesOfTitle(title: string): Uses {
  const [trimmed, whole] = [title.trim(), title].map((text) => Array.from(text).length)
  if (trimmed === undefined || whole === undefined || trimmed === 0) return ['title.text:blank']
  return [`title.text:${trimmed}`, ...when(trimmed !== whole, `title.text:with spaces ${whole}`)]
}

function usesOfLink(name: string, id: unknown): Uses {
  if (typeof id !== 'bigint' && !Number.isInteger(id)) return []
  return [
    `links.exist:${name}=${String(id)}`,
    ...when((id as number) <= 0, `body.ids:${name}=${String(id)}`),
    ...when(!Number.isSafeInteger(id), `body.int64:${name}=${String(id)}`),
  ]
}

function usesOfSettings(schedule: Members): Uses {
  const { frequency, daysToRun, hourOfDay, minOfHour, timezone } = schedule
  const dates = DATES.filter((name) => name in schedule)
  return [
    ...usesOfMembers(schedule, [...SETTINGS, ...DATES], '/schedule'),
    ...dates.map((name) => `schedule.dates:${name}=${shown(schedule[name])}`),
    ...(typeof frequency === 'string' ? [`frequency.values:${frequency}`] : []),
    ...(typeof frequency === 'string' && typeof daysToRun === 'string' ? usesOfDays(frequency, daysToRun) : []),
    ...when(isBeyond(hourOfDay, 23), `time.range:hourOfDay=${String(hourOfDay)}`),
    ...when(isBeyond(minOfHour, 59), `time.range:minOfHour=${String(minOfHour)}`),
    ...(typeof timezone === 'string' ? usesOfZone(timezone) : []),
  ]
}

function isBeyond(value: unknown, most: number): boolean {
  return typeof value === 'number' && (value < 0 || value > most)
}

function usesOfDays(frequency: string, days: string): Uses {
  const id = { WEEKLY: 'days.weekly', MONTHLY: 'days.monthly' }[frequency]
  if (id === undefined) return []
  const [own, other] = frequency === 'WEEKLY' ? [decodeWeekdays, decodeMonthDays] : [decodeMonthDays, decodeWeekdays]
  if (other(days)) return [`days.mismatch:${frequency} ${days}`]
  const all = own(days)
  if (!all) return [`${id}:${days}`]
  return [
    ...when(days.includes(','), `${id}:list`),
    ...all.filter((day) => frequency === 'MONTHLY' && day > 28).map((day) => `${id}:${day}`),
  ]
}

/** `UTC` is the one zone that no setting refuses. */
function usesOfZone(zone: string): Uses {
  if (zone === 'UTC') return []
  if (isOffset(zone)) return [`zone.short:${zone}`]
  if (!isZone(zone)) return [`zone.invalid:${zone}`]
  const present = presentNameOf(zone)
  const isShort = !zone.includes('/') && zone !== 'GMT'
  return [
    `zone.invalid:${present ?? zone}`,
    ...when(isShort, `zone.short:${zone}`),
    ...when(present !== zone, `zone.alias:${zone}`),
  ]
}

/** What recipients have that a service may refuse. */
function recipientUses(recipients: unknown): Uses {
  if (!Array.isArray(recipients) || recipients.length === 0) return []
  const keys = recipients.map((one: unknown) => (isObject(one) ? `${String(one.type)} ${String(one.value)}` : ''))
  return [
    `recipient.max:${recipients.length}`,
    ...when(new Set(keys).size < keys.length, 'recipient.duplicates'),
    ...new Set(recipients.filter(isObject).flatMap(usesOfRecipient)),
  ]
}

function usesOfRecipient(recipient: Readonly<Record<string, unknown>>): Uses {
  const { type, value, ...others } = recipient
  const text = typeof value === 'number' || typeof value === 'string' ? String(value) : ''
  const isKnownBy = type === 'USER' || type === 'GROUP'
  return [
    ...when(Object.keys(others).length > 0, 'body.unknown'),
    ...when(type === null || value === null, 'body.null:/recipient'),
    ...when(typeof type !== 'string' || (typeof value !== 'string' && !isKnownBy), 'body.types:recipient'),
    ...when(typeof type === 'string', `recipient.types:${String(type)}`),
    ...when(type === 'EMAIL' && !isAddress(text), `recipient.email:${text.slice(0, 80)}`),
    ...when(isKnownBy && typeof value !== 'string', 'recipient.id:number'),
    ...when(isKnownBy && !/^\d+$/.test(text), `recipient.id:${text.slice(0, 80)}`),
    ...when(isKnownBy, `recipients.known:${String(type)} ${text.slice(0, 80)}`),
  ]
}

/** A text that every service reads as an e-mail address. */
function isAddress(text: string): boolean {
  return /^[a-z0-9][a-z0-9.-]{0,60}@[a-z0-9-]{1,60}(\.[a-z0-9-]{1,60})+$/i.test(text)
}
