import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createControlClient } from '../../../src/index.ts'

/** The url of another kind of server; it can be stopped before the test is over. */
async function startOther(): Promise<{ readonly url: string; stop(): void }> {
  const server = createServer((_request, response) => response.end('<h1>It works!</h1>'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const stop = () => void server.close()
  onTestFinished(stop)
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop }
}

test('the error of a failed connection names the address and the remedy', async () => {
  const { url, stop } = await startOther()
  stop()
  const control = createControlClient({ url })
  const remedy = 'Is Standin running there? Start one with standin serve, or give the client its url.'
  await expect(control.reset()).rejects.toThrow(
    `POST ${url}/__mock/reset: no server responds there (connect ECONNREFUSED ${new URL(url).host}). ${remedy}`,
  )
  await expect(control.openStream()[Symbol.asyncIterator]().next()).rejects.toThrow(
    `GET ${url}/__mock/stream: no server`,
  )
})

test('the same where another server responds', async () => {
  const { url } = await startOther()
  await expect(createControlClient({ url }).getClock()).rejects.toThrow(
    `GET ${url}/__mock/clock: expected the JSON of a control API, got "<h1>It works!</h1>". Is Standin running there?`,
  )
})
