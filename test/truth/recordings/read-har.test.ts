import { expect, test } from 'vitest'
import { createStandin } from '../../../src/index.ts'
import { loadContract } from '../../../src/contract/load/load.ts'
import { inlineSourceFile, readPackaged } from '../../../src/base/formats/source-file.ts'
import { findService, readHar } from '../../../src/truth/recordings/read-har.ts'
import { headerOf } from '../../../src/truth/recordings/recorded-exchange.ts'
import { KEY_HEADER, SEARCH } from '../../support/tester.ts'

const contract = loadContract(readPackaged('spec/openapi.yaml'))

test('reads what a stand-in exports', async () => {
  const standin = createStandin({ clock: '2026-03-05T14:30:00Z' })
  const headers = { [KEY_HEADER]: 'any', 'Content-Type': 'application/json' }
  await standin.fetch(
    new Request(`http://localhost${SEARCH}/demo/files/search?limit=1`, { method: 'POST', headers, body: '{}' }),
  )
  const [exchange] = readHar(inlineSourceFile(await standin.control.exportHar(), 'har')).map((one) => one)
  expect(exchange).toMatchObject({
    source: 'har, entry 1',
    origin: 'http://localhost',
    request: { method: 'POST', url: `${SEARCH}/demo/files/search?limit=1`, body: '{}' },
    response: { status: 200, isWhole: true },
  })
  expect(headerOf(exchange?.request.headers ?? [], 'content-type')).toBe('application/json')
  expect(JSON.parse(exchange?.response.body ?? '')).toMatchObject({ files: [{}] })
})

/** An entry as Chromium exports it. */
function entry(
  url: string,
  method = 'GET',
  content: object = { size: 2, mimeType: 'application/json', text: 'e30=', encoding: 'base64' },
) {
  return {
    _resourceType: 'fetch',
    startedDateTime: '2026-03-05T14:30:00.000Z',
    time: 12.5,
    request: {
      method,
      url,
      httpVersion: 'http/2.0',
      headers: [
        { name: ':authority', value: 'x' },
        { name: 'accept', value: '*/*' },
      ],
      queryString: [],
      cookies: [],
      headersSize: -1,
      bodySize: 0,
    },
    response: {
      status: 200,
      statusText: '',
      httpVersion: 'http/2.0',
      headers: [],
      cookies: [],
      content,
      redirectURL: '',
      headersSize: -1,
      bodySize: -1,
    },
    cache: {},
    timings: {},
  }
}

test('finds the service among all that a browser talked to, below a base path too', () => {
  const archive = {
    log: {
      version: '1.2',
      entries: [
        entry('https://app.example.com/index.html'),
        entry('https://api.example.com/eu%20west/api/files/v1/filesets/a/files/search?limit=%31', 'POST'),
        entry('https://api.example.com/eu%20west/api/files/v1/filesets/a/files/search/', 'POST'),
        entry('wss://app.example.com/socket'),
      ],
    },
  }
  const { url, exchanges, others } = findService(readHar(inlineSourceFile(archive, 'chrome.har')), contract)
  expect(url).toBe('https://api.example.com/eu%20west')
  expect(exchanges.map(({ source, request }) => [source, request.url, request.headers])).toEqual([
    ['chrome.har, entry 2', '/api/files/v1/filesets/a/files/search?limit=%31', [{ name: 'accept', value: '*/*' }]],
    ['chrome.har, entry 3', '/api/files/v1/filesets/a/files/search/', [{ name: 'accept', value: '*/*' }]],
  ])
  expect(exchanges[0]?.response).toMatchObject({ body: '{}', isWhole: true })
  expect(others).toBe(1)
})

test('a body that was not recorded is not whole', () => {
  const archive = {
    log: { entries: [entry('https://api.example.com/x', 'GET', { size: 40, mimeType: 'text/plain' })] },
  }
  expect(readHar(inlineSourceFile(archive, 'x.har'))[0]?.response).toMatchObject({ body: undefined, isWhole: false })
})

test('says what was expected of a file that is no archive, and of one without the service', () => {
  expect(() => readHar(inlineSourceFile({ entries: [] }, 'x.har'))).toThrow(/^x\.har:1: Expected an HTTP Archive/)
  expect(() => readHar(inlineSourceFile({ log: { entries: [{}] } }, 'x.har'))).toThrow(/Expected an entry with request/)
  const archive = { log: { entries: [entry('https://app.example.com/index.html?token=1')] } }
  expect(() => findService(readHar(inlineSourceFile(archive, 'x.har')), contract)).toThrow(
    'Expected requests to operations of the contract; got 1 request to others: the first is GET https://app.example.com/index.html.',
  )
})
