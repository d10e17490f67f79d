import { expect, test } from 'vitest'
import { createTester, KEY_HEADER, SEARCH } from '../support/tester.ts'
import { longTest } from '../support/cases.ts'

/** What is remembered from request to request, or done in a shorter way, must not be seen in any answer. */

test('without a control API its path is unknown like any other, with a hint of its own', async () => {
  const { request } = createTester({ control: false })
  const refused = async (path: string) => {
    const { status, headers, text } = await request().get(path)
    const { 'x-request-id': _id, 'content-length': _length, ...others } = headers as Record<string, string>
    const hint = /(Known paths:|The control API is switched off:) [^"]*/
    return { status, others, text: text.replaceAll(path, 'PATH').replace(hint, 'HINT') }
  }
  const other = await refused('/nowhere/x')
  expect(other.status).toBe(404)
  expect(await refused('/__mock/x')).toEqual(other)
})

test('the Date header goes with the clock, second by second', async () => {
  const tester = createTester()
  const dates: unknown[] = []
  for (const second of ['00.000', '00.999', '01.000', '00.500']) {
    tester.moveTo(`2026-03-05T14:30:${second}Z`)
    dates.push((await tester.search({ set: 'demo', query: { limit: 1 } })).headers.date)
  }
  expect(dates).toEqual([0, 0, 1, 0].map((second) => `Thu, 05 Mar 2026 14:30:0${second} GMT`))
})

test.for([
  'limit=1&a=1&b=2&a=3',
  'a&&b=&=c&limit=1',
  '?limit=1&a',
  'limit=1&a=1=2&b==',
  'limit=1&a%20b=1&c+d=2',
  'limit=1&toString=1&__proto__=2',
  'limit=1&limi%74=1',
])('a query is read as the URL standard has it: %s', async (query) => {
  const answer = await createTester().search({ set: 'demo', query })
  const sent = new URLSearchParams(query)
  const unknown = [...new Set(sent.keys())].filter((name) => name !== 'limit').map((name) => `query ${encodeURI(name)}`)
  expect(answer.status).toBe(sent.getAll('limit').length > 1 ? 400 : 200)
  expect(answer.headers['x-mock-ignored'] ?? '').toBe(unknown.join(', ').trimEnd())
  if (answer.status === 200) expect((answer.body as { files: unknown[] }).files).toHaveLength(1)
})

longTest(
  'a token is the same whether it is remembered, was forgotten meanwhile, or is made for the first time',
  async () => {
    const tester = createTester()
    // In process: a connection for each of a thousand requests takes longer than they do.
    const tokenAfter = async ({ standin }: typeof tester, next = '') => {
      const page = await standin.fetch(
        `${SEARCH}/demo/files/search?limit=1${next && `&next=${encodeURIComponent(next)}`}`,
        {
          method: 'POST',
          headers: { [KEY_HEADER]: 'key', 'Content-Type': 'application/json' },
          body: '{}',
        },
      )
      return ((await page.json()) as { pageContext: { next?: string } }).pageContext.next
    }
    const first = await tokenAfter(tester)
    expect(await tokenAfter(tester)).toBe(first)
    let token = first
    for (let page = 0; page < MORE_THAN_KEPT; page++) token = await tokenAfter(tester, token)
    expect(await tokenAfter(tester)).toBe(first)
    expect(await tokenAfter(createTester())).toBe(first)
  },
)

/** Tokens; two generations of 512 are kept. */
const MORE_THAN_KEPT = 1030

test('a refusal still names what was ignored, and has each header once', async () => {
  const body = { filters: [{ field: 'nowhere' }] }
  const answer = await createTester().search({ set: 'demo', query: 'unknown=1', body })
  expect(answer.status).toBe(400)
  expect(answer.headers['x-mock-ignored']).toBe('query unknown')
  expect(answer.headers['content-type']).toBe('application/problem+json')
  expect(Number(answer.headers['content-length'])).toBe(Buffer.byteLength(answer.text))
})
