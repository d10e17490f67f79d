import { type Level, put, valueOf, type DocumentContext, set } from './level.ts'
import { chanceKey, draw } from '../../engine/random.ts'
import { plainName } from '../../base/formats/names.ts'

/** How far something has come, by the word for it. */
const PROGRESS: Readonly<Record<string, number>> = {
  ...rank(0, 'draft new created open opened pending placed submitted queued waiting requested unpaid todo'),
  ...rank(2, 'confirmed accepted approved authorized authorised verified assigned scheduled overdue pastdue'),
  ...rank(3, 'paid captured charged'),
  ...rank(4, 'active activated processing progress inprogress running started packed ready published sent live'),
  ...rank(5, 'processed shipped dispatched fulfilled intransit'),
  ...rank(6, 'delivered received'),
  ...rank(7, 'completed complete done finished succeeded success resolved closed settled ended'),
}

/** What ends or undoes something, by how it is spelled. */
const ENDINGS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    'refunded failed rejected declined archived deleted removed expired suspended disabled returned voided blocked locked trashed revoked frozen paused banned'
      .split(' ')
      .map((word) => [word, word]),
  ),
  ban: 'banned',
  block: 'blocked',
  cancel: 'cancelled',
  canceled: 'cancelled',
  cancellation: 'cancelled',
  cancelled: 'cancelled',
  decline: 'declined',
  failure: 'failed',
  freeze: 'frozen',
  lock: 'locked',
  pause: 'paused',
  refund: 'refunded',
  rejection: 'rejected',
  suspension: 'suspended',
  void: 'voided',
}

function rank(value: number, words: string): Record<string, number> {
  return Object.fromEntries(words.split(' ').map((word) => [word, value]))
}

/** What a status, or the name of a date or a flag, says has happened. */
type EventStage = { readonly progress: number } | { readonly ending: string }

export function stageOf(word: string): EventStage | undefined {
  const ending = Object.hasOwn(ENDINGS, word) ? ENDINGS[word] : undefined
  if (ending !== undefined) return { ending }
  const progress = Object.hasOwn(PROGRESS, word) ? PROGRESS[word] : undefined
  return progress === undefined ? undefined : { progress }
}

/** After what has ended so, only what is filed or paid back goes on. */
const FINAL = new Set('cancelled refunded rejected declined expired voided revoked returned deleted removed'.split(' '))
const AFTERWARDS = new Set('archived deleted removed trashed refunded returned'.split(' '))

/**
 * Whether something with the first status can no longer get the second: what is cancelled is not confirmed, what is delivered is not
 * cancelled, and what is shipped is not accepted. Statuses that do not tell rule nothing out.
 */
export function isTooLate(before: string, after: string): boolean {
  const [from, to] = [before, after].map((status) => stageOf(plainName(status)))
  if (!from || !to) return false
  if ('ending' in from) return FINAL.has(from.ending) && !('ending' in to && AFTERWARDS.has(to.ending))
  if ('ending' in to) return to.ending === 'cancelled' && from.progress >= 6
  // Services differ in when something is paid.
  return to.progress !== 3 && from.progress - to.progress >= 3
}

/** The furthest stage before the one that ended something: what was refunded had been paid. */
const BEFORE_ENDING = new Map([
  ['refunded', 3],
  ['returned', 6],
  ['expired', 2],
])

/**
 * Dates such as `cancelled_at`, and flags such as `paid`, say the same as the status. An object without a status is not deleted or
 * cancelled, unless its own flag says so.
 */
export function agreeOnStatus(level: Level): void {
  const status = statusOf(level)
  const events = [...level.names.keys()].flatMap((plain) => {
    const event = eventOf(level, plain)
    return event ? [{ plain, ...event }] : []
  })
  for (const { plain, stage, isFlag } of events) {
    if (!isFlag) continue
    const happened = hasHappened(stage, status)
    if (happened !== undefined && typeof valueOf(level, plain) === 'boolean') put(level, plain, happened)
  }
  const flags = events.filter(({ isFlag, plain }) => isFlag && valueOf(level, plain) !== undefined)
  for (const { plain, stage, word, isFlag } of events) {
    if (isFlag) continue
    const flag = flags.find((one) => one.word === word)
    const happened = flag ? valueOf(level, flag.plain) === true : (hasHappened(stage, status) ?? 'progress' in stage)
    if (!happened) drop(level, plain)
  }
}

/** The status of an object: `status`, `phase`, `state`, or the only member called so, such as `order_status`. */
function statusOf(level: Level): EventStage | undefined {
  return stageOf(statusWord(level))
}

