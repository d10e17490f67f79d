import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** A page in Firefox. Playwright needs a build of its own, and the one of Debian speaks WebDriver BiDi. */
export interface FirefoxPage {
  /** The value of an expression, awaited. @throws Error when it throws */
  evaluate(expression: string): Promise<unknown>
  close(): Promise<void>
}

export async function openInFirefox(executable: string, url: string): Promise<FirefoxPage> {
  const profile = mkdtempSync(join(tmpdir(), 'standin-firefox-'))
  const firefox = spawn(executable, ['--headless', '--profile', profile, '--remote-debugging-port', '0'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const socket = new WebSocket(`${await addressIn(createInterface(firefox.stderr))}/session`)
  await once(socket, 'open')
  const send = createSender(socket)
  await send('session.new', { capabilities: {} })
  const { context } = (await send('browsingContext.create', { type: 'tab' })) as { context: string }
  await send('browsingContext.navigate', { context, url, wait: 'complete' })
  return {
    async evaluate(expression) {
      const options = { target: { context }, awaitPromise: true, userActivation: true }
      const done = (await send('script.evaluate', { expression, ...options })) as Evaluated
      if (done.type === 'exception') throw new Error(done.exceptionDetails.text)
      return done.result.value
    },
    async close() {
      socket.close()
      firefox.kill()
      await once(firefox, 'exit')
      rmSync(profile, { recursive: true, force: true })
    },
  }
}

type Evaluated =
  | { readonly type: 'success'; readonly result: { readonly value?: unknown } }
  | { readonly type: 'exception'; readonly exceptionDetails: { readonly text: string } }

async function addressIn(lines: AsyncIterable<string>): Promise<string> {
  for await (const line of lines) {
    const address = /listening on (ws:\S+)/.exec(line)?.[1]
    if (address !== undefined) return address
  }
  throw new Error('Firefox ended before it was ready.')
}

function createSender(socket: WebSocket) {
  const waiting = new Map<number, PromiseWithResolvers<unknown>>()
  socket.addEventListener('message', ({ data }) => {
    const { id, result, message } = JSON.parse(String(data)) as { id?: number; result?: unknown; message?: string }
    const call = waiting.get(id ?? -1)
    waiting.delete(id ?? -1)
    if (message === undefined) call?.resolve(result)
    else call?.reject(new Error(message))
  })
  let last = 0
  return (method: string, params: object): Promise<unknown> => {
    const call = Promise.withResolvers<unknown>()
    waiting.set(++last, call)
    socket.send(JSON.stringify({ id: last, method, params }))
    return call.promise
  }
}
