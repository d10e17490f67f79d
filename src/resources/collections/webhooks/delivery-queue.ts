import { type Agenda, createAgenda } from '../../../engine/clock/agenda.ts'
import { readClock } from '../../../engine/clock/clock.ts'
import type { Sandbox } from '../../../engine/sandbox.ts'
import { iso } from '../../../base/formats/instant.ts'
import type { KeptMessages } from './kept-messages.ts'
import { send } from './send.ts'
import { signatureOf } from './sign.ts'
import { noteAttempt, type WebhookMessage } from './webhook-message.ts'
import type { WebhookParts } from './webhook-plan.ts'

/** The messages to one address, which are sent one after the other. */
interface Lane {
  readonly agenda: Agenda<number>
  /** By their order. */
  readonly messages: Map<number, WebhookMessage>
  working: Promise<void> | undefined
}

const HOUR = 3_600_000

/** Sends the messages of a sandbox when they are due by its clock. Addresses do not wait for each other. */
export class DeliveryQueue {
  readonly #parts: WebhookParts
  readonly #sandbox: () => Sandbox | undefined
  readonly #kept: KeptMessages
  /** By address. */
  readonly #lanes = new Map<string, Lane>()
  #stopped = new AbortController()

  constructor(parts: WebhookParts, sandbox: () => Sandbox | undefined, kept: KeptMessages) {
    this.#parts = parts
    this.#sandbox = sandbox
    this.#kept = kept
  }

  /** When the next message is due, epoch ms; Infinity for none. */
  get nextDue(): number {
    return Math.min(Infinity, ...[...this.#lanes.values()].map(({ agenda }) => agenda.first()?.at ?? Infinity))
  }

  get underWay(): readonly Promise<void>[] {
    return [...this.#lanes.values()].flatMap(({ working }) => working ?? [])
  }

  /** Decides when a new message is sent. @param now epoch ms */
  add(message: WebhookMessage, delivery: Sandbox['settings']['webhooks.delivery'], now: number): void {
    if (delivery === 'never') message.why = 'The behaviour webhooks.delivery loses it.'
    else if (!this.#parts.mayWait()) {
      message.why = 'Too many others wait.'
      this.#kept.noteLost()
    } else if (delivery === 'swapped') this.#addSwapped(message, now)
    else {
      message.isRepeated = delivery === 'twice'
      this.schedule(message, delivery === 'late' ? now + HOUR : now)
    }
  }

  /** Every second message goes before the one that was made before it. */
  #addSwapped(message: WebhookMessage, now: number): void {
    const waiting = [...(this.#lanes.get(message.url ?? '')?.messages.values() ?? [])]
    const before = waiting.findLast(({ attempts, isSwapped }) => attempts.length === 0 && isSwapped !== true)
    if (!before) {
      this.schedule(message, now + HOUR)
      return
    }
    this.schedule(before, undefined)
    before.order = message.order + 0.5
    before.isSwapped = message.isSwapped = true
    this.schedule(message, now)
    this.schedule(before, now)
  }

  /** @param at epoch ms; undefined for not again */
  schedule(message: WebhookMessage, at: number | undefined): void {
    const { url, order, dueAt } = message
    if ((dueAt === undefined) !== (at === undefined)) this.#parts.onWaiting(at === undefined ? -1 : 1)
    message.dueAt = at
    if (this.#kept.has(message)) this.#kept.noteWait(message)
    if (url === null) return
    const lane = this.#lanes.get(url) ?? { agenda: createAgenda<number>(), messages: new Map(), working: undefined }
    lane.agenda.set(order, at)
    if (at === undefined) lane.messages.delete(order)
    else lane.messages.set(order, message)
    this.#keepLane(url, lane)
  }

  /** Sends what is due now. @param then called when an address has got what was due */
  start(then: () => void): void {
    for (const [url, lane] of this.#lanes)
      lane.working ??= this.#deliver(lane)
        .catch((error: unknown) => this.#parts.note(`webhooks: ${String(error)}`))
        .finally(() => {
          lane.working = undefined
          this.#keepLane(url, lane)
          then()
        })
  }

  /** Sends a message once, now or when it was due. */
  async attempt(message: WebhookMessage, at: number): Promise<void> {
    const { id, event, url, method, headers, body, secret } = message
    const settings = this.#sandbox()?.settings
    if (!settings || url === null) {
      this.schedule(message, undefined)
      return
    }
    const key = settings['webhooks.delivery'] === 'wrong-signature' ? `not-${secret}` : secret
    const signature = signatureOf({ id, at, body }, key, settings['webhooks.signature'])
    const { signal } = this.#stopped
    const outcome = await send({ url, method, body, headers: { ...headers, ...signature } }, signal)
    // It was cleared, or the sandbox was reset.
    if (signal.aborted || !this.#kept.has(message)) return
    const isRetried = settings['webhooks.retry'] === 'backoff'
    this.schedule(message, noteAttempt(message, { at: iso(at), ...outcome }, at, isRetried))
    if (!outcome.isAccepted) this.#parts.note(`webhook ${event} to ${url}: ${outcome.error ?? String(outcome.status)}`)
  }

  /** What the clock of the sandbox shows, epoch ms. */
  now(): number {
    const clock = this.#sandbox()?.state.clock
    return clock ? readClock(clock, this.#parts.realNow()) : this.#parts.realNow()
  }

  /** Drops everything that waits, and what is being sent. */
  clear(): void {
    this.#stopped.abort()
    this.#stopped = new AbortController()
    for (const { messages } of this.#lanes.values())
      for (const message of messages.values()) this.schedule(message, undefined)
    this.#lanes.clear()
  }

  async #deliver({ agenda, messages }: Lane): Promise<void> {
    const { signal } = this.#stopped
    for (let first = agenda.first(); first && !signal.aborted; first = agenda.first()) {
      const message = messages.get(first.key)
      if (!message || first.at > this.now()) return
      await this.attempt(message, first.at)
    }
  }

  #keepLane(url: string, lane: Lane): void {
    if (lane.messages.size > 0 || lane.working) this.#lanes.set(url, lane)
    else this.#lanes.delete(url)
  }
}
