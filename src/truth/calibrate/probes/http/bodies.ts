import { stringifyJson } from '../../../../base/formats/json.ts'
import { agree, probe, type Probe } from '../../probe.ts'
import type { ScheduleSeen } from '../../schedule-seen.ts'
import { LINKS } from '../../schedule-uses.ts'
import { open, settled, type Traffic } from '../../traffic.ts'
import { boundBetween, findBound } from '../bounds.ts'
import {
  changed,
  ownSchedule,
  put,
  doneBefore,
  has,
  isDone,
  isRefusedFor,
  probeByWrite,
  UNLIKELY,
} from '../schedules/own-schedule.ts'

/** The first integer that a double cannot tell from its neighbour. */
const BEYOND_DOUBLE = 9_007_199_254_740_993n

const LARGEST = 2n ** 63n - 1n

/** How values of a body are read. */
export const BODIES: readonly Probe[] = [
  probeByWrite('body.types', {
    isMeant: ({ schedule: { hourOfDay } }) => typeof hourOfDay === 'string' && /^\d$/.test(hourOfDay),
    done: ({ schedule, shown }) => (shown.hourOfDay === Number(schedule.hourOfDay) ? 'coerce' : undefined),
    refused: 'strict',
    ask: [{}, { schedule: { hourOfDay: '8' } }],
  }),

  probeByWrite('body.null', {
    isMeant: ({ uses }) => [...uses].some((use) => use.startsWith('body.null:')),
    done: effectOfNull,
    refused: 'error',
    *ask(questioner) {
      const { traffic } = questioner
      const seen = yield* put(questioner, { schedule: { timezone: null } })
      if (!seen || !isDone(seen)) return
      const partial = { frequency: null, hourOfDay: 7, enabled: false }
      if (traffic.settingOf('update.omitted') === 'keep') yield* put(questioner, { fields: { title: null } })
      else if (traffic.settingOf('update.schedule') === 'deep-merge') {
        yield* put(questioner)
        yield* put(questioner, { fields: { schedule: partial } })
      }
    },
  }),

  // Pages and views that must exist are never beyond these bounds, and an update that may not change them hides what it thinks of them.
  probeByWrite('body.int64', {
    isMeant: ({ fields }) => LINKS.some((name) => isBetween(fields[name], BEYOND_DOUBLE, LARGEST)),
    done: 'int64',
    refused: (_seen, traffic) => (maySendAnyLink(traffic) ? 'safe53' : undefined),
    or: ['links.exist', 'update.links'],
    *ask(questioner) {
      const own = maySendAnyLink(questioner.traffic) ? yield* ownSchedule(questioner) : undefined
      if (own) yield* questioner.update(own.id, stringifyJson(changed({ fields: { pageId: BEYOND_DOUBLE } }, own.body)))
    },
  }),

  probeByWrite('body.ids', {
    isMeant: ({ fields }) => LINKS.some((name) => isBetween(fields[name], -LARGEST, 0n)),
    done: 'accept',
    refused: (_seen, traffic) => (maySendAnyLink(traffic) ? 'error' : undefined),
    or: ['links.exist', 'update.links'],
    *ask(questioner) {
      if (maySendAnyLink(questioner.traffic)) yield* put(questioner, { fields: { pageId: -1 } })
    },
  }),

  probe('title.text', {
    conclude(traffic) {
      const spaces = agree(traffic.schedules, (seen) => spacesOf(seen, traffic))
      const characters = boundBetween(traffic.schedules, {
        amountOf({ fields: { title } }) {
          const isPlain = typeof title === 'string' && title !== '' && title.trim() === title
          return isPlain ? Array.from(title).length : undefined
        },
        isAccepted: isDone,
        isRefused: (seen) => isRefusedFor(seen, traffic, 'title.text'),
      })
      if (!spaces || !characters) return (spaces ?? characters) ? open('only a part of it was seen') : undefined
      if (spaces.kind === 'open') return spaces
      if (characters.kind === 'open') return characters
      const evidence = [...spaces.evidence, ...characters.evidence]
      return settled({ spaces: spaces.value, characters: characters.value }, evidence)
    },
    *ask(questioner) {
      yield* put(questioner, { fields: { title: ' S ' } })
      const isAccepted = function* (characters: number) {
        const seen = yield* put(questioner, { fields: { title: 'S'.repeat(characters) } })
        return seen !== undefined && isDone(seen)
      }
      yield* findBound(isAccepted, { guess: 1024, most: MOST_CHARACTERS })
    },
  }),
]

const MOST_CHARACTERS = 100_000

/** What null did to a field of a schedule that is shown, where an omitted field would have been kept. */
function effectOfNull(seen: ScheduleSeen, traffic: Traffic): 'absent' | 'clear' | undefined {
  const before = seen.kind === 'update' ? doneBefore(seen, traffic) : undefined
  if (!before) return undefined
  const isTitle = seen.fields.title === null && has(before.response, 'title')
  if (isTitle && traffic.settingOf('update.omitted') === 'keep') return has(seen.response, 'title') ? 'absent' : 'clear'
  const isFrequency = seen.schedule.frequency === null && has(before.shown, 'frequency')
  if (isFrequency && traffic.settingOf('update.schedule') === 'deep-merge')
    return has(seen.shown, 'frequency') ? 'absent' : 'clear'
  return undefined
}

function isBetween(value: unknown, low: bigint, high: bigint): boolean {
  if (typeof value !== 'bigint' && !Number.isInteger(value)) return false
  const integer = BigInt(value as number)
  return integer >= low && integer <= high
}

/** Whether an update was accepted with a page or view that differs from the one before and does not exist, so that only its form counts. */
function maySendAnyLink(traffic: Traffic): boolean {
  return traffic.schedules.some(
    (seen) => seen.kind === 'update' && isDone(seen) && LINKS.some((name) => seen.fields[name] === UNLIKELY),
  )
}

/** `title.text: spaces` */
function spacesOf(seen: ScheduleSeen, traffic: Traffic): 'as-sent' | 'trim' | undefined {
  const { title } = seen.fields
  if (typeof title !== 'string' || title.trim() === '' || title.trim() === title) return undefined
  if (!isDone(seen)) return isRefusedForSpaces(seen, traffic) ? 'as-sent' : undefined
  return seen.response.title === title ? 'as-sent' : seen.response.title === title.trim() ? 'trim' : undefined
}

/** Its text without the spaces was accepted, so they count as characters. */
function isRefusedForSpaces(seen: ScheduleSeen, traffic: Traffic): boolean {
  return (
    isRefusedFor(seen, traffic, 'title.text') &&
    traffic.suspectsOf(seen).every((use) => use.startsWith('title.text:with'))
  )
}
