import type { Machine } from './app-parts.ts'

/** The one place where real time enters. */
export const MACHINE: Machine = { realNow: Date.now, elapsed: performance.now.bind(performance) }
