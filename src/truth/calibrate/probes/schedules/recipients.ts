import { probe, type Probe, type Asking, type Questioner } from '../../probe.ts'
import type { ScheduleSeen } from '../../schedule-seen.ts'
import type { Traffic } from '../../traffic.ts'
import { isObject } from '../../../../base/formats/json.ts'
import { boundBetween, findBound } from '../bounds.ts'
import { put, concludeList, isDone, isRefusedFor, probeByWrite, UNLIKELY } from './own-schedule.ts'

interface ProbeRecipient {
  readonly type: string
  readonly value: string | number
}

const TYPES = ['EMAIL', 'USER', 'GROUP'] as const

/** Nobody's: the domain is kept for examples. */
const ADDRESS: ProbeRecipient = { type: 'EMAIL', value: 'standin@example.com' }

/** Who may receive a report. */
export const RECIPIENTS: readonly Probe[] = [
  probe({
    id: 'recipient.types',
    writes: true,
    conclude: (traffic) => concludeList(TYPES, (type) => membershipOf(type, traffic)),
    *ask(questioner) {
      yield* putRecipients(questioner, [ADDRESS])
      for (const id of usersOf(questioner.traffic)) {
        const seen = yield* putRecipients(questioner, [{ type: 'USER', value: id }])
        if (seen && isDone(seen)) break
      }
      const { groupId } = questioner.givens
      if (groupId !== undefined) yield* putRecipients(questioner, [{ type: 'GROUP', value: String(groupId) }])
      for (const type of ['USER', 'GROUP'] as const)
        if (membershipOf(type, questioner.traffic)?.isIn !== true || type === 'USER')
          yield* putRecipients(questioner, [{ type, value: String(UNLIKELY) }])
    },
  }),

  probeByWrite('recipients.known', {
    read(seen, traffic) {
      const ids = recipientsOf(seen).filter(({ type, value }) => type !== 'EMAIL' && String(value) === String(UNLIKELY))
      if (ids.length === 0) return undefined
      if (isDone(seen)) return 'any'
      return isRefusedFor(seen, traffic, 'recipients.known') ? 'listed' : undefined
    },
    *ask(questioner) {
      const [group] = questioner.traffic.schedules
        .filter(isDone)
        .flatMap(recipientsOf)
        .filter(({ type }) => type === 'GROUP')
      if (group) yield* putRecipients(questioner, [{ ...group, value: String(UNLIKELY) }])
    },
  }),

  probeByWrite('recipient.email', {
    read(seen, traffic) {
      const isNone = recipientsOf(seen).some(({ type, value }) => type === 'EMAIL' && !String(value).includes('@'))
      if (!isNone) return undefined
      if (isDone(seen)) return 'none'
      return isRefusedFor(seen, traffic, 'recipient.email') ? 'light' : undefined
    },
    *ask(questioner) {
      if (membershipOf('EMAIL', questioner.traffic)?.isIn)
        yield* putRecipients(questioner, [{ ...ADDRESS, value: 'nobody' }])
    },
  }),

  probeByWrite('recipient.id', {
    read(seen, traffic) {
      const isNumber = recipientsOf(seen).some(({ type, value }) => type !== 'EMAIL' && typeof value === 'number')
      if (!isNumber) return undefined
      // Where numbers are read as texts anyway, they are accepted here too.
      if (isDone(seen)) return traffic.settingOf('body.types') === 'strict' ? 'lenient' : undefined
      return isRefusedFor(seen, traffic, 'recipient.id') ? 'strict' : undefined
    },
    *ask(questioner) {
      const known = acceptedRecipients(questioner.traffic).find(({ type }) => type !== 'EMAIL')
      if (known) yield* putRecipients(questioner, [{ ...known, value: Number(known.value) }])
    },
  }),

  probeByWrite('recipient.duplicates', {
    read(seen, traffic) {
      if (!seen.uses.has('recipient.duplicates')) return undefined
      if (isRefusedFor(seen, traffic, 'recipient.duplicates', 'recipient.max'))
        return isMore(seen, traffic) ? undefined : 'error'
      const { additionalRecipients: shown } = seen.shown
      if (!isDone(seen) || !Array.isArray(shown)) return undefined
      return shown.length === recipientsOf(seen).length ? 'keep' : 'dedupe'
    },
    *ask(questioner) {
      const [known] = acceptedRecipients(questioner.traffic)
      if (!known) return
      yield* putRecipients(questioner, [known, known])
    },
  }),

  probe({
    id: 'recipient.max',
    writes: true,
    conclude(traffic) {
      const trials = traffic.schedules.flatMap((seen) => {
        const amount = recipientsOf(seen).length
        return amount > 0 ? [{ seen, amount, exchange: seen.exchange }] : []
      })
      return boundBetween(
        trials.filter(({ seen }) => isDone(seen)),
        trials.filter(({ seen }) => isRefusedFor(seen, traffic, 'recipient.max')),
      )
    },
    *ask(questioner) {
      const many = manyRecipients(questioner.traffic)
      if (!many) return
      yield* findBound(
        function* (amount) {
          const seen = yield* putRecipients(
            questioner,
            Array.from({ length: amount }, (_, at) => many(at)),
          )
          return seen !== undefined && isDone(seen)
        },
        { guess: 1000, most: MOST_RECIPIENTS },
      )
    },
  }),
]

