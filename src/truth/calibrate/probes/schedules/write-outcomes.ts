import type { BehaviourId, BehaviourSettings } from '../../../../../types/behaviour-settings.d.ts'
import { type Finding, open, settled } from '../../finding.ts'
import { probe, type Probe } from '../../probe.ts'
import type { Asking, Questioner } from '../../questioner.ts'
import type { ScheduleSeen } from '../../schedule-seen.ts'
import { LINKS } from '../../schedule-uses.ts'
import type { Traffic } from '../../traffic.ts'
import { agree } from '../outcomes.ts'

/** A behaviour that a single create or update shows. */
interface WriteRule<Id extends BehaviourId> {
  /** The setting that it shows; undefined when it is not about the behaviour, or leaves the question open. */
  read(seen: ScheduleSeen, traffic: Traffic): BehaviourSettings[Id] | undefined
  ask?(questioner: Questioner): Asking<unknown>
  readonly creates?: boolean
  readonly certainty?: 'likely'
}

/** A probe for a behaviour that a single create or update shows. Those that show different settings settle nothing. */
export function probeByWrite<Id extends BehaviourId>(id: Id, rule: WriteRule<Id>): Probe {
  const { read, ask, creates, certainty } = rule
  return probe<Id>({
    id,
    writes: true,
    ...(creates ? { creates } : {}),
    conclude(traffic): Finding<BehaviourSettings[Id]> | undefined {
      const readings = traffic.schedules.flatMap((seen) => {
        const value = seen.outcome === 'failed' ? undefined : read(seen, traffic)
        return value === undefined ? [] : [{ value, exchange: seen.exchange }]
      })
      return agree(readings, certainty)
    },
    ...(ask ? { ask } : {}),
  })
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
  const before = historyOf(traffic, id, exchange)
  return !before.some(({ kind, fields }) => kind === 'update' && LINKS.some((name) => (fields[name] ?? null) === null))
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
    judged.flatMap(({ membership }) => membership?.seen.exchange ?? []),
  )
}
