import type { Sandbox, SandboxObserver } from '../sandbox.ts'
import { REPLACING, replacesState } from '../snapshot.ts'
import { untilStored } from '../stores/shared-log.ts'

declare module '../sandbox.ts' {
  interface SandboxObservers {
    readonly rateLimit: RateLimit
    /** How long refused requests were asked to wait. */
    readonly askedWaits: AskedWaits
  }
}

/** What replicas tell each other of a rate limit. */
export interface MetLimit {
  /** The number of the window, counted from the epoch. */
  readonly window: number
  /** The requests that the behaviour `rate.limit` has counted in it; faults count in their tally. */
  readonly taken: number
  /** When those that were refused may continue by the machine's clock, epoch ms. */
  readonly until?: number | undefined
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

/**
 * Counts a request by the behaviour `rate.limit`. Returns 0 when it may pass, else the seconds until it may; a Promise where replicas count
 * together.
 */
export function takeFromLimit(sandbox: Sandbox, met: Met, most: number): number | Promise<number> {
  const { shared, rateLimit, askedWaits } = sandbox
  const { now, seconds } = met
  if (!shared) {
    liftLimit(sandbox, met)
    const wait = rateLimit.take(now, most, seconds)
    if (wait > 0) askedWaits.refuse(met)
    return wait
  }
  const take = () => {
    liftLimit(sandbox, met)
    const window = windowOf(now, seconds)
    const known = sandbox.state.rateLimits.get('')
    const taken = (known?.window === window ? known.taken : 0) + 1
    const until = taken > most ? endOfWait(met, known) : undefined
    sandbox.commit([{ type: 'rate-limit.met', window, taken, until }])
    return until === undefined ? 0 : secondsLeft(now, seconds)
  }
  return untilStored(take, () => shared.confirm())
}

/** Notes that a fault refused a request. */
export async function refuseByFault(sandbox: Sandbox, met: Met): Promise<void> {
  const { shared, askedWaits } = sandbox
  if (!shared) {
    askedWaits.refuse(met)
    return
  }
  const { id: faultId, now, seconds } = met
  const refuse = () => {
    const until = endOfWait(met, sandbox.state.rateLimits.get(faultId))
    sandbox.commit([{ type: 'rate-limit.met', faultId, window: windowOf(now, seconds), taken: 0, until }])
  }
  await untilStored(refuse, () => shared.confirm())
}

/** Lifts a limit whose client has waited by the machine's clock. */
export function liftLimit(sandbox: Sandbox, met: Met): void {
  const wait = sandbox.shared ? sandbox.state.rateLimits.get(met.id) : sandbox.askedWaits.find(met.id)
  if (wait?.until === undefined || wait.window !== windowOf(met.now, met.seconds) || met.real < wait.until) return
  sandbox.commit([{ type: 'rate-limit.lifted', ...(met.id === '' ? {} : { faultId: met.id }) }])
}

/** When a client may continue that is refused now, epoch ms by the machine's clock: no later than one that was refused before. */
function endOfWait({ now, seconds, real }: Met, known: AskedWait | undefined): number {
  const until = real + secondsLeft(now, seconds) * 1000
  return known?.window === windowOf(now, seconds) ? Math.min(known.until ?? until, until) : until
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
  find(id: string): AskedWait | undefined
  /** Forgets one. */
  lift(id: string): void
  clear(): void
}

/** The window in which requests are refused, and until when, epoch ms by the machine's clock. */
type AskedWait = Pick<MetLimit, 'window' | 'until'>

/** Waits of removed faults stay, so they are bounded. */
const MAX_WAITS = 1000

function createAskedWaits(): AskedWaits {
  const waits = new Map<string, AskedWait>()
  return {
    refuse(met) {
      const known = waits.get(met.id)
      if (waits.size >= MAX_WAITS) waits.clear()
      waits.set(met.id, { window: windowOf(met.now, met.seconds), until: endOfWait(met, known) })
    },
    find: (id) => waits.get(id),
    lift: (id) => void waits.delete(id),
    clear: () => waits.clear(),
  }
}
