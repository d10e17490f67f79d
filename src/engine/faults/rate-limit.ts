import type { SandboxObserver } from '../sandbox.ts'
import { REPLACING, replacesState } from '../snapshot.ts'

declare module '../sandbox.ts' {
  interface SandboxObservers {
    readonly rateLimit: RateLimit
    /** How long refused requests were asked to wait. */
    readonly askedWaits: AskedWaits
  }
}

/** Gives a sandbox its rate limits. */
export function observeRateLimits(): SandboxObserver {
  const rateLimit = createRateLimit()
  const askedWaits = createAskedWaits()
  return {
    members: { rateLimit, askedWaits },
    types: ['rate-limit.lifted', ...REPLACING],
    onEvent(event) {
      if (event.type === 'rate-limit.lifted') {
        const { faultId = '' } = event
        askedWaits.lift(faultId)
        if (faultId === '') rateLimit.reset()
      } else if (replacesState(event)) {
        if (event.type === 'sandbox.reset') rateLimit.reset()
        askedWaits.clear()
      }
    },
  }
}

/** Allows a number of requests in each window of some seconds, by the sandbox's clock. */
interface RateLimit {
  /** Counts a request. Returns 0 when it may pass, else the seconds until it may. */
  take(now: number, most: number, seconds: number): number
  /** Starts counting again. */
  reset(): void
}

function createRateLimit(): RateLimit {
  let window = -1
  let taken = 0
  return {
    take(now, most, seconds) {
      const present = windowOf(now, seconds)
      if (present !== window) {
        window = present
        taken = 0
      }
      taken++
      return taken <= most ? 0 : secondsLeft(now, seconds)
    },
    reset() {
      window = -1
    },
  }
}

/** The number of a window, counted from the epoch. */
export function windowOf(now: number, seconds: number): number {
  return Math.floor(now / (seconds * 1000))
}

/** Seconds until the next window begins, which is what `Retry-After` says. */
export function secondsLeft(now: number, seconds: number): number {
  const length = seconds * 1000
  return Math.ceil((length - (now % length)) / 1000)
}

/** Which limit a request meets, and when. */
interface Met {
  /** The id of the fault; the empty text for the limit of the behaviour `rate.limit`. */
  readonly id: string
  readonly seconds: number
  /** Epoch ms by the sandbox's clock. */
  readonly now: number
  /** Epoch ms by the machine's clock. */
  readonly real: number
}

/**
 * How long limits asked clients to wait. A client that waits as long as `Retry-After` said may continue, even if the sandbox's clock is
 * frozen. The waits are not part of the state; lifting a limit is an event.
 */
interface AskedWaits {
  /** Notes a refused request, which was asked to wait for the next window. */
  refuse(met: Met): void
  /** Whether the machine's clock has satisfied the wait. */
  isOver(met: Met): boolean
  /** Forgets one. */
  lift(id: string): void
  clear(): void
}

/** Waits of removed faults stay, so they are bounded. */
const MAX_WAITS = 1000

function createAskedWaits(): AskedWaits {
  const waits = new Map<string, { readonly window: number; readonly until: number }>()
  return {
    refuse({ id, seconds, now, real }) {
      const window = windowOf(now, seconds)
      const known = waits.get(id)
      const until = real + secondsLeft(now, seconds) * 1000
      if (waits.size >= MAX_WAITS) waits.clear()
      waits.set(id, { window, until: known?.window === window ? Math.min(known.until, until) : until })
    },
    isOver({ id, seconds, now, real }) {
      const wait = waits.get(id)
      return wait?.window === windowOf(now, seconds) && real >= wait.until
    },
    lift: (id) => void waits.delete(id),
    clear: () => waits.clear(),
  }
}
