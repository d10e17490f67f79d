import { expect, test } from 'vitest'
import { createControlledTester } from '../support/control.ts'
import { KEY_HEADER, SEARCH, weekly } from '../support/tester.ts'

test('exchanges are exported as an HTTP Archive 1.2', async () => {
  const { control, search, create } = createControlledTester({ clock: '2026-03-05T14:30:00Z' })
  const searched = await search({
    set: 'demo',
    query: 'limit=1&directoryPath=a%20b',
    headers: { Host: 'stand.in.localhost' },
  })
  await create(weekly({ title: 'é' }))
  await create(weekly({ pageId: 'x' }))
  const { log } = await control.exportHar()
  expect(log).toMatchObject({ version: '1.2', creator: { name: 'Standin', version: '1' }, pages: [] })
  expect(log.entries).toHaveLength(3)
  const [first, second, third] = log.entries
  expect(first).toMatchObject({
    // Archives go by the machine's clock, the sandbox's stands still.
    startedDateTime: expect.stringMatching(/^2026-03-05T14:\d\d:\d\d\.\d{3}Z$/) as string,
    request: {
      method: 'POST',
      url: `http://stand.in.localhost${SEARCH}/demo/files/search?limit=1&directoryPath=a%20b`,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      queryString: [
        { name: 'limit', value: '1' },
        { name: 'directoryPath', value: 'a b' },
      ],
      postData: { mimeType: 'application/json', text: '{}' },
      headersSize: -1,
      bodySize: 2,
    },
    response: {
      status: 200,
      statusText: 'OK',
      httpVersion: 'HTTP/1.1',
      content: { size: Buffer.byteLength(searched.text), mimeType: 'application/json', text: searched.text },
      redirectURL: '',
    },
    cache: {},
    timings: { send: 0, wait: first?.time, receive: 0 },
    _sandbox: 'default',
    _operationId: 'searchFiles',
  })
  expect(first?.request.headers).toContainEqual({ name: KEY_HEADER, value: '[redacted]' })
  expect(second?.request.bodySize).toBe(Buffer.byteLength(JSON.stringify(weekly({ title: 'é' }))))
  expect([third?.response.status, third?.response.statusText]).toEqual([400, 'Bad Request'])
  expect(third?.comment).toContain('/pageId: expected an integer')
  expect((await control.exportHar({ status: '4XX' })).log.entries.map(({ _id }) => _id)).toEqual([3])
})

test('an archive holds what was sent where a fault spoiled the response: bytes as base64, and how much of a body arrived', async () => {
  const { control, search } = createControlledTester({ clock: '2026-03-05T14:30:00Z' })
  await control.armFaults({ kind: 'garbage', bytes: 40, of: 'body', times: 1 })
  await control.armFaults({ kind: 'garbage', bytes: 50, of: 'answer', times: 1 })
  await control.armFaults({ kind: 'truncated', bytes: 9, times: 1 })
  await search({ set: 'demo' }).catch(() => undefined)
  await search({ set: 'demo' }).catch(() => undefined)
  await search({ set: 'demo' }).catch(() => undefined)
  const { log } = await control.exportHar()
  const BROKEN = 'The connection ended before all of the response was sent.'
  expect(log.entries.map(({ response }) => response)).toMatchObject([
    { status: 200, content: { size: 40, encoding: 'base64', text: expect.any(String) as string }, bodySize: 40 },
    { status: 0, content: { size: 50, encoding: 'base64', comment: BROKEN }, bodySize: 50 },
    { status: 200, content: { size: 9, text: '{"files":', comment: BROKEN }, bodySize: 9 },
  ])
  expect(Buffer.from(log.entries[0]?.response.content.text ?? '', 'base64')).toHaveLength(40)
})
