/** The word of an answer that carries numbers: `clamp` of `clamp:500`, `every` of `every-3`, `per` of `100 per 60`. */
type WordOf<Answer extends string> = Answer extends `${infer Word}:${number}`
  ? Word
  : Answer extends `${infer Word}-${number}`
    ? Word
    : Answer extends `${number} ${infer Word} ${number}`
      ? Word
      : Answer extends `${infer Word} for ${number}`
        ? `${Word} for`
        : Answer

/**
 * Takes an answer apart into its word and its numbers; a number that is not there is 0.
 *
 * @example parameterOf('clamp:500') // { word: 'clamp', numbers: [500, 0] }
 * @example parameterOf('100 per 60') // { word: 'per', numbers: [100, 60] }
 * @example parameterOf('none') // { word: 'none', numbers: [0, 0] }
 */
export function parameterOf<Answer extends string>(answer: Answer): Parameter<Answer> {
  const found = known.get(answer) ?? read(answer)
  if (known.size < MOST_KNOWN) known.set(answer, found)
  return found as Parameter<Answer>
}

interface Parameter<Answer extends string> {
  readonly word: WordOf<Answer>
  readonly numbers: readonly [number, number]
}

/** Answers are fixed at start and asked on every request, so they are read once. */
const known = new Map<string, Parameter<string>>()
const MOST_KNOWN = 1024

function read(answer: string): Parameter<string> {
  const [, one, word, other] = /^(?:(\d+) )?(.+?)(?:[: -](\d+(?:\.\d+)?))?$/.exec(answer) ?? []
  const numbers = [one, other].filter((digits) => digits !== undefined).map(Number)
  return { word: word ?? answer, numbers: [numbers[0] ?? 0, numbers[1] ?? 0] }
}
