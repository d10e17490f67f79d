/** So many requests in each window of so many seconds, by the sandbox's clock: moving the clock satisfies it too. */
export interface RateLimit {
  /** Counts a request. Answers 0 when it may pass, else the seconds until it may. */
  take(now: number, most: number, seconds: number): number
  reset(): void
}

export function createRateLimit(): RateLimit {
  let window = -1
  let taken = 0
  return {
    take(now, most, seconds) {
      const length = seconds * 1000
      const present = Math.floor(now / length)
      if (present !== window) {
        window = present
        taken = 0
      }
      taken++
      return taken <= most ? 0 : Math.ceil(((present + 1) * length - now) / 1000)
    },
    reset() {
      window = -1
    },
  }
}
