import { DEFAULT_SANDBOX } from '../sandbox-names.ts'
import type { EventStore, StoredStream } from './event-store.ts'

interface LifetimeParts {
  readonly store: EventStore
  /** Milliseconds that sandboxes live without a request; undefined where they live on. */
  readonly usual: number | undefined
  /** The machine's clock, epoch ms. */
  readonly realNow: () => number
  /** Called by the one replica that ended a sandbox. @param after milliseconds without a request */
  readonly onExpired: (name: string, after: number) => void
}

/** How long sandboxes live that replicas share: each until no request to any of them has used it for its time to live. */
export class SharedLifetimes {
  readonly #parts: LifetimeParts

  constructor(parts: LifetimeParts) {
    this.#parts = parts
  }

  /** Epoch ms. */
  now(): number {
    return this.#parts.realNow()
  }

  /** The sandboxes that have not expired. The others are removed, each by one replica. */
  async living(): Promise<readonly StoredStream[]> {
    const found: StoredStream[] = []
    for (const one of await this.#parts.store.list()) {
      const ttl = this.#ttlOf(one)
      const isOver = ttl !== null && one.usedAt !== undefined && one.usedAt <= this.now() - ttl
      if (!isOver || !(await this.#expire(one, ttl))) found.push(one)
    }
    return found
  }

  /** Notes that a request uses a sandbox. @returns whether it is still there */
  async use(sandbox: StoredStream): Promise<boolean> {
    const ttl = this.#ttlOf(sandbox)
    if (ttl === null) return true
    const now = this.now()
    if (await this.#parts.store.use(sandbox.stream, now, now - ttl)) return true
    await this.#expire(sandbox, ttl)
    return false
  }

  #ttlOf({ name, ttl = this.#parts.usual ?? null }: StoredStream): number | null {
    return name === DEFAULT_SANDBOX ? null : ttl
  }

  async #expire({ stream, name }: StoredStream, ttl: number): Promise<boolean> {
    const isRemoved = await this.#parts.store.remove(stream, this.now() - ttl)
    if (isRemoved) this.#parts.onExpired(name, ttl)
    return isRemoved
  }
}
