import { connect } from 'node:net'
import type { OpenOptions, Rounds } from '../campaign.ts'
import { createChance } from '../chance.ts'
import { type Connection, openConnection } from '../connection.ts'
import { startServer } from '../server.ts'
import { createWildRequests, type WildRequest } from '../wild-requests.ts'
import type { ControlClient } from '../../../src/index.ts'

const LANES = 16
/** Milliseconds that a request may take, on a machine that does other things too. */
const PATIENCE = 20_000
/** So many requests of a lane are shown with a failure. */
const KEPT = 20
/** MiB. What is kept takes about 60 in the end; a process that keeps ever more ends with this. */
const HEAP = 160
/** Rounds between two measurements of the heap, which take a collection of garbage each. */
const BETWEEN_MEASUREMENTS = 10
/** In the second half of the rounds the peak of the heap in use may be higher by this share. */
const MAX_GROWTH = 0.1
/** The history of the default sandbox is full after some 250 rounds, and caches later. */
const LEAST_ROUNDS = 1000

export async function open({ rounds }: OpenOptions): Promise<Rounds> {
  const server = await startServer({ flags: [`--max-old-space-size=${HEAP}`], measuresHeap: true })
  const megabytes: number[] = []
  const counts: Record<string, number> = {}
  let failed: readonly string[] = []
  return {
    async run({ number, seed, cases }) {
      await tidyUp(server.control)
      const lanes = Array.from({ length: LANES }, (_, lane) =>
        createLane(server.url, createChance(seed + lane), counts),
      )
      try {
        let left = cases
        await Promise.all(
          lanes.map(async (lane) => {
            while (left-- > 0) await lane.next()
          }),
        )
      } catch (error) {
        failed = lanes.find(({ hasFailed }) => hasFailed())?.sent() ?? []
        throw error
      } finally {
        for (const lane of lanes) lane.close()
      }
      server.check()
      if (number % BETWEEN_MEASUREMENTS === 0) megabytes.push(await server.heapMiB())
      if (number === rounds - 1 && rounds >= LEAST_ROUNDS) checkFlat(megabytes)
    },
    requests: () => failed,
    async close() {
      const peak = Math.max(0, ...megabytes)
      await server.stop()
      return { ...counts, 'MiB of heap at its peak': peak, 'MiB of heap at the end': megabytes.at(-1) ?? 0 }
    },
  }
}

/** Removes what the requests of a round left behind. */
async function tidyUp(control: ControlClient): Promise<void> {
  await control.reset()
  await control.deleteJournal()
  for (const { name } of (await control.listSandboxes()).sandboxes)
    if (name !== 'default') await control.deleteSandbox(name)
}

/** One connection after the other, one request at a time. */
function createLane(url: string, chance: () => number, counts: Record<string, number>) {
  const next = createWildRequests(chance)
  let connection: Connection | undefined
  let sent: string[] = []
  let isFailed = false
  const send = async ({ bytes, isKept }: WildRequest): Promise<string> => {
    if (!isKept) return exchangeOnce(url, bytes)
    connection ??= await openConnection(url)
    const { head } = await connection.sendBytes(bytes)
    if (/\r\nconnection: close/i.test(`${head}\r\n`)) {
      connection.close()
      connection = undefined
    }
    return head
  }
  return {
    async next(): Promise<void> {
      const request = next()
      sent = [...sent.slice(1 - KEPT), JSON.stringify(request.bytes.slice(0, 5000))]
      try {
        const received = await within(send(request))
        checkResponse(received, request)
        const kind = received === '' ? 'without a response' : `${received[9] ?? ''}xx`
        counts[kind] = (counts[kind] ?? 0) + 1
      } catch (error) {
        isFailed = true
        throw error
      }
    },
    hasFailed: () => isFailed,
    sent: () => sent,
    close: () => connection?.close(),
  }
}

/** Sends and closes, and resolves to what came. */
function exchangeOnce(url: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve) => {
    let received = ''
    const socket = connect(Number(port), hostname).setEncoding('latin1')
    socket.on('data', (chunk: string) => (received += chunk)).on('error', () => undefined)
    socket.once('close', () => resolve(received))
    socket.end(bytes, 'latin1')
  })
}

function within<T>(promise: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`no response within ${PATIENCE} ms`)), PATIENCE)
  return Promise.race([promise, late]).finally(() => clearTimeout(timer))
}

/** A malformed request may be answered by the end of the connection. */
function checkResponse(received: string, { isKept }: WildRequest): void {
  const statuses = [...received.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map(([, status]) => Number(status))
  if (isKept && statuses.length === 0) throw new Error('no response')
  const isWrong = statuses.some((status) => status < 100 || status >= 500) && !/\r\nx-mock-fault:/i.test(received)
  if (isWrong || /\r\nx-(mock-defect|injected):/i.test(received)) throw new Error(received.slice(0, 3000))
}

/** A cache that is full drops half of what it keeps at once, so the heap rises and falls, and peaks are compared. */
function checkFlat(megabytes: readonly number[]): void {
  const half = Math.floor(megabytes.length / 2)
  const [first, second] = [Math.max(...megabytes.slice(0, half)), Math.max(...megabytes.slice(half))]
  if (second <= first * (1 + MAX_GROWTH)) return
  throw new Error(
    `The heap grows: at most ${first} MiB in the first half of the run, then ${second}: ${megabytes.join(', ')}`,
  )
}
