import supertest from 'supertest'
import { createParser, type EventSourceMessage } from 'eventsource-parser'
import { expect, test } from 'vitest'
import { createStandin } from '../../../src/index.ts'

const text = { type: 'string' }
const count = { type: 'integer', minimum: 0 }
const object = (properties: object, required: readonly string[] = Object.keys(properties)) => ({
  type: 'object',
  required,
  properties,
})
const json = (schema: object) => ({ content: { 'application/json': { schema } } })
const post = (operationId: string, sent: object, answered: object) => ({
  post: { operationId, requestBody: json(sent), responses: { 200: { description: 'ok', ...json(answered) } } },
})

const call = object({ id: text, type: { const: 'function' }, function: object({ name: text, arguments: text }) })
const CONTRACT = {
  openapi: '3.1.0',
  info: { title: 'Models', version: '1' },
  paths: {
    '/chat/completions': post(
      'chat',
      object({ model: text, messages: { type: 'array', items: { type: 'object' } }, stream: { type: 'boolean' } }, [
        'model',
        'messages',
      ]),
      object({
        id: text,
        object: { const: 'chat.completion' },
        created: count,
        model: text,
        choices: {
          type: 'array',
          items: object({
            index: count,
            finish_reason: { enum: ['stop', 'length', 'tool_calls'] },
            message: object(
              {
                role: { const: 'assistant' },
                content: { type: ['string', 'null'] },
                tool_calls: { type: 'array', items: call },
              },
              ['role', 'content'],
            ),
          }),
        },
        usage: object({ prompt_tokens: count, completion_tokens: count, total_tokens: count }),
      }),
    ),
    '/v1/messages': post(
      'messages',
      object({ model: text, messages: { type: 'array', items: { type: 'object' } }, stream: { type: 'boolean' } }, [
        'model',
        'messages',
      ]),
      object({
        id: text,
        type: { const: 'message' },
        role: { const: 'assistant' },
        model: text,
        content: {
          type: 'array',
          items: object(
            { type: { enum: ['text', 'tool_use'] }, text, id: text, name: text, input: { type: 'object' } },
            ['type'],
          ),
        },
        stop_reason: { enum: ['end_turn', 'max_tokens', 'tool_use'] },
        stop_sequence: { type: ['string', 'null'] },
        usage: object({ input_tokens: count, output_tokens: count }),
      }),
    ),
  },
}

const ask = { model: 'm-1', messages: [{ role: 'user', content: 'How is the weather today?' }] }
const weather = {
  name: 'weather',
  parameters: object({ city: text, days: { type: 'integer', minimum: 1, maximum: 7 } }),
}

function models() {
  return supertest(createStandin({ contract: CONTRACT, clock: '2026-03-05T14:30:00Z' }).app)
}

interface Chunk {
  readonly choices: readonly {
    readonly delta: {
      readonly content?: string
      readonly tool_calls?: readonly { function: { name?: string; arguments: string } }[]
    }
    readonly finish_reason: string | null
  }[]
  readonly usage?: { readonly completion_tokens: number } | null
}

async function stream(path: string, body: object) {
  const answer = await models()
    .post(path)
    .send({ ...body, stream: true })
  const events: EventSourceMessage[] = []
  createParser({ onEvent: (event) => events.push(event) }).feed(answer.text)
  expect([answer.status, answer.headers['content-type']]).toEqual([200, 'text/event-stream'])
  return events
}

test('a completion has sentences, and counts its tokens; equal requests get equal ones', async () => {
  const send = async () =>
    (await models().post('/chat/completions').send(ask)).body as {
      choices: { message: { content: string }; finish_reason: string }[]
      usage: object
      model: string
      created: number
    }
  const answer = await send()
  const { content } = answer.choices[0]!.message
  const tokens = content.split(' ').length
  expect(tokens).toBeGreaterThan(5)
  expect(answer).toMatchObject({
    model: 'm-1',
    created: Date.UTC(2026, 2, 5, 14, 30) / 1000,
    choices: [{ finish_reason: 'stop' }],
    usage: { prompt_tokens: 5, completion_tokens: tokens, total_tokens: 5 + tokens },
  })
  expect(await send()).toEqual(answer)
})

test('a completion has as many choices as were asked for', async () => {
  const answer = await models()
    .post('/chat/completions')
    .send({ ...ask, n: 2 })
  const { choices } = answer.body as { choices: { index: number }[] }
  expect(choices.map(({ index }) => index)).toEqual([0, 1])
})

test('its stream has the same text, token by token, and ends with the usage that was asked for', async () => {
  const whole = (await models().post('/chat/completions').send(ask)).body as {
    choices: { message: { content: string } }[]
  }
  const events = await stream('/chat/completions', { ...ask, stream_options: { include_usage: true } })
  expect(events.at(-1)?.data).toBe('[DONE]')
  const chunks = events.slice(0, -1).map(({ data }) => JSON.parse(data) as Chunk)
  const content = chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('')
  expect(content.split(' ').length).toBeGreaterThan(5)
  expect(chunks.at(-2)?.choices[0]?.finish_reason).toBe('stop')
  expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { completion_tokens: content.split(' ').length } })
  expect(content).toBe(whole.choices[0]?.message.content)
})

