import { isObject } from '../formats/json.ts'
import { nearest } from '../errors/wording.ts'
import { shown } from '../errors/problem.ts'
import { hasNumber, partsOf, readWord, type ChoiceSwitch, type Range, type Switch, type ValueKind } from './options.ts'

/** A legal answer, or why there is none: a sentence that goes behind the id of the row. */
export type Reading = { readonly answer: unknown } | { readonly complaint: string }

/**
 * Reads an answer as somebody wrote it, in the behaviour catalogue, a configuration file or on the command line. Numbers may come as text,
 * words that look like numbers as numbers, and lists as text with commas.
 *
 * @param base what an object of parts is laid over; without it every part must be there
 * @example readAnswer({ choice: ['none', 'clamp:N'] }, 'clamp:500') // { answer: 'clamp:500' }
 */
export function readAnswer(form: Switch, written: unknown, base?: unknown): Reading {
  if ('choice' in form) return readChoice(form, written)
  if ('number' in form) return readNumber(form.number, written)
  if ('list' in form) return readList(form.list.of, written)
  if ('value' in form) return readValue(form.value, written)
  return readParts(partsOf(form), written, base)
}

function readChoice(form: ChoiceSwitch, written: unknown): Reading {
  const word = typeof written === 'number' || written === null ? String(written) : written
  if (typeof word === 'string') {
    for (const pattern of form.choice) {
      const answer = readWord(word, pattern)
      if (answer !== undefined) return { answer }
    }
  }
  const key = form.orObjectWith
  if (key !== undefined && isObject(word) && Object.keys(word).join() === key) return { answer: word }
  return { complaint: `${notAnAnswer(word, form.choice)} ${allowed(form)}` }
}

function readNumber(range: Range, written: unknown): Reading {
  const number = typeof written === 'string' && /^\d+$/.test(written) ? Number(written) : written
  if (Number.isSafeInteger(number) && Number(number) >= range.min && Number(number) <= range.max)
    return { answer: number }
  return { complaint: `${notAnAnswer(written)} ${allowed({ number: range })}` }
}

function readList(known: readonly string[], written: unknown): Reading {
  const items: unknown = typeof written === 'string' ? written.split(',').map((item) => item.trim()) : written
  if (!Array.isArray(items) || items.length === 0)
    return { complaint: `${notAnAnswer(written)} ${allowed({ list: { of: known } })}` }
  const wrong = items.filter((item: unknown) => !known.some((one) => one === item))
  if (wrong.length > 0)
    return {
      complaint: `${wrong.map((item) => notAnAnswer(item, known)).join(' ')} ${allowed({ list: { of: known } })}`,
    }
  const twice = known.find((one) => items.indexOf(one) !== items.lastIndexOf(one))
  return twice === undefined ? { answer: items } : { complaint: `\`${twice}\` stands twice. Remove one.` }
}

function readValue(kind: ValueKind, written: unknown): Reading {
  const value = kind === 'boolean' && (written === 'true' || written === 'false') ? written === 'true' : written
  const fits = {
    boolean: typeof value === 'boolean',
    'time-zone': isTimeZone(value),
    recipients: areRecipients(value),
    text: typeof value === 'string' && value !== '' && value.length <= LONGEST_TEXT,
  }
  return fits[kind] ? { answer: value } : { complaint: `${notAnAnswer(written)} ${allowed({ value: kind })}` }
}

function readParts(parts: Readonly<Record<string, Switch>>, written: unknown, base: unknown): Reading {
  if (!isObject(written)) return readOnePart(parts, written, base)
  const names = Object.keys(parts)
  const complaints = Object.keys(written)
    .filter((name) => !names.includes(name))
    .map((name) => `${notAnAnswer(name, names)} The parts are ${names.join(', ')}.`)
  const answer: Record<string, unknown> = {}
  for (const [name, part] of Object.entries(parts)) {
    if (Object.hasOwn(written, name)) {
      const reading = readAnswer(part, written[name])
      if ('answer' in reading) answer[name] = reading.answer
      else complaints.push(`${name}: ${reading.complaint}`)
    } else if (isObject(base)) answer[name] = base[name]
    else complaints.push(`${name} is missing.`)
  }
  return complaints.length === 0 ? { answer } : { complaint: complaints.join(' ') }
}

/** What only one of the parts allows stands for that part: `title.text=trim`. */
function readOnePart(parts: Readonly<Record<string, Switch>>, written: unknown, base: unknown): Reading {
  const fitting = Object.entries(parts).flatMap(([name, part]) => {
    const reading = readAnswer(part, written)
    return 'answer' in reading ? [[name, reading.answer] as const] : []
  })
  if (isObject(base) && fitting.length === 1) return { answer: { ...base, ...Object.fromEntries(fitting) } }
  return { complaint: `${notAnAnswer(written)} ${allowed({ parts })}` }
}

/** What a switch allows, as a sentence for error messages. */
function allowed(form: Switch): string {
  return `Allowed: ${allowedWords(form)}.`
}

function allowedWords(form: Switch): string {
  if ('choice' in form) {
    const hasTime = form.choice.some((word) => /\bP\b/.test(word))
    const number = hasTime
      ? ' (P stands for seconds or an ISO 8601 duration such as PT30S)'
      : form.choice.some(hasNumber)
        ? ' (a capital stands for a whole number from 1)'
        : ''
    const object = form.orObjectWith === undefined ? '' : `, or an object with \`${form.orObjectWith}\``
    return form.choice.join(', ') + number + object
  }
  if ('number' in form) return `a whole number from ${form.number.min} to ${form.number.max}`
  if ('list' in form) return `at least one of ${form.list.of.join(', ')}`
  if ('value' in form) return valueWords[form.value]
  const parts = Object.entries(partsOf(form)).map(([name, part]) => `${name} (${allowedWords(part)})`)
  return `an object with ${parts.join(', ')}`
}

const LONGEST_TEXT = 200

const valueWords: Readonly<Record<ValueKind, string>> = {
  boolean: 'true, false',
  'time-zone': 'the name of a time zone, such as UTC or Europe/Paris',
  text: `a text of 1 to ${LONGEST_TEXT} characters`,
  recipients: 'a list of objects with `type` (EMAIL, USER or GROUP) and `value`',
}

/** The beginning of a complaint: what was written and, when one of `known` is near, what was probably meant. */
export function notAnAnswer(written: unknown, known: readonly string[] = []): string {
  const text = typeof written === 'string' ? written.slice(0, 80) : shown(written)
  const meant = nearest(text, known)
  return `\`${text}\` is not allowed here${meant === undefined ? '.' : `: did you mean \`${meant}\`?`}`
}

/** The names alone: Intl knows offsets such as `+02:00` as well, and does not mind case. */
function isTimeZone(value: unknown): boolean {
  // The default is asked for at every start, and the engine's tables of zones are slow to open.
  if (value === 'UTC') return true
  if (typeof value !== 'string' || !/^(UTC|GMT|[A-Z]\w+(\/[\w+-]+)+)$/.test(value)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: value })
    return true
  } catch {
    return false
  }
}

function areRecipients(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.every(
      (one) =>
        isObject(one) &&
        Object.keys(one).sort().join() === 'type,value' &&
        ['EMAIL', 'USER', 'GROUP'].some((type) => type === one.type) &&
        typeof one.value === 'string',
    )
  )
}
