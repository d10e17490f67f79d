import type { SandboxObserver } from '../../../engine/sandbox.ts'
import { counted } from '../../../base/errors/wording.ts'
import type { Delivery, Run } from '../report-schedule.ts'
import { createMailer, type Mailer, MailRefused } from './mailer.ts'
import { messageOf } from './message.ts'

/** What became of the message of a delivery. */
interface MailState {
  readonly status: 'waiting' | 'sent' | 'failed'
  readonly attempts: number
  /** Of the last attempt. */
  readonly error?: string | undefined
}

/** One move of the clock can make ten times as many. Messages beyond this fail. */
const MAX_WAITING = 100_000
/** Attempts for a message that the server does not accept now. While a server is down, attempts go on. */
const MAX_ATTEMPTS = 10
/** Milliseconds before the second attempt. Each further pause is twice as long, up to the longest. */
const FIRST_PAUSE = 500
const LONGEST_PAUSE = 30_000

interface WaitingDelivery {
  readonly sandbox: string
  readonly run: Run
  readonly delivery: Delivery
}

/** Sends deliveries by mail, in the background and in their order. Failures here fail no request. */
export class Outbox {
  readonly #mailer: Mailer
  readonly #log: (line: string) => void
  readonly #queue = new Set<WaitingDelivery>()
  /** Weak, because sandboxes that are forks of each other share deliveries. */
  readonly #states = new WeakMap<Delivery, MailState>()
  #working: Promise<void> | undefined
  #isHalted = false
  /** Whether the latest delivery found no room in the queue. */
  #isFull = false
  #endPause: () => void = () => undefined
  /** Milliseconds until the next attempt while the server is down; 0 while it is up. */
  #outage = 0

  /** @param log for lines about servers that go down or up, and about messages that fail */
  constructor(address: string, log: (line: string) => void) {
    this.#mailer = createMailer(address)
    this.#log = log
  }

  /** Sends the deliveries of a sandbox. */
  observe(sandbox: string): SandboxObserver {
    return {
      // The process that decided a run sends its deliveries.
      onEvent: (event, _state, isOwn) => {
        if (event.type !== 'report-schedule.ran' || !isOwn) return
        for (const delivery of event.deliveries) this.#add({ sandbox, run: event.run, delivery })
        this.#isHalted = false
        if (this.#queue.size > 0) this.#working ??= this.#work()
      },
    }
  }

  /** Undefined for deliveries that were not sent here. */
  stateOf(delivery: Delivery): MailState | undefined {
    return this.#states.get(delivery)
  }

  /** Sends what waits, for at most `patience` ms. The rest waits for the next delivery. */
  async stop(patience: number): Promise<void> {
    if (this.#working) {
      const halt = () => {
        this.#isHalted = true
        this.#endPause()
      }
      const timer = setTimeout(halt, this.#outage > 0 ? 0 : patience)
      await Promise.race([this.#working, new Promise((resolve) => setTimeout(resolve, patience + 200).unref())])
      clearTimeout(timer)
    }
    const { size } = this.#queue
    if (size > 0) this.#log(`${counted(size, 'delivery', 'deliveries')} not sent before the stop`)
  }

  #add(waiting: WaitingDelivery): void {
    const wasFull = this.#isFull
    this.#isFull = this.#queue.size >= MAX_WAITING
    if (!this.#isFull) {
      this.#states.set(waiting.delivery, { status: 'waiting', attempts: 0 })
      this.#queue.add(waiting)
      return
    }
    const error = `${MAX_WAITING.toLocaleString('en')} messages are already waiting`
    this.#states.set(waiting.delivery, { status: 'failed', attempts: 0, error })
    // Once, since one move of the clock can make a million deliveries.
    if (!wasFull) this.#log(`delivery ${waiting.delivery.id} and later ones were not sent: ${error}`)
  }

  async #work(): Promise<void> {
    for (let [first] = this.#queue; first && !this.#isHalted; [first] = this.#queue) await this.#sendFirst(first)
    this.#mailer.close()
    this.#working = undefined
  }

  async #sendFirst(waiting: WaitingDelivery): Promise<void> {
    const { sandbox, run, delivery } = waiting
    try {
      await this.#mailer.send(messageOf(sandbox, delivery, run.reportSchedule.schedule?.timezone ?? 'UTC'))
    } catch (error) {
      await this.#retry(waiting, error instanceof MailRefused ? error : new MailRefused('never', String(error)))
      return
    }
    this.#queue.delete(waiting)
    this.#note(delivery, 'sent')
    if (this.#outage > 0) this.#log(`${this.#mailer.name} accepts messages again; still waiting: ${this.#queue.size}`)
    this.#outage = 0
  }

  async #retry(waiting: WaitingDelivery, { kind, message }: MailRefused): Promise<void> {
    const { delivery } = waiting
    const attempts = (this.#states.get(delivery)?.attempts ?? 0) + 1
    if (kind === 'never' || (kind === 'later' && attempts >= MAX_ATTEMPTS)) {
      this.#fail(waiting, message)
      return
    }
    this.#note(delivery, 'waiting', message)
    if (kind === 'later') {
      // The others need not wait for this one.
      this.#queue.delete(waiting)
      this.#queue.add(waiting)
    } else {
      if (this.#outage === 0)
        this.#log(
          `${this.#mailer.name} accepts no messages (${message}); waiting to be sent again: ${this.#queue.size}`,
        )
      this.#outage = Math.min(this.#outage * 2 || FIRST_PAUSE, LONGEST_PAUSE)
    }
    if (!this.#isHalted) await this.#pause(this.#outage || FIRST_PAUSE)
  }

  #pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds).unref()
      this.#endPause = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  #fail(waiting: WaitingDelivery, error: string): void {
    this.#queue.delete(waiting)
    this.#note(waiting.delivery, 'failed', error)
    this.#log(`delivery ${waiting.delivery.id} was not sent: ${error}`)
  }

  #note(delivery: Delivery, status: MailState['status'], error?: string): void {
    const attempts = (this.#states.get(delivery)?.attempts ?? 0) + 1
    this.#states.set(delivery, { status, attempts, ...(error === undefined ? {} : { error }) })
  }
}
