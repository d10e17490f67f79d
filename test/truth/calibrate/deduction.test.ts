import { expect, test } from 'vitest'
import { CATALOG } from '../../../checks/calibrate/recover.ts'
import { calibrateFrom } from '../../../src/truth/calibrate/calibrate.ts'
import type { RecordedExchange } from '../../../src/truth/recordings/recorded-exchange.ts'

const KEY = 'X-SERVICE-Developer-Token'

/** A search of a recording: found files by name, or a status. */
function search(body: unknown, response: readonly string[] | number): RecordedExchange {
  const files = typeof response === 'number' ? [] : response.map(entry)
  return {
    source: JSON.stringify(body),
    at: 0,
    milliseconds: 1,
    request: {
      method: 'POST',
      url: '/api/files/v1/filesets/demo/files/search',
      headers: [
        { name: KEY, value: 'any' },
        { name: 'Content-Type', value: 'application/json' },
      ],
      body: JSON.stringify(body),
    },
    response: {
      status: typeof response === 'number' ? response : 200,
      headers: [],
      body: JSON.stringify(typeof response === 'number' ? {} : { files, pageContext: {} }),
      isWhole: true,
    },
  }
}

/** Each file has a day of its own, in the order of their names. */
const entry = (name: string) => ({
  id: name,
  path: name,
  name,
  fileType: 'TEXT',
  created: `2026-01-${String(ALL.indexOf(name) + 10)}T00:00:00.000Z`,
})
const ALL = ['Apple.txt', 'apple pie.txt', 'banana.txt']

function findingsOf(...exchanges: readonly RecordedExchange[]) {
  const { results } = calibrateFrom(exchanges, { catalog: CATALOG, keyHeader: KEY })
  return Object.fromEntries(
    results.map(({ id, finding }) => [id, finding.kind === 'settled' ? finding.value : `open: ${finding.reason}`]),
  )
}

const listing = search({}, ALL)
const like = (...value: readonly string[]) => ({ filters: [{ field: 'name', operator: 'LIKE', value }] })
const sorted = (order: string) => ({ fieldSort: [{ field: 'created', order }] })
const inverted = { dateFilters: [{ field: 'created', start: '2026-02-01T00:00:00Z', end: '2026-01-01T00:00:00Z' }] }

test('a client that only filters shows how LIKE compares', () => {
  expect(findingsOf(listing, search(like('PPLE'), ['Apple.txt', 'apple pie.txt']))).toMatchObject({
    'like.shape': 'contains',
    'like.case': 'insensitive',
    'like.wildcards': expect.stringMatching(/^open/) as string,
  })
})

test('the order of the recording does not matter', () => {
  const findings = findingsOf(search(like('Apple'), ['Apple.txt']), listing)
  expect(findings['like.case']).toBe('sensitive')
  expect(findings['like.shape']).toMatch(/^open/)
})

test('a refused search with two oddities settles neither, until the other one is accepted', () => {
  const both = search({ ...sorted('DESC'), ...inverted }, 400)
  const ascending = search(sorted('ASC'), ALL)
  const before = findingsOf(listing, ascending, both)
  expect(before['sort.order-values']).toMatch(/^open/)
  expect(before['date.inverted']).toMatch(/^open/)
  const after = findingsOf(listing, both, ascending, search(inverted, []))
  expect(after['sort.order-values']).toBe('asc-only')
  expect(after['date.inverted']).toBe('empty')
})

test('a refusal for another reason than the content says nothing', () => {
  for (const status of [401, 403, 429, 500, 503])
    expect(
      findingsOf(listing, search(sorted('ASC'), ALL), search(sorted('DESC'), status))['sort.order-values'],
    ).toMatch(/^open/)
})

test('responses that contradict each other settle nothing', () => {
  const findings = findingsOf(listing, search(like('PPLE'), ['Apple.txt', 'apple pie.txt']), search(like('BANANA'), []))
  expect(findings['like.case']).toMatch(/^open: no setting explains the response of /)
})

test('a timestamp that is accepted and finds nothing shows no format', () => {
  const epoch = search({ dateFilters: [{ field: 'created', start: Date.parse('2000-01-01T00:00:00Z') }] }, [])
  expect(findingsOf(listing, epoch)['date.format']).toMatch(/^open: no setting explains the response of /)
})

test('a sort that no setting explains blinds no other question, and leaves what depends on it likely', () => {
  const sortedBy = (field: string) => ({ fieldSort: [{ field, order: 'ASC' }] })
  const odd = search(sortedBy('name'), ['banana.txt', 'Apple.txt', 'apple pie.txt'])
  const recording = [listing, odd, search(sortedBy('created'), ALL), search(sortedBy('colour'), 400)]
  const { results } = calibrateFrom(recording, { catalog: CATALOG, keyHeader: KEY })
  const findingOf = (id: string) => results.find((one) => one.id === id)?.finding
  expect(findingOf('sort.unknown')).toMatchObject({ kind: 'settled', value: 'error', certainty: 'likely' })
  expect(findingOf('sort.collation')).toMatchObject({ reason: expect.stringMatching(/^no setting explains/) as string })
})

test('what no setting covers is left open', () => {
  const field = search({ dateFilters: [{ field: 'name', start: '2026-01-01T00:00:00Z' }] }, ALL)
  expect(findingsOf(listing, field)['date.field']).toBe('open: the service does something that no setting covers')
})
