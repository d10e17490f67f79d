import { isDelivered, type WebhookMessage } from './webhook-message.ts'

/** Of a sandbox, besides those that wait. */
const MOST_MESSAGES = 1000

/** The messages of a sandbox, the oldest first. Those that wait to be sent are never dropped. */
export class KeptMessages {
  readonly #messages = new Map<string, WebhookMessage>()
  /** Those that do not wait, in the order in which they are dropped. */
  readonly #ended = new Set<WebhookMessage>()
  #forgotten = 0
  #lost = 0

  /** How many were dropped. */
  get forgotten(): number {
    return this.#forgotten
  }

  /** How many of those, and of those that could not wait, no receiver accepted. */
  get lost(): number {
    return this.#lost
  }

  get all(): readonly WebhookMessage[] {
    return [...this.#messages.values()]
  }

  get(id: string): WebhookMessage | undefined {
    return this.#messages.get(id)
  }

  has({ id }: WebhookMessage): boolean {
    return this.#messages.has(id)
  }

  add(message: WebhookMessage): void {
    this.#messages.set(message.id, message)
    this.noteWait(message)
  }

  /** Call it when a message begins to wait, or no longer does. */
  noteWait(message: WebhookMessage): void {
    if (message.dueAt !== undefined) {
      this.#ended.delete(message)
      return
    }
    this.#ended.add(message)
    while (this.#ended.size > MOST_MESSAGES) this.dropOldest()
  }

  noteLost(): void {
    this.#lost++
  }

  dropOldest(): void {
    const [oldest] = this.#ended
    if (!oldest) return
    this.#ended.delete(oldest)
    this.#messages.delete(oldest.id)
    this.#forgotten++
    if (oldest.attempts.length > 0 && !isDelivered(oldest)) this.#lost++
  }

  restart(): void {
    this.#forgotten = 0
    this.#lost = 0
  }

  clear(): void {
    this.#messages.clear()
    this.#ended.clear()
  }
}
