import type { Leaning } from '../behaviours/leaning.ts'
import { parameterOf } from '../behaviours/parameter-of.ts'
import type { Fragment } from './fragments.ts'
import type { Call, Outcome } from './handler.ts'
import { limitToWindow, nextToken, type Place } from './place.ts'
import { spoilPage } from './spoil-page.ts'
import { hasToTest, nextSlot, search } from '../world/file-sets/search.ts'
import { select } from '../world/file-sets/selection.ts'
import { runSteps, type Steps } from '../world/steps.ts'
import { chanceKey, draw } from '../world/random.ts'
import type { FileSet, World } from '../world/world.ts'

/** Pages up to this size are made at once and sent with their length; larger ones are made while they are sent. */
const LARGEST_READY_PAGE = 1000

interface Asked {
  readonly fileSet: FileSet
  readonly place: Place
  readonly limit: number
}

/** The page of a file set that begins at a place. */
export function* createPage(world: World, call: Call, { fileSet, place, limit }: Asked): Steps<Outcome> {
  const { leaning } = call
  const { entries } = place
  const { listing, leanOn } = call.listings.prepare(entries, place.query, leaning, world.seed)
  const after = place.offset === undefined ? place.after(listing.order) : undefined
  const found = search(listing, after)
  for (let skipped = 0; skipped < (place.offset ?? 0); skipped++) yield* nextSlot(found)

  const size = limitToWindow(pageSize(call, world.seed, place.pages + 1, limit), place.given, leaning)
  const implied = leaning.answers['page.exact-end'] === 'full-page-implies-next'
  const walk: Walk = { found, most: size, last: undefined, given: 0, isCut: false, isLast: false }
  // One row more tells whether there is another page. A page that was filled may skip the look, if the ledger says so.
  const needsLook = () => walk.last !== undefined && !walk.isCut && walk.given === walk.most && !implied
  const context = (hasNext: boolean) => {
    const { last, given, most, isCut } = walk
    const more = last !== undefined && (isCut || (given === most && (implied || hasNext)))
    if (implied || (!more && given === limit)) leaning.lean('page.exact-end')
    walk.isLast = !more
    if (!more) return lastContext(leaning)
    leaning.lean('page.short')
    return { next: nextToken(call, { fileSet, place, listing, last, given, limit }) }
  }
  let first: readonly number[] = []
  if (call.pageFaults) {
    const slots = yield* taken(walk, LARGEST_READY_PAGE)
    const { shown, kept } = spoilPage(slots, size, call.pageFaults)
    first = shown
    walk.isCut = kept < slots.length
    if (walk.isCut) [walk.given, walk.last] = [kept, slots[kept - 1]]
    // An entry that is there twice takes a place on the page.
    else walk.most -= Math.max(0, shown.length - kept)
  }
  const form = leaning.answers['dir.fields'] === 'bare' ? 'bare' : 'filled'
  if (size > LARGEST_READY_PAGE) {
    // The headers leave before the entries are known, so they name every row that the page may come to lean on.
    leanOn({ slots: 'unknown', isWhole: false }, leaning)
    leaning.lean('page.last', 'page.exact-end', 'page.short')
    // Nothing can be put off while the page is sent, so what takes long is done before.
    if (hasToTest(listing)) yield* select(listing)
    else yield* listing.order.slots()
    const fragments = rendered(first, walk, call.fragments.passer(entries, form))
    const lastly = () => context(needsLook() && runSteps(nextSlot(found)) !== undefined)
    return { status: 200, body: { page: { fragments, streamed: true, context: lastly } }, events: [] }
  }
  const slots = call.pageFaults ? first : yield* taken(walk, size)
  const pageContext = context(needsLook() && (yield* nextSlot(found)) !== undefined)
  leanOn({ slots, isWhole: place.pages === 0 && walk.isLast }, leaning)
  const fragments = slots.map(call.fragments.reader(entries, form))
  return { status: 200, body: { page: { fragments, streamed: false, context: () => pageContext } }, events: [] }
}

/** The entries of a page that were found so far. */
interface Walk {
  readonly found: ReturnType<typeof search>
  /** Entries that the page may have. */
  most: number
  given: number
  last: number | undefined
  isCut: boolean
  /** Whether there is no page after it; known once its context was made. */
  isLast: boolean
}

/** Takes so many entries. It stands here, as each closure that is a generator brings a hidden class for the garbage collector. */
function* taken(walk: Walk, count: number): Steps<number[]> {
  const slots: number[] = []
  while (slots.length < count && walk.given < walk.most && !walk.isCut) {
    const next = walk.found.next()
    if (next.done) break
    if (next.value === undefined) yield
    else {
      slots.push((walk.last = next.value))
      walk.given++
    }
  }
  return slots
}

function take(walk: Walk): number | undefined {
  if (walk.given >= walk.most || walk.isCut) return undefined
  const next = runSteps(nextSlot(walk.found))
  if (next === undefined) return undefined
  walk.given++
  return (walk.last = next)
}

function* rendered(first: readonly number[], walk: Walk, render: (slot: number) => Fragment): Generator<Fragment> {
  for (const slot of first) yield render(slot)
  for (let slot = take(walk); slot !== undefined; slot = take(walk)) yield render(slot)
}

/** Shorter than asked for only where the ledger wants short pages: half, and at least one entry. */
export function pageSize({ leaning }: Call, seed: number, page: number, limit: number): number {
  const { word, numbers } = parameterOf(leaning.answers['page.short'])
  const short =
    word === 'every'
      ? page % numbers[0] === 0
      : word === 'random' && draw(chanceKey(seed, 'short page'), page) % 2 === 0
  if (!short) return limit
  leaning.lean('page.short')
  return Math.max(1, Math.floor(limit / 2))
}

function lastContext(leaning: Leaning): unknown {
  const mark = leaning.ask('page.last')
  return mark === 'absent' ? {} : { next: mark === 'null' ? null : '' }
}

/** A page without entries, and the last one. */
export function emptyPage(leaning: Leaning): Outcome {
  const context = lastContext(leaning)
  return { status: 200, body: { page: { fragments: [], streamed: false, context: () => context } }, events: [] }
}
