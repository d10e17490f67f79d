import { isInvalid } from './creates.ts'
import type { BehaviourSettings } from '../../../../../types/behaviour-settings.d.ts'
import { agree, probe, type Probe } from '../../probe.ts'
import { open, settled, type Traffic } from '../../traffic.ts'
import type { ScheduleSeen } from '../../schedule-seen.ts'
import { FIELDS, LINKS, RULE } from '../../schedule-uses.ts'
import { headerOf } from '../../../recordings/recorded-exchange.ts'
import { put, createOf, doneBefore, has, isDone, isRefusedFor, probeByWrite, UNLIKELY } from './own-schedule.ts'

function isUpdate({ kind }: ScheduleSeen): boolean {
  return kind === 'update'
}

/** What an update does to what it does not name. */
export const UPDATES: readonly Probe[] = [
  probeByWrite('update.omitted', {
    isMeant: (seen) => isUpdate(seen) && FIELDS.some((name) => !(name in seen.fields)),
    done(seen, traffic) {
      const before = doneBefore(seen, traffic)
      const name = (['schedule', 'title'] as const).find(
        (one) => !(one in seen.fields) && before && has(before.response, one),
      )
      return name && (has(seen.response, name) ? 'keep' : 'clear')
    },
    refused: 'error',
    // An update that has no page and no view may clear them, and then refuse to set them again.
    ask: [{ fields: { schedule: undefined, attachmentInclude: undefined } }],
  }),

  probeByWrite('update.schedule', {
    isMeant: (seen) => isUpdate(seen) && has(seen.fields, 'schedule') && RULE.some((name) => !(name in seen.schedule)),
    done(seen, traffic) {
      const before = doneBefore(seen, traffic)
      const name = RULE.find((one) => !(one in seen.schedule) && before && has(before.shown, one))
      return name && (has(seen.shown, name) ? 'deep-merge' : 'replace')
    },
    // Merged, days may not fit the frequency that is stored, nor a frequency the days.
    refused: ({ schedule }) => ('frequency' in schedule === 'daysToRun' in schedule ? 'replace' : undefined),
    // The first, so that there is something to merge it with.
    ask: [{}, { fields: { schedule: { hourOfDay: 7, enabled: false } } }],
  }),

  probeByWrite('links.exist', {
    done: ({ fields }) =>
      LINKS.some((name) => Number(fields[name]) >= UNLIKELY && isRound(fields[name])) ? 'any' : undefined,
    refused: refusedLink,
    or: ['update.links', 'body.ids', 'body.int64'],
    certainty: 'likely',
    ask: [{ fields: { viewId: UNLIKELY } }],
  }),

  probeByWrite('update.links', {
    isMeant: (seen, traffic) => isUpdate(seen) && otherLinks(seen, traffic).length > 0,
    done(seen, traffic) {
      const { fields, response } = seen
      const shown = { pageId: response.pageId, viewId: response.embedViewId }
      const name = otherLinks(seen, traffic).find((one) => has(shown, one))
      return name && (shown[name] === fields[name] ? 'allow' : 'ignore')
    },
    refused: (seen) => (isInvalid(seen) ? 'error' : undefined),
    or: ['links.exist'],
    certainty: 'likely',
    *ask(questioner) {
      if (questioner.traffic.settingOf('links.exist') !== 'any')
        yield* put(questioner, { fields: { viewId: questioner.givens.viewId + 1 } })
    },
  }),

  probeByWrite('update.body-id', {
    isMeant: ({ uses }) => uses.has('update.body-id:same'),
    done: 'ignore',
    refused: (_seen, traffic) => (traffic.settingOf('body.unknown') === 'ignore' ? 'error' : undefined),
    or: ['body.unknown'],
    *ask(questioner) {
      const seen = yield* put(questioner)
      if (seen?.id !== undefined && isDone(seen)) yield* put(questioner, { fields: { id: Number(seen.id) } })
    },
  }),

  probeByWrite('update.unknown-id', {
    isMeant: (seen) => isUpdate(seen) && Number(seen.id) === UNLIKELY,
    done: 'create',
    // Only a create can be a duplicate.
    refused: ({ status }) => (({ 404: '404', 403: '403', 400: '400', 409: 'create' }) as const)[status],
    or: ['schedule.owner', 'update.links', 'create.duplicate'],
    ask: [{ id: String(UNLIKELY) }],
  }),

  probe('update.id-form', {
    conclude({ schedules }) {
      const refused = schedules.filter((seen) => isUpdate(seen) && seen.outcome === 'refused')
      const form = refused.find(({ id = '' }) => /^[a-z]+$/i.test(id))
      const zero = refused.find(({ id = '' }) => id === '0' || /^-[1-9]\d{0,8}$/.test(id))
      if (!form || !zero) return undefined
      if (isInvalid(form) && [404, 403, 400].includes(zero.status)) return settled('400-or-404', [form, zero], 'likely')
      return open(
        `${form.id ?? ''} is refused with ${form.status} and ${zero.id ?? ''} with ${zero.status}, which no setting covers`,
      )
    },
    *ask(questioner) {
      for (const id of ['abc', '0']) yield* put(questioner, { id })
    },
  }),

  probe('update.concurrent', {
    conclude({ schedules }) {
      const hasTags = schedules.some((one) => isDone(one) && tagOf(one) !== undefined)
      return agree(schedules.filter(isUpdate), (seen) => {
        const sent = headerOf(seen.exchange.request.headers, 'if-match')
        if (sent !== undefined && seen.status === 412) return 'etag'
        // Without a tag there is nothing that a client could send.
        return isDone(seen) && (sent === OUTDATED || !hasTags) ? 'last-write-wins' : undefined
      })
    },
    *ask(questioner) {
      const seen = yield* put(questioner)
      if (seen && tagOf(seen) !== undefined) yield* put(questioner, { headers: { 'If-Match': OUTDATED } })
    },
  }),

  probeByWrite('schedule.owner', {
    isMeant(seen, traffic) {
      const key = createOf(seen, traffic)?.key
      return isUpdate(seen) && seen.key !== undefined && key !== undefined && seen.key !== key
    },
    // Where keys do not matter, all of them stand for the same user.
    done: (_seen, traffic) => (areKeysChecked(traffic) ? 'any' : undefined),
    refused: ({ status }) => (({ 403: 'owner-only-403', 404: 'owner-only-404' }) as const)[status],
    certainty: 'likely',
    *ask(questioner) {
      const { givens, traffic, search } = questioner
      const { otherKey, keyHeader } = givens
      if (otherKey === undefined) return
      if (!traffic.searches.some(({ key, outcome }) => key === otherKey && outcome === 'page'))
        yield* search({ headers: { [keyHeader]: otherKey } })
      if (!traffic.searches.some(({ key }) => key === undefined)) yield* search({ headers: { [keyHeader]: undefined } })
      yield* put(questioner, { key: otherKey })
    },
  }),
]

