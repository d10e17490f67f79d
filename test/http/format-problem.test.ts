import { expect, test } from 'vitest'
import { createStandin } from '../../src/index.ts'

const LONG = 'x'.repeat(100_000)

test.for([
  ['PUT', '/__mock/behaviours', { [LONG]: 1 }],
  ['POST', '/__mock/file-sets', { id: 'own', [LONG]: 1 }],
  ['POST', '/__mock/explain', { search: { fileSetId: LONG } }],
  ['POST', '/__mock/faults', { kind: 'status', status: 500, match: { [LONG]: 1 } }],
  ['PUT', '/__mock/state', { [LONG]: 1 }],
] as const)('an error quotes only the beginning of a long name or value: %s %s', async ([method, path, body]) => {
  const { fetch } = createStandin()
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(`http://localhost${path}`, { method, headers, body: JSON.stringify(body) })
  expect(response.status).toBe(400)
  const text = await response.text()
  expect(text.length).toBeLessThan(25_000)
  expect(JSON.parse(text)).toMatchObject({ title: 'The request is not valid' })
})
