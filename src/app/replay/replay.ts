import type { HandlersSetting } from '../../config/config.ts'
import { createConfig } from '../../config/create-config.ts'
import type { ReplayExchange } from '../../control/client/types.ts'
import type { SourceFile } from '../../formats/source-file.ts'
import { readEvent, writeEvent } from '../../engine/sandbox-document.ts'
import { checkReplay, replayDirectory } from './read-replay.ts'
import { type ReplayedResponse, sendAgain } from './repeat-request.ts'
import type { ReplayEvent, WholeReplay } from './write-replay.ts'
import { createApp } from '../app.ts'
import { createServer } from '../server.ts'
import { stringifyJson } from '../../formats/json.ts'
import { StartupError } from '../../errors/problem.ts'

import type { Sandbox } from '../../engine/sandbox.ts'
import { assembleStandin } from '../setup/assemble.ts'
import { MACHINE } from '../setup/create-standin.ts'
import type { Clock } from '../../engine/clock.ts'
import type { State } from '../../engine/state.ts'

/** What came of doing a run again. */
export interface ReplayReport {
  /** Exchanges that were asked again and events that were done again, up to the first difference. */
  readonly exchanges: number
  readonly events: number
  /** Exchanges that could not be asked again, each with the reason. What they changed was done. */
  readonly passedOver: readonly string[]
  /** The first difference, as a sentence; undefined when there is none. */
  readonly difference: string | undefined
}

/**
 * Builds the state of a replay and asks again what was asked, in the order in which it was decided.
 *
 * @param handlers the user's own operations that the run had; they are code, so they are not in the file
 * @throws StartupError for what is no replay, or one of another Standin
 */
export async function replay({ file, value }: SourceFile, handlers?: HandlersSetting): Promise<ReplayReport> {
  const whole = checkReplay(value, file)
  let real = 0
  /** When the exchange that is asked again was decided. Nothing waits here, however long it waited in the run. */
  let decided = ''
  const { contract, ownOperations, ...settings } = whole.settings
  refuseWithoutHandlers(ownOperations, handlers, file)
  const config = createConfig([
    { nameOf: () => 'replay', values: { log: 'silent', control: false } },
    { nameOf: (setting) => `${file}: settings.${setting}`, values: settings },
  ])
  const setTime = (now: string) => {
    real = realFor(app.sandboxes.default.state.clock, Date.parse(now))
  }
  const { app, initialState } = assembleStandin(
    { ...config, handlers },
    {
      machine: {
        ...MACHINE,
        now: () => real,
        wait() {
          setTime(decided)
          return Promise.resolve()
        },
      },
      data: replayDirectory(whole, file),
      ...(contract === undefined ? {} : { contract: { file: 'settings.contract', value: contract, lineOf: () => 1 } }),
    },
  )
  const sandbox = app.sandboxes.default
  const server = createServer(createApp(app))
  const port = await server.start('127.0.0.1', 0)
  const arrive = ({ arrived, now }: ReplayExchange) => {
    setTime(arrived ?? now)
    decided = now
  }
  try {
    return await repeatAll(whole, { sandbox, initialState, port, setTime, arrive })
  } finally {
    await server.stop(0)
  }
}

function refuseWithoutHandlers(own: unknown, handlers: HandlersSetting | undefined, file: string): void {
  if (!Array.isArray(own) || handlers) return
  const names = own.slice(0, 20).map(String).join(', ')
  throw new StartupError([`${file}: the run had handlers of its own for ${names}. Name their file with --handlers.`])
}

interface Stage {
  readonly sandbox: Sandbox
  readonly initialState: State
  readonly port: number
  /** Lets the sandbox's clock show an instant. */
  setTime(now: string): void
  /** Lets it show when an exchange arrived, and after a delay when it was decided. */
  arrive(exchange: ReplayExchange): void
}

