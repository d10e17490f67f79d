/** The word of a setting with numbers: `clamp` of `clamp:500`, `every` of `every-3`, `per` of `100 per 60`. */
type WordOf<Setting extends string> = Setting extends `${infer Word}:${number}`
  ? Word
  : Setting extends `${infer Word}-${number}`
    ? Word
    : Setting extends `${number} ${infer Word} ${number}`
      ? Word
      : Setting extends `${infer Word} for ${number}`
        ? `${Word} for`
        : Setting

/**
 * Splits a setting into its word and its numbers; a missing number is 0.
 *
 * @example parameterOf('clamp:500') // { word: 'clamp', numbers: [500, 0] }
 * @example parameterOf('100 per 60') // { word: 'per', numbers: [100, 60] }
 * @example parameterOf('none') // { word: 'none', numbers: [0, 0] }
 */
export function parameterOf<Setting extends string>(setting: Setting): Parameter<Setting> {
  const found = known.get(setting) ?? read(setting)
  if (known.size < MOST_KNOWN) known.set(setting, found)
  return found as Parameter<Setting>
}

interface Parameter<Setting extends string> {
  readonly word: WordOf<Setting>
  readonly numbers: readonly [number, number]
}

/** Settings are read on every request and seldom change, so they are split once. */
const known = new Map<string, Parameter<string>>()
const MOST_KNOWN = 1024

function read(setting: string): Parameter<string> {
  const [, one, word, other] = /^(?:(\d+) )?(.+?)(?:[: -](\d+(?:\.\d+)?))?$/.exec(setting) ?? []
  const numbers = [one, other].filter((digits) => digits !== undefined).map(Number)
  return { word: word ?? setting, numbers: [numbers[0] ?? 0, numbers[1] ?? 0] }
}
