import { type Letter, writeLetter } from './letter.ts'
import { type Post, PostRefused } from './post.ts'
import { counted } from '../../../errors/wording.ts'
import type { SandboxObserver } from '../../../engine/sandbox.ts'
import type { Delivery, Run } from '../report-schedule.ts'

/** What became of the message of a delivery. */
interface MailState {
  readonly status: 'waiting' | 'sent' | 'failed'
  /** How often it was tried. */
  readonly attempts: number
  /** Why it was not taken, the last time. */
  readonly error?: string | undefined
}

/** Sends deliveries by mail, in the background and in their order. Nothing that happens here fails a request. */
export interface Outbox {
  /** Sends the deliveries of a sandbox. */
  observe(sandbox: string): SandboxObserver
  /** Undefined for a delivery that it never had. */
  stateOf(delivery: Delivery): MailState | undefined
  /** Lets what waits go out, for as long as `patience` (ms) at most, and hangs up. What is left waits for the next delivery. */
  stop(patience: number): Promise<void>
}

/** One jump of the clock may make ten times as many; what finds no room has failed, and says so. */
const MOST_WAITING = 100_000
/** A letter that a server will not take now is tried so often. A server that is down is tried for ever. */
const MOST_REFUSALS = 10
/** Milliseconds before the second attempt; each further wait is twice as long, up to the longest. */
const FIRST_PAUSE = 500
const LONGEST_PAUSE = 30_000

interface Waiting {
  readonly delivery: Delivery
  readonly letter: () => Letter
}

/** @param log takes a line for people: when a server is down, when it is there again, and for each letter that failed */
export function createOutbox(post: Post, log: (line: string) => void): Outbox {
  const queue = new Set<Waiting>()
  // Forks and checkpoints share their deliveries, and so what is known of them; it goes when they do.
  const states = new WeakMap<Delivery, MailState>()
  let working: Promise<void> | undefined
  let halted = false
  let wake: () => void = () => undefined
  let outage: { pause: number } | undefined

  const pause = (milliseconds: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, milliseconds).unref()
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  const note = (delivery: Delivery, status: MailState['status'], error?: string) => {
    const attempts = (states.get(delivery)?.attempts ?? 0) + 1
    states.set(delivery, { status, attempts, ...(error === undefined ? {} : { error }) })
    return attempts
  }
  const fail = (waiting: Waiting, error: string) => {
    queue.delete(waiting)
    note(waiting.delivery, 'failed', error)
    log(`delivery ${waiting.delivery.id} was not sent: ${error}`)
  }
  const sendFirst = async (waiting: Waiting) => {
    const { delivery, letter } = waiting
    try {
      await post.send(letter())
      queue.delete(waiting)
      note(delivery, 'sent')
      if (outage) log(`${post.name} takes letters again; still waiting: ${queue.size}`)
      outage = undefined
    } catch (error) {
      const { kind, message } = error instanceof PostRefused ? error : new PostRefused('never', String(error))
      const isTired = kind === 'later' && (states.get(delivery)?.attempts ?? 0) + 1 >= MOST_REFUSALS
      if (kind === 'never' || isTired) {
        fail(waiting, message)
        return
      }
      note(delivery, 'waiting', message)
      // The others need not wait for one that is not taken now.
      if (kind === 'later') {
        queue.delete(waiting)
        queue.add(waiting)
      }
      if (kind === 'unreachable' && !outage)
        log(`${post.name} takes no letters (${message}); waiting, and tried again: ${queue.size}`)
      outage =
        kind === 'unreachable' ? { pause: Math.min((outage?.pause ?? FIRST_PAUSE / 2) * 2, LONGEST_PAUSE) } : outage
      if (!halted) await pause(outage?.pause ?? FIRST_PAUSE)
    }
  }
  const work = async () => {
    for (let [first] = queue; first && !halted; [first] = queue) await sendFirst(first)
    post.rest()
    working = undefined
  }
  const take = (
    sandbox: string,
    { run, deliveries }: { readonly run: Run; readonly deliveries: readonly Delivery[] },
  ) => {
    for (const delivery of deliveries) {
      const waiting = { delivery, letter: () => writeLetter(sandbox, run, delivery) }
      if (queue.size < MOST_WAITING) {
        states.set(delivery, { status: 'waiting', attempts: 0 })
        queue.add(waiting)
      } else fail(waiting, `${MOST_WAITING.toLocaleString('en')} letters wait already`)
    }
    halted = false
    if (queue.size > 0) working ??= work()
  }
  return {
    observe: (sandbox) => ({ onEvent: (event) => event.type === 'report-schedule.ran' && take(sandbox, event) }),
    stateOf: (delivery) => states.get(delivery),
    async stop(patience) {
      if (working) {
        const giveUp = setTimeout(
          () => {
            halted = true
            wake()
          },
          outage ? 0 : patience,
        )
        await Promise.race([working, new Promise((resolve) => setTimeout(resolve, patience + 200).unref())])
        clearTimeout(giveUp)
      }
      if (queue.size > 0) log(`${counted(queue.size, 'delivery', 'deliveries')} not sent before the stop`)
    },
  }
}
