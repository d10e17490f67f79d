/** A sandbox's clock: it stands still at a moment, or runs at some distance from the machine's. All in epoch milliseconds. */
export type Clock =
  { readonly mode: 'frozen'; readonly at: number } | { readonly mode: 'running'; readonly offset: number }

/** What the clock shows when the machine's shows `real`. */
export function readClock(clock: Clock, real: number): number {
  return clock.mode === 'frozen' ? clock.at : real + clock.offset
}