function statusWord(level: Level): string {
  const held = ['status', 'phase', 'state'].find((name) => typeof valueOf(level, name) === 'string')
  const others = [...level.names.keys()].filter((name) => /(status|state)$/.test(name))
  const value = valueOf(level, held ?? (others.length === 1 ? (others[0] ?? '') : ''))
  return typeof value === 'string' ? value.toLowerCase().replaceAll(/[^a-z]/g, '') : ''
}

/** Undefined where the status does not tell. */
function hasHappened(stage: EventStage, status: EventStage | undefined): boolean | undefined {
  if (!status) return undefined
  if ('ending' in stage) return 'ending' in status && status.ending === stage.ending
  // Whatever its status, it was created.
  if (stage.progress === 0) return undefined
  const reached = 'progress' in status ? status.progress : (BEFORE_ENDING.get(status.ending) ?? 0)
  return reached >= stage.progress
}

/** What a member says has happened: a date such as `shipped_at`, or a flag such as `is_paid`. */
function eventOf(level: Level, plain: string) {
  const words = level.words.get(level.names.get(plain) ?? '') ?? []
  const last = words.at(-1) ?? ''
  const isDate = words.length > 1 && /^(at|on|date|time|timestamp|by|reason)$/.test(last)
  const isFlag = !isDate && typeof valueOf(level, plain) === 'boolean'
  const own = isDate ? words.slice(0, -1) : words.filter((word) => !/^(is|was|has|been)$/.test(word))
  const [word = ''] = own
  const stage = own.length === 1 && (isDate || isFlag) ? stageOf(word) : undefined
  return stage && { stage, word: 'ending' in stage ? stage.ending : word, isFlag }
}

/** Removes a member, or makes it null where its schema says so. */
function drop(level: Level, plain: string): void {
  put(level, plain, level.nullable.has(level.names.get(plain) ?? '') ? null : undefined)
}

const LAST_ERROR =
  /^last([a-z]+)?(error|failure|exception)(code|message|reason|details?)?$|^failure(code|message|reason|details?)$/

/** What has not failed, by its status, has no `last_error`; undefined there stands for a member that may be left out. */
export function agreeOnFailure(level: Level): void {
  const status = statusOf(level)
  if (status && 'ending' in status && status.ending === 'failed') return
  for (const plain of level.names.keys()) if (LAST_ERROR.test(plain)) drop(level, plain)
}

/** Whether the status says that something is paid; undefined where it does not tell. */
export function isPaid(level: Level): boolean | undefined {
  const status = statusOf(level)
  return status && hasHappened({ progress: 3 }, status)
}

export function isRefunded(level: Level): boolean {
  const status = statusOf(level)
  return status !== undefined && 'ending' in status && status.ending === 'refunded'
}

const SECOND = 1000
const DAY = 86_400 * SECOND
const YEAR = 365.25 * DAY

/** Documents were created in this time, the first ones first. */
const OLDEST = 330 * DAY
const NEWEST = 30 * DAY

/** When events of one object happen, by a word of their names: earlier stages first. */
const STAGES: ReadonlyMap<string, number> = new Map(
  [
    'born birth birthday birthdate dob',
    'created create creation inserted registered registration joined join signup signed hired hire founded opened open placed ordered order submitted requested issued issue added invoice booked booking since',
    'confirmed verified accepted approved authorized authorised assigned scheduled',
    'paid captured charged payment',
    'started start starts begin begins beginning from activated processed published sent departure departs checkin',
    'packed shipped dispatched fulfilled',
    'delivered received',
    'end ends ended to finish finished completed closed close resolved arrival arrives checkout released',
    'cancelled canceled refunded failed rejected archived deleted removed expired returned suspended disabled revoked',
    'updated update modified modification changed edited last latest seen login synced accessed',
    'expires expire expiry expiration exp due next until through renews renewal deadline eta estimated expected',
  ].flatMap((words, stage) => words.split(' ').map((word): [string, number] => [word, stage])),
)
const DATE_OF_BIRTH = 0
const UPDATED = 9
const FUTURE = 10
/** Dates that their names place nowhere. */
const SOMETIME = 4

/** When an object came to be, and when it last changed: what lies in it happened between. */
export interface ObjectLifetime {
  readonly from: number
  readonly to: number
}

interface DateMember {
  readonly name: string
  readonly stage: number
  readonly isDay: boolean
  write(ms: number): unknown
}

