import { LAST_INSTANT } from '../formats/instant.ts'

/**
 * A sandbox's clock: it stands still at a moment, or it showed `at` when the machine's clock showed `since` and runs from there,
 * `rate` times as fast. All in epoch milliseconds.
 */
export type Clock =
  | { readonly mode: 'frozen'; readonly at: number }
  | { readonly mode: 'running'; readonly at: number; readonly since: number; readonly rate: number }

/** The machine's own clock. */
export const MACHINE_CLOCK: Clock = { mode: 'running', at: 0, since: 0, rate: 1 }

/** What the clock shows when the machine's shows `real`, in whole milliseconds; at the end of the last year it stops. */
export function readClock(clock: Clock, real: number): number {
  if (clock.mode === 'frozen') return clock.at
  if (clock.rate === 1) return Math.min(clock.at + (real - clock.since), LAST_INSTANT)
  return Math.min(Math.floor(clock.at + (real - clock.since) * clock.rate), LAST_INSTANT)
}

/** The clock when it shows `at` while the machine's shows `real`, going on as it goes. */
export function moveClock(clock: Clock, at: number, real: number): Clock {
  return clock.mode === 'frozen' ? { mode: 'frozen', at } : { ...clock, at, since: real }
}
