import { writeHarEntry } from '../../journal/har.ts'
import type { RecordedExchange } from './recorded-exchange.ts'

/**
 * An exchange as an entry of an HTTP Archive 1.2, which `readHar` reads back. A body that is no text is left out, and its size is unknown.
 *
 * @param service origin and base path of the service
 */
export function harEntryOf({ at, milliseconds, request, response }: RecordedExchange, service: string): object {
  const { status, isWhole } = response
  // Without a response, the body is the reason.
  const text = status === 0 ? undefined : response.body
  const answer = { ...response, body: text ?? null, isComplete: true, isCut: !isWhole && text !== undefined }
  const shown = { ...request, body: request.body ?? null, isCut: false }
  const comment = status === 0 ? (response.body ?? '') : ''
  const entry = writeHarEntry(
    { request: shown, answer: { ...answer, isForgotten: false }, milliseconds },
    { started: at, url: service + request.url, comment },
  )
  if (text !== undefined) return entry
  return { ...entry, response: { ...entry.response, content: { ...entry.response.content, size: -1 } } }
}
