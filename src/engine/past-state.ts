import { eventNotFound, eventNotKept } from '../base/errors/control-errors.ts'
import { type Clock, moveClock, readClock } from './clock/clock.ts'
import type { LoggedEvent, Recent } from './stores/event-log.ts'
import type { Steps } from './slices.ts'
import { evolveImage, type OwnedImage, replacesState } from './snapshot.ts'
import type { State } from './state.ts'

interface PastOptions {
  /** The sandbox that the events belong to. */
  readonly sandbox: string
  /** The machine's clock, epoch ms. */
  readonly realNow: () => number
  /** Milliseconds for which a state keeps former versions of things. */
  readonly keepForOf: (state: State) => number
  /** What its clock shows, epoch ms; undefined for the time of the event. The state before the first event has no such time. */
  readonly shows?: number | undefined
}

/** A state as it was, and the request counter. */
export type PastState = Pick<OwnedImage, 'state' | 'requests'>

/**
 * The state after an event: that before the oldest event that is kept, with the events up to this one stored again. A running clock
 * shows the time of the event and goes on from there; by the machine's clock all that came later would fall due at once.
 *
 * @throws Problem 409 when the event is no longer kept, 404 when there is none of that number
 */
export function* stateAfter(number: number, recent: Recent, options: PastOptions): Steps<PastState> {
  refuseUnknown(number, recent, options)
  // What is needed of the log is taken here: it may change between two steps.
  const image = recent.before() as OwnedImage
  const events = recent.from(recent.first)
  let keepFor = options.keepForOf(image.state)
  let shown = 0
  for (const logged of events) {
    if (logged.number > number) break
    const { event, at, requests } = logged
    const { clock } = image.state
    image.requests = requests
    evolveImage(image, event, { at, ...(keepFor > 0 ? { keptSince: at - keepFor } : {}) })
    if (replacesState(event) || event.type === 'behaviours.changed') keepFor = options.keepForOf(image.state)
    shown = shownAfter(logged, clock, image.state.clock)
    yield
  }
  const { state, requests } = image
  state.clock = moveClock(state.clock, options.shows ?? shown, options.realNow())
  return { state, requests }
}

/** What the clock showed after an event, epoch ms. */
function shownAfter({ event, at }: LoggedEvent, before: Clock, after: Clock): number {
  if (after.mode === 'frozen') return after.at
  if (event.type === 'clock.moved') return event.to
  if (event.type === 'sandbox.reset') return event.at
  if (!replacesState(event)) return at
  // A state that was imported or restored goes on by the machine's clock, whose time a frozen clock does not tell.
  const real = before.mode === 'running' ? before.since + (at - before.at) / before.rate : after.since
  return readClock(after, Math.max(real, after.since))
}

function refuseUnknown(number: number, { first, next }: Recent, { sandbox, shows }: PastOptions): void {
  if (number >= (shows === undefined ? first : first - 1) && number < next) return
  const kept =
    next === first
      ? 'None have happened since.'
      : `GET /__mock/history?sandbox=${sandbox} lists ${first} to ${next - 1}.`
  if (number >= next)
    throw eventNotFound({
      detail: `The sandbox ${sandbox} has no event ${number} yet. ${next === 0 ? 'Nothing has changed in it.' : kept}`,
    })
  throw eventNotKept({
    detail: `The event ${number} of the sandbox ${sandbox} is no longer kept. ${kept}`,
  })
}
