import type { HandlersSetting } from '../../config/config.ts'
import { createConfig } from '../../config/create-config.ts'
import type { ReplayExchange, StateDocument } from '../../control/client/types.ts'
import type { Clock } from '../../engine/clock/clock.ts'
import type { Sandbox } from '../../engine/sandbox.ts'
import { readEvent, readStateDocument, writeEvent } from '../../engine/sandbox-document.ts'
import type { Origin, State } from '../../engine/state.ts'
import { Problem, StartupError } from '../../base/errors/problem.ts'
import { isObject, stringifyJson } from '../../base/formats/json.ts'
import type { SourceFile } from '../../base/formats/source-file.ts'
import { createApp } from '../app.ts'
import { createServer } from '../server.ts'
import { assemble } from '../setup/assemble.ts'
import { MACHINE } from '../setup/machine.ts'
import { compareResponses, compareTexts, sendAgain } from './repeat-exchange.ts'
import { REPLAY_VERSION, type ReplayEvent, type ReplayStart, type WholeReplay } from './write-replay.ts'
import { createMemoryLog } from '../../engine/stores/memory/memory-log.ts'
import { readInstant } from '../../base/formats/instant.ts'
import type { KeptLogs } from '../../engine/stores/log-store.ts'
import { differences } from '../../engine/stores/fingerprint.ts'
import { DEFAULT_SANDBOX } from '../../engine/sandbox-names.ts'
import { copyImage, type Image, type Snapshot } from '../../engine/snapshot.ts'
import { runSteps } from '../../engine/slices.ts'

/** The result of a replay. */
export interface ReplayReport {
  /** Repeated exchanges and events, up to the first difference. */
  readonly exchanges: number
  readonly events: number
  /** Exchanges that could not be repeated, each with the reason. Their events were applied. */
  readonly skipped: readonly string[]
  /** Repeated exchanges that were refused, as in the run, each with its status. */
  readonly refused: readonly string[]
  /** The first difference, as a sentence; undefined when there is none. */
  readonly difference: string | undefined
}

/**
 * Restores the state of a replay, and sends its requests again in the order in which they were handled.
 *
 * @param handlers the user's handlers of the run; they are code, so they are not in the file
 * @throws StartupError for what is not a replay, or one of another Standin
 */
export async function replay({ file, value }: SourceFile, handlers?: HandlersSetting): Promise<ReplayReport> {
  const whole = checkReplay(value, file)
  const { contract, ownOperations, ...settings } = whole.settings
  refuseWithoutHandlers(ownOperations, handlers, file)
  const config = createConfig([
    { nameOf: () => 'replay', values: { log: 'silent', control: false } },
    { nameOf: (setting) => `${file}: settings.${setting}`, values: settings },
  ])
  const clock = createReplayClock(() => instance.sandboxes.default.state.clock)
  const instance = assemble(
    { ...config, handlers },
    {
      machine: { ...MACHINE, realNow: clock.now, wait: clock.wait },
      data: replayDirectory(whole, file),
      ...(contract === undefined ? {} : { contract: { file: 'settings.contract', value: contract, lineOf: () => 1 } }),
    },
  )
  const server = createServer(createApp(instance))
  const port = await server.start('127.0.0.1', 0)
  try {
    return await repeatAll(whole, {
      sandbox: instance.sandboxes.default,
      initialState: instance.initialState,
      port,
      clock,
    })
  } finally {
    await server.stop(0)
  }
}

function refuseWithoutHandlers(own: unknown, handlers: HandlersSetting | undefined, file: string): void {
  if (!Array.isArray(own) || handlers) return
  const names = own.slice(0, 20).map(String).join(', ')
  throw new StartupError([`${file}: the run had handlers of its own for ${names}. Name their file with --handlers.`])
}

/** The machine's clock during a replay. */
interface ReplayClock {
  /** Epoch ms. */
  now(): number
  /** Skips a delay: the sandbox's clock then shows when the exchange was handled in the run. */
  wait(): Promise<void>
  /** Makes the sandbox's clock show an instant. */
  set(now: string): void
  /** Makes it show when an exchange arrived. */
  startExchange(exchange: ReplayExchange): void
}

function createReplayClock(sandboxClock: () => Clock): ReplayClock {
  let real = 0
  let handled = ''
  const set = (now: string) => {
    real = realTimeFor(sandboxClock(), Date.parse(now))
  }
  return {
    now: () => real,
    set,
    wait() {
      set(handled)
      return Promise.resolve()
    },
    startExchange({ arrived, now }) {
      set(arrived ?? now)
      handled = now
    },
  }
}

/** What the machine's clock must show for a sandbox's clock to show `now`, epoch ms. */
function realTimeFor(clock: Clock, now: number): number {
  if (clock.mode === 'frozen') return now
  // The half millisecond keeps the result from being rounded down to the millisecond before.
  const ahead = clock.rate === 1 ? now - clock.at : (now - clock.at + 0.5) / clock.rate
  return clock.since + ahead
}

interface ReplayRun {
  readonly sandbox: Sandbox
  readonly initialState: State
  readonly port: number
  readonly clock: ReplayClock
}

