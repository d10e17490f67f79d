import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createControlClient, createStandin } from '../../src/index.ts'
import { createPrismProxy, type Complaint, type Proxied, type PrismProxy } from '../support/contracts/prism.ts'
import { KEY_HEADER, NOW, SCHEDULES, weekly } from '../support/tester.ts'
import { wildRequest, type WildRequest } from '../support/random/wild.ts'

const files = ['a.txt', 'dir/b.txt', 'dir/sub/c.pdf', 'é/100%_.txt'].map((path) => ({ path }))
const standin = createStandin({
  now: () => NOW,
  fixtures: [{ fileSets: [{ id: 'tiny', files }] }],
  behaviours: { 'create.ids': 5001 },
})
let url = ''
let prism: PrismProxy
beforeAll(async () => {
  url = await standin.start()
  prism = await createPrismProxy('spec/openapi.yaml', url)
})
afterAll(() => standin.stop())

/** Prism reads integers as doubles, and has something against those beyond 2^53 that the contract allows. */
const hasLongInteger = ({ body }: WildRequest) => /\d{16}/.test(body)

/** Behaviours read null as absent where the contract names one type only (body.null, http.null-array). */
function isOfNull({ body }: Proxied, { path = [] }: Complaint): boolean {
  const [place, ...names] = path
  const value = names.reduce<unknown>((at, name) => (at as Readonly<Record<string, unknown>>)[name], body)
  return place === 'body' && value === null
}

test('as a validating proxy Prism finds nothing amiss in the answers, nor in the requests that were answered', async () => {
  const requests = fc.sample(wildRequest, { seed: 20_260_305, numRuns: 250 }).filter((one) => !hasLongInteger(one))
  const seen = new Map<number, number>()
  let complained = 0
  for (const request of requests) {
    const proxied = await prism.send(request)
    if (!proxied) continue
    const { status, ofRequest, ofAnswer } = proxied
    seen.set(status, (seen.get(status) ?? 0) + 1)
    expect(ofAnswer, JSON.stringify(request)).toEqual([])
    if (ofRequest.length > 0) complained++
    if (status !== 200) continue
    expect(
      ofRequest.filter((complaint) => !isOfNull(proxied, complaint)),
      JSON.stringify(request),
    ).toEqual([])
  }
  // Neither all in order nor all refused.
  for (const status of [200, 400, 401, 404]) expect(seen.get(status) ?? 0, String(status)).toBeGreaterThan(2)
  expect(seen.get(200)).toBeGreaterThan(30)
  expect(complained).toBeGreaterThan(30)
})

test('it does find what is amiss', async () => {
  const create: WildRequest = {
    method: 'POST',
    target: SCHEDULES,
    headers: [
      [KEY_HEADER, 'key'],
      ['Content-Type', 'application/json'],
    ],
    body: JSON.stringify(weekly()),
  }
  expect(await prism.send(create)).toMatchObject({ status: 200, ofRequest: [], ofAnswer: [] })
  const wrong = { status: 200, body: { id: 'seven' } }
  await createControlClient({ url }).armFaults({ kind: 'status', ...wrong, times: 1 })
  expect(await prism.send(create)).toMatchObject({
    ofAnswer: [{ message: 'Response body property id must be integer' }],
  })
})
