import { type Members, stringifyJson } from '../../base/formats/json.ts'
import { escapeRegExp } from '../../base/escape-reg-exp.ts'

/** How many values have to be of one form before another one is refused for it. */
const LEAST_VALUES = 2

/** Forms of texts that services ask for, the most general first. */
const FORMS = [
  /^\S+$/,
  /^[^/]+$/,
  /^[a-zA-Z0-9._-]+$/,
  /^[a-z0-9._-]+$/,
  /^[a-z0-9_-]+$/,
  /^[A-Z0-9_]+$/,
  /^\d+$/,
  /^https?:\/\//,
  /^[^@\s]+@[^@\s]+\.[^@\s]+$/,
].map(({ source }) => source)

/**
 * What a value that was refused is not, and all that were taken are, as keywords of a schema: not empty, a text of another form, a number
 * within bounds. Undefined where nothing sets it apart.
 *
 * @param taken the values of the same member in requests that were taken
 * @param said the error, which may tell a bound
 */
export function demandOf(value: unknown, taken: readonly unknown[], said: unknown): Members | undefined {
  if (value === '' || (Array.isArray(value) && value.length === 0)) {
    const isUsed = taken.length > 0 && taken.every((one) => stringifyJson(one) !== stringifyJson(value))
    return isUsed ? (value === '' ? { minLength: 1 } : { minItems: 1 }) : undefined
  }
  if (typeof value === 'string') return patternOf(value, taken)
  return typeof value === 'number' ? boundOf(value, taken, said) : undefined
}

function patternOf(value: string, taken: readonly unknown[]): Members | undefined {
  const texts = [...new Set(taken)].filter((one) => typeof one === 'string' && one !== '') as string[]
  if (texts.length < LEAST_VALUES) return undefined
  const edges = [...edgesOf(texts)]
  const pattern = [...edges, ...FORMS].find((form) => {
    const isOfForm = (text: string) => new RegExp(form).test(text)
    return !isOfForm(value) && texts.every(isOfForm)
  })
  return pattern === undefined ? undefined : { pattern }
}

/** The sign that all texts begin or end with: the dot of `shop.example.`. */
function* edgesOf([first = '', ...others]: readonly string[]): Generator<string> {
  const [start = '', end = ''] = [first.at(0), first.at(-1)]
  if (SIGN.test(start) && others.every((one) => one.startsWith(start))) yield `^${escapeRegExp(start)}`
  if (SIGN.test(end) && others.every((one) => one.endsWith(end))) yield `${escapeRegExp(end)}$`
}

const SIGN = /[!-/:-@[-^`{-~]/

function boundOf(value: number, taken: readonly unknown[], error: unknown): Members | undefined {
  const numbers = taken.filter((one) => typeof one === 'number')
  if (numbers.length === 0) return undefined
  const [least, most] = [Math.min(...numbers), Math.max(...numbers)]
  if (value < least && value <= 0) return { minimum: value < 0 ? Math.min(0, least) : Math.min(1, least) }
  const said = error === undefined ? '' : stringifyJson(error)
  const told = [...said.matchAll(/-?\d+(?:\.\d+)?/g)].map(Number)
  const maximum = told.find((one) => one >= most && one < value)
  return value > most && maximum !== undefined ? { maximum } : undefined
}
