import type { Shape } from '../contract/shape.ts'
import { believableNumber, believableText, believableTruth } from '../generated/believable.ts'
import { unfoldPattern } from '../generated/unfold-pattern.ts'
import { chanceKey } from '../world/random.ts'

interface Inventing {
  /** What all chance hangs on, besides the place of the value. */
  readonly key: number
  /** Epoch ms. */
  readonly now: number
}

/**
 * A believable text, number or truth for what a contract requires and nobody told. Dates are not invented: of those the one that
 * is known is said.
 *
 * @param site of the value in what is made
 */
export function invented(
  { pointer, name }: { readonly pointer: string; readonly name: string },
  { types, keywords }: Shape,
  { key, now }: Inventing,
): unknown {
  const hint = { name, owner: '', schema: keywords, seed: chanceKey(key, pointer), now, draw: unfoldPattern }
  if (types.has('boolean')) return believableTruth(hint)
  if (types.has('integer') || types.has('number')) return believableNumber(hint, types.has('integer'))
  return TOLD.has(keywords.format) ? undefined : believableText(hint)
}

const TOLD = new Set<unknown>(['date-time', 'date', 'time'])
