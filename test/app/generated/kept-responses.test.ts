import request from 'supertest'
import { expect, test } from 'vitest'
import { createStandin } from '../../../src/index.ts'

const CONTRACT = {
  openapi: '3.1.0',
  info: { title: 'Weather', version: '1' },
  paths: {
    '/weather': {
      get: {
        parameters: [{ name: 'city', in: 'query', schema: { type: 'string' } }],
        responses: {
          200: {
            description: 'now',
            content: {
              'application/json': {
                schema: {
                  type: 'object',
                  required: ['at', 'celsius'],
                  properties: { at: { type: 'string', format: 'date-time' }, celsius: { type: 'number' } },
                },
                example: { at: '2026-01-01T00:00:00Z', celsius: 1 },
              },
              'text/csv': { schema: { type: 'string' }, example: 'at,celsius' },
            },
          },
          404: {
            description: 'no such city',
            content: {
              'application/json': { schema: { type: 'object', properties: { instance: { type: 'string' } } } },
            },
          },
        },
      },
    },
  },
}

test('a kept response is sent again, but not for another query, Accept, preference, seed or day', async () => {
  const standin = createStandin({ contract: CONTRACT, clock: '2026-03-05T14:30:00Z' })
  const { control } = standin
  await control.createSandbox({ name: 'other', seed: 7 })
  const ask = async (query = '', headers: Readonly<Record<string, string>> = {}) => {
    const { text } = await request(standin.app)
      .get(`/weather${query}`)
      .set({ prefer: 'dynamic=true', ...headers })
    return text
  }
  const first = await ask()
  expect(await ask()).toBe(first)
  const others = [
    await ask('?city=Bern'),
    await ask('', { accept: 'text/csv' }),
    await ask('', { prefer: 'dynamic=false' }),
    await ask('', { 'x-mock-sandbox': 'other' }),
  ]
  await control.advanceClock({ by: 'P3D' })
  others.push(await ask())
  expect(new Set([first, ...others]).size).toBe(6)
  expect(await ask()).toBe(others.at(-1))
})
