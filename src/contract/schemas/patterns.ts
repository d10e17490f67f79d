import { remembering } from '../../base/cache.ts'
import { walk } from '../load/document-structure.ts'
import { toRe2, Unsupported } from './re2-syntax.ts'
import { asObject, isObject } from '../../base/formats/json.ts'
import type { RE2JS } from 're2js'

/** A regular expression of a contract. */
export interface Pattern {
  readonly source: string
  test(text: string): boolean
  /** Differs where the pattern does. */
  toString(): string
  /** Why it cannot be run in time that grows with the length of the text alone; undefined when it can. */
  readonly whySlow?: string | undefined
}

/**
 * A pattern of a contract, to be run in linear time: a text that a request brings must not hold the event loop, as `^(a+)+$` would.
 * Texts are read by their code points.
 *
 * @throws SyntaxError for what is no regular expression
 */
export function linearPattern(source: string): Pattern {
  return patternOf(source)
}

/** Patterns mean the same in all contracts. */
const patternOf = remembering(1000, createPattern)

function createPattern(source: string): Pattern {
  const native = compilePattern(source)
  if (!native) throw new SyntaxError(`no regular expression: ${source}`)
  if (isHarmless(source)) return native
  try {
    const linear = loadRe2().compile(toRe2(native.source, native.unicode))
    return { source: native.source, test: (text) => linear.test(text), toString: () => `${String(native)} linear` }
  } catch (error) {
    return Object.assign(native, { whySlow: error instanceof Unsupported ? error.message : 'it repeats too often' })
  }
}

/**
 * Says which patterns of a document cannot be run in linear time.
 *
 * @example 'the pattern "^(?!x)" of /components/schemas/Name may take very long on some texts, because it looks ahead or back. …'
 */
export function slowPatterns(document: unknown): string[] {
  const slow = new Map<string, string>()
  walk(document, (kind, schema, pointer) => {
    if (kind !== 'schema' || !isObject(schema)) return
    const { pattern, patternProperties } = schema
    for (const source of [pattern, ...Object.keys(asObject(patternProperties))]) {
      if (typeof source !== 'string' || slow.has(source)) continue
      const { whySlow } = linearPattern(source)
      if (whySlow !== undefined)
        slow.set(source, `the pattern ${JSON.stringify(source)} of ${pointer} ${MAY_BE_SLOW} ${whySlow}. ${REMEDY}`)
    }
  })
  return [...slow.values()]
}

const MAY_BE_SLOW = 'may take very long on some texts, because'
const REMEDY = 'Rewrite it without that to have it run in linear time.'

const CHARACTER = String.raw`(?:[^\\^$.*+?()[\]{}|]|\.|\\[dDwWsS.*+?()[\]{}|^$/\\-]|\\[pP]\{\w+\}|\[\^?(?:[^\]\\]|\\.)+\])`
const FEW = String.raw`(?:\{\d\})?`
const REPEATED = String.raw`(?:[*+?]|\{\d+(?:,\d*)?\})`

/**
 * From the beginning of the text, characters of which at most one is repeated a number of times that may vary, and at most a few
 * after it: there is little to go back to. Most patterns of contracts are like this, such as `^[A-Z]{2}-\d{4}$`.
 */
const HARMLESS = new RegExp(
  String.raw`^\^(?:${CHARACTER}(?:\{\d+\})?)*(?:${CHARACTER}${REPEATED})?(?:${CHARACTER}${FEW}){0,40}\$?$`,
)

function isHarmless(source: string): boolean {
  return source.length <= 200 && HARMLESS.test(source)
}

/** The engine is loaded with the first pattern that needs it, for most contracts have none. `scripts/build.ts` puts it beside the bundle. */
function loadRe2(): typeof RE2JS {
  const { createRequire } = process.getBuiltinModule('node:module')
  return (createRequire(import.meta.url)('re2js') as { readonly RE2JS: typeof RE2JS }).RE2JS
}

/**
 * Compiles a pattern by the rules for Unicode, or by the older ones if these refuse it, as they do `\_`. The older ones would read
 * `\A` as a letter, which in other languages is the start of the text.
 */
export function compilePattern(pattern: string): RegExp | undefined {
  for (const flags of ['u', '']) {
    try {
      return new RegExp(flags === 'u' ? pattern : withAnchors(pattern), flags)
    } catch {
      // The next flags.
    }
  }
  return undefined
}

/** Replaces the anchors `\A` and `\z` of Perl, Python and Ruby. */
function withAnchors(pattern: string): string {
  const end = /(?<=(?:^|[^\\])(?:\\\\)*)\\[zZ]$/
  return pattern.replace(/^\\A/, '^').replace(end, '$')
}

/** Longer texts are not made: a value of a million characters is no use to a test, and one of a hundred million exhausts the memory. */
export const LONGEST_TEXT = 100_000

/** Texts of patterns are made character by character. */
export const LONGEST_MATCH = 2000

/** What counts of several alternatives: the shortest, or the longest. */
export type Choose = (lengths: readonly number[]) => number

export const SHORTEST: Choose = (lengths) => Math.min(...lengths)
export const LONGEST: Choose = (lengths) => Math.max(...lengths)

/**
 * The length of the shortest text that a regular expression finds, in characters.
 *
 * @param choose which alternative counts
 * @example leastLength('^(a|bcd){3}$', SHORTEST) === 3
 */
export function leastLength(source: string, choose: Choose): number {
  return readAlternatives({ source, at: 0, choose })
}

interface PatternReading {
  readonly source: string
  at: number
  readonly choose: Choose
}

function readAlternatives(reading: PatternReading): number {
  const lengths = [0]
  for (; reading.at < reading.source.length && reading.source[reading.at] !== ')';) {
    if (reading.source[reading.at] === '|') {
      reading.at++
      lengths.push(0)
      continue
    }
    const one = readAtom(reading)
    const last = lengths.length - 1
    lengths[last] = (lengths[last] ?? 0) + one * readTimes(reading)
  }
  return reading.choose(lengths)
}

/** A character, a class, or a group. */
function readAtom(reading: PatternReading): number {
  const { source, at } = reading
  if (source[at] === '(') {
    const [opening = '('] = /^\((?:\?(?:<?[=!]|<[^>]*>|[^:]*:))?/.exec(source.slice(at, at + 100)) ?? []
    reading.at += opening.length
    const inner = readAlternatives(reading)
    reading.at++
    return /[=!]$/.test(opening) ? 0 : inner
  }
  const token = /\[(?:[^\]\\]|\\.)*\]|\\(?:[pPu]\{[^}]*\}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[A-Za-z]|k<[^>]*>|\d+|.)|./suy
  token.lastIndex = at
  const [text = ''] = token.exec(source) ?? []
  reading.at += Math.max(text.length, 1)
  return /^(?:[\^$]|\\(?:[bB]|k<|[1-9]))/.test(text) && !text.startsWith('[') ? 0 : 1
}

function readTimes(reading: PatternReading): number {
  const [all, sign, least = '1'] = /^(?:([*+?])|\{(\d+)(?:,\d*)?\})\??/.exec(
    reading.source.slice(reading.at, reading.at + 40),
  ) ?? ['']
  reading.at += all.length
  return sign === undefined ? Number(least) : sign === '+' ? 1 : 0
}
