/** Answers the `Date` header (RFC 9110, 5.6.7) for a moment in epoch ms. It changes once a second, so the last one is kept. */
export function createHttpDate(): (now: number) => string {
  let second = Number.NaN
  let text = ''
  return (now) => {
    const asked = Math.floor(now / 1000)
    if (asked === second) return text
    second = asked
    return (text = new Date(now).toUTCString())
  }
}
