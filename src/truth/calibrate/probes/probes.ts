import type { Probe } from '../probe.ts'
import { AUTHENTICATION } from './http/authentication.ts'
import { BOUNDS } from './bounds.ts'
import { DIRECTORIES } from './searches/directories.ts'
import { DIRECTORY_CASE } from './searches/directory-case.ts'
import { DIRECTORY_ENTRIES } from './searches/directory-entries.ts'
import { DIRECTORY_LISTS } from './searches/directory-lists.ts'
import { ERRORS } from './http/errors.ts'
import { FILES } from './searches/files.ts'
import { FILE_SETS } from './searches/file-sets.ts'
import { HTTP } from './http/http.ts'
import { LIMITS } from './pages/limits.ts'
import { LISTING } from './listing.ts'
import { OTHER_SET } from './pages/other-set.ts'
import { PAGES } from './pages/pages.ts'
import { PAGINATION } from './pages/pagination.ts'
import { ROUTES } from './http/routes.ts'
import { SCHEDULES } from './schedules/schedules.ts'
import { SEARCHES } from './searches/searches.ts'
import { TOKENS } from './pages/tokens.ts'

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
  ...SEARCHES,
  ...AUTHENTICATION,
  ...ERRORS,
  ...HTTP,
  ...BOUNDS,
  ...ROUTES,
  ...SCHEDULES,
  ...LIMITS,
]