async function repeatAll({ history, exchanges }: WholeReplay, run: ReplayRun): Promise<ReplayReport> {
  const { sandbox } = run
  const first = sandbox.nextEvent
  const skipped: string[] = []
  const refused: string[] = []
  let repeated = 0
  const report = (difference?: string) => ({
    exchanges: repeated,
    events: sandbox.nextEvent - first,
    skipped,
    refused,
    difference,
  })
  /** Applies what the control API, the time and skipped exchanges changed before an event. */
  const applyUpTo = (number: number) => {
    for (const event of history.slice(sandbox.nextEvent - first, Math.max(0, number - first))) apply(event, run)
  }
  const inOrder = exchanges.toSorted((a, b) => a.nextEvent - b.nextEvent)
  for (const [index, exchange] of inOrder.entries()) {
    const name = `exchange ${index + 1} of ${inOrder.length}, ${exchange.method} ${exchange.url} (x-request-id ${exchange.requestId})`
    if (exchange.unrepeatable !== undefined) {
      applyUpTo(exchange.nextEvent)
      skipped.push(`${name}: ${exchange.unrepeatable}`)
      continue
    }
    // Request ids do not identify its events: after a reset they start again.
    const events = history.filter(({ number }) => number >= exchange.firstEvent && number < exchange.nextEvent)
    applyUpTo(events[0]?.number ?? exchange.nextEvent)
    const difference = await repeatExchange(exchange, events, run)
    if (difference !== undefined) return report(`${name}: ${difference}`)
    if (exchange.answer.status >= 400) refused.push(`${name}: ${exchange.answer.status}`)
    repeated++
  }
  applyUpTo(Infinity)
  return report()
}

function apply(event: ReplayEvent, { sandbox, initialState, clock }: ReplayRun): void {
  clock.set(event.at)
  const { state, requests, checkpoints } = sandbox
  const image = { beginning: { state, requests }, state, requests, checkpoints }
  const read = readEvent(withoutFacts(event), image, { model: initialState.model, initialState })
  sandbox.replayEvent(read, event.requests)
}

/** An event without what the log adds to it. */
function withoutFacts({ number: _number, at: _at, requests: _requests, requestId: _id, ...event }: ReplayEvent) {
  return event
}

/** Sends a request again and compares the response and the events. Returns the first difference as a clause. */
async function repeatExchange(
  exchange: ReplayExchange,
  events: readonly ReplayEvent[],
  { sandbox, initialState, port, clock }: ReplayRun,
): Promise<string | undefined> {
  sandbox.replayEvent(undefined, exchange.requests - 1)
  clock.startExchange(exchange)
  const from = sandbox.nextEvent
  const response = await sendAgain(exchange, port)
  const is = [...sandbox.history().from(from)].map(({ event }) => stringifyJson(writeEvent(event, initialState)))
  const was = events.map((event) => stringifyJson(withoutFacts(event)))
  return compareResponses(exchange.answer, response) ?? compareTexts('what it changed', was.join('\n'), is.join('\n'))
}

/** @param file its name, for messages @throws StartupError for what is not a replay, or one that this Standin cannot read */
function checkReplay(value: unknown, file: string): WholeReplay {
  if (!isObject(value) || value.format !== 'standin-replay')
    throw new StartupError([`${file}:1: This is not a replay. GET /__mock/replay of a running Standin returns one.`])
  if (value.version !== REPLAY_VERSION) {
    const versions = `The replay is of version ${String(value.version)}; this Standin reads version ${REPLAY_VERSION}`
    throw new StartupError([`${file}:1: ${versions}. Use the Standin that made it.`])
  }
  return value as unknown as WholeReplay
}

/** Presents the sandbox of a replay as if it were stored in a data directory. It becomes the default sandbox. */
function replayDirectory({ fingerprint, start }: WholeReplay, file: string): KeptLogs {
  return {
    firstMoment: Date.parse(fingerprint.firstMoment),
    open(present, initialState) {
      const found = differences(fingerprint, present)
      if (found.length > 0) throw new StartupError(found.map((difference) => `${file}: ${difference}`))
      const image = readStart(start, { model: initialState.model, initialState, made: new Map() }, file)
      const log = createMemoryLog(copyImage(image), start.nextEvent)
      return {
        found: new Map([[DEFAULT_SANDBOX, { image, log }]]),
        begin: (_sandbox, beginning) => createMemoryLog({ beginning, ...beginning, checkpoints: new Map() }),
        remove: () => undefined,
      }
    },
    close: () => undefined,
  }
}

/** @throws StartupError for a file that was edited so that it cannot be read */
function readStart({ beginning, present, checkpoints }: ReplayStart, origin: Origin, file: string): Image {
  const read = (state: StateDocument) => runSteps(readStateDocument(state, origin))
  try {
    const named = checkpoints.map(({ name, taken, state }): [string, Snapshot] => [
      name,
      { ...read(state), taken: readInstant(taken, { pointer: '/start/checkpoints' }) },
    ])
    return { beginning: read(beginning), ...read(present), checkpoints: new Map(named) }
  } catch (error) {
    if (!(error instanceof Problem || error instanceof TypeError)) throw error
    throw new StartupError([`${file}: The replay cannot be read: ${error.message}`])
  }
}
