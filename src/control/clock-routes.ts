import { type ControlCall, type ControlHandler, type ControlRoutes, ok } from '../engine/control-route.ts'
import { requestInvalid } from '../base/errors/request-errors.ts'
import { violation } from '../base/errors/problem.ts'
import { readInstant, iso, LAST_INSTANT } from '../base/formats/instant.ts'
import type { ClockRequest, ClockState } from './client/types.ts'
import { lazily } from '../base/formats/json-pieces.ts'
import type { Sandbox } from '../engine/sandbox.ts'
import type { DueEvent } from '../engine/state.ts'
import { Temporal } from '../resources/report-schedules/time-zone.ts'
import { noRunToCome } from '../base/errors/resource-errors.ts'

const getClock: ControlHandler = (call) => ok(showClock(call.sandbox()))

const putClock: ControlHandler = async (call) => {
  const { mode, now, rate } = call.body as ClockRequest
  if (mode === 'frozen' && rate !== undefined)
    throw requestInvalid([violation({ pointer: '/rate' }, 'rate', 'no rate for a frozen clock', rate)])
  const sandbox = call.sandbox()
  const at = readMoment(now, sandbox, call.realNow)
  const clock = mode === 'frozen' ? { mode, at } : { mode, at, since: call.realNow(), rate: rate ?? 1 }
  await sandbox.setClock(clock, call.pause)
  return ok(showClock(sandbox))
}

function readMoment(now: string | undefined, sandbox: Sandbox, realNow: () => number): number {
  if (now === undefined) return sandbox.now()
  return now === 'machine' ? realNow() : readInstant(now, { pointer: '/now' })
}

const advanceClock: ControlHandler = async (call) => {
  const sandbox = call.sandbox()
  const present = sandbox.now()
  const to = readTarget(call, sandbox, present)
  const due = await sandbox.advance(to, call.pause)
  const listed = (list: DueEvent['listedIn']) => {
    const found = due.filter(({ listedIn }) => listedIn === list)
    return { count: found.length, list: lazily(found, (one) => one.show()) }
  }
  const transitions = listed('transitions')
  return ok({
    now: iso(to),
    runs: listed('runs').list,
    ...(transitions.count > 0 ? { transitions: transitions.list } : {}),
  })
}

function readTarget({ body }: ControlCall, sandbox: Sandbox, present: number): number {
  const { by, to } = body as { readonly by?: string; readonly to?: string; readonly toNextRun?: true }
  if (by !== undefined) return after(present, by)
  if (to !== undefined) return notBefore(present, readInstant(to, { pointer: '/to' }), to)
  const next = sandbox.nextDue()
  if (next !== undefined) return Math.max(next, present)
  throw noRunToCome({
    detail: `No report schedule of the sandbox ${sandbox.name} will run. Create one that is enabled, or advance by a duration.`,
  })
}

/** Calendar parts are counted in UTC: a month after 31 January is the last of February. */
function after(present: number, by: string): number {
  const duration = readDuration(by)
  const refuse = (expected: string) => requestInvalid([violation({ pointer: '/by' }, 'duration', expected, by)])
  if (duration.sign < 0) throw refuse('a duration that goes forward; PUT the clock to set it back')
  try {
    const { epochMilliseconds } = Temporal.Instant.fromEpochMilliseconds(present)
      .toZonedDateTimeISO('UTC')
      .add(duration)
    if (epochMilliseconds <= LAST_INSTANT) return epochMilliseconds
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
  }
  throw refuse('a duration that stays within the year 9999')
}

/** ISO 8601-1, 5.5.2. Checked first, because Temporal accepts more. */
const DURATION =
  /^-?P(?=.)(?:\d{1,9}Y)?(?:\d{1,9}M)?(?:\d{1,9}W)?(?:\d{1,9}D)?(?:T(?=.)(?:\d{1,9}H)?(?:\d{1,9}M)?(?:\d{1,12}(?:\.\d{1,9})?S)?)?$/

function readDuration(by: string): Temporal.Duration {
  if (DURATION.test(by)) return Temporal.Duration.from(by)
  throw requestInvalid([violation({ pointer: '/by' }, 'duration', 'an ISO 8601 duration such as P14D or PT1H30M', by)])
}

function notBefore(present: number, to: number, text: string): number {
  if (to >= present) return to
  const expected = `an instant from ${iso(present)} on; PUT the clock to set it back`
  throw requestInvalid([violation({ pointer: '/to' }, 'clock.backwards', expected, text)])
}

export const clockRoutes: ControlRoutes = { getClock, putClock, advanceClock }

export function showClock(sandbox: Sandbox): ClockState {
  const now = iso(sandbox.now())
  const { clock } = sandbox.state
  return { mode: clock.mode, now, rate: clock.mode === 'frozen' ? 0 : clock.rate }
}
