import type { Base } from '../store/base.ts'
import { fold, type TextField } from '../store/columns.ts'
import { type Cache, createCache } from '../../../engine/cache.ts'

/** In sets up to this size texts are kept whole and tested one by one: what pays for a million costs a thousand more than it saves. */
export const SMALL_SET = 20_000

/** The texts of a field by slot, made when first asked for and kept with their base. */
export function plainTexts(base: Base, field: TextField, isFolded: boolean): readonly (string | null)[] {
  const kept = isFolded ? foldedTexts : textsAsTheyAre
  const known = kept.get(base)?.get(field)
  if (known) return known
  const made = makeTexts(base, field, isFolded)
  const texts = kept.get(base) ?? new Map<string, readonly (string | null)[]>()
  kept.set(base, texts.set(field, made))
  return made
}

type Texts = WeakMap<Base, Map<string, readonly (string | null)[]>>
const foldedTexts: Texts = new WeakMap()
const textsAsTheyAre: Texts = new WeakMap()

function makeTexts(base: Base, field: TextField, isFolded: boolean): (string | null)[] {
  const { at } = base.text(field)
  return Array.from({ length: base.count }, (_, slot) => {
    const text = at(slot)
    return text === null || !isFolded ? text : fold(text)
  })
}

/** A literal that more of the texts contain, as a share of them, is no help in a search. */
const MOST_FOUND = 1 / 4
/** Literals that are remembered for each field, with what was found for them; searches that differ look for the same words. */
const REMEMBERED = 64
const LONGEST_REMEMBERED = 200

/**
 * The slots whose texts contain a literal text, which is not empty and has no line feed: found by looking through all texts at
 * once. Undefined where so many contain it that testing them in turn is less work.
 */
export function slotsWith(
  literal: string,
  base: Base,
  field: TextField,
  isFolded: boolean,
): readonly number[] | undefined {
  const joined = joinedTexts(plainTexts(base, field, isFolded))
  const known = joined.remembered.get(literal)
  if (known) return known.slots
  const slots = findLiteral(literal, joined)
  if (literal.length <= LONGEST_REMEMBERED) joined.remembered.set(literal, { slots })
  return slots
}

function findLiteral(literal: string, { text, starts }: Pick<JoinedTexts, 'text' | 'starts'>): number[] | undefined {
  const most = starts.length * MOST_FOUND
  const found: number[] = []
  let slot = 0
  for (let at = text.indexOf(literal); at >= 0; at = text.indexOf(literal, starts[slot])) {
    while ((starts[slot + 1] ?? Infinity) <= at) slot++
    found.push(slot++)
    if (found.length > most) return undefined
    if (slot >= starts.length) break
  }
  return found
}

interface JoinedTexts {
  readonly text: string
  readonly starts: Uint32Array
  readonly remembered: Cache<string, { readonly slots: readonly number[] | undefined }>
}

const joined = new WeakMap<readonly (string | null)[], JoinedTexts>()

function joinedTexts(texts: readonly (string | null)[]): JoinedTexts {
  const known = joined.get(texts)
  if (known) return known
  // A text with a line feed of its own is still found: only literals with one could reach into the next text.
  const starts = new Uint32Array(texts.length)
  let start = 0
  texts.forEach((text, slot) => {
    starts[slot] = start
    start += (text?.length ?? 0) + 1
  })
  const made: JoinedTexts = {
    text: texts.map((text) => text ?? '').join('\n'),
    starts,
    remembered: createCache({ most: REMEMBERED }),
  }
  joined.set(texts, made)
  return made
}
