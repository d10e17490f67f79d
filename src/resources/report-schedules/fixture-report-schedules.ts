import type { Adaptation } from '../adaptation.ts'
import { readReportScheduleInfo, normalizeReportScheduleInfo } from './report-schedule-info.ts'
import { type Behaviours, chooseBehaviours } from '../../behaviours/behaviours.ts'
import { createBehaviourTracker } from '../../behaviours/tracker.ts'
import { withNumbers } from '../../formats/json.ts'
import type { Violation } from '../../errors/problem.ts'
import type { ReportSchedule } from './calendar/report-schedule.ts'

/** What a ReportScheduleInfo says, with defaults filled in. */
export type GivenReportSchedule = Pick<
  ReportSchedule,
  'title' | 'pageId' | 'viewId' | 'attachmentInclude' | 'schedule' | 'added'
>

/** Reads the report schedules that a state begins with. */
export interface GivenReportSchedules {
  check(info: unknown): readonly Violation[]
  /** To be asked for what passes the check. */
  complete(info: unknown): GivenReportSchedule
}

/**
 * What a state begins with is there already and no request, so what the defaults of the behaviour catalogue accept is never refused: a
 * configuration that takes recipients of type EMAIL alone still starts with a schedule that somebody made for a GROUP.
 *
 * @param checkBody the contract's complaints about the body of a create
 * @param follows what is taken over from a contract of the user's own
 */
export function createGivenReportSchedules(
  behaviours: Behaviours,
  checkBody: (body: unknown) => readonly Violation[],
  follows?: Adaptation,
): GivenReportSchedules {
  // Dates that are honoured are part of what is given, whatever else is looser.
  const dates = { id: 'schedule.dates', value: behaviours.settings['schedule.dates'], from: 'the configuration' }
  const defaults = chooseBehaviours(behaviours.catalog, { overrides: [dates] })
  const complaints = (info: unknown, by: Behaviours) => {
    const tracker = createBehaviourTracker(by)
    const soft = normalizeReportScheduleInfo(info, tracker, follows)
    const required = [{ pointers: by.settings['create.required'], behaviour: 'create.required' }] as const
    return [...checkBody(withNumbers(soft)), ...readReportScheduleInfo(soft, tracker, { required, follows }).violations]
  }
  return {
    check(info) {
      const violations = complaints(info, behaviours)
      return violations.length > 0 && complaints(info, defaults).length === 0 ? [] : violations
    },
    complete(info) {
      const by = complaints(info, behaviours).length === 0 ? behaviours : defaults
      const tracker = createBehaviourTracker(by)
      const read = readReportScheduleInfo(normalizeReportScheduleInfo(info, tracker, follows), tracker, {
        required: [],
        follows,
      }).info
      return {
        title: read.title ?? '',
        pageId: read.pageId ?? null,
        viewId: read.viewId ?? null,
        attachmentInclude: read.attachmentInclude ?? by.settings['create.defaults'].attachmentInclude,
        schedule: read.schedule ?? null,
        ...(read.added ? { added: read.added } : {}),
      }
    },
  }
}