/** The time in which a document and what lies in it was written: those with higher numbers later. */
export function lifetimeOf({ key, index, count, variant, now, isNew }: DocumentContext): ObjectLifetime {
  if (isNew) return { from: now, to: now }
  const chance = draw(chanceKey(key, 'created'), index + variant) / 2 ** 32
  const from = now - NEWEST - ((OLDEST - NEWEST) * (count - index - 1 + chance)) / Math.max(count, 1)
  return { from: Math.floor(from / SECOND) * SECOND, to: now - 2 * DAY }
}

/**
 * The dates of one object are in order: created, started, shipped, ended. It was updated when the last thing happened. Only dates such as
 * `expires_at` and `next_run` lie in the future.
 *
 * @returns the time in which what lies in the object was written
 */
export function agreeOnDates(level: Level, lifetime: ObjectLifetime): ObjectLifetime {
  const { members, context, pointer } = level
  const { key, index, variant, now } = context
  const found = Object.keys(members).flatMap((name) => dateMember(level, name) ?? [])
  const chanceOf = (name: string) => draw(chanceKey(key, `${pointer}/${name}`), index + variant) / 2 ** 32
  const future = /^(overdue|pastdue|expired|lapsed)$/.test(statusWord(level)) ? -DAY : DAY
  for (const { name, stage, write } of found) {
    if (stage === FUTURE) set(level, name, write(now + future * (1 + 28 * chanceOf(name))))
    if (stage !== DATE_OF_BIRTH) continue
    const years = 20 + 50 * chanceOf(name)
    set(level, name, write(now - YEAR * years))
    if (typeof valueOf(level, 'age') === 'number') put(level, 'age', yearsBetween(now - YEAR * years, now))
  }
  const past = found
    .filter(({ stage }) => stage !== DATE_OF_BIRTH && stage !== FUTURE)
    .toSorted((one, other) => one.stage - other.stage)
  const room = (lifetime.to - lifetime.from) / (past.length + 1)
  const next = (at: number, name: string) => at + Math.min(room, DAY) * (0.05 + 0.9 * chanceOf(name))
  let at = lifetime.from
  for (const [order, { name, stage, isDay, write }] of past.entries()) {
    // What has been updated was updated by its last event.
    const isLastEvent = stage === UPDATED && order > 1 && past[order - 1]?.stage !== UPDATED
    if (order > 0 && !isLastEvent) at = next(at, name)
    // A day begins before what happens on it.
    at = Math.min(isDay ? Math.ceil(at / DAY) * DAY : Math.floor(at / SECOND) * SECOND, now)
    set(level, name, write(at))
  }
  return { from: lifetime.from, to: past.length > 1 ? at : lifetime.to }
}

/** Whole years, by the calendar in UTC. */
function yearsBetween(from: number, to: number): number {
  const [born, today] = [new Date(from), new Date(to)]
  const years = today.getUTCFullYear() - born.getUTCFullYear()
  return today.toISOString().slice(5, 10) < born.toISOString().slice(5, 10) ? years - 1 : years
}

function dateMember({ members, words }: Level, name: string): DateMember | undefined {
  const value = members[name]
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  const stages = (words.get(name) ?? []).flatMap((word) => STAGES.get(word) ?? [])
  const write = writerOf(name, value, stages.length > 0)
  const stage = stages.length === 0 ? SOMETIME : Math.max(...stages)
  return write && { name, stage, write, isDay: typeof value === 'string' && value.length === 10 }
}

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/

/** How a date is written; undefined for values that are none. Numbers are dates where their names say so. */
export function writerOf(name: string, value: unknown, isNamed: boolean): DateMember['write'] | undefined {
  if (typeof value === 'string') {
    if (/^\d{4}-\d\d-\d\d$/.test(value)) return (ms) => new Date(ms).toISOString().slice(0, 10)
    const fraction = MOMENT.exec(value)
    if (!fraction) return undefined
    return (ms) =>
      fraction[1] === undefined ? new Date(ms).toISOString().replace(/\.\d+/, '') : new Date(ms).toISOString()
  }
  if (typeof value !== 'number' || !Number.isInteger(value) || !isNamed) return undefined
  const isMoment = /(^|_|[a-z])([aA]t|[dD]ate|[tT]imestamp)$/.test(name) || /^(created|updated|modified)$/.test(name)
  if (!isMoment && value < 1e9) return undefined
  return value > 1e11 ? (ms) => Math.floor(ms) : (ms) => Math.floor(ms / SECOND)
}
