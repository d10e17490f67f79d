import { expect } from 'vitest'
import { describeRow } from '../support/describe-row.ts'
import { nextOf } from '../support/tester.ts'

const tiny = { fileSets: [{ id: 'tiny', files: ['a.txt', 'b.txt', 'c.txt', 'd.txt', 'e.txt'].map((path) => ({ path })) }] }
const options = { fixtures: [tiny] }

describeRow(
  'page.last',
  {
    absent: async ({ search }) => expect((await search()).body).toHaveProperty('pageContext', {}),
    null: async ({ search }) => expect((await search()).body).toHaveProperty('pageContext', { next: null }),
    empty: async ({ search }) => expect((await search()).body).toHaveProperty('pageContext', { next: '' }),
  },
  options,
)

describeRow(
  'page.exact-end',
  {
    lookahead: async ({ search }) => expect(nextOf(await search({ query: { limit: 5 } }))).toBeUndefined(),
    'full-page-implies-next': async ({ search, paths }) => {
      const next = nextOf(await search({ query: { limit: 5 } })) ?? ''
      expect(await paths({ query: { next } })).toEqual([])
    },
  },
  options,
)
