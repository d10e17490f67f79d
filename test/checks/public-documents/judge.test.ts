import { expect, test } from 'vitest'
import { judge } from '../../../checks/public-documents/judge.ts'

const content = { 'application/json': { schema: { type: 'string' } } }
const operation = { responses: { '205': { description: 'reset', content } } }
const put = { method: 'put', path: '/notifications', basePath: '', item: {}, operation, pointer: '' }

test.each([
  ['', { kind: 'valid' }],
  ['"x"', { kind: 'wrong', why: '205: there is a body' }],
])('a 205 has no body, whatever the document says (RFC 9110, 15.3.6): %j', (text, verdict) => {
  const response = { status: 205, type: '', headers: {}, text }
  expect(judge({ document: {}, operations: [] }, put, response, () => undefined)).toEqual(verdict)
})
