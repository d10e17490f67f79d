import { decodePercent } from '../../contract/pointer.ts'
import { isObject } from '../../base/formats/json.ts'
import type { ReadExchange } from '../recordings/differences/find-differences.ts'
import { kindOf } from '../recordings/differences/values.ts'
import type { RecordedRequest } from '../recordings/recorded-exchange.ts'

/** Tokens and ids that are kept. */
const MOST = 10_000

/** Knows what the service's tokens of pages, and its ids of things that were created, are for the stand-in. */
export interface Translator {
  /** A request to the service as the stand-in can read it. */
  request(request: RecordedRequest): RecordedRequest
  /** Learns from the responses of both to one request. */
  learn(service: ReadExchange, standin: ReadExchange): void
}

export function createTranslator(): Translator {
  const known = new Map<string, string>()
  const add = (theirs: unknown, ours: unknown) => {
    if (String(theirs) === String(ours)) return
    known.delete(String(theirs))
    known.set(String(theirs), String(ours))
    const oldest = known.size > MOST ? known.keys().next().value : undefined
    if (oldest !== undefined) known.delete(oldest)
  }
  const learnFrom = (theirs: unknown, ours: unknown, name: string): void => {
    if (isObject(theirs) && isObject(ours)) {
      for (const [member, value] of Object.entries(theirs)) learnFrom(value, ours[member], member)
    } else if ((typeof theirs === 'string' || typeof theirs === 'number') && typeof ours === typeof theirs) {
      const kind = kindOf(name, theirs)
      if (kind === 'token' || kind === 'id') add(theirs, ours)
    }
  }
  return {
    request: (request) => (known.size === 0 ? request : { ...request, url: translateUrl(request.url, known) }),
    learn: (service, standin) => learnFrom(service.json, standin.json, ''),
  }
}

/** Whole segments of the path, and whole values of the query. */
function translateUrl(url: string, known: ReadonlyMap<string, string>): string {
  return url.replaceAll(/(?<=[/=])[^/?&=#]+/g, (part) => {
    const other = known.get(decodePercent(part))
    return other === undefined ? part : encodeURIComponent(other)
  })
}
