import { expect, test } from 'vitest'
import { loadContract } from '../../../src/contract/load/load.ts'
import { readPackaged } from '../../../src/base/formats/source-file.ts'
import { createSecretRemover } from '../../../src/truth/recordings/remove-secrets.ts'
import { KEY_HEADER } from '../../support/tester.ts'

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
        { name: 'xc-auth', value: 'own-header-9' },
        { name: 'X-Next-Page-Token', value: 'page-3' },
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
    'own-header-9',
  ])
    expect(text).not.toContain(secret)
  for (const kept of ['pageToken=page-2', 'page-2', 'page-3', 'size=1', 'user=jane']) expect(text).toContain(kept)
  expect(JSON.parse(createSecretRemover(contract)(signIn).response.body)).toMatchObject({ nextPageToken: 'page-2' })
})

const base64 = (text: string) => Buffer.from(text).toString('base64url')
const JWT = `${base64('{"alg":"HS256"}')}.${base64('{"sub":"ada"}')}.c2lnbmF0dXJl`
const PEM = `-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\nTUlJQ3pRSUJBQUtC\n-----END RSA PRIVATE KEY-----`
const multipart = (name: string, value: string) =>
  `--b1\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n--b1--\r\n`

interface Part {
  readonly url?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** Written in two parts, so that scanners of secrets pass over this file. */
const secretCases: readonly (readonly [what: string, secret: string, sent: (secret: string) => Part])[] = [
  ['a token in a path', JWT, (secret) => ({ url: `/links/${secret}/open` })],
  ['a token in an encoded link', JWT, (secret) => ({ url: `/a?to=${encodeURIComponent(`/b?t=${secret}`)}` })],
  [
    'Basic in a header of another name',
    'dXNlcjpwYXNzd29yZA==',
    (secret) => ({ headers: { 'X-Up': `Basic ${secret}` } }),
  ],
  ['Basic of a header, in the body too', 'dXNlcjpwYXNz', (s) => ({ headers: { 'X-Up': `Basic ${s}` }, body: s })],
  ['a key in PEM', PEM, (secret) => ({ body: secret })],
  ['a key in PEM, in JSON', 'TUlJQ3pRSUJBQUtC', () => ({ body: JSON.stringify({ cert: PEM }) })],
  ['a password of a multipart form', 'hunter2hunter', (secret) => multipartOf('password', secret)],
  ['a short one', 'pw1', (secret) => multipartOf('password', secret)],
  ['one of a part with a file name', 'hunter2hunter', (s) => multipartOf('client_secret"; filename="a.txt', s)],
  ['the number of a card', '4321', (secret) => ({ body: `{"pin":"${secret}"}` })],
  ['its code', '7351', (secret) => ({ body: `{"card":{"cvc":${secret}}}` })],
  ['a short password', 'hunter2hunter', (secret) => ({ body: `{"pwd":"${secret}"}` })],
  ['what a client says of itself', 'saml4cc35e70', (secret) => ({ url: `/a?client_assertion=${secret}` })],
  ['a token of GitHub', `ghp_${'a1B2'.repeat(9)}`, (secret) => ({ body: `{"note":"${secret}"}` })],
  ['a fine-grained one', `github_pat_${'a1B2_'.repeat(9)}`, (secret) => ({ body: secret })],
  ['a key of Stripe', `sk_live_${'a1B2'.repeat(6)}`, (secret) => ({ body: `{"note":"line\\n${secret}"}` })],
  ['a restricted one', `rk_test_${'a1B2'.repeat(6)}`, (secret) => ({ headers: { 'X-Note': secret } })],
  ['a token of Slack', `xoxb-${'123456789012-'.repeat(2)}abc`, (secret) => ({ url: `/a?note=${secret}` })],
  ['a key of AWS', `AKIAIOSFODNN7EXAMPLE`, (secret) => ({ body: `id=${secret}` })],
  ['a token in a sentence', '4cc35e70b2ff', (secret) => ({ body: `{"message":"Your API key is ${secret}."}` })],
  ['a quoted one', '4cc35e70b2ff', (secret) => ({ body: `Use the token '${secret}' from now on` })],
  ['a bearer in a text', '4cc35e70b2ff', (secret) => ({ body: `curl -H "Authorization: Bearer ${secret}"` })],
]

function multipartOf(name: string, value: string): Part {
  return { headers: { 'Content-Type': 'multipart/form-data; boundary=b1' }, body: multipart(name, value) }
}

function cleaned({ url = '/a', headers = {}, body }: Part) {
  const sent = { method: 'POST', url, headers: Object.entries(headers).map(([name, value]) => ({ name, value })), body }
  const received = { ...exchange.response, headers: sent.headers, body }
  return createSecretRemover(contract)({ ...exchange, request: sent, response: received })
}

test.for(secretCases)('removes %s', ([, secret, sent]) => {
  const text = JSON.stringify(cleaned(sent(secret)))
  expect(text).not.toContain(JSON.stringify(secret).slice(1, -1))
  expect(text).toContain('[redacted]')
})

test.for<[string, Part]>([
  ['a challenge', { headers: { 'WWW-Authenticate': 'Basic realm="service"' } }],
  ['prose about tokens', { body: 'Basic authentication with a Bearer token or password is Required.' }],
  ['the token of a page', { body: '{"message":"The next token 4cc35e70b2ff is over, page token: 4cc35e70b2ff"}' }],
  ['a page token in Base64', { url: `/a?pageToken=${base64('{"after":"4cc35e70b2ff"}')}` }],
  ['words that end like one', { body: '{"spin":"4321","pincode":"560001","country_code":"49"}' }],
  ['other fields of a form', multipartOf('user', 'ada')],
  ['words with such a beginning', { body: 'ghp_short, npm-package-json-lint-config, xeyJhb.GciOi.JIUzI1NiIs' }],
  ['a public key', { body: '-----BEGIN PUBLIC KEY-----\nTUlJQ3pRSUJBQUtC\n-----END PUBLIC KEY-----' }],
])('keeps %s', ([, part]) => {
  expect(cleaned(part).request).toMatchObject({ url: part.url ?? '/a', ...(part.body ? { body: part.body } : {}) })
  expect(JSON.stringify(cleaned(part))).not.toContain('[redacted]')
})

test.for([
  'eyJ',
  'eyJaaaaa.',
  '-----BEGIN PRIVATE KEY-----',
  'ghp_',
  'token ',
  '"a":"',
  '--b1\r\nname=',
  'password: "',
])('takes linear time for %s again and again', (part) => {
  const body = part.repeat(1_000_000 / part.length)
  const started = performance.now()
  cleaned({ headers: { 'Content-Type': 'multipart/form-data; boundary=b1' }, body })
  // Reading the rest of the text again at each place would take minutes.
  expect(performance.now() - started).toBeLessThan(4000)
})
