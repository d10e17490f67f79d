import type { Shape } from '../../../contract/schemas/shape.ts'
import { parseDuration } from '../../../base/formats/duration.ts'

/** A parameter as a contract documents it. */
interface DocumentedParameter {
  readonly words: readonly string[]
  readonly shape: Shape
  readonly description: string
}

/** Names that say by themselves that a request waits. */
const WAITS =
  /^(max|maximum)?(wait|waittime|waittimeout|longpoll|longpolling|longpolltimeout|longpollingtimeout|polltimeout|pollwait)(time)?$/
/** Names that may mean other things: the description has to say that the request waits for something new. */
const MAY_WAIT = /^(request|server|client)?timeout$|^(waitfor|block|blockfor)$/
const SAYS_WAIT =
  /\blong[- ]?poll|\bwait(s|ing|ed)?\b|\b(will|may|can|to) block\b|\bblocking\b|\bheld open|\b(no|until|new|any) (\w+ )?(changes?|updates?|events?|messages?|news|data)\b/i
/** What is said of a timeout of the work behind a request: `Period to wait for a response. If none is received, the request fails.` */
const OF_WORK =
  /\b(fail\w*|errors?|abort\w*|cancel\w*|kill\w*|connect\w*|wait for (a |the )?response|shards?|nodes?)\b/i
const UNIT = /^(s|secs?|seconds?|ms|millis|millisecs?|milliseconds?)$/

/** How many milliseconds a number means by a parameter that says how long to wait for something new; undefined for any other parameter. */
export function waitUnit({ words, shape, description }: DocumentedParameter): 1 | 1000 | undefined {
  const unit = UNIT.test(words.at(-1) ?? '') ? words.at(-1) : words.at(-2) === 'in' ? words.at(-1) : undefined
  const name = words.filter((word) => word !== unit && word !== 'in').join('')
  const isTime = ['integer', 'number', 'string'].some((type) => shape.types.has(type)) && !shape.keywords.enum
  const isSaid = /long[- ]?poll/i.test(description) || (SAYS_WAIT.test(description) && !OF_WORK.test(description))
  if (!isTime || !(WAITS.test(name) || (MAY_WAIT.test(name) && isSaid))) return undefined
  if (unit !== undefined) return unit.startsWith('m') ? 1 : 1000
  const { default: usual, maximum, example } = shape.keywords
  const isLarge = [usual, maximum, example].some((one) => typeof one === 'number' && one >= 1000)
  const saysMilliseconds = /\b(milliseconds?|millis|ms)\b/i.test(description) && !/\bseconds?\b/i.test(description)
  return saysMilliseconds || (isLarge && !/\bseconds?\b/i.test(description)) ? 1 : 1000
}

/**
 * The milliseconds that a value means; undefined for no time.
 *
 * @example readWait('30', 1000) // 30000, as for '30s', '30000ms' and 'PT30S'
 */
export function readWait(value: string, unit: 1 | 1000): number | undefined {
  const [, number, of] = /^(\d{1,9}(?:\.\d{1,6})?)(ms)?$/i.exec(value) ?? []
  const milliseconds = number === undefined ? parseDuration(value) : Number(number) * (of === undefined ? unit : 1)
  return milliseconds === undefined || milliseconds <= 0 ? undefined : milliseconds
}
