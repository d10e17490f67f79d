import assert from 'node:assert/strict'
import { assertSame } from '../assert-same.ts'
import type { Rounds } from '../campaign.ts'
import { createChance } from '../chance.ts'
import { type Connection, openConnection, type Response } from '../connection.ts'
import { type Service, startService } from '../service.ts'
import { KEY_HEADER, SCHEDULES, weekly } from '../../../test/support/tester.ts'

const PUTS = 64
const CLOCK = '2026-03-05T14:30:00.000Z'
const DAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT']

/** A body, and how many bytes of padding make it arrive in pieces. */
interface Put {
  readonly body: Readonly<Record<string, unknown>>
  readonly padding: number
}

export async function open(): Promise<Rounds> {
  const service = await startService({
    clock: CLOCK,
    files: 0,
    behaviours: { 'create.response': 'full', 'update.response': 'full' },
  })
  const connections = await Promise.all(Array.from({ length: PUTS }, () => openConnection(service.url)))
  return {
    async run({ seed }) {
      service.forget()
      const puts = createPuts(createChance(seed))
      try {
        await runPuts(service, connections, puts)
      } catch (error) {
        service.keep()
        throw new Error(puts.map(({ body, padding }) => `PUT ${JSON.stringify(body)} + ${padding}`).join('\n'), {
          cause: error,
        })
      }
    },
    requests: service.requests,
    close: async () => {
      for (const connection of connections) connection.close()
      await service.stop()
      return {}
    },
  }
}

/** Each changes some of the members to values that no other has. */
function createPuts(chance: () => number): readonly Put[] {
  return Array.from({ length: PUTS }, (_, number) => {
    const schedule = {
      frequency: 'WEEKLY',
      daysToRun: DAYS[number % 7],
      hourOfDay: number % 24,
      minOfHour: number % 60,
    }
    const members = { title: `Title ${number}`, pageId: 1000 + number, viewId: 2000 + number, schedule }
    const body = Object.fromEntries(Object.entries(members).filter(() => chance() < 0.6))
    return { body, padding: chance() < 0.5 ? 0 : Math.floor(chance() * 200_000) }
  })
}

async function runPuts(service: Service, connections: readonly Connection[], puts: readonly Put[]): Promise<void> {
  await service.control.reset()
  const { id } = JSON.parse((await service.create(weekly())).text) as { id: number }
  const { next: from } = await service.control.getHistory({ limit: 1, from: Number.MAX_SAFE_INTEGER })
  const responses = await Promise.all(
    puts.map(({ body, padding }, number) => {
      const text = JSON.stringify({ ...body, padding: 'x'.repeat(padding) })
      const headers = { [KEY_HEADER]: 'key', 'Content-Type': 'application/json' }
      return connections[number]!.send({ method: 'PUT', path: `${SCHEDULES}/${id}`, headers, body: text })
    }),
  )
  for (const { status, text } of responses) assert.equal(status, 200, text)
  const byRequestId = new Map(responses.map((response, number) => [requestIdOf(response), number]))
  const { events } = await service.control.getHistory({ from })
  const order = events.map(({ requestId = '' }) => byRequestId.get(requestId)!)
  // An empty update changes nothing, so it may have no event.
  const changing = puts.flatMap(({ body }, number) => (Object.keys(body).length > 0 ? [number] : []))
  assert.deepEqual(order.filter((number) => changing.includes(number)).sort(byNumber), changing)
  let state: Readonly<Record<string, unknown>> = weekly()
  for (const number of order) {
    state = { ...state, ...puts[number]!.body }
    assertSame(shown(responses[number]!), expected(state))
  }
  assertSame(shown(await service.update(id, {})), expected(state))
}

const byNumber = (a: number, b: number) => a - b

function requestIdOf({ head }: Response): string {
  return /\r\nx-request-id: (\S+)/i.exec(head)?.[1] ?? ''
}

interface Shown {
  readonly title: unknown
  readonly pageId: unknown
  readonly reportViewId: unknown
  readonly schedule: Readonly<Record<string, unknown>>
}

function shown({ text }: Response): unknown {
  const { title, pageId, reportViewId, schedule } = JSON.parse(text) as Shown
  const { frequency, daysToRun, hourOfDay, minOfHour } = schedule
  return { title, pageId, viewId: reportViewId, schedule: { frequency, daysToRun, hourOfDay, minOfHour } }
}

function expected({ schedule, ...rest }: Readonly<Record<string, unknown>>): unknown {
  const { timezone: _zone, ...times } = schedule as Record<string, unknown>
  return { ...rest, schedule: times }
}
