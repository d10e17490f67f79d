import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readCatalog } from '../../src/behaviours/catalog.ts'
import { loadContract } from '../../src/contract/load/load.ts'
import { createRouter } from '../../src/contract/router.ts'
import { readPackaged } from '../../src/base/formats/source-file.ts'
import { createStandin } from '../../src/index.ts'
import { bodyOf, exchangeRaw } from '../support/raw.ts'
import { KEY_HEADER, NOW, SCHEDULES, SEARCH, weekly } from '../support/tester.ts'
import { WILD_IDS, wildRequest, type WildRequest } from '../support/random/wild.ts'
import { cases } from '../support/cases.ts'

const files = ['a.txt', 'dir/b.txt', 'dir/sub/c.pdf', '__proto__/d.txt', 'é/100%_.txt'].map((path) => ({ path }))
const fixtures = [{ fileSets: [{ id: 'tiny', files }] }]
/** Answers show all that is stored. Six schedules come with the package, from 5001 on. */
const standin = createStandin({
  now: () => NOW,
  fixtures,
  keys: [{ key: 'reader', rights: ['searchFiles'] }],
  behaviours: {
    'auth.keys': 'any',
    'create.response': 'full',
    'update.response': 'full',
    'response.recipients': 'yes',
    'create.ids': 5001,
  },
})
const FIRST_ID = 5007
const contract = loadContract(readPackaged('spec/openapi.yaml'))
const ledger = readCatalog(readPackaged('spec/behaviours.yaml').value)
const router = createRouter(contract.operations)

let url = ''
beforeAll(async () => (url = await standin.start()))
afterAll(() => standin.stop())

interface Came {
  readonly status: number
  readonly head: string
  /** Undefined when there was none. */
  readonly body: unknown
}

async function exchange(at: string, { method, target, headers, body }: WildRequest): Promise<Came> {
  const lines = [...headers, ['Content-Length', String(body.length)], ['Connection', 'close']]
  const head = [`${method} ${target} HTTP/1.1`, ...lines.map((pair) => pair.join(': '))]
  const answer = await exchangeRaw(at, [...head, '', body].join('\r\n'))
  const text = Buffer.from(bodyOf(answer), 'latin1').toString()
  const [received = ''] = answer.split('\r\n\r\n')
  return { status: Number(received.split(' ')[1]), head: received, body: text === '' ? undefined : JSON.parse(text) }
}

/** What holds of every answer. */
function expectSound(sent: WildRequest, { status, head, body }: Came): void {
  expect(status).toBeGreaterThanOrEqual(200)
  expect(status).toBeLessThan(500)
  expect(head).not.toMatch(/^x-(mock-defect|injected):/im)
  if (!/^x-request-id:/im.test(head)) {
    // This was not even HTTP.
    expect(status).toBe(400)
    return
  }
  if (status >= 400) expect(contract.check('Problem', body)).toEqual([])
  const route = router.route(sent.method, sent.target.split('?')[0] ?? '', 'strict')
  if (route.kind === 'operation') expect(route.operation.checkResponse(status, body)).toEqual([])
}

function isWrite(sent: WildRequest): boolean {
  return sent.target.includes(SCHEDULES)
}

const headers = [
  ['Host', 'localhost'],
  [KEY_HEADER, 'key'],
  ['Content-Type', 'application/json'],
] as const
const LOOKS = [
  ...WILD_IDS.map((id) => ({ method: 'PUT', target: `${SCHEDULES}/${id}`, headers, body: '{}' })),
  { method: 'POST', target: `${SEARCH}/tiny/files/search`, headers, body: '{}' },
]

/** What can be seen of the state without changing it. */
async function look(): Promise<unknown[]> {
  return Promise.all(LOOKS.map(async (one) => (await exchange(url, one)).body))
}

/** Another seed finds other requests; any must do. */
const SEED = 20_260_305

test('whatever is sent, the answer is sound, and what is refused changes nothing', async () => {
  const prototype = Object.getOwnPropertyNames(Object.prototype)
  const seen = new Map<number, number>()
  const property = fc.asyncProperty(fc.array(wildRequest, { minLength: 1, maxLength: 12 }), async (requests) => {
    standin.reset()
    let state = await look()
    let created = 0
    for (const sent of requests) {
      const came = await exchange(url, sent)
      seen.set(came.status, (seen.get(came.status) ?? 0) + 1)
      expectSound(sent, came)
      if (!isWrite(sent)) continue
      const seenNow = await look()
      if (came.status >= 300) expect(seenNow).toEqual(state)
      state = seenNow
      if (sent.method === 'POST' && came.status === 200) created++
    }
    const create = { method: 'POST', target: SCHEDULES, headers, body: JSON.stringify(weekly()) }
    expect((await exchange(url, create)).body).toMatchObject({ id: FIRST_ID + created })
  })
  await fc.assert(property, { seed: SEED, numRuns: cases(150, 25) })
  expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(prototype)
  // Wild, yet not so wild that nothing happens.
  for (const status of [200, 400, 401, 403, 404, 405, 415])
    expect(seen.get(status) ?? 0, String(status)).toBeGreaterThan(cases(5, 0))
  expect(seen.get(200)).toBeGreaterThan(cases(100, 15))
}, 120_000)

/** The rows whose answer is one of a few words, but for those that change who is let in, what an error looks like, and what is null. */
const words = ledger.behaviours.flatMap(({ id, options: form }) => {
  if (!form || !('choice' in form) || ['error.body', 'rate.limit', 'auth.keys', 'response.nulls'].includes(id))
    return []
  // What needs a list is refused at start without one.
  const choice = form.choice.filter((word) => !word.startsWith('listed'))
  return [fc.constantFrom(...choice.map((word) => [id, word.replaceAll(/\b[NKSP]\b/g, '3')] as const))]
})
const anyBehaviours = fc.tuple(...words).map((answers) => Object.fromEntries(answers))

test('with any setting of the behaviours, every response is sound', async () => {
  const requests = fc.array(wildRequest, { minLength: 10, maxLength: 30 })
  const property = fc.asyncProperty(anyBehaviours, requests, async (behaviours, all) => {
    const other = createStandin({ now: () => NOW, fixtures, behaviours })
    const at = await other.start()
    try {
      for (const sent of all) expectSound(sent, await exchange(at, sent))
    } finally {
      await other.stop()
    }
  })
  await fc.assert(property, { seed: SEED, numRuns: cases(60, 10) })
}, 120_000)
