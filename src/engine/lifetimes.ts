/** How long sandboxes live, by the machine's clock: each until no request has used it for its time to live. */
export interface Lifetimes {
  /**
   * @param ttl milliseconds; undefined for the usual one, null for no end
   * @param usedAt epoch ms; now when absent
   */
  begin(name: string, ttl: number | null | undefined, usedAt?: number): void
  /** Notes that a request uses a sandbox. @returns whether it has not expired */
  use(name: string): boolean
  end(name: string): void
  /** Undefined for a sandbox that does not expire. */
  find(name: string): SandboxLifetime | undefined
  expired(): readonly string[]
}

interface SandboxLifetime {
  /** Milliseconds. */
  readonly ttl: number
  /** Epoch ms. */
  readonly expiresAt: number
}

/** @param usual milliseconds; undefined where sandboxes live on */
export function createLifetimes(usual: number | undefined, realNow: () => number): Lifetimes {
  const lifetimes = new Map<string, SandboxLifetime>()
  const start = (name: string, ttl: number, from = realNow()) => lifetimes.set(name, { ttl, expiresAt: from + ttl })
  return {
    begin(name, ttl = usual ?? null, usedAt) {
      if (ttl !== null) start(name, ttl, usedAt)
    },
    use(name) {
      const lifetime = lifetimes.get(name)
      if (!lifetime) return true
      if (lifetime.expiresAt <= realNow()) return false
      start(name, lifetime.ttl)
      return true
    },
    end: (name) => void lifetimes.delete(name),
    find: (name) => lifetimes.get(name),
    expired() {
      if (lifetimes.size === 0) return []
      const now = realNow()
      return [...lifetimes].flatMap(([name, { expiresAt }]) => (expiresAt <= now ? [name] : []))
    },
  }
}
