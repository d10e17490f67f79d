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
 * @example splitSetting('clamp:500') // { word: 'clamp', numbers: [500, 0] }
 * @example splitSetting('100 per 60') // { word: 'per', numbers: [100, 60] }
 * @example splitSetting('none') // { word: 'none', numbers: [0, 0] }
 */
export function splitSetting<Setting extends string>(setting: Setting): SplitSetting<Setting> {
  const found = known.get(setting) ?? read(setting)
  if (known.size < MAX_KNOWN) known.set(setting, found)
  return found as SplitSetting<Setting>
}

interface SplitSetting<Setting extends string> {
  readonly word: WordOf<Setting>
  readonly numbers: readonly [number, number]
}

/** Settings are read on every request and seldom change, so they are split once. */
const known = new Map<string, SplitSetting<string>>()
const MAX_KNOWN = 1024

function read(setting: string): SplitSetting<string> {
  const [, one, word, other] = /^(?:(\d+) )?(.+?)(?:[: -](\d+(?:\.\d+)?))?$/.exec(setting) ?? []
  const numbers = [one, other].filter((digits) => digits !== undefined).map(Number)
  return { word: word ?? setting, numbers: [numbers[0] ?? 0, numbers[1] ?? 0] }
}
