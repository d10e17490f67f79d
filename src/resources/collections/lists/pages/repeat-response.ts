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

/** By documents and request. Characters, as a text and encoded, of all collections together. */
const responses = createOwnedCache<Repeat, KnownResponse>({
  most: 2 ** 24,
  sizeOf: ({ recorded: { made } }) => 1024 + ('content' in made.body ? 2 * made.body.content.length : 0),
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
    responses.set(entries, repeat, { seed, origin, url, recorded: { made: withBytes(made), bits } })
    return made
  }
}

/** Shorter texts are sent together with their headers, in one write. */
const SHORTEST_ENCODED = 16_384

/** A response that is sent without counting its bytes, or encoding them, again. */
function withBytes({ body, ...rest }: Outcome): Outcome {
  if (!('content' in body) || typeof body.content !== 'string') return { ...rest, body }
  const encoded = Buffer.from(body.content)
  const isLong = encoded.length >= SHORTEST_ENCODED
  return { ...rest, body: { ...body, length: encoded.length, ...(isLong && { encoded }) } }
}
