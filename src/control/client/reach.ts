import { parseJson } from '../../formats/json.ts'
import { shown } from '../../errors/problem.ts'

const REMEDY = 'Is a stand-in running there? Start one with standin serve, or give the client its url.'

/** What `fetch` does, but where nobody answers the error says where that was, and what to do. @throws TypeError, as `fetch` does */
export async function fetchOrExplain(url: string, init: RequestInit = {}): Promise<Response> {
  try {
    return await fetch(url, init)
  } catch (error) {
    if (init.signal?.aborted === true) throw error
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
    const where = `${init.method ?? 'GET'} ${url}: nobody answers there`
    throw new TypeError(`${where} (${reasonOf(cause)}). ${REMEDY}`, { cause })
  }
}

/** Where a name has several addresses, the error of all of them has a code and no message. */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause)
  return cause.message || ('code' in cause ? String(cause.code) : cause.name)
}

/** JSON text of an answer; whoever else listens at a port seldom answers in JSON. @throws Error */
export function readAnswer(text: string, asked: string): unknown {
  try {
    return parseJson(text)
  } catch (cause) {
    throw new Error(`${asked}: expected the JSON of a control API, got ${shown(text)}. ${REMEDY}`, { cause })
  }
}
