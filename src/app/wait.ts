import type { ServerResponse } from 'node:http'
import type { Writable } from 'node:stream'

/** Real milliseconds. Ends early when the connection is gone: the client left, or the server stops and cuts it. */
export function wait(milliseconds: number, response: ServerResponse): Promise<void> {
  if (response.destroyed || milliseconds <= 0) return Promise.resolve()
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      response.off('close', end)
      resolve()
    }
    const timer = setTimeout(end, milliseconds)
    response.on('close', end)
  })
}

/** Resolves when the socket takes more, or is gone: a client that stops reading is cut off by the server's idle time. */
export function drained(response: Writable): Promise<void> {
  return new Promise((resolve) => {
    const goOn = () => {
      response.off('drain', goOn).off('close', goOn)
      resolve()
    }
    response.on('drain', goOn).on('close', goOn)
  })
}
