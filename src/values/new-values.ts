import { chanceKey, draw, randomUuid } from '../engine/random.ts'
import { stageOf } from './consistency/events.ts'
import type { MergedSchema } from './merge-schema.ts'
import { linearPattern } from '../contract/schemas/patterns.ts'
import { plainName, wordsOf } from '../base/formats/names.ts'

/**
 * The value of an enumeration that something new has, by its words: `pending` rather than `cancelled`. The first of several.
 *
 * @param later how many stages later a value comes than its words say
 */
export function firstStatus<Value>(values: readonly Value[], later: (value: Value) => number = () => 0) {
  const stages = values.map((value) => (typeof value === 'string' ? stageOfStatus(value) : UNKNOWN) + later(value))
  return values[stages.indexOf(Math.min(...stages))]
}

/** A status that no word tells about comes after those of something alive, and before those that are the end of it. */
const UNKNOWN = 4.5
const ENDED = 8

/** Of several early statuses, the earliest: a ticket is new before it is open, and an invoice a draft before it is pending. */
const EARLIEST = /^(draft|new|created|initial|initiali[sz]ed|registered|placed|submitted|requested)$/
const EARLY =
  /^(available|free|idle|incomplete|init|initiated|invited|inqueue|enqueued|outstanding|planned|unread)$|^not.+ed$|^(in|under)review$|^(?!.*attention)(pending|requires?|requiring|awaits?|awaiting|waiting|needs?)/
/** `pending_submission`: what is not even sent. */
const UNSENT = /^pending(submi|creat|plac|request|regist)/
/** What takes a while and then is there. */
const BEGINNING =
  /^(creat|provision|start|initiali[sz]|build|install|launch|validat|prepar|upload|import|convert|(en|trans)cod|generat|render|load|connect|deploy|analy[sz]|verify|scann?|sync|index)ing$/
const ALIVE = /^(enabled|online|ok|healthy|normal|valid|visible|public|default|standard|medium|regular|none)$/
const OVER =
  /^(in|un|not)(active|available|delivered|healthy|valid)$|(fail(ed|ure|ing)?|error|errored|denied|refused|aborted|stopped|terminated|timeout|timedout|overdue|pastdue|uncollectible|dead|lost|offline|hidden|attention|unknown|unspecified|deleting|stopping|warning)$/

function stageOfStatus(value: string): number {
  const words = wordsOf(value)
  const plain = words.join('')
  if (EARLIEST.test(plain)) return 0
  if (UNSENT.test(plain)) return -0.5
  if (EARLY.test(plain)) return 0.5
  if (BEGINNING.test(plain)) return 1
  if (ALIVE.test(plain)) return 4
  if (OVER.test(plain)) return ENDED
  const [, undone] = /^(?:un|not)(.+)$/.exec(plain) ?? []
  if (undone !== undefined && stageOf(undone)) return 0.5
  // `JOB_STATE_PENDING`
  const stage = stageOf(plain) ?? stageOf(words.at(-1) ?? '')
  if (!stage) return UNKNOWN
  return 'ending' in stage ? ENDED : Math.max(stage.progress, 0.5)
}

/** Whether the words of a value say how far something has come. */
export function isKnownStatus(value: unknown): boolean {
  return typeof value === 'string' && stageOfStatus(value) !== UNKNOWN
}

const IS_ON =
  /(enabled|active|activated|valid|visible|open|public|allowed|supported|online|current|unread|success|ok|(?<!dis|en)able)$/

/** Nothing has happened to something new, so a flag such as `paid` or `archived` is false; one such as `enabled` or `can_edit` is true. */
export function newBoolean(name: string): boolean {
  return IS_ON.test(plainName(name)) || /^(can|allows?|accepts?)$/.test(wordsOf(name)[0] ?? '')
}

/** Whether a flag says that something has happened, as `is_completed` and `archived` do: nothing has to something new. */
export function tellsEvent(name: string): boolean {
  const stage = stageOf(plainName(name).replace(/^(is|has|was)(been)?(?=.{3})/, ''))
  return stage !== undefined && ('ending' in stage || stage.progress > 0)
}

const COUNTED =
  /(count|views|likes|votes|comments|replies|followers|following|downloads|forks|stars|stargazers|watchers|clicks|impressions|uses|attempts|retries|visits|posts|plays|shares|reactions|subscribers|progress|score|karma|balance)$/
const MOVED = /^(amount|total|sum)?(refunded|paid|captured|received|used|spent|redeemed)(amount|total)?$/

/** Whether a number of a new item is 0: nothing was counted yet, and no money has moved. */
export function isNothingYet(name: string): boolean {
  const plain = plainName(name)
  return COUNTED.test(plain) || MOVED.test(plain) || /^(num|number_?of)[_A-Z]/.test(name)
}

