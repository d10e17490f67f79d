import type { Probe } from '../probe.ts'
import { AUTHENTICATION } from './authentication.ts'
import { BOUNDS } from './bounds.ts'
import { DATES } from './dates.ts'
import { ERRORS } from './errors.ts'
import { FILTER_LISTS } from './filter-lists.ts'
import { FILTERS } from './filters.ts'
import { HTTP } from './http.ts'
import { LIMITS } from './limits.ts'
import { LISTING } from './listing.ts'
import { PAGES } from './pages.ts'
import { PAGINATION } from './pagination.ts'
import { ROUTES } from './routes.ts'
import { SCHEDULES } from './schedules.ts'
import { SORT } from './sort.ts'
import { TOKENS } from './tokens.ts'

/** Every probe, in the order in which they run: later ones use what earlier ones have shown. */
export const PROBES: readonly Probe[] = [
  ...LISTING,
  ...PAGES,
  ...PAGINATION,
  ...TOKENS,
  ...DATES,
  ...FILTER_LISTS,
  ...FILTERS,
  ...SORT,
  ...AUTHENTICATION,
  ...ERRORS,
  ...HTTP,
  ...BOUNDS,
  ...ROUTES,
  ...SCHEDULES,
  ...LIMITS,
]
