import type { Pattern } from '../contract/schemas/patterns.ts'
import { chanceKey, draw } from '../engine/random.ts'

/**
 * A text of a pattern, found without a library, which takes longer to load than a stand-in to start: for the patterns that services
 * write, such as `^[A-Z]{2}-\d{4}$`. Undefined for others, such as those that look ahead, and where what was found does not fit.
 */
export function unfoldPattern(pattern: Pattern, seed: number, fits: (text: string) => boolean): string | undefined {
  for (let turn = 0; turn < MOST_TURNS; turn++) {
    const reading: Reading = {
      source: pattern.source,
      at: 0,
      key: chanceKey(seed, `pattern ${turn}`),
      draws: 0,
      steps: 0,
      turn,
    }
    const text = readChoice(reading)
    if (text !== undefined && reading.at === reading.source.length && pattern.test(text) && fits(text)) return text
  }
  return undefined
}

/** Each turn repeats what may be repeated once more than the one before. */
const MOST_TURNS = 24

interface Reading {
  readonly source: string
  at: number
  readonly key: number
  draws: number
  steps: number
  readonly turn: number
}

function readChoice(reading: Reading): string | undefined {
  const choices: (string | undefined)[] = [readSequence(reading)]
  while (reading.source[reading.at] === '|') {
    reading.at++
    choices.push(readSequence(reading))
  }
  return choices[drawn(reading, choices.length)]
}

function readSequence(reading: Reading): string | undefined {
  let text = ''
  while (reading.at < reading.source.length && !'|)'.includes(reading.source[reading.at] ?? '')) {
    const start = reading.at
    if (readAtom(reading) === undefined) return undefined
    const count = readCount(reading)
    const end = reading.at
    for (let time = 0; time < count; time++) {
      reading.at = start
      const more = readAtom(reading)
      // Repetitions of repetitions may ask for millions of characters.
      if (more === undefined || ++reading.steps > MOST_STEPS || text.length > LONGEST) return undefined
      text += more
    }
    reading.at = end
  }
  return text
}

/** How often the atom before it is there. */
function readCount(reading: Reading): number {
  const [all = '', sign = '', least = '', comma = '', most = ''] =
    /^(?:([*+?])|\{(\d+)(,?)(\d*)\})?\??/.exec(reading.source.slice(reading.at)) ?? []
  reading.at += all.length
  const few = reading.turn
  if (sign !== '') return sign === '?' ? few % 2 : sign === '+' ? few + 1 : few
  if (least === '') return 1
  const lowest = Number(least)
  const highest = comma === '' ? lowest : most === '' ? Infinity : Number(most)
  return Math.min(lowest + few, highest, LONGEST)
}

const LONGEST = 1000

/** Each turn repeats at most so often, all repetitions counted. */
const MOST_STEPS = 10_000

function readAtom(reading: Reading): string | undefined {
  const { source } = reading
  const sign = source[reading.at++] ?? ''
  if (sign === '^' || sign === '$') return ''
  if (sign === '(') return readGroup(reading)
  if (sign === '[') return readClass(reading)
  if (sign === '\\') return oneOf(reading, escaped(source[reading.at++] ?? ''))
  if (sign === '.') return oneOf(reading, LETTERS)
  return '*+?{'.includes(sign) ? undefined : sign
}

function readGroup(reading: Reading): string | undefined {
  const kind = /^\?(:|<[A-Za-z]\w*>)|^\?/.exec(reading.source.slice(reading.at))
  if (kind?.[0] === '?') return undefined
  reading.at += kind?.[0].length ?? 0
  const text = readChoice(reading)
  return reading.source[reading.at++] === ')' ? text : undefined
}

function readClass(reading: Reading): string | undefined {
  const { source } = reading
  const isNot = source[reading.at] === '^'
  if (isNot) reading.at++
  let allowed = ''
  while (source[reading.at] !== ']') {
    if (reading.at >= source.length) return undefined
    const first = source[reading.at++] ?? ''
    const one = first === '\\' ? escaped(source[reading.at++] ?? '') : first
    const last = source[reading.at] === '-' && one.length === 1 ? (source[reading.at + 1] ?? ']') : ']'
    if (last === ']' || last === '\\') allowed += one
    else {
      allowed += between(one, last)
      reading.at += 2
    }
  }
  reading.at++
  return oneOf(
    reading,
    isNot ? LETTERS.replaceAll(/./g, (letter) => (allowed.includes(letter) ? '' : letter)) : allowed,
  )
}

/** At most a hundred of a range are as good as all of it. */
function between(first: string, last: string): string {
  const count = Math.min(last.charCodeAt(0) - first.charCodeAt(0) + 1, 100)
  return Array.from({ length: Math.max(0, count) }, (_, step) => String.fromCharCode(first.charCodeAt(0) + step)).join(
    '',
  )
}

const DIGITS = '0123456789'
const LETTERS = `abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ${DIGITS}`
const CLASSES: Readonly<Record<string, string>> = { d: DIGITS, w: LETTERS, s: ' ', D: 'abcdef', W: '-', S: LETTERS }

/** The characters of an escape; none for those that stand for a place or a number. */
function escaped(letter: string): string {
  return CLASSES[letter] ?? (/[A-Za-z0-9]/.test(letter) ? '' : letter)
}

function oneOf(reading: Reading, letters: string): string | undefined {
  return letters === '' ? undefined : letters[drawn(reading, letters.length)]
}

function drawn(reading: Reading, count: number): number {
  return count < 2 ? 0 : draw(reading.key, reading.draws++) % count
}
