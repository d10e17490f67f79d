import type { WorldEvent } from '../world/event.ts'
import { evolve } from '../world/event.ts'
import { type CursorCodec, createCursorCodec } from '../world/file-sets/cursor.ts'
import { readClock } from '../world/clock.ts'
import { chanceKey, draw } from '../world/random.ts'
import { randomUuid } from '../world/uuid.ts'
import { copyWorld, type OwnedWorld, type World } from '../world/world.ts'
import { createRateLimit, type RateLimit } from './rate-limit.ts'

/** One live world, and the only way to change it. */
export interface Sandbox {
  readonly world: World
  readonly cursors: CursorCodec
  readonly rateLimit: RateLimit
  /** Epoch ms by the sandbox's clock. */
  now(): number
  /** An id for the next exchange, from the seed and a counter. */
  nextRequestId(): string
  /** Stores events, all of them or, when storing fails, none that anybody saw: nothing else runs meanwhile. */
  commit(events: readonly WorldEvent[]): void
  /** Back to genesis, counters included. */
  reset(): void
}

/** @param realNow the machine's clock, epoch ms */
export function createSandbox(genesis: World, realNow: () => number): Sandbox {
  let world: OwnedWorld = copyWorld(genesis)
  let requests = 0
  const key = (word: string) => chanceKey(genesis.seed, `request id ${word}`)
  const [a, b, c, d] = [key('a'), key('b'), key('c'), key('d')]
  const rateLimit = createRateLimit()
  return {
    get world() {
      return world
    },
    cursors: createCursorCodec(genesis.seed),
    rateLimit,
    now: () => readClock(world.clock, realNow()),
    nextRequestId() {
      const request = requests++
      return randomUuid(draw(a, request), draw(b, request), draw(c, request), draw(d, request))
    },
    commit(events) {
      for (const event of events) evolve(world, event)
    },
    reset() {
      world = copyWorld(genesis)
      requests = 0
      rateLimit.reset()
    },
  }
}
