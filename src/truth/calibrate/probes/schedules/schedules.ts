import type { Probe } from '../../probe.ts'
import { BODIES } from '../http/bodies.ts'
import { CREATES, MORE_CREATES } from './creates.ts'
import { NEXT_RUN } from './next-run.ts'
import { RECIPIENTS } from './recipients.ts'
import { RESPONSES } from '../responses.ts'
import { SCHEDULE_TIME } from './schedule-time.ts'
import { LAST_UPDATES, UPDATES } from './updates.ts'

/** Probes of report schedules. All of them create one schedule, and update it. */
export const SCHEDULES: readonly Probe[] = [
  ...CREATES,
  ...RESPONSES,
  ...UPDATES,
  ...MORE_CREATES,
  ...BODIES,
  ...SCHEDULE_TIME,
  ...NEXT_RUN,
  ...RECIPIENTS,
  ...LAST_UPDATES,
]
