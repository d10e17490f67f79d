import type { ServerResponse } from 'node:http'
import type { Writable } from 'node:stream'

/** Waits for real milliseconds. Ends early when the connection closes: the client left, or the server stopped. */
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

/** Resolves when a stream takes more, or is closed: the server's idle timeout ends a client that stops reading. */
export function drained(stream: Writable): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      stream.off('drain', end).off('close', end)
      resolve()
    }
    stream.on('drain', end).on('close', end)
  })
}

/** Waits while another request advances the clock of any of these sandboxes. @throws Problem 503 */
export async function whenFree(sandboxes: readonly { whenFree(): Promise<void> | undefined }[]): Promise<void> {
  const find = () => sandboxes.map((sandbox) => sandbox.whenFree()).find((waiting) => waiting !== undefined)
  for (let waiting = find(); waiting; waiting = find()) await waiting
}
