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

function isCreated(seen: ScheduleSeen): boolean {
  return seen.kind === 'create' && isDone(seen)
}

/** What a create and its response show. They share one create. */
export const CREATES: readonly Probe[] = [
  probeByWrite('create.status', {
    read: (seen) => (isCreated(seen) ? (seen.status === 201 ? '201' : '200') : undefined),
    ask: ownSchedule,
  }),

  probeByWrite('create.response', {
    read(seen) {
      if (!isCreated(seen)) return undefined
      if (FULL.some((name) => has(seen.response, name))) return 'full'
      return has(seen.response, 'id') ? 'documented' : undefined
    },
    ask: ownSchedule,
  }),

  probeByWrite('update.response', {
    read(seen) {
      // An update that creates has the response of a create.
      if (seen.kind !== 'update' || !isDone(seen) || Number(seen.id) === UNLIKELY) return undefined
      if (FULL.some((name) => has(seen.response, name))) return 'full'
      return has(seen.response, 'id') ? 'documented' : undefined
    },
    ask: put,
  }),

  probe({
    id: 'create.ids',
    writes: true,
    conclude({ schedules }) {
      const ids = schedules.filter(isCreated).flatMap((seen) => idOf(seen) ?? [])
      return ids[0] === undefined
        ? undefined
        : open(`a create got the id ${ids[0]}; nothing shows what the first one was`)
    },
  }),

  probeByWrite('response.full-type', {
    read: ({ outcome, response: { type } }) => (outcome === 'done' && typeof type === 'string' ? type : undefined),
  }),

  probeByWrite('response.report-view-id', {
    read(seen) {
      const { fields, response } = seen
      const id = Number(response.id)
      if (!isDone(seen) || typeof response.reportViewId !== 'number' || typeof fields.viewId !== 'number')
        return undefined
      // The page and the view of an update may be ignored.
      if (response.reportViewId !== fields.viewId) return seen.kind === 'create' ? 'own counter' : undefined
      return fields.viewId === id + FIRST_REPORT_VIEW ? undefined : 'view-id'
    },
  }),
]

/** An own counter of Standin begins there. */
const FIRST_REPORT_VIEW = 100_000

/** What only further creates show. */
export const MORE_CREATES: readonly Probe[] = [
  probe({
    id: 'create.duplicate',
    writes: true,
    conclude: concludeDuplicate,
    *ask(questioner) {
      // An earlier update may have given it another view.
      yield* put(questioner)
      const again = yield* createLike(questioner, {})
      if (again?.status !== 409) return
      const { title } = again.fields as { readonly title: string }
      // Of the same length: longer titles may be refused.
      yield* createLike(questioner, {
        fields: {
          title: Array.from(title).toReversed().join('') === title ? 'T' : title.split(' ').toReversed().join(' '),
        },
      })
    },
  }),

  probe({
    id: 'create.required',
    writes: true,
    conclude: concludeRequired,
    *ask(questioner) {
      if (questioner.traffic.settingOf('update.schedule') === 'replace')
        for (const name of RULE) yield* put(questioner, { schedule: { [name]: undefined } })
      for (const group of GROUPS) yield* omit(questioner, group)
    },
  }),

  probe({
    id: 'create.defaults',
    writes: true,
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
    if (seen.kind !== 'create' || (!isDone(seen) && !isConflict)) continue
    const before = schedules.slice(0, at).filter(({ outcome }) => outcome !== 'refused')
    const present = before.filter((one) => isUnchanged(one, before))
    const [title, view] = (['title', 'viewId'] as const).map((name) => ({
      isTaken: present.some(({ fields }) => has(fields, name) && fields[name] === seen.fields[name]),
      isNew: before.every(({ fields }) => fields[name] !== seen.fields[name]),
    }))
    evidence.push(seen)
    if (isConflict) left.delete('allow')
    // That a schedule that is not ours has the title would be a rare accident.
    if (isConflict ? title?.isNew : title?.isTaken) left.delete('conflict-on-title')
    if (isConflict ? view?.isNew : view?.isTaken) left.delete('conflict-on-view')
  }
  const [value, ...others] = left
  if (others.length > 0) return undefined
  if (value === undefined) return open('the responses contradict each other')
  return settled(
    value,
    evidence.map(({ exchange }) => exchange),
  )
}

/** Whether it created a schedule that still has its title and view. */
function isUnchanged(seen: ScheduleSeen, schedules: readonly ScheduleSeen[]): boolean {
  if (!isCreated(seen)) return false
  const last = schedules.findLast((one) => one.kind === 'update' && one.id === idOf(seen))
  return !last || (['title', 'viewId'] as const).every((name) => last.fields[name] === seen.fields[name])
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

function* omit(questioner: Questioner, group: readonly Pointer[]): Asking {
  const { required, optional } = requirements(questioner.traffic)
  const unknown = group.filter((pointer) => !required.has(pointer) && !optional.has(pointer))
  if (unknown.length === 0) return
  const without = (at: '' | '/schedule') =>
    Object.fromEntries(
      unknown.flatMap((pointer) => {
        const cut = pointer.lastIndexOf('/')
        return pointer.slice(0, cut) === at ? [[pointer.slice(cut + 1), undefined]] : []
      }),
    )
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
    if (isDone(seen) || (seen.kind === 'create' && seen.status === 409))
      for (const pointer of omitted) optional.set(pointer, seen)
  for (const { seen, omitted } of trials) {
    const [pointer, ...others] = omitted.filter((one) => !optional.has(one))
    const isAbout = isRefusedFor(seen, traffic, 'create.required', 'update.schedule')
    if (pointer !== undefined && others.length === 0 && isAbout && isInvalid(seen)) required.set(pointer, seen)
  }
  return { optional, required }
}

/** A request that is readable and not valid: not one that is refused for what it names. */
function isInvalid({ status }: ScheduleSeen): boolean {
  return status === 400 || status === 422
}

/** What a create omits, or an update that replaces the schedule. Null says something else. */
function omittedOf(seen: ScheduleSeen, traffic: Traffic): readonly Pointer[] {
  const { kind, fields, schedule } = seen
  const omitted = POINTERS.filter((pointer) => {
    const name = pointer.slice(pointer.lastIndexOf('/') + 1)
    return pointer.startsWith('/schedule/') ? 'schedule' in fields && !(name in schedule) : !(name in fields)
  })
  if (kind === 'create') return omitted
  if (traffic.settingOf('update.schedule') !== 'replace' || !('schedule' in fields)) return []
  return omitted.filter((pointer) => RULE.some((name) => pointer === `/schedule/${name}`))
}

function concludeRequired(traffic: Traffic): Finding<Pointer[]> | undefined {
  const { optional, required } = requirements(traffic)
  if (optional.size + required.size === 0) return undefined
  const unknown = POINTERS.filter((pointer) => !optional.has(pointer) && !required.has(pointer))
  if (unknown.length > 0) return open(`nothing shows whether ${unknown.join(', ')} may be omitted`)
  const list = POINTERS.filter((pointer) => required.has(pointer))
  if (list.length === 0) return open('no field is required, which no setting covers')
  return settled(
    list,
    [...required.values()].map(({ exchange }) => exchange),
  )
}