test('max_tokens cuts it, and a stop sequence ends it', async () => {
  const cut = (
    await models()
      .post('/chat/completions')
      .send({ ...ask, max_tokens: 3 })
  ).body as { choices: object[]; usage: object }
  expect(cut).toMatchObject({ choices: [{ finish_reason: 'length' }], usage: { completion_tokens: 3 } })
  const stopped = (
    await models()
      .post('/chat/completions')
      .send({ ...ask, stop: [' '] })
  ).body as { choices: object[]; usage: object }
  expect(stopped).toMatchObject({ choices: [{ finish_reason: 'stop' }], usage: { completion_tokens: 1 } })
})

test('a tool is called with an input of its schema, in parts in a stream, until its result was sent', async () => {
  const tools = [{ type: 'function', function: weather }]
  const called = (
    await models()
      .post('/chat/completions')
      .send({ ...ask, tools })
  ).body as {
    choices: {
      finish_reason: string
      message: { content: null; tool_calls: { function: { name: string; arguments: string } }[] }
    }[]
  }
  const { finish_reason: end, message } = called.choices[0]!
  const { name, arguments: given } = message.tool_calls[0]!.function
  expect([end, message.content, name]).toEqual(['tool_calls', null, 'weather'])
  const input = JSON.parse(given) as { city: string; days: number }
  expect([typeof input.city, input.days >= 1 && input.days <= 7]).toEqual(['string', true])
  const chunks = (await stream('/chat/completions', { ...ask, tools }))
    .slice(0, -1)
    .map(({ data }) => JSON.parse(data) as Chunk)
  const parts = chunks.flatMap(({ choices }) => choices[0]?.delta.tool_calls ?? [])
  expect(Object.keys(JSON.parse(parts.map((part) => part.function.arguments).join('')) as object)).toEqual([
    'city',
    'days',
  ])
  const messages = [
    ...ask.messages,
    { role: 'assistant', content: null },
    { role: 'tool', tool_call_id: 'c', content: 'sunny' },
  ]
  const then = (
    await models()
      .post('/chat/completions')
      .send({ ...ask, messages, tools })
  ).body as { choices: object[] }
  expect(then).toMatchObject({ choices: [{ finish_reason: 'stop' }] })
})

test('JSON comes where it is asked for, by its schema', async () => {
  const format = { type: 'json_schema', json_schema: { name: 'w', schema: weather.parameters } }
  const { choices } = (
    await models()
      .post('/chat/completions')
      .send({ ...ask, response_format: format })
  ).body as {
    choices: { message: { content: string } }[]
  }
  expect(Object.keys(JSON.parse(choices[0]!.message.content) as object)).toEqual(['city', 'days'])
})

test('messages with blocks of content have events of their own', async () => {
  const whole = (
    await models()
      .post('/v1/messages')
      .send({ ...ask, max_tokens: 4 })
  ).body as object
  expect(whole).toMatchObject({
    type: 'message',
    content: [{ type: 'text' }],
    stop_reason: 'max_tokens',
    usage: { input_tokens: 5, output_tokens: 4 },
  })
  const events = await stream('/v1/messages', { ...ask, max_tokens: 4 })
  expect(events.map(({ event }) => event)).toEqual([
    'message_start',
    'content_block_start',
    ...Array.from({ length: 4 }, () => 'content_block_delta'),
    'content_block_stop',
    'message_delta',
    'message_stop',
  ])
  const tools = [{ name: 'weather', input_schema: weather.parameters }]
  const called = await stream('/v1/messages', { ...ask, tools })
  const parts = called.map(
    ({ data }) => (JSON.parse(data) as { delta?: { partial_json?: string } }).delta?.partial_json ?? '',
  )
  expect(Object.keys(JSON.parse(parts.join('')) as object)).toEqual(['city', 'days'])
  expect(called.find(({ event }) => event === 'message_delta')?.data).toContain('"stop_reason":"tool_use"')
})

test('a completion that could be kept in a collection is said all the same', async () => {
  const { post } = CONTRACT.paths['/chat/completions']
  const answered = post.responses[200].content['application/json'].schema
  const list = { description: 'ok', ...json({ type: 'array', items: answered }) }
  const paths = { '/chat/completions': { post, get: { operationId: 'list', responses: { 200: list } } } }
  const standin = createStandin({ contract: { ...CONTRACT, paths } })
  const answer = await supertest(standin.app).post('/chat/completions').send(ask)
  expect(answer.body).toMatchObject({ model: 'm-1', usage: { prompt_tokens: 5 } })
})

test('a fault cuts the stream after whole events', async () => {
  const standin = createStandin({ contract: CONTRACT })
  await standin.control.armFaults({ kind: 'truncated', events: 3 })
  const url = await standin.start()
  const response = await fetch(`${url}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...ask, stream: true }),
  })
  let received = ''
  await expect(
    (async () => {
      for await (const part of response.body!.pipeThrough(new TextDecoderStream())) received += part
    })(),
  ).rejects.toThrow('terminated')
  expect(received.match(/\n\n/g)).toHaveLength(3)
  await standin.stop()
})

test('the usage of what is not a conversation adds up, too', async () => {
  const usage = object({ prompt_tokens: count, completion_tokens: count, total_tokens: count })
  const paths = { '/completions': post('complete', object({ prompt: text }), object({ id: text, usage })) }
  const standin = createStandin({ contract: { ...CONTRACT, paths } })
  const answer = await supertest(standin.app).post('/completions').send({ prompt: 'Once upon a time' })
  const counted = (answer.body as { usage: Readonly<Record<string, number>> }).usage
  expect(counted.total_tokens).toBe(Number(counted.prompt_tokens) + Number(counted.completion_tokens))
})