function refusedLink(seen: ScheduleSeen, traffic: Traffic): BehaviourSettings['links.exist'] | undefined {
  const { fields, status } = seen
  if (!LINKS.some((name) => has(fields, name))) return undefined
  if (status === 404) return 'listed'
  if (status === 403) return 'listed-403'
  // Whether it exists comes first, so it is refused for being another one than before.
  const isOther = isInvalid(seen) && isRefusedFor(seen, traffic, 'links.exist', 'update.links')
  return isOther && LINKS.some((name) => fields[name] === UNLIKELY) ? 'any' : undefined
}

/** The page and the view of an update, where they are not those of the create. */
function otherLinks(seen: ScheduleSeen, traffic: Traffic): ('pageId' | 'viewId')[] {
  const before = createOf(seen, traffic)
  return before ? LINKS.filter((name) => has(seen.fields, name) && seen.fields[name] !== before.fields[name]) : []
}

function areKeysChecked(traffic: Traffic): boolean {
  return traffic.searches.some(
    (one) => one.outcome === 'refused' && one.uses.has('auth.refused') && traffic.isAbout(one, 'auth.refused', 'key'),
  )
}

function tagOf({ exchange }: ScheduleSeen): string | undefined {
  return headerOf(exchange.response.headers, 'etag')
}

/** Whether it is a made-up id, which does not exist by accident. */
function isRound(id: unknown): boolean {
  return id === UNLIKELY || !Number.isSafeInteger(id)
}

/** An entity tag that no service gives. */
const OUTDATED = '"standin-outdated"'

/** What changes more than its own question needs, so it comes last. */
export const LAST_UPDATES: readonly Probe[] = [
  probeByWrite('write.refused', {
    done: (seen, traffic) => (hadNoEffect(seen, traffic) ? 'no-effect' : undefined),
    *ask(questioner) {
      if (questioner.traffic.settingOf('update.omitted') !== 'keep') return
      yield* put(questioner)
      yield* put(questioner, { fields: { title: 'R' }, schedule: { hourOfDay: 24 } })
      yield* put(questioner, { fields: { title: undefined } })
    },
  }),

  probeByWrite('update.empty', {
    isMeant: ({ uses }) => uses.has('update.empty'),
    done: 'keep',
    refused: (_seen, traffic) =>
      ['keep', 'clear'].includes(traffic.settingOf('update.omitted') ?? '') ? 'error' : undefined,
    or: ['update.omitted'],
    *ask(questioner) {
      const seen = yield* put(questioner)
      if (seen?.id !== undefined && isDone(seen)) yield* questioner.update(seen.id, {})
    },
  }),
]

/** Whether a refused create took no id, or a refused update changed no title. */
function hadNoEffect(seen: ScheduleSeen, traffic: Traffic): boolean {
  const { schedules } = traffic
  const before = schedules.slice(0, schedules.indexOf(seen))
  if (seen.kind === 'create') {
    const creates = before.filter(({ kind }) => kind === 'create')
    const last = creates.findLastIndex(isDone)
    const isNext = Number(seen.response.id) === Number(creates[last]?.response.id) + 1
    return isNext && creates.slice(last).some(({ outcome }) => outcome === 'refused')
  }
  const refused = before.findLast(({ id }) => id === seen.id)
  const title = doneBefore(seen, traffic)?.response.title
  const isKept = !('title' in seen.fields) && has(seen.response, 'title') && seen.response.title === title
  return isKept && refused?.outcome === 'refused' && has(refused.fields, 'title') && refused.fields.title !== title
}
