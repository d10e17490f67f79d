import { isObject } from '../base/formats/json.ts'
import { shown } from '../base/errors/problem.ts'
import { nearest } from '../base/errors/wording.ts'

/** The settings that a behaviour can have, as `spec/behaviours.yaml` and the control API show them. */
export type Options =
  | ChoiceOptions
  | { readonly number: AllowedRange }
  | { readonly numbers: Readonly<Record<string, AllowedRange>> }
  | { readonly list: { readonly of: readonly string[] } }
  | { readonly value: ValueKind }
  | PartsOptions

/**
 * One of the words; a single capital in a word stands for a whole number from 1 (`clamp:N`, `N per S`), and `P` for a time:
 * seconds or an ISO 8601 duration.
 */
interface ChoiceOptions {
  readonly choice: readonly string[]
  /** An object with this one key is allowed too, whatever its value (`error.body` has `template`). */
  readonly orObjectWith?: string
}

/** An object with a setting under each name. */
interface PartsOptions {
  readonly parts: Readonly<Record<string, Options>>
}

export type ValueKind = 'boolean' | 'time-zone' | 'recipients' | 'text'

/** Both bounds are allowed values. */
export interface AllowedRange {
  readonly min: number
  readonly max: number
}

/** An allowed setting, or a sentence that says why there is none. */
export type SettingReading = { readonly setting: unknown } | { readonly complaint: string }

/**
 * Reads a setting as it is written in a configuration file or on the command line. Numbers may come as text, words that look like
 * numbers as numbers, and lists as text with commas.
 *
 * @param base the object that given parts are merged into; without it every part is required
 * @example readSetting({ choice: ['none', 'clamp:N'] }, 'clamp:500') // { setting: 'clamp:500' }
 */
export function readSetting(options: Options, written: unknown, base?: unknown): SettingReading {
  if ('choice' in options) return readChoice(options, written)
  if ('number' in options) return readNumber(options, written)
  if ('list' in options) return readList(options, written)
  if ('value' in options) return readValue(options.value, written)
  return readParts(partsOf(options), written, base)
}

/** `numbers` is short for parts that are all numbers. */
export function partsOf(options: PartsOptions | { readonly numbers: Readonly<Record<string, AllowedRange>> }) {
  return 'parts' in options
    ? options.parts
    : Object.fromEntries(Object.entries(options.numbers).map(([name, number]) => [name, { number }]))
}

/** Whether a word of a choice has a place for a number. */
export function hasNumber(pattern: string): boolean {
  return /\b[A-Z]\b/.test(pattern)
}

function readChoice(options: ChoiceOptions, written: unknown): SettingReading {
  const word = typeof written === 'number' || written === null ? String(written) : written
  const setting =
    typeof word === 'string' ? options.choice.map((pattern) => readWord(word, pattern)).find(Boolean) : undefined
  if (setting !== undefined) return { setting }
  const key = options.orObjectWith
  if (key !== undefined && isObject(word) && Object.keys(word).join() === key) return { setting: word }
  return notAllowed(word, options, options.choice)
}

/** Undefined when the word does not fit the pattern. A time becomes seconds: `null for PT1M` is `null for 60`. */
function readWord(word: string, pattern: string): string | undefined {
  if (!hasNumber(pattern)) return word === pattern ? word : undefined
  const source = pattern.replaceAll(/\b[A-Z]\b/g, (letter) => (letter === 'P' ? TIME : '[1-9]\\d{0,14}'))
  const found = new RegExp(`^${source}$`).exec(word)
  const time = found?.groups?.time
  if (!found || time === undefined) return found?.[0]
  const seconds = secondsOf(time)
  return seconds > 0 ? pattern.replace(/\bP\b/, String(seconds)) : undefined
}

/** Seconds, or a duration without years and months, whose lengths differ. */
const TIME =
  '(?<time>\\d{1,9}(?:\\.\\d{1,3})?(?: seconds?)?|P(?=.)(?:\\d{1,6}W)?(?:\\d{1,6}D)?(?:T(?=.)(?:\\d{1,6}H)?(?:\\d{1,6}M)?(?:\\d{1,9}(?:\\.\\d{1,3})?S)?)?)'

const UNITS = { W: 604_800, D: 86_400, H: 3600, M: 60, S: 1 } as const

function secondsOf(time: string): number {
  if (!time.startsWith('P')) return Number.parseFloat(time)
  const parts = [...time.matchAll(/([\d.]+)([WDHMS])/g)]
  return parts.reduce((sum, [, count, unit]) => sum + Number(count) * UNITS[unit as keyof typeof UNITS], 0)
}

function readNumber(options: { readonly number: AllowedRange }, written: unknown): SettingReading {
  const { min, max } = options.number
  const number = typeof written === 'string' && /^\d+$/.test(written) ? Number(written) : written
  const isAllowed = Number.isSafeInteger(number) && Number(number) >= min && Number(number) <= max
  return isAllowed ? { setting: number } : notAllowed(written, options)
}

