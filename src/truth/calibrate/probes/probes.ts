import type { Probe } from '../probe.ts'
import { AUTHENTICATION } from './authentication.ts'
import { BOUNDS } from './bounds.ts'
import { DATES } from './dates.ts'
import { DIRECTORIES } from './directories.ts'
import { DIRECTORY_CASE } from './directory-case.ts'
import { DIRECTORY_ENTRIES } from './directory-entries.ts'
import { DIRECTORY_LISTS } from './directory-lists.ts'
import { ERRORS } from './errors.ts'
import { FILES } from './files.ts'
import { FILE_SETS } from './file-sets.ts'
import { FILTERS } from './filters.ts'
import { FILTER_LISTS } from './filter-lists.ts'
import { HTTP } from './http.ts'
import { LIMITS } from './limits.ts'
import { LISTING } from './listing.ts'
import { OTHER_SET } from './other-set.ts'
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
  ...OTHER_SET,
  ...DIRECTORY_LISTS,
  ...DIRECTORY_ENTRIES,
  ...DIRECTORIES,
  ...DIRECTORY_CASE,
  ...FILE_SETS,
  ...FILES,
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