/** Whether a member holds the id of the object that has it, which no other one has. @param owner the name of the object's schema */
export function isOwnId(name: string, owner: string): boolean {
  const plain = plainName(name)
  return /^(id|uuid|guid|gid|sid|nodeid)$/.test(plain) || (owner !== '' && plain === `${plainName(owner)}id`)
}

/** An id like an example: digits for digits and letters for letters, with the same prefix. A word, such as `laptop`, stays. */
export function idLike(example: unknown, { pattern, minimum, maximum }: MergedSchema, key: number): unknown {
  const isNumber = typeof example === 'number' && Number.isSafeInteger(example) && example > 0
  if (!isNumber && (typeof example !== 'string' || !/\d|[A-Z]/.test(example))) return example
  const text = String(example)
  if (UUID.test(text)) return randomUuid(draw(key, 0), draw(key, 1), draw(key, 2), draw(key, 3))
  const [prefix = ''] = /^[a-zA-Z]{1,8}[_-]/.exec(text) ?? []
  let at = 0
  const made = text.slice(prefix.length).replaceAll(/[a-zA-Z\d]/g, (sign) => {
    const chance = draw(chanceKey(key, 'id'), at++)
    if (sign <= '9') return at === 1 ? String(1 + (chance % 9)) : String(chance % 10)
    // Hexadecimal digits stay such.
    const count = /^[\da-f-]+$/i.test(text) ? 6 : 26
    return String.fromCharCode((sign < 'a' ? 65 : 97) + (chance % count))
  })
  if (isNumber) {
    const number = Number(made)
    return number >= Number(minimum ?? 0) && number <= Number(maximum ?? Infinity) ? number : example
  }
  const fits = typeof pattern === 'string' ? linearPattern(pattern) : undefined
  return fits && !fits.test(prefix + made) ? example : prefix + made
}

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/** The last words of names of numbers that people give things: `number`, `orderNo`, `booking_reference`. */
const NUMBER_WORDS = new Set([
  'number',
  'no',
  'reference',
  'ref',
  'sku',
  'serial',
  'code',
  'barcode',
  'invoice',
  'identifier',
])
const NUMBERED = /^[A-Za-z]{1,6}[-_/]?(?:\d{2,4}[-_/])?\d{2,}$/

/** Another number such as `SO-10001` or `INV-2026-0042`, which no two items share; undefined for other texts. */
export function numberLike(
  name: string,
  example: unknown,
  { key, pattern }: { readonly key: number; readonly pattern: unknown },
): string | undefined {
  if (typeof example !== 'string' || !NUMBERED.test(example) || !NUMBER_WORDS.has(wordsOf(name).at(-1) ?? ''))
    return undefined
  const drawn = (_: string, at: number) => String(at === 0 ? 1 + (draw(key, at) % 9) : draw(key, at) % 10)
  const made = example.replace(/\d+$/, (digits) => Array.from(digits, drawn).join(''))
  return typeof pattern === 'string' && !linearPattern(pattern).test(made) ? undefined : made
}

const SIGNS = 'abcdefghijklmnopqrstuvwxyz0123456789'

/** Another id with the prefix and the length of one such as `cus_4QFhkJ2o` or `12345`; undefined for one of another style. */
export function codeLike(example: string, key: number): string | undefined {
  if (/^[1-9]\d{3,18}$/.test(example))
    return Array.from(example, (_, at) => String(at === 0 ? 1 + (draw(key, at) % 9) : draw(key, at) % 10)).join('')
  const [, prefix, rest = ''] = /^([a-z]{1,10}[_-])([A-Za-z0-9]{3,64})$/.exec(example) ?? []
  // A short text without a digit may be a word: `dark-mode`.
  if (prefix === undefined || (rest.length < 6 && !/\d/.test(rest))) return undefined
  return prefix + Array.from(rest, (_, at) => SIGNS[draw(key, at) % SIGNS.length]).join('')
}

/** Another id than the example, which the first element of a list has; undefined for other values, and where the example stays. */
export function anotherId(
  example: unknown,
  { format, pattern }: MergedSchema,
  { pointer, name }: { readonly pointer: string; readonly name: string },
  key: number,
): string | number | undefined {
  const order = Number(/\/(\d{1,4})\/[^/]+$/.exec(pointer)?.[1] ?? 0)
  if (order === 0 || !/^(.*_)?id$/i.test(name) || pattern !== undefined) return undefined
  if (typeof example === 'number') return example + order
  return typeof example === 'string' && format === undefined ? codeLike(example, key) : undefined
}