function readList(options: { readonly list: { readonly of: readonly string[] } }, written: unknown): SettingReading {
  const known = options.list.of
  const items: unknown = typeof written === 'string' ? written.split(',').map((item) => item.trim()) : written
  if (!Array.isArray(items) || items.length === 0) return notAllowed(written, options)
  const wrong: unknown[] = items.filter((item: unknown) => !known.some((one) => one === item))
  if (wrong.length > 0)
    return { complaint: `${wrong.map((item) => refusalOf(item, known)).join(' ')} Allowed: ${describe(options)}.` }
  const twice = known.find((one) => items.indexOf(one) !== items.lastIndexOf(one))
  return twice === undefined ? { setting: items } : { complaint: `\`${twice}\` stands twice. Remove one.` }
}

function readValue(kind: ValueKind, written: unknown): SettingReading {
  const value = kind === 'boolean' && (written === 'true' || written === 'false') ? written === 'true' : written
  return VALUES[kind].fits(value) ? { setting: value } : notAllowed(written, { value: kind })
}

function readParts(parts: Readonly<Record<string, Options>>, written: unknown, base: unknown): SettingReading {
  if (!isObject(written)) return readOnePart(parts, written, base)
  const names = Object.keys(parts)
  const complaints = Object.keys(written)
    .filter((name) => !names.includes(name))
    .map((name) => `${refusalOf(name, names)} The parts are ${names.join(', ')}.`)
  const setting: Record<string, unknown> = {}
  for (const [name, part] of Object.entries(parts)) {
    if (Object.hasOwn(written, name)) {
      const reading = readSetting(part, written[name])
      if ('setting' in reading) setting[name] = reading.setting
      else complaints.push(`${name}: ${reading.complaint}`)
    } else if (isObject(base)) setting[name] = base[name]
    else complaints.push(`${name} is missing.`)
  }
  return complaints.length === 0 ? { setting } : { complaint: complaints.join(' ') }
}

/** A value that only one of the parts allows is for that part: `title.text=trim`. */
function readOnePart(parts: Readonly<Record<string, Options>>, written: unknown, base: unknown): SettingReading {
  const fitting = Object.entries(parts).flatMap(([name, part]) => {
    const reading = readSetting(part, written)
    return 'setting' in reading ? [[name, reading.setting] as const] : []
  })
  if (isObject(base) && fitting.length === 1) return { setting: { ...base, ...Object.fromEntries(fitting) } }
  return notAllowed(written, { parts })
}

function notAllowed(written: unknown, options: Options, known: readonly string[] = []): SettingReading {
  return { complaint: `${refusalOf(written, known)} Allowed: ${describe(options)}.` }
}

/** The beginning of a complaint, with the one of `known` that was probably meant. */
export function refusalOf(written: unknown, known: readonly string[] = []): string {
  const text = typeof written === 'string' ? written.slice(0, 80) : shown(written)
  const meant = nearest(text, known)
  return `\`${text}\` is not allowed here${meant === undefined ? '.' : `: did you mean \`${meant}\`?`}`
}

function describe(options: Options): string {
  if ('choice' in options) return describeChoice(options)
  if ('number' in options) return `a whole number from ${options.number.min} to ${options.number.max}`
  if ('list' in options) return `at least one of ${options.list.of.join(', ')}`
  if ('value' in options) return VALUES[options.value].words
  const parts = Object.entries(partsOf(options)).map(([name, part]) => `${name} (${describe(part)})`)
  return `an object with ${parts.join(', ')}`
}

function describeChoice({ choice, orObjectWith }: ChoiceOptions): string {
  const number = choice.some((word) => /\bP\b/.test(word))
    ? ' (P stands for seconds or an ISO 8601 duration such as PT30S)'
    : choice.some(hasNumber)
      ? ' (a capital stands for a whole number from 1)'
      : ''
  return choice.join(', ') + number + (orObjectWith === undefined ? '' : `, or an object with \`${orObjectWith}\``)
}

const LONGEST_TEXT = 200

const VALUES: Readonly<Record<ValueKind, { fits: (value: unknown) => boolean; words: string }>> = {
  boolean: { fits: (value) => typeof value === 'boolean', words: 'true, false' },
  'time-zone': { fits: isTimeZone, words: 'the name of a time zone, such as UTC or Europe/Paris' },
  text: {
    fits: (value) => typeof value === 'string' && value !== '' && value.length <= LONGEST_TEXT,
    words: `a text of 1 to ${LONGEST_TEXT} characters`,
  },
  recipients: {
    fits: (value) => Array.isArray(value) && value.every(isRecipient),
    words: 'a list of objects with `type` (EMAIL, USER or GROUP) and `value`',
  },
}

/** Names only: Intl accepts offsets such as `+02:00` as well, and ignores case. */
function isTimeZone(value: unknown): boolean {
  // The default needs no look at Intl, whose tables of zones are slow to open.
  if (value === 'UTC') return true
  if (typeof value !== 'string' || !/^(UTC|GMT|[A-Z]\w+(\/[\w+-]+)+)$/.test(value)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: value })
    return true
  } catch {
    return false
  }
}

function isRecipient(one: unknown): boolean {
  if (!isObject(one) || Object.keys(one).sort().join() !== 'type,value') return false
  return ['EMAIL', 'USER', 'GROUP'].some((type) => type === one.type) && typeof one.value === 'string'
}
