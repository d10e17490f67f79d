import { type Level, put, valueOf } from './level.ts'

/** How far something has come, by the word for it. */
const PROGRESS: Readonly<Record<string, number>> = {
  ...rank(0, 'draft new created open opened pending placed submitted queued waiting requested unpaid todo'),
  ...rank(2, 'confirmed accepted approved authorized authorised verified assigned scheduled'),
  ...rank(3, 'paid captured charged'),
  ...rank(
    4,
    'active activated processing processed progress inprogress running started packed ready published sent live',
  ),
  ...rank(5, 'shipped dispatched fulfilled intransit'),
  ...rank(6, 'delivered received'),
  ...rank(7, 'completed complete done finished succeeded success resolved closed settled ended'),
}

/** What ends or undoes something, by how it is spelled. */
const ENDINGS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    'refunded failed rejected declined archived deleted removed expired suspended disabled returned voided blocked locked trashed revoked'
      .split(' ')
      .map((word) => [word, word]),
  ),
  ...{ cancelled: 'cancelled', canceled: 'cancelled', cancel: 'cancelled', failure: 'failed', void: 'voided' },
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

/** The status of an object: `status`, `state`, or the only member called so, such as `order_status`. */
function statusOf(level: Level): EventStage | undefined {
  const held = ['status', 'state'].find((name) => typeof valueOf(level, name) === 'string')
  const others = [...level.names.keys()].filter((name) => /(status|state)$/.test(name))
  const value = valueOf(level, held ?? (others.length === 1 ? (others[0] ?? '') : ''))
  return typeof value === 'string' ? stageOf(value.toLowerCase().replaceAll(/[^a-z]/g, '')) : undefined
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
  const isDate = words.length > 1 && /^(at|on|date|time|timestamp)$/.test(last)
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
  /^last(error|failure|exception)(code|message|reason|details?)?$|^failure(code|message|reason|details?)$/

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
