import { expect, test } from 'vitest'
import { contractFile } from '../../support/contracts/own-contract.ts'
import { complaintsOf, createTester, weekly } from '../../support/tester.ts'

const IGNORED = 'x-mock-ignored'

test('a refusal does not call ignored what it was refused for', async () => {
  const behaviours = { 'body.unknown': 'error', 'http.unknown-query': 'error' } as const
  for (const several of ['all', 'first'] as const) {
    const { create, search } = createTester({ behaviours: { ...behaviours, 'error.several': several } })
    const created = await create(weekly({ colour: 'red', size: 1 }))
    expect([created.status, created.headers[IGNORED]]).toEqual([400, undefined])
    const found = await search({ query: 'colour=red', body: { filtres: [] } })
    expect([found.status, found.headers[IGNORED]]).toEqual([400, undefined])
  }
})

test('a refusal names what was ignored besides, such as a misspelt name', async () => {
  const { create, search } = createTester({ behaviours: { 'http.unknown-query': 'error' } })
  const { title, ...rest } = weekly()
  const created = await create({ ...rest, titel: title })
  expect(complaintsOf(created)).toEqual(['/title create.required'])
  expect(created.headers[IGNORED]).toBe('body /titel')
  const found = await search({ query: 'limti=3', body: { filtres: [] } })
  expect(complaintsOf(found)).toEqual(['limti http.unknown-query'])
  expect(found.headers[IGNORED]).toBe('body /filtres')
})

test('a contract that allows no other members refuses each of them at its own place, and none is called ignored', async () => {
  const contract = contractFile(({ at }) => {
    at('/components/schemas/ReportScheduleInfo').additionalProperties = false
  })
  const { create } = createTester({ contract })
  const refused = await create(weekly({ colour: 'red', 'a/b': 1 }))
  expect(complaintsOf(refused)).toEqual(['/colour additionalProperties', '/a~1b additionalProperties'])
  expect(refused.body).toMatchObject({
    detail: '/colour: expected no member of this name, got "red". (and 1 more)',
    errors: [{ received: '"red"' }, { received: '1' }],
  })
  expect(refused.headers[IGNORED]).toBeUndefined()
})
