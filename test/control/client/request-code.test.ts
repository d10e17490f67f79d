import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { asCurl, asFetch } from '../../../src/control/client/request-code.ts'
import { type ControlClient, createControlClient, createStandin } from '../../../src/index.ts'

const run = promisify(execFile)
const standin = createStandin({ port: 0, keys: [{ key: 'secret' }] })
const KEY = 'secret'
let url: string
let control: ControlClient

beforeAll(async () => {
  url = await standin.start()
  control = createControlClient({ url })
})

afterAll(() => standin.stop())

/** Sends a request with text that a shell and a program would read otherwise. @returns its exchange */
async function exchangeOf(body: object) {
  await fetch(`${url}/api/files/v1/filesets/demo/files/search?limit=2`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-SERVICE-Developer-Token': KEY, 'X-Note': `it's "quoted" $HOME` },
    body: JSON.stringify(body),
  })
  const { exchanges } = await control.listExchanges({ limit: 1 })
  return exchanges[0]!
}

const AWKWARD = { filters: [{ field: 'name', operator: 'LIKE', value: [`it's \`$(date)\` \\n "é" \${1}`] }] }

test('the copied command sends the same request from a shell', async () => {
  const { request, answer } = await exchangeOf(AWKWARD)
  const { stdout } = await run('sh', ['-c', `${asCurl(request, url, KEY)} --silent`])
  expect(JSON.parse(stdout)).toEqual(JSON.parse(answer?.body ?? ''))
  const again = (await control.listExchanges({ limit: 1 })).exchanges[0]!
  expect(again.request.body).toBe(request.body)
  expect(again.request.headers).toContainEqual({ name: 'X-Note', value: `it's "quoted" $HOME` })
})

test('the copied call of fetch sends the same request', async () => {
  const { request } = await exchangeOf(AWKWARD)
  const code = `${asFetch(request, url, KEY)}\nexport const status = response.status`
  const { status } = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as { readonly status: number }
  expect(status).toBe(200)
  expect((await control.listExchanges({ limit: 1 })).exchanges[0]?.request.body).toBe(request.body)
})
