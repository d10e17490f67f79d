import { probe, type Probe, type Asking, type Questioner } from '../../probe.ts'
import type { ScheduleSeen } from '../../schedule-seen.ts'
import { FIELDS, RULE, SETTINGS } from '../../schedule-uses.ts'
import { type Finding, open, settled, type Traffic } from '../../traffic.ts'
import {
  createLike,
  ownSchedule,
  put,
  has,
  idOf,
  isDone,
  isRefusedFor,
  probeByWrite,
  UNLIKELY,
} from './own-schedule.ts'

/** Members that only a full response has. */
const FULL = ['viewName', 'type', 'ownerId', 'embedViewId', 'owner', 'cardCount', 'recipientCount', 'cardId']

function fullnessOf({ response }: ScheduleSeen): 'full' | 'documented' | undefined {
  if (FULL.some((name) => has(response, name))) return 'full'
  return has(response, 'id') ? 'documented' : undefined
}

function isCreate({ kind }: ScheduleSeen): boolean {
  return kind === 'create'
}

function isCreated(seen: ScheduleSeen): boolean {
  return isCreate(seen) && isDone(seen)
}

/** What a create and its response show. They share one create. */
export const CREATES: readonly Probe[] = [
  probeByWrite('create.status', {
    isMeant: isCreate,
    done: ({ status }) => (status === 201 ? '201' : '200'),
    ask: ownSchedule,
  }),
  probeByWrite('create.response', { isMeant: isCreate, done: fullnessOf, ask: ownSchedule }),
  probeByWrite('update.response', {
    // An update that creates has the response of a create.
    isMeant: (seen) => !isCreate(seen) && Number(seen.id) !== UNLIKELY,
    done: fullnessOf,
    ask: [{}],
  }),

  probe('create.ids', {
    conclude({ schedules }) {
      const [id] = schedules.filter(isCreated).flatMap((seen) => idOf(seen) ?? [])
      return id === undefined ? undefined : open(`a create got the id ${id}; nothing shows what the first one was`)
    },
  }),

  probeByWrite('response.full-type', {
    done: ({ response: { type } }) => (typeof type === 'string' ? type : undefined),
  }),

  probeByWrite('response.report-view-id', {
    done({ kind, fields: { viewId }, response: { id, reportViewId } }) {
      if (typeof reportViewId !== 'number' || typeof viewId !== 'number') return undefined
      // The page and the view of an update may be ignored.
      if (reportViewId !== viewId) return kind === 'create' ? 'own counter' : undefined
      return viewId === Number(id) + FIRST_REPORT_VIEW ? undefined : 'view-id'
    },
  }),
]

/** An own counter of Standin begins there. */
const FIRST_REPORT_VIEW = 100_000

/** What only further creates show. */
export const MORE_CREATES: readonly Probe[] = [
  probe('create.duplicate', {
    conclude: concludeDuplicate,
    *ask(questioner) {
      // An earlier update may have given it another view.
      yield* put(questioner)
      const again = yield* createLike(questioner, {})
      if (again?.status !== 409) return
      const { title } = again.fields as { readonly title: string }
      // Of the same length: longer titles may be refused.
      const isPalindrome = Array.from(title).toReversed().join('') === title
      yield* createLike(questioner, { fields: { title: isPalindrome ? 'T' : title.split(' ').toReversed().join(' ') } })
    },
  }),

  probe('create.required', {
    conclude: concludeRequired,
    *ask(questioner) {
      if (questioner.traffic.settingOf('update.schedule') === 'replace')
        for (const name of RULE) yield* put(questioner, { schedule: { [name]: undefined } })
      for (const group of GROUPS) yield* omit(questioner, group)
    },
  }),

  probe('create.defaults', {
    conclude(traffic) {
      const omitting = traffic.schedules.find((seen) => isCreated(seen) && !('enabled' in seen.schedule))
      const enabled = omitting?.shown.enabled
      const found =
        typeof enabled === 'boolean' ? `; without \`enabled\` a schedule is switched ${enabled ? 'on' : 'off'}` : ''
      return omitting && open(`no response shows attachmentInclude${found}`)
    },
  }),
]

/** A create like an earlier one shows whether both may have the same view, and the same title. */
function concludeDuplicate({
  schedules,
}: Traffic): Finding<'allow' | 'conflict-on-view' | 'conflict-on-title'> | undefined {
  const left = new Set(['allow', 'conflict-on-view', 'conflict-on-title'] as const)
  const evidence: ScheduleSeen[] = []
  for (const [at, seen] of schedules.entries()) {
    const isConflict = seen.status === 409
    if (!isCreate(seen) || (!isDone(seen) && !isConflict)) continue
    const before = schedules.slice(0, at).filter(({ outcome }) => outcome !== 'refused')
    const present = before.filter((one) => isUnchanged(one, before))
    evidence.push(seen)
    if (isConflict) left.delete('allow')
    for (const [name, setting] of [
      ['title', 'conflict-on-title'],
      ['viewId', 'conflict-on-view'],
    ] as const) {
      const isTaken = present.some(({ fields }) => has(fields, name) && fields[name] === seen.fields[name])
      const isNew = before.every(({ fields }) => fields[name] !== seen.fields[name])
      // That a schedule that is not ours has the title would be a rare accident.
      if (isConflict ? isNew : isTaken) left.delete(setting)
    }
  }
  const [value, ...others] = left
  if (others.length > 0) return undefined
  return value === undefined ? open('the responses contradict each other') : settled(value, evidence)
}

