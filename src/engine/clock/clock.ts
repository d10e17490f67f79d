import { LAST_INSTANT } from '../../base/formats/instant.ts'

/**
 * A sandbox's clock: frozen at a moment, or running `rate` times as fast as the machine's clock since that showed `since` and this one
 * `at`. All in epoch milliseconds.
 */
export type Clock =
  | { readonly mode: 'frozen'; readonly at: number }
  | { readonly mode: 'running'; readonly at: number; readonly since: number; readonly rate: number }

/** The machine's own clock. */
export const MACHINE_CLOCK: Clock = { mode: 'running', at: 0, since: 0, rate: 1 }

/** What the clock shows when the machine's clock shows `real`, in whole milliseconds. It stops at the end of the year 9999. */
export function readClock(clock: Clock, real: number): number {
  if (clock.mode === 'frozen') return clock.at
  if (clock.rate === 1) return Math.min(clock.at + (real - clock.since), LAST_INSTANT)
  return Math.min(Math.floor(clock.at + (real - clock.since) * clock.rate), LAST_INSTANT)
}

/** The clock, set to `at` when the machine's clock shows `real`; it keeps its mode and rate. */
export function moveClock(clock: Clock, at: number, real: number): Clock {
  return clock.mode === 'frozen' ? { mode: 'frozen', at } : { ...clock, at, since: real }
}
