import type { ServerResponse } from 'node:http'
import { stringifyJson } from '../json.ts'
import type { OutcomeBody, Page } from '../operations/handler.ts'

/** Bytes that are gathered before they are handed to the socket. */
const CHUNK = 65_536

/** Sends a body. A ready one goes with its exact length; a streamed page goes in chunks, as fast as the client takes them. */
export async function sendBody(response: ServerResponse, body: OutcomeBody): Promise<void> {
  if ('json' in body) {
    sendText(response, 'application/json', stringifyJson(body.json))
    return
  }
  if (!body.page.streamed) {
    sendText(response, 'application/json', pageText(body.page))
    return
  }
  response.setHeader('content-type', 'application/json')
  for (const chunk of chunks(body.page)) {
    if (response.destroyed) return
    if (!response.write(chunk)) await drained(response)
  }
  response.end()
}

export function sendText(response: ServerResponse, contentType: string, text: string): void {
  response.setHeader('content-type', contentType)
  response.setHeader('content-length', Buffer.byteLength(text))
  response.end(text)
}

function pageText({ fragments, context }: Page): string {
  return `{"files":[${[...fragments].join(',')}],"pageContext":${stringifyJson(context())}}`
}

function* chunks({ fragments, context }: Page): Generator<string> {
  let chunk = '{"files":['
  let separator = ''
  for (const fragment of fragments) {
    chunk += separator + fragment
    separator = ','
    if (chunk.length < CHUNK) continue
    yield chunk
    chunk = ''
  }
  yield `${chunk}],"pageContext":${stringifyJson(context())}}`
}

/** Resolves when the socket takes more, or is gone: a client that stops reading is cut off by the server's idle time. */
function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const goOn = () => {
      response.off('drain', goOn).off('close', goOn)
      resolve()
    }
    response.on('drain', goOn).on('close', goOn)
  })
}