/** Whether it created a schedule that still has its title and view. */
function isUnchanged(seen: ScheduleSeen, schedules: readonly ScheduleSeen[]): boolean {
  if (!isCreated(seen)) return false
  const last = schedules.findLast((one) => !isCreate(one) && one.id === idOf(seen))
  return !last || ['title', 'viewId'].every((name) => last.fields[name] === seen.fields[name])
}

type Pointer = `/${(typeof FIELDS)[number]}` | `/schedule/${(typeof SETTINGS)[number]}`

const POINTERS: readonly Pointer[] = [
  ...(['/title', '/pageId', '/viewId', '/schedule'] as const),
  ...SETTINGS.map((name) => `/schedule/${name}` as const),
  '/attachmentInclude',
]

/** What is left out together at first: where none of these is required, one schedule is created. */
const GROUPS: readonly (readonly Pointer[])[] = [
  ['/schedule/timezone', '/schedule/enabled', '/schedule/additionalRecipients', '/attachmentInclude'],
  ['/schedule/frequency', '/schedule/daysToRun', '/schedule/hourOfDay', '/schedule/minOfHour'],
  ['/title', '/pageId', '/viewId', '/schedule'],
]

/** The object that a pointer is in, and the name of its member. */
function split(pointer: Pointer): readonly [at: string, name: string] {
  const cut = pointer.lastIndexOf('/')
  return [pointer.slice(0, cut), pointer.slice(cut + 1)]
}

function* omit(questioner: Questioner, group: readonly Pointer[]): Asking {
  const { required, optional } = requirements(questioner.traffic)
  const unknown = group.filter((pointer) => !required.has(pointer) && !optional.has(pointer))
  if (unknown.length === 0) return
  const without = (holder: '' | '/schedule') =>
    Object.fromEntries(unknown.map(split).flatMap(([at, name]) => (at === holder ? [[name, undefined]] : [])))
  const seen = yield* createLike(questioner, { fields: without(''), schedule: without('/schedule') })
  if (!seen || isDone(seen) || seen.status === 409 || unknown.length === 1) return
  const half = unknown.length >> 1
  yield* omit(questioner, unknown.slice(0, half))
  yield* omit(questioner, unknown.slice(half))
}

/**
 * What creates, and updates that replace a schedule, were refused or accepted without. A create that is refused as a duplicate lacks
 * nothing.
 */
function requirements(traffic: Traffic) {
  const optional = new Map<string, ScheduleSeen>()
  const required = new Map<string, ScheduleSeen>()
  const trials = traffic.schedules.map((seen) => ({ seen, omitted: omittedOf(seen, traffic) }))
  for (const { seen, omitted } of trials)
    if (isDone(seen) || (isCreate(seen) && seen.status === 409))
      for (const pointer of omitted) optional.set(pointer, seen)
  for (const { seen, omitted } of trials) {
    const [pointer, ...others] = omitted.filter((one) => !optional.has(one))
    const isAbout = isRefusedFor(seen, traffic, 'create.required', 'update.schedule')
    if (pointer !== undefined && others.length === 0 && isAbout && isInvalid(seen)) required.set(pointer, seen)
  }
  return { optional, required }
}

/** A request that is readable and not valid: not one that is refused for what it names. */
export function isInvalid({ status }: ScheduleSeen): boolean {
  return status === 400 || status === 422
}

/** What a create omits, or an update that replaces the schedule. Null says something else. */
function omittedOf(seen: ScheduleSeen, traffic: Traffic): readonly Pointer[] {
  const { fields, schedule } = seen
  const omitted = POINTERS.filter((pointer) => {
    const [at, name] = split(pointer)
    return at === '' ? !(name in fields) : 'schedule' in fields && !(name in schedule)
  })
  if (isCreate(seen)) return omitted
  if (traffic.settingOf('update.schedule') !== 'replace' || !('schedule' in fields)) return []
  return omitted.filter((pointer) => RULE.some((name) => pointer === `/schedule/${name}`))
}

function concludeRequired(traffic: Traffic): Finding<Pointer[]> | undefined {
  const { optional, required } = requirements(traffic)
  if (optional.size + required.size === 0) return undefined
  const unknown = POINTERS.filter((pointer) => !optional.has(pointer) && !required.has(pointer))
  if (unknown.length > 0) return open(`nothing shows whether ${unknown.join(', ')} may be omitted`)
  const list = POINTERS.filter((pointer) => required.has(pointer))
  return list.length === 0
    ? open('no field is required, which no setting covers')
    : settled(list, [...required.values()])
}
