import request from 'supertest'
import { expect, test } from 'vitest'
import { errorCatalog } from '../../../src/base/errors/catalog.ts'
import { createStandin } from '../../../src/index.ts'

const { app } = createStandin()

test('the type of a refused request explains it', async () => {
  const refused = await request(app).get('/nowhere')
  const answer = await request(app).get((refused.body as { type: string }).type)
  expect([answer.status, answer.type]).toEqual([200, 'application/json'])
  expect(answer.body).toEqual({
    type: '/problems/path-unknown',
    title: 'There is no such path',
    statuses: [404],
    cause: expect.stringContaining('No operation') as string,
    remedy: expect.stringContaining('Compare the path') as string,
  })
})

test('every error of the catalogue has a page with its cause and remedy', async () => {
  for (const { id, title } of errorCatalog().values()) {
    const page = await request(app).get(`/problems/${id}`).set('Accept', 'text/html')
    expect([id, page.status, page.type]).toEqual([id, 200, 'text/html'])
    expect(page.text).toContain(`<h1>${title.replaceAll("'", '&#39;')}</h1>`)
    expect(page.text).toMatch(/<dt>Cause<\/dt>\n<dd>[^<]/)
    expect(page.text).not.toContain('`')
  }
})

test('an unknown type is a 404 that names the nearest', async () => {
  const json = await request(app).get('/problems/file-set-not-foun')
  expect(json.status).toBe(404)
  expect((json.body as { detail: string }).detail).toContain('The nearest: /problems/file-set-not-found, ')
  const page = await request(app).get('/problems/file-set-not-foun').set('Accept', 'text/html')
  expect(page.status).toBe(404)
  expect(page.text).toContain('<a href="./file-set-not-found">')
})

test('the name that was asked for is shown as text', async () => {
  const page = await request(app).get('/problems/%3Cscript%3E').set('Accept', 'text/html')
  expect(page.text).not.toContain('<script')
})