async function repeatAll({ history, exchanges }: WholeReplay, stage: Stage): Promise<ReplayReport> {
  const { sandbox, initialState } = stage
  const first = sandbox.nextEvent
  const passedOver: string[] = []
  let asked = 0
  const report = (difference?: string) => ({
    exchanges: asked,
    events: sandbox.nextEvent - first,
    passedOver,
    difference,
  })
  /** What the control API, the time, and exchanges that are not here have done. */
  const repeatUpTo = (number: number) => {
    for (const event of history.slice(sandbox.nextEvent - first, Math.max(0, number - first))) {
      stage.setTime(event.at)
      sandbox.repeat(
        readEvent(eventOf(event), imageOf(sandbox), { model: initialState.model, initialState }),
        event.requests,
      )
    }
  }
  const inOrder = exchanges.toSorted((a, b) => a.nextEvent - b.nextEvent)
  for (const [index, exchange] of inOrder.entries()) {
    const own = ownEvents(exchange, history)
    const name = `exchange ${index + 1} of ${inOrder.length}, ${exchange.method} ${exchange.url} (x-request-id ${exchange.requestId})`
    if (exchange.unrepeatable !== undefined) {
      repeatUpTo(exchange.nextEvent)
      passedOver.push(`${name}: ${exchange.unrepeatable}`)
      continue
    }
    repeatUpTo(own[0]?.number ?? exchange.nextEvent)
    const difference = await repeatExchange(exchange, own, stage)
    if (difference !== undefined) return report(`${name}: ${difference}`)
    asked++
  }
  repeatUpTo(Infinity)
  return report()
}

/** The events that an exchange caused. Request ids alone do not tell: after a reset they begin again. */
function ownEvents({ firstEvent, nextEvent }: ReplayExchange, history: readonly ReplayEvent[]): readonly ReplayEvent[] {
  return history.filter(({ number }) => number >= firstEvent && number < nextEvent)
}

/** An event without what the log adds to it. */
function eventOf({ number: _number, at: _at, requests: _requests, requestId: _id, ...event }: ReplayEvent) {
  return event
}

/** All that reading an event asks for. */
function imageOf({ state, requests, checkpoints }: Sandbox) {
  return { beginning: { state, requests }, state, requests, checkpoints }
}

/** Asks again. Answers the first difference, as a part of a sentence. */
async function repeatExchange(
  exchange: ReplayExchange,
  own: readonly ReplayEvent[],
  { sandbox, initialState, port, arrive }: Stage,
): Promise<string | undefined> {
  sandbox.repeat(undefined, exchange.requests - 1)
  arrive(exchange)
  const from = sandbox.nextEvent
  const answer = await sendAgain(exchange, port)
  const done = [...sandbox.history().from(from)].map(({ event }) => stringifyJson(writeEvent(event, initialState)))
  const wasDone = own.map((event) => stringifyJson(eventOf(event)))
  return differenceOf(exchange.answer, answer) ?? textDifference('what it changed', wasDone.join('\n'), done.join('\n'))
}

/** What the engine adds for the connection. */
const OF_THE_CONNECTION = new Set(['connection', 'keep-alive', 'transfer-encoding'])

function differenceOf(was: ReplayedResponse, is: ReplayedResponse): string | undefined {
  if (was.status !== is.status) return `the status was ${was.status}, and is ${is.status}`
  const [before, after] = [headerLines(was.headers), headerLines(is.headers)]
  for (let line = 0; line < Math.max(before.length, after.length); line++) {
    if (before[line] !== after[line])
      return `a header was ${before[line] ?? 'not there'}, and is ${after[line] ?? 'not there'}`
  }
  if (was.isComplete !== is.isComplete)
    return `the response ${was.isComplete === false ? 'was broken off, and is whole' : 'was whole, and is broken off'}`
  // Of an answer that was not kept, length and status speak.
  return was.body === undefined ? undefined : textDifference('the body', was.body, is.body ?? '')
}

function headerLines(headers: readonly string[]): string[] {
  const lines: string[] = []
  for (let at = 0; at < headers.length; at += 2) {
    const name = (headers[at] ?? '').toLowerCase()
    if (!OF_THE_CONNECTION.has(name)) lines.push(`${name}: ${headers[at + 1] ?? ''}`)
  }
  return lines
}

/** Characters shown from where two texts part. */
const SHOWN = 60

function textDifference(what: string, was: string, is: string): string | undefined {
  if (was === is) return undefined
  let at = 0
  while (was[at] === is[at]) at++
  const part = (text: string) => (at < text.length ? JSON.stringify(text.slice(at, at + SHOWN)) : 'at its end')
  return `${what} differs from character ${at + 1} on: it was ${part(was)}, and is ${part(is)}`
}

/** What the machine's clock must show for a sandbox's clock to show `now`. */
function realFor(clock: Clock, now: number): number {
  if (clock.mode === 'frozen') return now
  // The half keeps it from being rounded to the millisecond before.
  const ahead = clock.rate === 1 ? now - clock.at : (now - clock.at + 0.5) / clock.rate
  return clock.since + ahead
}
