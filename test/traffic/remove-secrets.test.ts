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

test('removes what has the name of a secret, wherever it stands', () => {
  const signIn = {
    ...exchange,
    request: {
      method: 'POST',
      url: '/token?access_token=query-token-1&pageToken=page-2&code=code-of-oauth',
      headers: [
        { name: 'Authorization', value: 'Bearer bearer-token-3' },
        { name: 'Cookie', value: 'sid=cookie-value-4; theme=dark' },
        { name: 'X-Api-Key', value: 'header-key-5' },
        { name: 'Content-Type', value: 'application/x-www-form-urlencoded' },
      ],
      body: 'user=jane&password=form-password-6',
    },
    response: {
      status: 200,
      headers: [{ name: 'X-Echo', value: 'cookie-value-4' }],
      body: '{"refresh_token": "refresh-\\"7\\"", "pin_secret": 123456, "nextPageToken": "page-2", "link": "https://x.example/a?X-Amz-Signature=signature-8&size=1", "echo": "bearer-token-3 form-password-6"}',
      isWhole: true,
    },
  }
  const text = JSON.stringify(createSecretRemover(contract)(signIn))
  for (const secret of [
    'token-1',
    'code-of',
    'token-3',
    'value-4',
    'key-5',
    'password-6',
    'refresh-',
    '123456',
    'signature-8',
  ])
    expect(text).not.toContain(secret)
  for (const kept of ['pageToken=page-2', 'page-2', 'size=1', 'user=jane']) expect(text).toContain(kept)
  expect(JSON.parse(createSecretRemover(contract)(signIn).response.body)).toMatchObject({ nextPageToken: 'page-2' })
})
