import { createServer, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import request from 'supertest'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createContractTester, type Json, OWN_KEY } from '../../support/contracts/small-contract.ts'

/** A server with one operation, `GET /thing`, that responds with one media type. */
function createThing(mediaType: string, schema: unknown, schemas: Json = {}) {
  const responses = { '200': { description: 'ok', content: { [mediaType]: { schema } } } }
  const { standin } = createContractTester({ '/thing': { get: { responses } } }, schemas, {
    extra: { openapi: '3.0.3' },
  })
  return async (prefer = '') => {
    const asked = request(standin.app).get('/thing').set(OWN_KEY).buffer(true)
    return asked.set('Prefer', prefer).parse((response, done) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => done(null, Buffer.concat(chunks)))
    })
  }
}

const bytesOf = (answer: { readonly body: unknown }) => answer.body as Buffer
const textOf = (answer: { readonly body: unknown }) => bytesOf(answer).toString()

describe('format: byte', () => {
  test.each(['3.0.3', '3.1.0'])('is base64 in OpenAPI %s, alone, in maps, and within a length', async (openapi) => {
    const byte = { type: 'string', format: 'byte' }
    const schema = {
      type: 'object',
      required: ['caBundle', 'data', 'short'],
      properties: {
        caBundle: byte,
        data: { type: 'object', additionalProperties: byte },
        short: { ...byte, maxLength: 7 },
      },
    }
    const responses = { '200': { description: 'ok', content: { 'application/json': { schema } } } }
    const { standin } = createContractTester({ '/secret': { get: { responses } } }, {}, { extra: { openapi } })
    const answer = await request(standin.app).get('/secret').set(OWN_KEY)
    const { caBundle, data, short } = answer.body as { caBundle: string; data: Record<string, string>; short: string }
    for (const text of [caBundle, short, ...Object.values(data)])
      expect(Buffer.from(text, 'base64').toString('base64')).toBe(text)
    expect(Buffer.from(caBundle, 'base64').toString()).toMatch(/^[\w-]+ [\w-]+$/)
    expect(short).toHaveLength(4)
  })
})

describe('images, videos, sounds and fonts are small files of their type', () => {
  test.each([
    ['image/png', 'image/png', /^\x89PNG/],
    ['image/*', 'image/png', /^\x89PNG/],
    ['image/jpeg', 'image/jpeg', /^\xff\xd8\xff/],
    ['image/gif', 'image/gif', /^GIF89a/],
    ['image/webp', 'image/webp', /^RIFF.{4}WEBP/s],
    ['image/svg+xml', 'image/svg+xml', /^<svg /],
    ['video/mp4', 'video/mp4', /^.{4}ftyp/s],
    ['video/*', 'video/mp4', /^.{4}ftyp/s],
    ['video/webm', 'video/webm', /^\x1aE\xdf\xa3/],
    ['audio/*', 'audio/wav', /^RIFF.{4}WAVE/s],
    ['font/*', 'font/woff2', /^wOF2/],
    ['font/woff', 'font/woff', /^wOFF/],
    ['font/ttf', 'font/ttf', /^\0\x01\0\0/],
  ])('%s', async (mediaType, sent, signature) => {
    const answer = await createThing(mediaType, { type: 'string', format: 'binary' })()
    expect([answer.status, answer.headers['content-type']]).toEqual([200, sent])
    expect(bytesOf(answer).toString('latin1')).toMatch(signature)
  })
})

