import { bytes } from './bytes.ts'
import { calendar } from './calendar.ts'
import type { Campaign } from './campaign.ts'
import { commands } from './commands.ts'
import { fuzz } from './fuzz.ts'
import { kills } from './kills.ts'
import { paging } from './paging.ts'
import { parallelPuts } from './parallel-puts.ts'
import { refusals } from './refusals.ts'
import { walks } from './walks.ts'

/** By the name that `--only` takes, in the order of a full run. */
export const CAMPAIGNS: Readonly<Record<string, Campaign>> = {
  paging,
  walks,
  commands,
  'parallel-puts': parallelPuts,
  refusals,
  fuzz,
  kills,
  calendar,
  bytes,
}
