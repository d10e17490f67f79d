import type { Awaitable } from '../../base/awaitable.ts'
import { storeAway } from '../../base/errors/control-errors.ts'
import { Problem, StartupError } from '../../base/errors/problem.ts'
import type { EventStore } from './event-store.ts'
import { differences, type RunFingerprint } from './fingerprint.ts'
import type { KeptLogs } from './log-store.ts'
import type { ExchangeStore } from './exchange-store.ts'
import type { StoreConsistency } from '../../config/config.ts'
import { SharedExchanges } from './shared-exchanges.ts'
import { SharedLifetimes } from './shared-lifetimes.ts'
import { SharedLog } from './shared-log.ts'

/** What the logs of a shared store need besides. */
interface SharedOptions {
  /** Sandboxes of all processes. */
  readonly most: number
  /** Milliseconds after which a sandbox expires that no request uses; undefined for never. */
  readonly ttl: number | undefined
  /** The machine's clock, epoch ms. */
  readonly realNow: () => number
  /** Milliseconds of a monotonic clock. */
  readonly elapsed: () => number
  readonly consistency: StoreConsistency
  /** Called when this replica has ended a sandbox. @param after milliseconds without a request */
  onExpired(name: string, after: number): void
  /** Receives a sentence when the store goes away or comes back. */
  note(text: string): void
}

/** The logs of a store that other processes append to as well. */
export function sharedLogs(given: EventStore, options: SharedOptions): KeptLogs {
  const { most, note, ttl: usual, elapsed, consistency, ...clock } = options
  const state = { isAway: false }
  const store = guarded(given, state, note)
  const lifetimes = new SharedLifetimes({ store, usual, ...clock })
  let opening: Promise<void> | undefined
  let check = () => Promise.resolve()
  const unsaved = new Set<SharedExchanges>()
  let joining: Promise<string> | undefined
  const join = (shared: ExchangeStore) => () =>
    (joining ??= Promise.resolve(shared.join()).catch((error: unknown) => {
      joining = undefined
      throw error
    }))
  // Without a clock of the store, an exchange that read nothing could not be told from one before a reset.
  const hasSessions = consistency === 'session' && store.exchanges?.isTimed !== false
  const sessions = hasSessions ? { elapsed, isAway: () => state.isAway } : undefined
  const createExchanges = () =>
    store.exchanges && new SharedExchanges(store.exchanges, join(store.exchanges), unsaved, sessions?.elapsed)
  return {
    firstMoment: store.firstMoment,
    ready: () => check(),
    health: () => ({
      kind: given.kind ?? 'custom',
      status: state.isAway ? 'away' : 'ready',
      behind: unsaved.size,
    }),
    open(fingerprint, initialState) {
      // After a failure it is tried again.
      check = () =>
        (opening ??= (async () => refuseOther(await store.open(fingerprint), fingerprint))().catch((error: unknown) => {
          opening = undefined
          throw error
        }))
      const opened = () => check().catch(refuse)
      return {
        found: new Map(),
        begin: ({ name, ttl, mustBeNew = false, again = () => beginning }, beginning) =>
          new SharedLog({
            ...{ store, lifetimes, opened, name, ttl, mustBeNew, again, beginning, initialState, most },
            exchanges: createExchanges(),
            sessions,
          }),
        remove: () => undefined,
        async list() {
          await opened()
          return lifetimes.living()
        },
      }
    },
    async close() {
      await Promise.allSettled([...unsaved].map((one) => one.flush()))
      await store.close()
    },
  }
}

/** The same store, whose failures are Problems, and are noted once. */
function guarded(store: EventStore, state: { isAway: boolean }, note: (text: string) => void): EventStore {
  const ask = async <Answer>(act: () => Awaitable<Answer>, outcome = 'Nothing was changed'): Promise<Answer> => {
    try {
      const answer = await act()
      if (state.isAway) note('the store is back')
      state.isAway = false
      return answer
    } catch (error) {
      if (error instanceof Problem || error instanceof StartupError) throw error
      const detail = `The store cannot be reached: ${error instanceof Error ? error.message : String(error)}`
      if (!state.isAway) note(`${detail}. Requests are refused until it is back.`)
      state.isAway = true
      throw storeAway({ detail: `${detail}. ${outcome}. Try again.`, headers: { 'retry-after': '1' } })
    }
  }
  const { exchanges } = store
  return {
    firstMoment: store.firstMoment,
    ...(exchanges && { exchanges: guardedExchanges(exchanges, ask) }),
    open: (fingerprint) => ask(() => store.open(fingerprint)),
    list: () => ask(() => store.list()),
    create: (sandbox, snapshot, most) => ask(() => store.create(sandbox, snapshot, most)),
    read: (stream, from) => ask(() => store.read(stream, from)),
    append: (stream, commit) =>
      ask(() => store.append(stream, commit), 'It is not known whether the change was stored'),
    isLong: (stream) => store.isLong(stream),
    snapshot: (stream, snapshot) => ask(() => store.snapshot(stream, snapshot)),
    reserve: (stream, count) => ask(() => store.reserve(stream, count)),
    use: (stream, at, after) => ask(() => store.use(stream, at, after)),
    remove: (stream, until) => ask(() => store.remove(stream, until)),
    close: () => store.close(),
  }
}

type Ask = <Answer>(act: () => Awaitable<Answer>) => Promise<Answer>

function guardedExchanges(exchanges: ExchangeStore, ask: Ask): ExchangeStore {
  return {
    isTimed: exchanges.isTimed ?? false,
    join: () => ask(() => exchanges.join()),
    begin: (stream, writer, round) => ask(() => exchanges.begin(stream, writer, round)),
    add: (stream, batch) => ask(() => exchanges.add(stream, batch)),
    look: (stream) => ask(() => exchanges.look(stream)),
    read: (stream, until, after) => ask(() => exchanges.read(stream, until, after)),
    clear: (stream, what, gone) => ask(() => exchanges.clear(stream, what, gone)),
  }
}

function refuseOther(then: RunFingerprint, now: RunFingerprint): void {
  const remedy = 'Start with the same settings, or with another store.'
  const found = differences(then, now).map((difference) => `The store: ${difference} ${remedy}`)
  if (found.length > 0) throw new StartupError(found)
}

/** What refuses a start is a Problem for a request. */
function refuse(error: unknown): never {
  if (!(error instanceof StartupError)) throw error
  throw storeAway({ detail: error.message, headers: { 'retry-after': '1' } })
}