/** More would make a body of several megabytes. */
const MOST_RECIPIENTS = 10_000

function* putRecipients(
  questioner: Questioner,
  recipients: readonly ProbeRecipient[],
): Asking<ScheduleSeen | undefined> {
  return yield* put(questioner, { schedule: { additionalRecipients: recipients } })
}

function recipientsOf({ schedule: { additionalRecipients } }: ScheduleSeen): readonly ProbeRecipient[] {
  if (!Array.isArray(additionalRecipients)) return []
  return additionalRecipients.filter((one): one is ProbeRecipient => isObject(one) && typeof one.type === 'string')
}

/** Recipients with a text that were accepted. */
function acceptedRecipients({ schedules }: Traffic): readonly ProbeRecipient[] {
  return schedules
    .filter(isDone)
    .flatMap(recipientsOf)
    .filter(({ value }) => typeof value === 'string')
}

/** Users who exist: the owner of a schedule, and those who made the files that were listed. */
function usersOf({ schedules, searches }: Traffic): readonly string[] {
  const ids = [
    ...schedules.map(({ response }) => response.ownerId),
    ...searches.flatMap(({ files }) => files.map(({ createdBy }) => createdBy)),
  ]
  return [...new Set(ids.filter((id) => Number.isSafeInteger(id)).map(String))].slice(0, 3)
}

function membershipOf(type: (typeof TYPES)[number], traffic: Traffic) {
  const about = traffic.schedules.filter((seen) => recipientsOf(seen).some((one) => one.type === type))
  const done = about.find(isDone)
  if (done) return { isIn: true, seen: done }
  const refused = about.filter((seen) => isRefusedFor(seen, traffic, 'recipient.types', 'recipients.known'))
  const [first] = refused
  if (!first) return undefined
  const isSure =
    type === 'EMAIL' || traffic.settingOf('recipients.known') === 'any' || isWithoutTaker(type, refused, traffic)
  return isSure ? { isIn: false, seen: first } : undefined
}

/** Whether every user, or group, was refused that surely exists. */
function isWithoutTaker(type: 'USER' | 'GROUP', refused: readonly ScheduleSeen[], traffic: Traffic): boolean {
  const tried = new Set(refused.flatMap(recipientsOf).map(({ value }) => String(value)))
  if (type === 'GROUP') return traffic.groupId !== undefined && tried.has(String(traffic.groupId))
  const users = usersOf(traffic)
  return users.length > 1 && users.every((id) => tried.has(id))
}

/** Whether it has more recipients than any request that was accepted, which could be why it was refused. */
function isMore(seen: ScheduleSeen, { schedules }: Traffic): boolean {
  const amount = recipientsOf(seen).length
  return !schedules.some((one) => isDone(one) && recipientsOf(one).length >= amount)
}

/** Makes recipients that are accepted, as many as one likes: the same ones where duplicates are. */
function manyRecipients(traffic: Traffic): ((at: number) => ProbeRecipient) | undefined {
  const known = acceptedRecipients(traffic)
  const twice = traffic.schedules.find((seen) => isDone(seen) && seen.uses.has('recipient.duplicates'))
  const [again] = twice ? recipientsOf(twice) : []
  if (again) return () => again
  if (known.some(({ type }) => type === 'EMAIL')) return (at) => ({ type: 'EMAIL', value: `${at}@example.com` })
  const [some] = known
  if (!some || traffic.settingOf('recipients.known') !== 'any') return undefined
  return (at) => ({ type: some.type, value: String(at + 1) })
}
