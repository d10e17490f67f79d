/**
 * Translates a regular expression of JavaScript into the syntax of RE2, so that it finds the same. The two differ in what `.` and `\s`
 * stand for, in escapes, and in classes.
 *
 * @param source of a valid expression
 * @param isUnicode whether it is read by the rules of the flag `u`
 * @throws Unsupported for what no engine can run in linear time, and for what RE2 does not have
 * @example toRe2('^\\u0041.$', true) === '^\\x{41}[^\\n\\r\\x{2028}\\x{2029}]$'
 */
export function toRe2(source: string, isUnicode: boolean): string {
  const reading: Re2Reading = { characters: Array.from(source), at: 0, isUnicode }
  let made = ''
  while (reading.at < reading.characters.length) made += readPart(reading)
  return made
}

/** Says what keeps an expression from being run in linear time. */
export class Unsupported extends Error {}

interface Re2Reading {
  readonly characters: readonly string[]
  at: number
  readonly isUnicode: boolean
}

function readPart(reading: Re2Reading): string {
  const character = next(reading)
  if (character === '[') return readClass(reading)
  if (character === '(') return readGroup(reading)
  if (character === '\\') return readEscape(reading)
  return character === '.' ? '[^\\n\\r\\x{2028}\\x{2029}]' : character
}

/** Groups are not read from, so they need no names. */
function readGroup(reading: Re2Reading): string {
  const [, kind, name] = /^(\?(?::|<?[=!]|<([^>]*)>|.))?/su.exec(rest(reading, 200)) ?? []
  if (kind === undefined) return '('
  if (kind.endsWith('=') || kind.endsWith('!')) throw new Unsupported('it looks ahead or back')
  if (name === undefined && kind !== '?:') throw new Unsupported('it changes flags inside')
  reading.at += Array.from(kind).length
  return kind === '?:' ? '(?:' : '('
}

function readEscape(reading: Re2Reading): string {
  const letter = next(reading)
  if (/[1-9k]/.test(letter) && (reading.isUnicode || letter !== 'k')) throw new Unsupported('it refers back to a group')
  if (letter === 'b' || letter === 'B') return `\\${letter}`
  const set = readSet(letter, reading)
  return set === undefined ? written(readEscaped(letter, reading)) : `[${set}]`
}

function readClass(reading: Re2Reading): string {
  const isNot = reading.characters[reading.at] === '^'
  if (isNot) reading.at++
  let made = ''
  while (reading.characters[reading.at] !== ']') {
    const from = readMember(reading)
    const isRange = reading.characters[reading.at] === '-' && reading.characters[reading.at + 1] !== ']'
    if (!isRange || typeof from === 'string') {
      made += typeof from === 'string' ? from : written(from)
      continue
    }
    reading.at++
    const to = readMember(reading)
    made += typeof to === 'string' ? `${written(from)}\\-${to}` : `${written(from)}-${written(to)}`
  }
  reading.at++
  if (made === '') return isNot ? `[${ANY}]` : `[^${ANY}]`
  return `[${isNot ? '^' : ''}${made}]`
}

/** A member of a class: a code point, or the inside of another class. */
function readMember(reading: Re2Reading): number | string {
  const character = next(reading)
  if (character !== '\\') return codeOf(character)
  const letter = next(reading)
  if (letter === 'b') return 8
  return readSet(letter, reading) ?? readEscaped(letter, reading)
}

const ANY = '\\x{0}-\\x{10FFFF}'
const SPACES = '\\t-\\r \\x{A0}\\x{1680}\\x{2000}-\\x{200A}\\x{2028}\\x{2029}\\x{202F}\\x{205F}\\x{3000}\\x{FEFF}'
const NO_SPACES =
  '\\x{0}-\\x{8}\\x{E}-\\x{1F}!-\\x{9F}\\x{A1}-\\x{167F}\\x{1681}-\\x{1FFF}\\x{200B}-\\x{2027}\\x{202A}-\\x{202E}' +
  '\\x{2030}-\\x{205E}\\x{2060}-\\x{2FFF}\\x{3001}-\\x{FEFE}\\x{FF00}-\\x{10FFFF}'

/** The inside of the class that an escape stands for; undefined for an escape that stands for one character. */
function readSet(letter: string, reading: Re2Reading): string | undefined {
  if ('dDwW'.includes(letter)) return `\\${letter}`
  if (letter === 's') return SPACES
  if (letter === 'S') return NO_SPACES
  if (!reading.isUnicode || !/p/i.test(letter)) return undefined
  const [whole = '', name = ''] = /^\{([^}]*)\}/.exec(rest(reading, 100)) ?? []
  reading.at += whole.length
  const category = /^(?:(?:gc|General_Category)=)?([A-Z][a-z]?)$/.exec(name)?.[1]
  const script = /^(?:sc|Script)=([A-Z]\w+)$/.exec(name)?.[1]
  if (category === undefined && script === undefined) throw new Unsupported(`it asks for the property ${name}`)
  return `\\${letter}{${category ?? script ?? ''}}`
}

const CONTROLS: Readonly<Record<string, number>> = { t: 9, n: 10, v: 11, f: 12, r: 13, 0: 0 }

/** The code point of an escape that stands for one character. */
function readEscaped(letter: string, reading: Re2Reading): number {
  const control = CONTROLS[letter]
  if (control !== undefined) return control
  const after = rest(reading, 12)
  const take = (text: string) => void (reading.at += text.length)
  const pair = /^([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})/.exec(after)
  const hex = letter === 'x' ? /^([0-9a-fA-F]{2})/.exec(after) : /^([0-9a-fA-F]{4})/.exec(after)
  const braced = reading.isUnicode ? /^\{([0-9a-fA-F]+)\}/.exec(after) : null
  if (letter === 'u' && reading.isUnicode && pair) {
    take(pair[0])
    return codeOf(String.fromCharCode(parseInt(pair[1] ?? '', 16), parseInt(pair[2] ?? '', 16)))
  }
  const found = letter === 'x' ? hex : letter === 'u' ? (braced ?? hex) : null
  if (found) {
    take(found[0])
    return parseInt(found[1] ?? '', 16)
  }
  if (letter === 'c' && /^[A-Za-z]/.test(after)) return codeOf(next(reading)) % 32
  if (letter === 'c') throw new Unsupported('it has an unknown escape')
  return codeOf(letter)
}

function next(reading: Re2Reading): string {
  return reading.characters[reading.at++] ?? ''
}

function rest({ characters, at }: Re2Reading, most: number): string {
  return characters.slice(at, at + most).join('')
}

function codeOf(character: string): number {
  return character.codePointAt(0) ?? 0
}

function written(code: number): string {
  return /[A-Za-z0-9]/.test(String.fromCodePoint(code)) ? String.fromCodePoint(code) : `\\x{${code.toString(16)}}`
}
