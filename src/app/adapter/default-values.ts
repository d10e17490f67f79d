import type { Shape } from '../../contract/schemas/shape.ts'
import { believableNumber, believableText, believableTruth } from '../../values/faker-values.ts'
import { unfoldPattern } from '../../values/unfold-pattern.ts'
import { chanceKey } from '../../engine/random.ts'

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
export function defaultValues(
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
