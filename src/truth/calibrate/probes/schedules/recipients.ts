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
  probe('recipient.types', {
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
    isMeant: hasSome(({ type, value }) => type !== 'EMAIL' && String(value) === String(UNLIKELY)),
    done: 'any',
    refused: 'listed',
    *ask(questioner) {
      const done = questioner.traffic.schedules.filter(isDone)
      const group = done.flatMap(recipientsOf).find(({ type }) => type === 'GROUP')
      if (group) yield* putRecipients(questioner, [{ ...group, value: String(UNLIKELY) }])
    },
  }),

  probeByWrite('recipient.email', {
    isMeant: hasSome(({ type, value }) => type === 'EMAIL' && !String(value).includes('@')),
    done: 'none',
    refused: 'light',
    *ask(questioner) {
      if (membershipOf('EMAIL', questioner.traffic)?.isIn)
        yield* putRecipients(questioner, [{ ...ADDRESS, value: 'nobody' }])
    },
  }),

  probeByWrite('recipient.id', {
    isMeant: hasSome(({ type, value }) => type !== 'EMAIL' && typeof value === 'number'),
    // Where numbers are read as texts anyway, they are accepted here too.
    done: (_seen, traffic) => (traffic.settingOf('body.types') === 'strict' ? 'lenient' : undefined),
    refused: 'strict',
    *ask(questioner) {
      const known = acceptedRecipients(questioner.traffic).find(({ type }) => type !== 'EMAIL')
      if (known) yield* putRecipients(questioner, [{ ...known, value: Number(known.value) }])
    },
  }),

  probeByWrite('recipient.duplicates', {
    isMeant: ({ uses }) => uses.has('recipient.duplicates'),
    done(seen) {
      const { additionalRecipients: shown } = seen.shown
      if (!Array.isArray(shown)) return undefined
      return shown.length === recipientsOf(seen).length ? 'keep' : 'dedupe'
    },
    refused: (seen, traffic) => (isMore(seen, traffic) ? undefined : 'error'),
    or: ['recipient.max'],
    *ask(questioner) {
      const [known] = acceptedRecipients(questioner.traffic)
      if (known) yield* putRecipients(questioner, [known, known])
    },
  }),

  probe('recipient.max', {
    conclude: (traffic) =>
      boundBetween(traffic.schedules, {
        amountOf: (seen) => recipientsOf(seen).length || undefined,
        isAccepted: isDone,
        isRefused: (seen) => isRefusedFor(seen, traffic, 'recipient.max'),
      }),
    *ask(questioner) {
      const many = manyRecipients(questioner.traffic)
      if (!many) return
      const isAccepted = function* (amount: number) {
        const recipients = Array.from({ length: amount }, (_, at) => many(at))
        const seen = yield* putRecipients(questioner, recipients)
        return seen !== undefined && isDone(seen)
      }
      yield* findBound(isAccepted, { guess: 1000, most: MOST_RECIPIENTS })
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

function hasSome(test: (recipient: ProbeRecipient) => boolean): (seen: ScheduleSeen) => boolean {
  return (seen) => recipientsOf(seen).some(test)
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
  const about = traffic.schedules.filter(hasSome((one) => one.type === type))
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
