import type { Probe } from '../probe.ts'
import { BOUNDS } from './bounds.ts'
import { DIRECTORIES, DIRECTORY_CASE } from './searches/directories.ts'
import { DIRECTORY_ENTRIES } from './searches/directory-entries.ts'
import { DIRECTORY_LISTS } from './searches/directory-lists.ts'
import { FILES, FILE_SETS } from './searches/files.ts'
import { AUTHENTICATION, ERRORS, HTTP } from './http/http.ts'
import { LIMITS } from './pages/limits.ts'
import { LISTING } from './listing.ts'
import { OTHER_SET } from './pages/other-set.ts'
import { PAGES, PAGINATION } from './pages/pages.ts'
import { ROUTES } from './http/routes.ts'
import { BODIES } from './http/bodies.ts'
import { CREATES, MORE_CREATES } from './schedules/creates.ts'
import { LAST_UPDATES, UPDATES } from './schedules/updates.ts'
import { NEXT_RUN, RESPONSES } from './responses.ts'
import { RECIPIENTS } from './schedules/recipients.ts'
import { SCHEDULE_TIME } from './schedules/schedule-time.ts'
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
  // All of these create one report schedule, and update it.
  ...[
    ...CREATES,
    ...RESPONSES,
    ...UPDATES,
    ...MORE_CREATES,
    ...BODIES,
    ...SCHEDULE_TIME,
    ...NEXT_RUN,
    ...RECIPIENTS,
    ...LAST_UPDATES,
  ].map((probe) => ({ ...probe, writes: true })),
  ...LIMITS,
]
