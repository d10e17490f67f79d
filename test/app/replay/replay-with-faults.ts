import assert from 'node:assert/strict'
import fc from 'fast-check'
import { type ControlClient, createControlClient, createStandin, type FaultRequest } from '../../../src/index.ts'
import { parseJson, stringifyJson } from '../../../src/base/formats/json.ts'
import { replay, type ReplayReport } from '../../../src/app/replay/replay.ts'
import { type Answered, sendOnce } from '../../support/raw.ts'
import { KEY_HEADER, SCHEDULES, SEARCH, weekly } from '../../support/tester.ts'

/** Every kind of fault with the options that it needs. None waits long. */
export const FAULTS: readonly FaultRequest[] = [
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
const PAIRS = FAULTS.flatMap((one, at) => FAULTS.slice(at).map((other) => [one, other] as const))

/** Two faults of any kind, each always or half of the time, once or more often. */
export const anyFaults: fc.Arbitrary<readonly FaultRequest[]> = fc
  .tuple(
    fc.constantFrom(...PAIRS),
    fc.tuple(...[0, 1].map(() => fc.record({ chance: fc.constantFrom(1, 0.5), times: fc.constantFrom(1, 3, 100) }))),
  )
  .map(([pair, often]) => pair.map((fault, index) => ({ ...fault, ...often[index], id: `fault-${index + 1}` })))

export const anyStart = fc
  .record({ seed: fc.integer({ min: 0, max: 1000 }), isFrozen: fc.boolean() })
  .map(({ seed, isFrozen }) => (isFrozen ? { seed, clock: '2026-03-05T14:30:00Z' } : { seed }))

const FIXTURE = {
  fileSets: [{ id: 'tiny', files: ['a', 'b', 'c', 'd', 'e', 'f'].map((path) => ({ path: `${path}.txt` })) }],
}

interface Start {
  readonly seed: number
  readonly clock?: string
}

/**
 * Walks over six files, creates two schedules and updates one three times, while a file set changes and faults strike; then replays that.
 *
 * @throws Error when the replay differs, or the journal is not what the client received
 */
export async function replayWithFaults(faults: readonly FaultRequest[], start: Start): Promise<void> {
  const standin = createStandin({ fixtures: [FIXTURE], ...start })
  try {
    const url = await standin.start()
    const control = createControlClient({ url })
    await control.addFiles('tiny', [{ path: 'g.txt' }])
    for (const fault of faults) await control.armFaults(fault)
    const received = await sendRequests(url, () => control.addFiles('tiny', [{ path: 'h.txt' }]))
    const { exchanges: replayed, skipped, difference } = await replayRun(control)
    assert.deepEqual({ replayed, skipped, difference }, { replayed: 11, skipped: [], difference: undefined })
    const { exchanges } = await control.listExchanges()
    assert.deepEqual(
      exchanges.map(({ answer }) => [answer?.status ?? 0, recordedBytes(answer)]),
      received.map(({ status, body }) => [status, body.toString('hex')]),
    )
  } finally {
    await standin.stop()
  }
}

/** Exports the run of a server and replays it. */
export async function replayRun(control: ControlClient): Promise<ReplayReport> {
  const document = parseJson(stringifyJson(await control.getReplay()))
  return replay({ file: 'run.json', value: document, lineOf: () => 1 })
}

/** @returns what the client received, in order */
async function sendRequests(url: string, changeFiles: () => Promise<unknown>): Promise<Answered[]> {
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
    if (page === 3) await changeFiles()
  }
  for (const title of ['First', 'Second']) await send('POST', SCHEDULES, weekly({ title }))
  for (const title of ['Third', 'Fourth', '']) await send('PUT', `${SCHEDULES}/7`, { title })
  return received
}

/** The body that the journal has, as bytes in hexadecimal. */
function recordedBytes(
  answer: { readonly body: string | null; readonly encoding?: 'base64' | undefined } | null,
): string {
  return Buffer.from(answer?.body ?? '', answer?.encoding ?? 'utf8').toString('hex')
}
