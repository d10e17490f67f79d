/** The word of an answer that carries numbers: `clamp` of `clamp:500`, `every` of `every-3`, `per` of `100 per 60`. */
export type WordOf<Answer extends string> = Answer extends `${infer Word}:${number}`
  ? Word
  : Answer extends `${infer Word}-${number}`
    ? Word
    : Answer extends `${number} ${infer Word} ${number}`
      ? Word
      : Answer

/**
 * Takes an answer apart into its word and its numbers; a number that is not there is 0.
 *
 * @example parameterOf('clamp:500') // { word: 'clamp', numbers: [500, 0] }
 * @example parameterOf('100 per 60') // { word: 'per', numbers: [100, 60] }
 * @example parameterOf('none') // { word: 'none', numbers: [0, 0] }
 */
export function parameterOf<Answer extends string>(
  answer: Answer,
): { readonly word: WordOf<Answer>; readonly numbers: readonly [number, number] } {
  const [, one, word, other] = /^(?:(\d+) )?(.+?)(?:[: -](\d+))?$/.exec(answer) ?? []
  const numbers = [one, other].filter((digits) => digits !== undefined).map(Number)
  return { word: (word ?? answer) as WordOf<Answer>, numbers: [numbers[0] ?? 0, numbers[1] ?? 0] }
}
