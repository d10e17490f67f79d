import { headerOf } from '../../../recordings/recorded-exchange.ts'
import { agree, type Asking, probe, type Probe, type Questioner, type ShownSetting, shownBy } from '../../probe.ts'
import { weekdayOf } from '../../run-calendar.ts'
import type { ScheduleSeen } from '../../schedule-seen.ts'
import { type Finding, open, settled, type Traffic } from '../../traffic.ts'
import type { Members } from '../../../../base/formats/json.ts'
import type { BehaviourId } from '../../../../../types/behaviour-settings.d.ts'
import { LINKS } from '../../schedule-uses.ts'

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
interface ScheduleChange {
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

/** A behaviour that a single create or update shows. */
interface WriteRule<Id extends BehaviourId> {
  /** Whether a create or an update is about it; all are when absent. */
  readonly isMeant?: (seen: ScheduleSeen, traffic: Traffic) => boolean
  /** What is shown by one that was done. */
  readonly done?: ShownSetting<ScheduleSeen, Id>
  /** What is shown by one that was refused: for this behaviour alone, or for one of these too. */
  readonly refused?: ShownSetting<ScheduleSeen, Id>
  readonly or?: readonly About[]
  readonly certainty?: 'likely'
  /** Updates of the shared schedule that show it, one after the other, or a conversation. */
  readonly ask?: readonly ScheduleChange[] | ((questioner: Questioner) => Asking<unknown>)
}

/** A probe for a behaviour that a single create or update shows. Those that show different settings settle nothing. */
export function probeByWrite<Id extends BehaviourId>(id: Id, rule: WriteRule<Id>): Probe {
  const { isMeant = () => true, done, refused, or = [], ask, certainty } = rule
  const read = (seen: ScheduleSeen, traffic: Traffic) => {
    if (!isMeant(seen, traffic)) return undefined
    if (isDone(seen)) return shownBy(done, seen, traffic)
    return isRefusedFor(seen, traffic, id, ...or) ? shownBy(refused, seen, traffic) : undefined
  }
  return probe(id, {
    conclude: (traffic) => agree(traffic.schedules, (seen) => read(seen, traffic), certainty),
    ...(ask && { ask: typeof ask === 'function' ? ask : (questioner) => putEach(questioner, ask) }),
  })
}

function* putEach(questioner: Questioner, changes: readonly ScheduleChange[]): Asking {
  for (const change of changes) yield* put(questioner, change)
}

/** An id that no service has: of a page, a view, a schedule, a user. */
export const UNLIKELY = 999_999_999

export function isDone({ outcome }: ScheduleSeen): boolean {
  return outcome === 'done'
}

type About = BehaviourId | 'set' | 'key' | 'next'

/** Whether it was refused, and only for these behaviours: see `Traffic.isAbout`. */
export function isRefusedFor(seen: ScheduleSeen, traffic: Traffic, ...ids: readonly About[]): boolean {
  return (
    seen.outcome === 'refused' && traffic.isAbout(seen, ...ids) && (seen.kind === 'create' || keptLinks(seen, traffic))
  )
}

/**
 * Whether the page and the view were never cleared before, which could be why they are refused now, although they were accepted once:
 * `update.links`.
 */
function keptLinks({ id, exchange }: ScheduleSeen, traffic: Traffic): boolean {
  const rule = traffic.settingOf('update.links')
  if (rule === 'allow' || rule === 'ignore') return true
  return !historyOf(traffic, id, exchange).some(
    ({ kind, fields }) => kind === 'update' && LINKS.some((name) => (fields[name] ?? null) === null),
  )
}

/** What was done to a schedule, in order, before an exchange: its create and its updates. */
export function historyOf(
  traffic: Traffic,
  id: string | undefined,
  exchange?: ScheduleSeen['exchange'],
): readonly ScheduleSeen[] {
  const end = traffic.schedules.findIndex((one) => one.exchange === exchange)
  return traffic.schedules
    .slice(0, end < 0 ? undefined : end)
    .filter((one) => isDone(one) && (one.id ?? idOf(one)) === id)
}

/** What was done to the schedule of an update just before. */
export function doneBefore({ id, exchange }: ScheduleSeen, traffic: Traffic): ScheduleSeen | undefined {
  return historyOf(traffic, id, exchange).at(-1)
}

/** The create of the schedule of an update. */
export function createOf({ id, exchange }: ScheduleSeen, traffic: Traffic): ScheduleSeen | undefined {
  return historyOf(traffic, id, exchange).find(({ kind }) => kind === 'create')
}

/** The id that a response shows, as text. */
export function idOf({ response }: ScheduleSeen): string | undefined {
  return typeof response.id === 'number' || typeof response.id === 'bigint' ? String(response.id) : undefined
}

/** Whether a response has a value there. */
export function has(values: Readonly<Record<string, unknown>>, name: string): boolean {
  return (values[name] ?? null) !== null
}

/** Whether a word is in a list of accepted ones, and what shows it. */
interface Membership {
  readonly isIn: boolean
  readonly seen: ScheduleSeen
}

/** A list that a setting is, settled when every word was accepted or refused. */
export function concludeList<Word extends string>(
  words: readonly Word[],
  judge: (word: Word) => Membership | undefined,
): Finding<Word[]> | undefined {
  const judged = words.map((word) => ({ word, membership: judge(word) }))
  const unknown = judged.filter(({ membership }) => !membership).map(({ word }) => word)
  if (unknown.length === words.length) return undefined
  if (unknown.length > 0) return open(`nothing shows whether ${unknown.join(', ')} is accepted`)
  return settled(
    judged.filter(({ membership }) => membership?.isIn).map(({ word }) => word),
    judged.flatMap(({ membership }) => membership?.seen ?? []),
  )
}
