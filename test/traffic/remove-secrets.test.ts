import { expect, test } from 'vitest'
import { loadContract } from '../../src/contract/load/load.ts'
import { readPackaged } from '../../src/formats/source-file.ts'
import { createSecretRemover } from '../../src/traffic/remove-secrets.ts'
import { KEY_HEADER } from '../support/tester.ts'

const contract = loadContract(readPackaged('spec/openapi.yaml'))

const exchange = {
  source: 'session.har, entry 1',
  at: 0,
  milliseconds: 1,
  request: {
    method: 'POST',
    url: '/api/files/v1/filesets/a/files/search?directoryPath=Zm9vYmFyMTIzNDU2',
    headers: [
      { name: KEY_HEADER.toLowerCase(), value: 'Zm9vYmFyMTIzNDU2' },
      { name: 'Cookie', value: 'session=abc' },
      { name: 'Accept', value: '*/*' },
    ],
    body: '{"note":"Zm9vYmFyMTIzNDU2 and a-listed-key"}',
  },
  response: {
    status: 403,
    headers: [
      { name: 'Set-Cookie', value: 'session=abc' },
      { name: 'X-Echo', value: 'Zm9vYmFyMTIzNDU2' },
    ],
    body: 'The key Zm9vYmFyMTIzNDU2 is unknown.',
    isWhole: true,
  },
}

test('removes keys and cookies wherever they stand', () => {
  expect(createSecretRemover(contract, ['a-listed-key'])(exchange)).toEqual({
    source: 'session.har, entry 1',
    at: 0,
    milliseconds: 1,
    request: {
      method: 'POST',
      url: '/api/files/v1/filesets/a/files/search?directoryPath=[redacted]',
      headers: [
        { name: KEY_HEADER.toLowerCase(), value: '[redacted]' },
        { name: 'Cookie', value: '[redacted]' },
        { name: 'Accept', value: '*/*' },
      ],
      body: '{"note":"[redacted] and [redacted]"}',
    },
    response: {
      status: 403,
      headers: [
        { name: 'Set-Cookie', value: '[redacted]' },
        { name: 'X-Echo', value: '[redacted]' },
      ],
      body: 'The key [redacted] is unknown.',
      isWhole: true,
    },
  })
})
