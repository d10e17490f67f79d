import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { anyFaults, anyStart, FAULTS, replayRun, replayWithFaults } from './replay-with-faults.ts'
import { createControlClient, createStandin, type FaultRequest } from '../../../src/index.ts'
import { stringifyJson } from '../../../src/base/formats/json.ts'
import { KEY_HEADER, SCHEDULES, weekly } from '../../support/tester.ts'
import { cases, sample } from '../../support/cases.ts'

/** Each kind of fault with its neighbour, itself, and one further away. `npm run harden -- --only replays` takes all of them. */
const PAIRS = FAULTS.flatMap((one, at) => [1, 0, 7].map((step) => [one, FAULTS[(at + step) % FAULTS.length]!] as const))

test('a run with any two kinds of fault replays the same, and its journal holds what the client received', async () => {
  await fc.assert(fc.asyncProperty(anyFaults, anyStart, replayWithFaults), { seed: 1, numRuns: cases(10, 2) })
})

test.for(sample(PAIRS, 3).map(([one, other]) => [nameOf(one), nameOf(other), one, other] as const))(
  '%s and %s together replay the same',
  async ([, , one, other]) => {
    const faults = [
      { ...one, id: 'one', chance: 0.6 },
      { ...other, id: 'other', chance: 0.6 },
    ]
    await replayWithFaults(faults, { seed: 3, clock: '2026-03-05T14:30:00Z' })
  },
)

function nameOf({ kind, of, by, edit, status }: FaultRequest): string {
  return [kind, of ?? by ?? edit ?? status ?? ''].join(' ').trim()
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
  const { skipped, refused: _refused, ...report } = await replayRun(control)
  expect(report).toMatchObject({ exchanges: 1, difference: undefined })
  expect(skipped.map((one) => one.replace(/^exchange (\d).*\): /, '$1 '))).toEqual([
    '2 the sandbox changed while it waited',
    '3 the client left before the response was complete',
  ])
})
