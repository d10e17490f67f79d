/**
 * Order by code point. JavaScript compares UTF-16 units, which puts an emoji (units D83D DE00) before U+FF5E; a database that
 * stores UTF-8 does not.
 *
 * @example compareCodePoints('\u{1F600}', '\uFF5E') // 1
 */
export function compareCodePoints(a: string, b: string): number {
  if (a === b) return 0
  const shorter = Math.min(a.length, b.length)
  let at = 0
  while (at < shorter && a.charCodeAt(at) === b.charCodeAt(at)) at++
  if (at === shorter) return a.length - b.length
  return rankOfUnit(a.charCodeAt(at)) - rankOfUnit(b.charCodeAt(at))
}

/** A UTF-16 unit with surrogates moved above the rest of the Basic Multilingual Plane: then unit order is code point order. */
export function rankOfUnit(unit: number): number {
  if (unit < 0xd800) return unit
  return unit >= 0xe000 ? unit - 0x800 : unit + 0x2000
}

/** Letters that do not fold by their upper and lower case: the dotless i folds to itself, three others to an equivalent (status S). */
const ASTRAY = new Map([
  ['\u0131', '\u0131'],
  ['\u1fd3', '\u0390'],
  ['\u1fe3', '\u03b0'],
  ['\ufb05', '\ufb06'],
])

const ASCII = /^[\x00-\x7f]*$/

/**
 * Simple case folding (Unicode CaseFolding.txt, statuses C and S): what two texts must share to be equal but for case. It keeps
 * the number of characters and knows no locale, so ß stays one letter and the Turkish ı is a letter of its own.
 *
 * @example fold('STRASSE İı ſK') // 'strasse İı sk', the last letter being the Kelvin sign
 */
export function fold(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase()
  let folded = ''
  for (const char of text) folded += foldCharacter(char)
  return folded
}

/** Upper case first, so that ſ, ς and the Kelvin sign meet their ordinary letters; a mapping to several letters is no simple one. */
function foldCharacter(char: string): string {
  const known = ASTRAY.get(char)
  if (known !== undefined) return known
  const upper = char.toUpperCase()
  const base = isSingle(upper) ? upper : char
  const lower = base.toLowerCase()
  return isSingle(lower) ? lower : base
}

function isSingle(text: string): boolean {
  return text.length === 1 || (text.length === 2 && (text.codePointAt(0) ?? 0) > 0xffff)
}
