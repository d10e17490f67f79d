import { expect, test } from 'vitest'
import { createTester, nextOf } from '../../../support/tester.ts'

interface Page {
  readonly files: readonly Readonly<Record<string, unknown>>[]
}

/** About 29 MB of text, of which at most 16 MiB are in the younger generation: while it is walked, the elder is let go. */
const MANY = 60_000

test(
  'a file set whose text does not fit is paged as it is streamed, also the second time',
  { timeout: 60_000 },
  async () => {
    const tester = createTester({ files: MANY })
    const everything = await tester.search({ set: 'demo', query: { limit: 2 * MANY } })
    const streamed = (everything.body as Page).files
    expect(streamed.length).toBeGreaterThanOrEqual(MANY)
    for (let time = 0; time < 2; time++) {
      const walked: unknown[] = []
      let token: string | undefined
      do {
        const query = token === undefined ? { limit: 1000 } : { limit: 1000, next: token }
        const page = await tester.search({ set: 'demo', query })
        walked.push(...(page.body as Page).files)
        token = nextOf(page)
      } while (token !== undefined)
      expect(walked).toEqual(streamed)
    }
  },
)
