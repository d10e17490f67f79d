import { headerOf } from '../../../recordings/recorded-exchange.ts'
import type { Asking, Questioner } from '../../questioner.ts'
import { weekdayOf } from '../../run-calendar.ts'
import type { ScheduleSeen } from '../../schedule-seen.ts'
import type { Traffic } from '../../traffic.ts'
import { idOf, isDone } from './write-outcomes.ts'
import type { Members } from '../../../../base/formats/json.ts'

/** The body of a create or an update. */
type ScheduleBody = Members & { readonly title: string; readonly schedule: Members }

/** The report schedule that all probes that write share. */
interface OwnSchedule {
  readonly id: string
  /** As it was created: with every field, so that no service misses one. */
  readonly body: ScheduleBody
}

const DAY = 86_400_000

/** The time by the clock of the service, epoch ms. */
export function nowOf({ exchanges }: Pick<Traffic, 'exchanges'>): number {
  const last = exchanges.at(-1)
  const date = last && Date.parse(headerOf(last.response.headers, 'date') ?? '')
  return date === undefined || Number.isNaN(date) ? (last?.at ?? 0) : date
}

/** A service may know some frequencies only, and short titles only. */
const ATTEMPTS = [
  { title: undefined, frequency: 'WEEKLY' },
  { title: 'S', frequency: 'WEEKLY' },
  { title: 'S', frequency: 'MONTHLY' },
  { title: 'S', frequency: 'DAILY' },
] as const

/** Switched off, and its next run would be days away. */
function bodyOf({ title, frequency }: (typeof ATTEMPTS)[number], { givens, traffic }: Questioner): ScheduleBody {
  const ago = nowOf(traffic) - 2 * DAY
  const monthDay = String(Math.min(28, new Date(ago).getUTCDate()))
  const { pageId, viewId } = givens
  return {
    title: title ?? givens.title ?? 'Standin calibration',
    pageId,
    viewId,
    attachmentInclude: false,
    schedule: {
      frequency,
      daysToRun: frequency === 'MONTHLY' ? monthDay : weekdayOf(ago),
      hourOfDay: 6,
      minOfHour: 30,
      timezone: 'UTC',
      enabled: false,
      additionalRecipients: [],
    },
  }
}

/** The schedule that probes share. It is created when there is none yet; undefined when the service refuses that. */
export function* ownSchedule(questioner: Questioner): Asking<OwnSchedule | undefined> {
  const known = findOwnSchedule(questioner)
  if (known || createsOf(questioner).length > 0) return known
  for (const attempt of ATTEMPTS) {
    const seen = yield* questioner.create(bodyOf(attempt, questioner))
    if (isDone(seen)) return findOwnSchedule(questioner)
    if (seen.status === 401 || seen.status === 403 || seen.status === 404) return undefined
  }
  return undefined
}

function createsOf({ traffic, earlier }: Questioner): readonly ScheduleSeen[] {
  return traffic.schedules.slice(earlier).filter(({ kind }) => kind === 'create')
}

function findOwnSchedule(questioner: Questioner): OwnSchedule | undefined {
  const made = createsOf(questioner).find(isDone)
  const id = made && idOf(made)
  // The first create of a questioner is the one above.
  return id === undefined ? undefined : { id, body: made?.fields as ScheduleBody }
}

/** What an update has other than the shared schedule; undefined omits a member. */
export interface ScheduleChange {
  readonly fields?: Members
  readonly schedule?: Members
  readonly key?: string | undefined
  readonly headers?: Readonly<Record<string, string>>
  /** Instead of the id of the shared schedule. */
  readonly id?: string
}

export function changed({ fields = {}, schedule = {} }: ScheduleChange, body: ScheduleBody): Members {
  return { ...body, schedule: { ...body.schedule, ...schedule }, ...fields }
}

/** Updates the shared schedule. Undefined when there is none. */
export function* put(questioner: Questioner, change: ScheduleChange = {}): Asking<ScheduleSeen | undefined> {
  const own = yield* ownSchedule(questioner)
  if (!own) return undefined
  const { givens } = questioner
  const headers = { ...(change.key === undefined ? {} : { [givens.keyHeader]: change.key }), ...change.headers }
  return yield* questioner.update(change.id ?? own.id, changed(change, own.body), { headers })
}

/** Creates another schedule like the shared one. */
export function* createLike(questioner: Questioner, change: ScheduleChange): Asking<ScheduleSeen | undefined> {
  const own = yield* ownSchedule(questioner)
  return own ? yield* questioner.create(changed(change, own.body)) : undefined
}
