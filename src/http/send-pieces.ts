import { sendText } from './respond.ts'
import { type Exchange, setHeader } from './underway.ts'
import { drained } from './wait.ts'
import type { Pause } from '../slices.ts'

const JSON_TYPE = 'application/json'

/** Characters. A longer body is sent while it is made, without its length. */
const LONGEST_WHOLE = 1_048_576

/** Sends JSON that is made in pieces, in slices, as fast as the client takes it. */
export async function sendPieces(
  ex: Pick<Exchange, 'response' | 'headers'>,
  status: number,
  pieces: Iterable<string>,
  pause: Pause,
): Promise<void> {
  const { response } = ex
  let text = ''
  let isStreamed = false
  for (const piece of pieces) {
    text += piece
    if (text.length > LONGEST_WHOLE) {
      if (!isStreamed) {
        setHeader(ex, 'content-type', JSON_TYPE)
        response.writeHead(status, ex.headers)
      }
      isStreamed = true
      if (!response.write(text)) await drained(response)
      text = ''
    }
    const paused = pause()
    if (paused) await paused
  }
  if (isStreamed) response.end(text)
  else sendText(ex, status, JSON_TYPE, text)
}
