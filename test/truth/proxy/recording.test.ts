import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createDocument } from '../../../src/base/formats/source-file.ts'
import { createStandin } from '../../../src/index.ts'
import { readHar } from '../../../src/truth/recordings/read-har.ts'
import { createDirectory, startCommand } from '../../support/command.ts'
import { readAll, startProxy, startService } from '../../support/servers/proxy.ts'
import { KEY_HEADER, SEARCH } from '../../support/tester.ts'

function createEmptyDirectory(): string {
  const { path, remove } = createDirectory({})
  onTestFinished(remove)
  return join(path, 'recordings')
}

/** All recordings of a directory, read as other commands read them. A killed process leaves one that is unfinished beside. */
function readRecordings(directory: string) {
  return readdirSync(directory)
    .filter((name) => name.endsWith('.har'))
    .toSorted()
    .map((name) => readHar(createDocument(`${name}.json`, readFileSync(join(directory, name), 'utf8'))))
}

test('a recording has each exchange as it was, without keys, cookies and tokens', async () => {
  const service = await startService((request, response) => {
    void readAll(request).then((body) => {
      response.writeHead(201, { 'Content-Type': 'application/json', 'Set-Cookie': 'sid=cookie-value-1' })
      response.end(JSON.stringify({ echo: body, access_token: 'token-value-2' }))
    })
  })
  const directory = createEmptyDirectory()
  const { url, stop } = await startProxy(`${service}/v2`, { record: directory })
  await fetch(`${url}/things?access_token=token-value-3&limit=7`, {
    method: 'POST',
    headers: { [KEY_HEADER]: 'key-value-4', Authorization: 'Bearer token-value-5', Cookie: 'a=cookie-value-6' },
    body: 'a text',
  })
  await stop()
  const [[exchange] = []] = readRecordings(directory)
  expect(exchange).toMatchObject({
    origin: new URL(service).origin,
    request: { method: 'POST', url: '/v2/things?access_token=[redacted]&limit=7', body: 'a text' },
    response: { status: 201, body: '{"echo":"a text","access_token":"[redacted]"}', isWhole: true },
  })
  const bytes = readdirSync(directory).map((name) => readFileSync(join(directory, name), 'utf8'))
  expect(bytes.join()).not.toMatch(/(key|token|cookie)-value/)
  const [file = ''] = readdirSync(directory)
  expect([directory, join(directory, file)].map((path) => statSync(path).mode & 0o777)).toEqual([0o700, 0o600])
})

test('an exchange without a response is recorded with the reason', async () => {
  const directory = createEmptyDirectory()
  const { url, stop } = await startProxy('http://127.0.0.1:1', { record: directory })
  expect((await fetch(url)).status).toBe(502)
  await stop()
  expect(readRecordings(directory)).toMatchObject([[{ response: { status: 0, isWhole: false } }]])
  expect(readFileSync(join(directory, readdirSync(directory)[0] ?? ''), 'utf8')).toContain('nothing listens there')
})

test('a file that is full is followed by another', async () => {
  const body = 'x'.repeat(1.5 * 2 ** 20)
  const service = await startService((_request, response) => response.end(body))
  const directory = createEmptyDirectory()
  const { url, stop } = await startProxy(service, { record: directory })
  for (let count = 0; count < 5; count++) await (await fetch(`${url}/${count}`)).text()
  await stop()
  const files = readRecordings(directory)
  expect(files.map((exchanges) => exchanges.length)).toEqual([2, 2, 1])
  expect(files.flat().map(({ request }) => request.url)).toEqual(['/0', '/1', '/2', '/3', '/4'])
})

test('a proxy that is killed leaves whole files, and its log shows no secret of a query either', async () => {
  const standin = createStandin({ files: 300 })
  onTestFinished(() => standin.stop())
  const directory = createEmptyDirectory()
  const flags = ['--upstream', await standin.start(), '--record', directory, '--port', '0', '--log', 'json']
  const command = startCommand(['proxy', ...flags])
  onTestFinished(() => void command.child.kill('SIGKILL'))
  await command.until(/"url":"http[^"]+"/)
  const url = /"url":"(http[^"]+)"/.exec(command.stdout())?.[1] ?? ''
  await (await fetch(`${url}/things?sig=value-1&code=value-2&access_token=value-3&size=7`)).text()
  await command.until(/size=7/)
  expect(command.stdout()).toContain('/things?sig=[redacted]&code=[redacted]&access_token=[redacted]&size=7')
  const headers = { [KEY_HEADER]: 'key', 'Content-Type': 'application/json' }
  const search = () => fetch(`${url}${SEARCH}/demo/files/search?limit=300`, { method: 'POST', headers, body: '{}' })
  const load = Array.from({ length: 4 }, async () => {
    for (;;) await (await search()).text()
  })
  for (const loading of load) loading.catch(() => undefined)
  // Written several times over, and killed at any moment of that.
  await expect
    .poll(() => readRecordings(directory).flat().length, { interval: 20, timeout: 20_000 })
    .toBeGreaterThan(10)
  command.child.kill('SIGKILL')
  await command.ended
  expect(readRecordings(directory).flat().length).toBeGreaterThan(10)
})

test('a directory that cannot be written refuses the start', async () => {
  await expect(startProxy('http://127.0.0.1:1', { record: '/dev/null/recordings' })).rejects.toThrow(/--record/)
})
