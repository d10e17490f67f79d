import { isObject } from '../formats/json.ts'

/**
 * A switch: what a behaviours may be answered with. It has the same shape in memory as in `spec/behaviours.yaml`,
 * so the control API and the docs show what stands in the file.
 */

/** Both bounds are allowed values. */
export interface Range {
  readonly min: number
  readonly max: number
}

/**
 * One of the words; a single capital in a word stands for a whole number from 1 (`clamp:N`, `N per S`), and `P` for a time:
 * seconds or an ISO 8601 duration.
 */
export interface ChoiceSwitch {
  readonly choice: readonly string[]
  /** The one key of an object that is an answer as well, whatever the value under it (`error.body` has `template`). */
  readonly orObjectWith?: string
}

/** Each name with a switch of its own; the answer is an object with an answer under each name. */
export interface PartsSwitch {
  readonly parts: Readonly<Record<string, Switch>>
}

const valueKinds = ['boolean', 'time-zone', 'recipients', 'text'] as const
export type ValueKind = (typeof valueKinds)[number]

export type Switch =
  | ChoiceSwitch
  | { readonly number: Range }
  | { readonly numbers: Readonly<Record<string, Range>> }
  | { readonly list: { readonly of: readonly string[] } }
  | { readonly value: ValueKind }
  | PartsSwitch

/** The parts of a switch that has several: `numbers` is short for parts that are all numbers. */
export function partsOf(form: PartsSwitch | { readonly numbers: Readonly<Record<string, Range>> }) {
  return 'parts' in form
    ? form.parts
    : Object.fromEntries(Object.entries(form.numbers).map(([name, number]) => [name, { number }]))
}

/**
 * A word that fits a pattern, with a whole number from 1 in the place of each single capital; undefined when it does not fit. A
 * time is given back in seconds.
 *
 * @example readWord('null for PT1M', 'null for P') // 'null for 60'
 */
export function readWord(word: string, pattern: string): string | undefined {
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

/** Whether a word of a choice has a place for a number. */
export function hasNumber(pattern: string): boolean {
  return /\b[A-Z]\b/.test(pattern)
}

/** What is wrong with a switch as it is written in the behaviour catalogue, or undefined when nothing is. */
export function switchComplaint(written: unknown): string | undefined {
  const allowed = `options are exactly one of ${Object.keys(checks).join(', ')}`
  if (!isObject(written)) return allowed
  const [form, ...more] = Object.keys(written).filter((key) => key !== 'orObjectWith')
  const check = form === undefined ? undefined : checks[form]
  if (form === undefined || check === undefined || more.length > 0) return allowed
  if ('orObjectWith' in written && (form !== 'choice' || typeof written.orObjectWith !== 'string'))
    return '`orObjectWith` is the name of a key, beside a choice'
  return check(written[form])
}

const checks: Readonly<Record<string, (body: unknown) => string | undefined>> = {
  choice: (body) =>
    areWords(body) && body.length > 1 && body.every((word) => /^[\w:-]+( [\w:-]+)*$/.test(word))
      ? undefined
      : 'a choice is a list of two or more different words, made of letters, digits, `:`, `-` and single spaces',
  number: (body) => (isRange(body) ? undefined : 'a number has whole `min` and `max`, and min is not above max'),
  numbers: (body) =>
    isObject(body) && Object.values(body).every(isRange)
      ? undefined
      : 'numbers are names with a `min` and a `max` each',
  list: (body) =>
    isObject(body) && areWords(body.of) && body.of.length > 1
      ? undefined
      : 'a list has two or more known items under `of`, each once',
  parts: (body) =>
    isObject(body)
      ? Object.values(body)
          .map(switchComplaint)
          .find((complaint) => complaint !== undefined)
      : 'parts are names with options each',
  value: (body) =>
    valueKinds.some((kind) => kind === body) ? undefined : `a value is one of ${valueKinds.join(', ')}`,
}

function areWords(body: unknown): body is string[] {
  return (
    Array.isArray(body) &&
    body.length > 0 &&
    body.every((word) => typeof word === 'string' && word !== '') &&
    new Set(body).size === body.length
  )
}

function isRange(body: unknown): body is Range {
  if (!isObject(body)) return false
  const { min, max } = body
  return Number.isSafeInteger(min) && Number.isSafeInteger(max) && Number(min) <= Number(max)
}
