import { ANY, type Atom, RUN } from './automaton.ts'
import { foldCodePoint } from '../store/code-points.ts'
import { atomsOf, type LikeRule } from './like.ts'

/** How a LIKE is read, whatever its patterns: `contains, case folded, % and _ wild`. */
export function describeLikeRule({ shape, case: letters, wildcards }: LikeRule): string {
  return [SHAPES[shape], CASES[letters], WILDCARDS[wildcards]].join(', ')
}

const SHAPES = { contains: 'contains', anchored: 'the whole text', prefix: 'begins with' } as const
const CASES = { insensitive: 'case folded', sensitive: 'case counts' } as const
const WILDCARDS = { sql: '% and _ wild', literal: '% and _ as they are' } as const

/**
 * What a text must be to be like a pattern, read from the very atoms that it is tested by.
 *
 * @example describeLike('50\\%_', { shape: 'contains', case: 'insensitive', wildcards: 'sql' })
 *   // 'any text, "50%", any one character, any text'
 */
export function describeLike(pattern: string, rule: LikeRule): string {
  const normal = rule.case === 'insensitive' ? foldCodePoint : (codePoint: number) => codePoint
  const parts: string[] = []
  let literal = ''
  const finish = () => {
    if (literal !== '') parts.push(JSON.stringify(literal))
    literal = ''
  }
  let before: Atom | undefined
  for (const atom of atomsOf(pattern, rule, normal)) {
    if (atom === ANY || atom === RUN) {
      finish()
      if (atom === ANY || before !== RUN) parts.push(atom === ANY ? 'any one character' : 'any text')
    } else literal += String.fromCodePoint(atom)
    before = atom
  }
  finish()
  return parts.length === 0 ? 'the empty text' : parts.join(', ')
}
