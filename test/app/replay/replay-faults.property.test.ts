import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { type ControlClient, createControlClient, createStandin, type FaultRequest } from '../../../src/index.ts'
import { parseJson, stringifyJson } from '../../../src/formats/json.ts'
import { replay } from '../../../src/app/replay/replay.ts'
import { type Answered, sendOnce } from '../../support/raw.ts'
import { KEY_HEADER, SCHEDULES, SEARCH, weekly } from '../../support/tester.ts'

/** Every kind of fault, with what it needs; none waits long. */
const KINDS: readonly FaultRequest[] = [
  { kind: 'latency', delay: { from: 1, to: 3 } },
  { kind: 'status', status: 503, headers: { 'retry-after': '1' } },
  { kind: 'status', status: 418, body: { code: 'teapot' } },
  { kind: 'rate-limit', limit: 2, seconds: 60 },
  { kind: 'reset' },
  { kind: 'empty' },
  { kind: 'truncated' },
  { kind: 'garbage', bytes: 300, of: 'body' },
  { kind: 'garbage', bytes: 300, of: 'answer' },
  { kind: 'slow-drip', pieces: 3, milliseconds: 3 },
  { kind: 'lost-answer', by: 'reset' },
  { kind: 'lost-answer', by: 'empty' },
  { kind: 'lost-answer', by: 'gateway-timeout' },
  { kind: 'cursor-expired' },
  { kind: 'short-page', entries: 1 },
  { kind: 'duplicate-entry' },
  { kind: 'missing-entry' },
  { kind: 'stale-read' },
  { kind: 'conflicting-edit', edit: 'change' },
  { kind: 'conflicting-edit', edit: 'remove' },
]
const PAIRS = KINDS.flatMap((one, at) => KINDS.slice(at).map((other) => [one, other] as const))

const FIXTURE = {
  fileSets: [{ id: 'tiny', files: ['a', 'b', 'c', 'd', 'e', 'f'].map((path) => ({ path: `${path}.txt` })) }],
}

interface Run {
  readonly url: string
  readonly control: ControlClient
  /** What the clients got, in order. */
  readonly received: Answered[]
}

/** A walk over six files, two creates and three updates; a file set changes meanwhile. */
async function createRun(faults: readonly FaultRequest[], seed: number, clock?: string): Promise<Run> {
  const standin = createStandin({ seed, fixtures: [FIXTURE], ...(clock === undefined ? {} : { clock }) })
  onTestFinished(() => standin.stop())
  const url = await standin.start()
  const control = createControlClient({ url })
  await control.addFiles('tiny', [{ path: 'g.txt' }])
  for (const fault of faults) await control.armFaults(fault)
  const received: Answered[] = []
  const send = async (method: string, path: string, body: unknown) => {
    const headers = { [KEY_HEADER]: 'key', 'Content-Type': 'application/json' }
    const answered = await sendOnce(url, { method, path, headers, body: stringifyJson(body) })
    received.push(answered)
    return answered
  }
  let next = ''
  for (let page = 0; page < 6; page++) {
    const { status, body } = await send('POST', `${SEARCH}/tiny/files/search?limit=2${next && `&next=${next}`}`, {})
    const token = status === 200 ? /"next":"([^"]+)"/.exec(body.toString())?.[1] : undefined
    next = token ?? next
    if (page === 3) await control.addFiles('tiny', [{ path: 'h.txt' }])
  }
  for (const title of ['First', 'Second']) await send('POST', SCHEDULES, weekly({ title }))
  for (const title of ['Third', 'Fourth', '']) await send('PUT', `${SCHEDULES}/7`, { title })
  return { url, control, received }
}

async function repeat(control: ControlClient) {
  const document = parseJson(stringifyJson(await control.getReplay()))
  return replay({ file: 'run.json', value: document, lineOf: () => 1 })
}

