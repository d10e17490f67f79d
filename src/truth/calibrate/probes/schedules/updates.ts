import { probe, type Probe } from '../../probe.ts'
import { open, settled } from '../../traffic.ts'
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
    read(seen, traffic) {
      const { fields, response } = seen
      const omitted = FIELDS.filter((name) => !(name in fields))
      if (!isUpdate(seen) || omitted.length === 0) return undefined
      if (isRefusedFor(seen, traffic, 'update.omitted')) return 'error'
      const before = doneBefore(seen, traffic)
      const name = (['schedule', 'title'] as const).find(
        (one) => omitted.includes(one) && before && has(before.response, one),
      )
      if (!isDone(seen) || name === undefined) return undefined
      return has(response, name) ? 'keep' : 'clear'
    },
    *ask(questioner) {
      // An update that has no page and no view may clear them, and then refuse to set them again.
      yield* put(questioner, { fields: { schedule: undefined, attachmentInclude: undefined } })
    },
  }),

  probeByWrite('update.schedule', {
    read(seen, traffic) {
      const { fields, schedule, shown } = seen
      const omitted = RULE.filter((name) => !(name in schedule))
      if (!isUpdate(seen) || !has(fields, 'schedule') || omitted.length === 0) return undefined
      // Merged, days may not fit the frequency that is stored, nor a frequency the days.
      const fits = omitted.includes('frequency') === omitted.includes('daysToRun')
      if (isRefusedFor(seen, traffic, 'update.schedule')) return fits ? 'replace' : undefined
      const before = doneBefore(seen, traffic)
      const name = omitted.find((one) => before && has(before.shown, one))
      if (!isDone(seen) || name === undefined) return undefined
      return has(shown, name) ? 'deep-merge' : 'replace'
    },
    *ask(questioner) {
      // So that there is something to merge it with.
      yield* put(questioner)
      yield* put(questioner, { fields: { schedule: { hourOfDay: 7, enabled: false } } })
    },
  }),

  probeByWrite('links.exist', {
    read(seen, traffic) {
      const { fields } = seen
      if (isDone(seen))
        return LINKS.some((name) => Number(fields[name]) >= UNLIKELY && isRound(fields[name])) ? 'any' : undefined
      if (!LINKS.some((name) => has(fields, name))) return undefined
      if (!isRefusedFor(seen, traffic, 'links.exist', 'update.links', 'body.ids', 'body.int64')) return undefined
      if (seen.status === 404) return 'listed'
      if (seen.status === 403) return 'listed-403'
      // Whether it exists comes first, so it is refused for being another one than before.
      const isOther = [400, 422].includes(seen.status) && isRefusedFor(seen, traffic, 'links.exist', 'update.links')
      return isOther && LINKS.some((name) => fields[name] === UNLIKELY) ? 'any' : undefined
    },
    certainty: 'likely',
    ask: (questioner) => put(questioner, { fields: { viewId: UNLIKELY } }),
  }),

  probeByWrite('update.links', {
    read(seen, traffic) {
      const { fields, response, status } = seen
      const before = createOf(seen, traffic)
      const isOther = (name: 'pageId' | 'viewId') => has(fields, name) && before && fields[name] !== before.fields[name]
      if (!isUpdate(seen) || !LINKS.some(isOther)) return undefined
      if (isRefusedFor(seen, traffic, 'update.links', 'links.exist') && (status === 400 || status === 422))
        return 'error'
      const shown = { pageId: response.pageId, viewId: response.embedViewId }
      const name = LINKS.find((one) => isOther(one) && has(shown, one))
      if (!isDone(seen) || name === undefined) return undefined
      return shown[name] === fields[name] ? 'allow' : 'ignore'
    },
    certainty: 'likely',
    *ask(questioner) {
      if (questioner.traffic.settingOf('links.exist') !== 'any')
        yield* put(questioner, { fields: { viewId: questioner.givens.viewId + 1 } })
    },
  }),

  probeByWrite('update.body-id', {
    read(seen, traffic) {
      if (!seen.uses.has('update.body-id:same')) return undefined
      if (isDone(seen)) return 'ignore'
      const isKnown = traffic.settingOf('body.unknown') === 'ignore'
      return isKnown && isRefusedFor(seen, traffic, 'update.body-id', 'body.unknown') ? 'error' : undefined
    },
    *ask(questioner) {
      const seen = yield* put(questioner)
      if (seen?.id !== undefined && isDone(seen)) yield* put(questioner, { fields: { id: Number(seen.id) } })
    },
  }),

  probeByWrite('update.unknown-id', {
    read(seen, traffic) {
      if (!isUpdate(seen) || Number(seen.id) !== UNLIKELY) return undefined
      if (isDone(seen)) return 'create'
      if (!isRefusedFor(seen, traffic, 'update.unknown-id', 'schedule.owner', 'update.links', 'create.duplicate'))
        return undefined
      // Only a create can be a duplicate.
      return ({ 404: '404', 403: '403', 400: '400', 409: 'create' } as const)[seen.status]
    },
    ask: (questioner) => put(questioner, { id: String(UNLIKELY) }),
  }),

  probe({
    id: 'update.id-form',
    writes: true,
    conclude({ schedules }) {
      const refused = schedules.filter((seen) => isUpdate(seen) && seen.outcome === 'refused')
      const form = refused.find(({ id = '' }) => /^[a-z]+$/i.test(id))
      const zero = refused.find(({ id = '' }) => id === '0' || /^-[1-9]\d{0,8}$/.test(id))
      if (!form || !zero) return undefined
      const isUsual = [400, 422].includes(form.status) && [404, 403, 400].includes(zero.status)
      if (!isUsual)
        return open(
          `${form.id ?? ''} is refused with ${form.status} and ${zero.id ?? ''} with ${zero.status}, which no setting covers`,
        )
      return settled('400-or-404', [form.exchange, zero.exchange], 'likely')
    },
    *ask(questioner) {
      yield* put(questioner, { id: 'abc' })
      yield* put(questioner, { id: '0' })
    },
  }),

  probeByWrite('update.concurrent', {
    read(seen, traffic) {
      const { exchange } = seen
      const sent = headerOf(exchange.request.headers, 'if-match')
      if (!isUpdate(seen)) return undefined
      if (sent !== undefined && seen.status === 412) return 'etag'
      if (!isDone(seen)) return undefined
      if (sent === OUTDATED) return 'last-write-wins'
      // Without a tag there is nothing that a client could send.
      return traffic.schedules.some(
        (one) => isDone(one) && headerOf(one.exchange.response.headers, 'etag') !== undefined,
      )
        ? undefined
        : 'last-write-wins'
    },
    *ask(questioner) {
      const seen = yield* put(questioner)
      if (seen && headerOf(seen.exchange.response.headers, 'etag') !== undefined)
        yield* put(questioner, { headers: { 'If-Match': OUTDATED } })
    },
  }),

  probeByWrite('schedule.owner', {
    read(seen, traffic) {
      const created = createOf(seen, traffic)
      if (!isUpdate(seen) || seen.key === undefined || created?.key === undefined || seen.key === created.key)
        return undefined
      // Where keys do not matter, all of them stand for the same user.
      const areKeysChecked = traffic.searches.some(
        (one) =>
          one.outcome === 'refused' && one.uses.has('auth.refused') && traffic.isAbout(one, 'auth.refused', 'key'),
      )
      if (isDone(seen)) return areKeysChecked ? 'any' : undefined
      if (!isRefusedFor(seen, traffic, 'schedule.owner')) return undefined
      return ({ 403: 'owner-only-403', 404: 'owner-only-404' } as const)[seen.status]
    },
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

/** Whether it is a made-up id, which does not exist by accident. */
function isRound(id: unknown): boolean {
  return id === UNLIKELY || !Number.isSafeInteger(id)
}

/** An entity tag that no service gives. */
const OUTDATED = '"standin-outdated"'

/** What changes more than its own question needs, so it comes last. */
export const LAST_UPDATES: readonly Probe[] = [
  probeByWrite('write.refused', {
    read(seen, traffic) {
      if (!isDone(seen)) return undefined
      const { schedules } = traffic
      const before = schedules.slice(0, schedules.indexOf(seen))
      if (seen.kind === 'create') {
        const earlier = before.findLast((one) => one.kind === 'create' && isDone(one))
        const refused = before
          .slice(earlier && before.indexOf(earlier))
          .some((one) => one.kind === 'create' && one.outcome === 'refused')
        return earlier && refused && Number(seen.response.id) === Number(earlier.response.id) + 1
          ? 'no-effect'
          : undefined
      }
      const [refused, stored] = [before.findLast(({ id }) => id === seen.id), doneBefore(seen, traffic)]
      const isKept =
        !('title' in seen.fields) && has(seen.response, 'title') && seen.response.title === stored?.response.title
      return refused?.outcome === 'refused' &&
        has(refused.fields, 'title') &&
        isKept &&
        refused.fields.title !== stored?.response.title
        ? 'no-effect'
        : undefined
    },
    *ask(questioner) {
      if (questioner.traffic.settingOf('update.omitted') !== 'keep') return
      yield* put(questioner)
      yield* put(questioner, { fields: { title: 'R' }, schedule: { hourOfDay: 24 } })
      yield* put(questioner, { fields: { title: undefined } })
    },
  }),

  probeByWrite('update.empty', {
    read(seen, traffic) {
      if (!seen.uses.has('update.empty')) return undefined
      if (isDone(seen)) return 'keep'
      const mayOmit = ['keep', 'clear'].includes(traffic.settingOf('update.omitted') ?? '')
      return mayOmit && isRefusedFor(seen, traffic, 'update.empty', 'update.omitted') ? 'error' : undefined
    },
    *ask(questioner) {
      const seen = yield* put(questioner)
      if (seen?.id !== undefined && isDone(seen)) yield* questioner.update(seen.id, {})
    },
  }),
]
