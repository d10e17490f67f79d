import express from 'express'
import request from 'supertest'
import { expect, test } from 'vitest'
import { createStandin } from '../../../src/index.ts'

const HTML = 'text/html,application/xhtml+xml,*/*;q=0.8'

test('a browser gets the console at /__mock/', async () => {
  const { app } = createStandin()
  const page = await request(app).get('/__mock/').set('Accept', HTML)
  expect(page.status).toBe(200)
  expect(page.type).toBe('text/html')
  expect(page.text).toContain('<title>Standin console</title>')
})

test('/__mock leads to the console, also where the app is mounted under a path', async () => {
  const app = express().use('/mock', createStandin().app)
  const answer = await request(app).get('/mock/__mock').set('Accept', HTML)
  expect([answer.status, answer.headers.location]).toEqual([302, '__mock/'])
  const page = await request(app).get('/mock/__mock/').set('Accept', HTML)
  expect(page.text).toContain('Standin console')
})

test('its files are those that the page names, and browsers may keep them', async () => {
  const { app } = createStandin()
  const page = await request(app).get('/__mock/').set('Accept', HTML)
  const files = [...page.text.matchAll(/(?:src|href)="\.\/(console\/[^"]+)"/g)].map(([, file]) => file)
  expect(files.length).toBeGreaterThanOrEqual(2)
  for (const file of files) {
    const answer = await request(app).get(`/__mock/${file}`)
    expect(answer.status).toBe(200)
    expect(answer.headers['cache-control']).toBe('public, max-age=31536000, immutable')
  }
  expect(page.headers['cache-control']).toBe('no-cache')
})

test('its content security policy runs nothing but its own files', async () => {
  const { app } = createStandin()
  const { headers } = await request(app).get('/__mock/').set('Accept', HTML)
  expect(headers['content-security-policy']).toContain("default-src 'none'; script-src 'self'; style-src 'self'")
  expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
  expect(headers['x-content-type-options']).toBe('nosniff')
})

test.for(['/__mock/', '/__mock'])(
  'clients that do not ask for a page get what the control API can do at %s',
  async (path) => {
    const { app } = createStandin()
    const answer = await request(app).get(path)
    expect([answer.status, answer.type]).toEqual([200, 'application/json'])
    expect(answer.body).toMatchObject({
      contract: '/__mock/control.openapi.yaml',
      operations: {
        'GET /__mock/state': expect.any(String) as string,
        'POST /__mock/reset': expect.any(String) as string,
      },
    })
    expect((await request(app).post(path)).status).toBe(404)
  },
)

test('no path leads out of its folder', async () => {
  const { app } = createStandin()
  for (const path of [
    '/__mock/console/../../cli.js',
    '/__mock/console/%2e%2e/%2e%2e/cli.js',
    '/__mock/console/..%2f..%2fcli.js',
  ])
    expect((await request(app).get(path)).status).toBe(404)
})

test('where the control API is off there is no console', async () => {
  const { app } = createStandin({ control: false })
  const answer = await request(app).get('/__mock/').set('Accept', HTML)
  expect(answer.status).toBe(404)
})
