import type { Probe } from '../probe.ts'
import { LISTING } from './listing.ts'
import { PAGINATION } from './pagination.ts'

/** Every probe, in the order in which they run: later ones use what earlier ones have shown. */
export const PROBES: readonly Probe[] = [...LISTING, ...PAGINATION]