describe('XML is written by the hints of its schema', () => {
  const PET = {
    type: 'object',
    required: ['id', 'name', 'tags', 'photos', 'owner'],
    xml: { name: 'pet', namespace: 'http://example.com/pet', prefix: 'p' },
    properties: {
      id: { type: 'integer', example: 7, xml: { attribute: true } },
      name: { type: 'string', example: 'Ann & <Bob>' },
      tags: {
        type: 'array',
        example: ['a', 'b'],
        xml: { name: 'tagList', wrapped: true },
        items: { type: 'string', xml: { name: 'tag' } },
      },
      photos: { type: 'array', example: ['x', 'y'], items: { type: 'string', xml: { name: 'photo' } } },
      owner: { type: 'object', required: ['age'], properties: { age: { type: 'integer', example: 30 } } },
    },
  }

  test('names, attributes, namespaces, and lists with and without a wrapper', async () => {
    const answer = await createThing('application/xml', { $ref: '#/components/schemas/Pet' }, { Pet: PET })()
    expect(answer.headers['content-type']).toBe('application/xml')
    expect(textOf(answer).replaceAll(/\n\s*/g, '')).toBe(
      '<?xml version="1.0" encoding="UTF-8"?><p:pet xmlns:p="http://example.com/pet" id="7"><name>Ann &amp; &lt;Bob&gt;</name>' +
        '<tagList><tag>a</tag><tag>b</tag></tagList><photo>x</photo><photo>y</photo><owner><age>30</age></owner></p:pet>',
    )
  })

  test('the outermost element is called by its schema, and a list has one too', async () => {
    const item = { type: 'object', required: ['n'], properties: { n: { type: 'integer', example: 1 } } }
    const named = await createThing('text/xml', { $ref: '#/components/schemas/Item' }, { Item: item })()
    expect(textOf(named).replaceAll(/\n\s*/g, '')).toMatch(/\?><Item><n>1<\/n><\/Item>$/)
    const list = { type: 'array', minItems: 1, maxItems: 1, items: item, xml: { name: 'items' } }
    expect(textOf(await createThing('application/atom+xml', list)()).replaceAll(/\n\s*/g, '')).toMatch(
      /\?><items><items><n>1<\/n><\/items><\/items>$/,
    )
  })

  test('its values hold to the schema', async () => {
    const large = { type: 'object', required: ['n'], properties: { n: { type: 'integer', minimum: 100, example: 2 } } }
    expect(textOf(await createThing('application/xml', large)())).toMatch(/<n>\d{3,}<\/n>/)
  })
})

describe('text/event-stream', () => {
  const EVENT = {
    type: 'object',
    required: ['delta'],
    properties: { delta: { type: 'string', minLength: 1 }, at: { type: 'integer' } },
  }
  /** The lines of each event but its number. */
  const dataOf = (text: string) =>
    text
      .split('\n\n')
      .slice(0, -1)
      .map((lines) => lines.replace(/^id: \d+\n/, ''))

  test('has several events, the data of each fits the schema, and they are the same when asked again', async () => {
    const ask = createThing('text/event-stream', EVENT)
    const answer = await ask()
    const events = dataOf(textOf(answer)).map(
      (line) => JSON.parse(line.replace(/^data: /, '')) as { readonly delta: string },
    )
    expect(events).toHaveLength(3)
    expect(new Set(events.map(({ delta }) => delta)).size).toBeGreaterThan(1)
    expect(events.every(({ delta }) => typeof delta === 'string' && delta.length > 0)).toBe(true)
    expect(answer.headers['content-length']).toBeUndefined()
    expect(textOf(await ask())).toBe(textOf(answer))
  })

  test('has one event for each element of a list, and fields where the schema has those of an event', async () => {
    const event = { type: 'object', required: ['event', 'data'], properties: { event: { const: 'tick' }, data: EVENT } }
    const list = { type: 'array', minItems: 2, maxItems: 2, items: event }
    const events = dataOf(textOf(await createThing('text/event-stream', list)()))
    expect(events).toHaveLength(2)
    expect(events.every((lines) => lines.startsWith('event: tick\ndata: {"delta":'))).toBe(true)
  })

  test('is sent as a stream: each event is a chunk', async () => {
    const responses = { '200': { description: 'ok', content: { 'text/event-stream': { schema: EVENT } } } }
    const { standin } = createContractTester({ '/thing': { get: { responses } } })
    const server = createServer(standin.app).listen(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as AddressInfo
    const chunks = await new Promise<string[]>((resolve, reject) => {
      const sent = send({ host: '127.0.0.1', port, path: '/thing', headers: OWN_KEY }, (response) => {
        const chunks: string[] = []
        response.setEncoding('utf8').on('data', (chunk: string) => chunks.push(chunk))
        response.on('end', () => resolve(chunks))
      })
      sent.on('error', reject).end()
    })
    expect(chunks.join('').match(/^data: /gm)).toHaveLength(3)
    expect(chunks.length).toBeGreaterThan(1)
  })
})

test('a type that no alternative allows is refused with the reason', async () => {
  const schema = { type: 'object', oneOf: [{ type: 'string' }, { type: 'array', items: {} }] }
  const answer = await createThing('application/json', schema)()
  expect(answer.status).toBe(501)
  expect(textOf(answer)).toContain('it must be object and string at once')
})

test('101 is a final status', async () => {
  const responses = { '101': { description: 'switched' }, '404': { description: 'no', content: {} } }
  const { standin } = createContractTester({
    '/attach': { get: { responses } },
    '/only': { get: { responses: { '101': { description: 'switched' } } } },
  })
  for (const path of ['/attach', '/only']) {
    const answer = await request(standin.app)
      .get(path)
      .set({ ...OWN_KEY, Connection: 'keep-alive' })
    expect([answer.status, answer.headers['x-mock-generated'], answer.headers.connection]).toEqual([
      101,
      'true',
      'close',
    ])
  }
})