test('a run with any two kinds of fault replays the same, and its journal holds what the client received', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...PAIRS),
      fc.record({ seed: fc.integer({ min: 0, max: 1000 }), isFrozen: fc.boolean() }),
      fc.tuple(...[0, 1].map(() => fc.record({ chance: fc.constantFrom(1, 0.5), times: fc.constantFrom(1, 3, 100) }))),
      async (pair, { seed, isFrozen }, often) => {
        const faults = pair.map((fault, index) => ({ ...fault, ...often[index], id: `fault-${index + 1}` }))
        const { control, received } = await createRun(faults, seed, isFrozen ? '2026-03-05T14:30:00Z' : undefined)
        expect(await repeat(control)).toMatchObject({ exchanges: 11, passedOver: [], difference: undefined })
        const { exchanges } = await control.listExchanges()
        expect(exchanges.map(({ answer }) => recordedBytes(answer))).toEqual(
          received.map(({ body }) => body.toString('hex')),
        )
        expect(exchanges.map(({ answer }) => answer?.status ?? 0)).toEqual(received.map(({ status }) => status))
      },
    ),
    { numRuns: 60, ...(process.env.FC_SEED === undefined ? {} : { seed: Number(process.env.FC_SEED) }) },
  )
})

test.for(PAIRS.map(([one, other]) => [nameOf(one), nameOf(other), one, other] as const))(
  '%s and %s together replay the same',
  async ([, , one, other]) => {
    const faults = [
      { ...one, id: 'one', chance: 0.6 },
      { ...other, id: 'other', chance: 0.6 },
    ]
    const { control } = await createRun(faults, 3, '2026-03-05T14:30:00Z')
    expect(await repeat(control)).toMatchObject({ exchanges: 11, passedOver: [], difference: undefined })
  },
)

function nameOf({ kind, of, by, edit, status }: FaultRequest): string {
  return [kind, of ?? by ?? edit ?? status ?? ''].join(' ').trim()
}

/** The body that the journal has, as bytes in hexadecimal. */
function recordedBytes(
  answer: { readonly body: string | null; readonly encoding?: 'base64' | undefined } | null,
): string {
  return Buffer.from(answer?.body ?? '', answer?.encoding ?? 'utf8').toString('hex')
}

test('an exchange that waited while another changed the sandbox, and one whose client left, are passed over with the reason', async () => {
  const standin = createStandin({ clock: '2026-03-05T14:30:00Z' })
  onTestFinished(() => standin.stop())
  const url = await standin.start()
  const control = createControlClient({ url })
  await control.armFaults({ kind: 'latency', delay: { milliseconds: 1000 }, times: 1 })
  await control.armFaults({ id: 'drip', kind: 'slow-drip', pieces: 2, milliseconds: 50_000, after: 2, times: 1 })
  const post = (title: string, signal: AbortSignal | null = null) =>
    fetch(url + SCHEDULES, {
      method: 'POST',
      headers: { [KEY_HEADER]: 'key', 'Content-Type': 'application/json' },
      body: stringifyJson(weekly({ title })),
      signal,
    })
  const slow = post('Slow')
  await expect.poll(async () => (await control.getFault('latency-1')).struck).toBe(1)
  await post('Quick')
  await slow
  const leaving = new AbortController()
  const left = post('Left', leaving.signal).then((response) => response.text())
  await expect.poll(async () => (await control.getFault('drip')).struck).toBe(1)
  leaving.abort()
  await expect(left).rejects.toThrow()
  await expect.poll(async () => (await control.listExchanges()).total).toBe(3)
  expect((await control.listExchanges()).exchanges[2]?.answer).toMatchObject({
    status: 200,
    isComplete: false,
    body: '',
  })
  const { passedOver, ...report } = await repeat(control)
  expect(report).toMatchObject({ exchanges: 1, difference: undefined })
  expect(passedOver.map((one) => one.replace(/^exchange (\d).*\): /, '$1 '))).toEqual([
    '2 the sandbox changed while it waited',
    '3 the client left before the response was complete',
  ])
})
