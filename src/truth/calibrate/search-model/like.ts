import { fold } from '../../../base/formats/code-points.ts'

/** How LIKE compares: the behaviours `like.shape`, `like.case` and `like.wildcards`. */
export interface LikeRule {
  readonly shape: unknown
  readonly case: unknown
  readonly wildcards: unknown
}

/** Any characters, or one character. */
const RUN = 0
const ONE = 1

type Piece = string | typeof RUN | typeof ONE

/** Whether a text matches a pattern. It never goes back further than to the last `%`, so no pattern takes long. */
export function isLike(text: string, pattern: string, rule: LikeRule): boolean {
  const characters = Array.from(normal(text, rule))
  const pieces = piecesOf(pattern, rule)
  let [at, piece] = [0, 0]
  let back: { readonly piece: number; at: number } | undefined
  while (at < characters.length) {
    const wanted = pieces[piece]
    if (wanted === RUN) back = { piece: ++piece, at }
    else if (wanted === ONE || (wanted !== undefined && wanted === characters[at])) {
      at++
      piece++
    } else if (back) {
      at = ++back.at
      piece = back.piece
    } else return false
  }
  return pieces.slice(piece).every((rest) => rest === RUN)
}

function piecesOf(pattern: string, rule: LikeRule): Piece[] {
  const pieces: Piece[] = rule.shape === 'contains' ? [RUN] : []
  const characters = Array.from(normal(pattern, rule))
  for (let at = 0; at < characters.length; at++) {
    const character = characters[at] ?? ''
    if (rule.wildcards === 'literal') pieces.push(character)
    else if (character === '%') pieces.push(RUN)
    else if (character === '_') pieces.push(ONE)
    else if (character === '\\' && at + 1 < characters.length) pieces.push(characters[++at] ?? '')
    else pieces.push(character)
  }
  return rule.shape === 'anchored' ? pieces : [...pieces, RUN]
}

function normal(text: string, { case: sensitivity }: LikeRule): string {
  return sensitivity === 'insensitive' ? fold(text) : text
}
