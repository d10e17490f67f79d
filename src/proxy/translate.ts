import { isObject, parseJson } from '../formats/json.ts'
import type { RecordedRequest, RecordedResponse } from '../traffic/recorded-exchange.ts'

/** Tokens and ids that are kept. */
const MOST = 10_000

/** Knows what the service's tokens of pages, and its ids of things that were created, are for the stand-in. */
export interface Translator {
  /** A request to the service as the stand-in can read it. */
  request(request: RecordedRequest): RecordedRequest
  /** Learns from the responses of both to one request. */
  learn(service: RecordedResponse, standin: RecordedResponse): void
}

const TOKEN_OR_ID = /^(?:next|prev|previous|cursor|.*(?:token|cursor|marker)|_?id|.*_id|.*[a-z](?:Id|ID)|uuid)$/

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
      if (TOKEN_OR_ID.test(name)) add(theirs, ours)
    }
  }
  return {
    request: (request) => (known.size === 0 ? request : { ...request, url: translateUrl(request.url, known) }),
    learn: (service, standin) => learnFrom(readJson(service.body), readJson(standin.body), ''),
  }
}

/** Whole segments of the path, and whole values of the query. */
function translateUrl(url: string, known: ReadonlyMap<string, string>): string {
  return url.replaceAll(/(?<=[/=])[^/?&=#]+/g, (part) => {
    const other = known.get(decoded(part))
    return other === undefined ? part : encodeURIComponent(other)
  })
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function readJson(body: string | undefined): unknown {
  try {
    return body === undefined || body === '' ? undefined : parseJson(body)
  } catch {
    return undefined
  }
}
