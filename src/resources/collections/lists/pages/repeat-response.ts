import { createOwnedCache } from '../../../../base/cache.ts'
import type { Recorded } from '../../../../behaviours/tracker.ts'
import { runFewSteps, type Steps } from '../../../../engine/slices.ts'
import type { State } from '../../../../engine/state.ts'
import type { Call, Outcome, Reading } from '../../../handler.ts'
import type { Documents } from '../../documents/documents.ts'

type Repeat = NonNullable<Reading['repeat']>

/** A response, and what it depends on besides the request and the documents. */
interface KnownResponse {
  readonly seed: number
  readonly origin: string
  readonly url: string
  readonly recorded: Recorded<Outcome>
}

/** By documents and request. Characters, of all collections together. */
const responses = createOwnedCache<Repeat, KnownResponse>({
  most: 2 ** 23,
  sizeOf: ({ recorded: { made } }) => 1024 + ('content' in made.body ? made.body.content.length : 0),
})

/** Steps of a response that is kept: a page of 200 items takes three. */
const AT_ONCE = 4

/**
 * Repeats the response of a list to the same request while its documents are the same. It has the bytes that `decide` would make, since
 * all that it depends on is compared or part of the request.
 */
export function repeatResponse(
  decide: (state: State, call: Call) => Steps<Outcome>,
  documentsOf: (state: State, call: Call) => Documents | undefined,
): Repeat {
  return function repeat(state, call) {
    const entries = documentsOf(state, call)?.entries
    // Faults count how often they strike.
    if (!entries || call.faults) return decide(state, call)
    const { seed } = state
    const [origin, url] = [call.origin(), call.url()]
    const known = responses.get(entries, repeat)
    if (known?.seed === seed && known.origin === origin && known.url === url) {
      call.tracker.repeat(known.recorded)
      return known.recorded.made
    }
    const deciding = decide(state, call)
    const { made, bits } = call.tracker.record(() => runFewSteps(deciding, AT_ONCE))
    call.tracker.repeat({ made, bits })
    if (!made) return deciding
    responses.set(entries, repeat, { seed, origin, url, recorded: { made: withLength(made), bits } })
    return made
  }
}

/** A response that is sent without counting its bytes again. */
function withLength({ body, ...rest }: Outcome): Outcome {
  if (!('content' in body) || typeof body.content !== 'string') return { ...rest, body }
  return { ...rest, body: { ...body, length: Buffer.byteLength(body.content) } }
}
