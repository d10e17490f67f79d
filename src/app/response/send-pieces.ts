import { sendText } from '../middleware/send-response.ts'
import type { RequestContext } from '../request-context.ts'
import { setHeader } from '../../engine/request-context.ts'
import { drained } from '../wait.ts'
import type { Pause } from '../../engine/slices.ts'

const JSON_TYPE = 'application/json'

/** Characters. A longer body is sent while it is made, without its length. */
const LONGEST_WHOLE = 1_048_576

/** Sends JSON that is made in pieces, in slices, as fast as the client takes it. */
export async function sendPieces(
  context: Pick<RequestContext, 'response' | 'headers'>,
  status: number,
  pieces: Iterable<string>,
  pause: Pause,
): Promise<void> {
  const { response } = context
  let text = ''
  let isStreamed = false
  for (const piece of pieces) {
    text += piece
    if (text.length > LONGEST_WHOLE) {
      if (!isStreamed) {
        setHeader(context, 'content-type', JSON_TYPE)
        response.writeHead(status, context.headers)
      }
      isStreamed = true
      if (!response.write(text)) await drained(response)
      text = ''
    }
    const paused = pause()
    if (paused) await paused
  }
  if (isStreamed) response.end(text)
  else sendText(context, status, JSON_TYPE, text)
}
