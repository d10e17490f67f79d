import { createParser, type EventSourceMessage } from 'eventsource-parser'
import { expect, onTestFinished, test } from 'vitest'
import { createStandin, type StandinOptions } from '../../../src/index.ts'
import { writeContract } from '../../support/contracts/small-contract.ts'
import { TICKS } from '../../support/contracts/streams.ts'
import { longTest } from '../../support/cases.ts'

async function start(options: StandinOptions = {}) {
  const clock = '2026-03-01T09:00:00Z'
  const standin = createStandin({ contract: writeContract(TICKS), port: 0, clock, ...options })
  const url = `${await standin.start()}/prices/live`
  onTestFinished(() => standin.stop())
  const open = async (headers: Record<string, string> = {}) => {
    const leaving = new AbortController()
    onTestFinished(() => leaving.abort())
    const response = await fetch(url, { headers, signal: leaving.signal })
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
    const events: EventSourceMessage[] = []
    const parser = createParser({ onEvent: (event) => events.push(event) })
    return {
      response,
      /** Undefined where the response ends before. */
      async take(count: number) {
        while (events.length < count) {
          const { value, done } = await reader.read()
          if (done) return undefined
          parser.feed(value)
        }
        return events.splice(0, count)
      },
    }
  }
  return { url, open, advance: (by: string) => standin.control.advanceClock({ by }) }
}

const idsOf = (events: readonly EventSourceMessage[] | undefined) => events?.map(({ id }) => id)

test('generated events are numbered and end, and after the last one the client gets others, one each second of the clock', async () => {
  const { open, advance } = await start()
  const first = await open()
  const three = await first.take(3)
  expect(idsOf(three)).toEqual(['1', '2', '3'])
  expect(await first.take(1)).toBeUndefined()
  expect(first.response.headers.get('x-mock-behaviours')).toContain('streams.pace')
  const again = await open({ 'Last-Event-ID': '3' })
  await advance('PT2S')
  const more = await again.take(2)
  expect(idsOf(more)).toEqual(['4', '5'])
  await advance('PT1S')
  expect(idsOf(await again.take(1))).toEqual(['6'])
  expect(new Set([...three!, ...more!].map(({ data }) => data)).size).toBe(5)
})

test('the same seed gives the same events, however they are paced', async () => {
  const at = async (pace: string) => {
    const { open, advance } = await start({ behaviours: { 'streams.pace': pace } })
    const stream = await open()
    const first = await stream.take(1)
    await advance('PT20S')
    return [...first!, ...(await stream.take(2))!]
  }
  const [atOnce, paced] = [await at('at-once'), await at('paced:10')]
  expect(paced).toEqual(atOnce)
})

longTest('an advance over a long way sends a thousand events, and leaves the others out', async () => {
  const { open, advance } = await start()
  const stream = await open({ 'Last-Event-ID': '3' })
  await advance('P1D')
  expect(idsOf(await stream.take(1000))?.at(-1)).toBe('1003')
  await advance('PT1S')
  expect(idsOf(await stream.take(1))).toEqual(['1004'])
})
