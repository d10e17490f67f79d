import { bareProblem } from './bare-problem.ts'
import { namedByPath, roleOf, statusesOf } from './binding-of.ts'
import { createFaults, type FaultOf, type Faults, type Strike, tokenOf } from './faults.ts'
import type { Routed } from './find-route.ts'
import { finish } from './finish.ts'
import { preferredFaults } from './prefer.ts'
import { tooManyRequests } from './refuse-over-rate.ts'
import { sendReady } from './respond.ts'
import { cut } from './spoil.ts'
import { commit, type Exchange, setHeaders } from './underway.ts'
import { whenFree } from './when-free.ts'
import { stringifyJson } from '../json.ts'
import type { Outcome } from '../operations/handler.ts'
import { cursorInvalid } from '../operations/place.ts'
import { Problem } from '../problem.ts'
import { secondsLeft } from '../sandbox/rate-limit.ts'
import { delayOf, LONGEST_WAIT } from '../world/fault.ts'
import type { WorldEvent } from '../world/event.ts'
import type { FileSet, World } from '../world/world.ts'

/** Faults that strike before a request is decided. The wire's own, which spoil an answer, are in `spoil.ts`, those of a page in `spoil-page.ts`. */
const BEFORE = [
  'latency',
  'status',
  'rate-limit',
  'reset',
  'empty',
  'cursor-expired',
  'stale-read',
  'conflicting-edit',
] as const

type Before = FaultOf<(typeof BEFORE)[number]>

/** Whether a fault may strike: most exchanges are asked no more than this. */
export function mayBeFaulty({ sandbox, request }: Exchange): boolean {
  return sandbox.world.faults.size > 0 || request.headers.prefer !== undefined
}

/**
 * Asks the faults that strike before deciding. Delays add up, and they are waited for before anything else is done; the first
 * fault that ends the exchange ends it.
 *
 * @returns whether the exchange is answered, or ended, by a fault
 * @throws Problem for a fault that is a refusal
 */
export async function injectBefore(ex: Exchange, route: Routed, body: unknown): Promise<boolean> {
  const faults = createFaults(ex, route, body, preferredFaults(ex.request, statusesOf(ex, route)))
  ex.faults = faults
  liftLimits(ex)
  const repeated = ex.house.silentRetries.take(ex)
  if (repeated !== undefined) return endRepeated(ex, repeated)
  let milliseconds = 0
  const toDo: Strike<Before>[] = []
  for (const strike of faults.strikes(BEFORE, (fault) => isPossible(ex, route, fault))) {
    const { fault } = strike
    if (fault.kind === 'latency') milliseconds += delayOf(fault.delay, [strike.share('one'), strike.share('two')])
    else toDo.push(strike)
    if (ENDING.has(fault.kind)) break
  }
  if (milliseconds > 0) {
    await ex.house.wait(Math.min(milliseconds, LONGEST_WAIT), ex.response)
    await whenFree(ex)
  }
  for (const { fault } of toDo) if (await act(ex, route, faults, fault)) return true
  return false
}

/** Ends a request that a browser repeated by itself like the one before. No fault has met it: it is the same strike. */
function endRepeated(ex: Exchange, exchangeId: number): true {
  const kind = ex.sandbox.journal.find(exchangeId)?.fault === 'empty' ? 'empty' : 'reset'
  ex.trace.fault = kind
  ex.trace.repeats = exchangeId
  ex.house.silentRetries.end(ex, kind, exchangeId)
  return true
}

/** Lifts the limits whose clients have waited by the machine's clock. That is no deed of this exchange, so it comes before all of them. */
function liftLimits(ex: Exchange): void {
  for (const { fault } of ex.sandbox.world.faults.values()) {
    if (fault.kind === 'rate-limit' && ex.sandbox.askedWaits.isOver(metBy(ex, fault)))
      ex.sandbox.commit([{ type: 'rate-limit.lifted', faultId: fault.id }])
  }
}

function metBy({ house, now }: Exchange, { id, seconds }: FaultOf<'rate-limit'>) {
  return { id, seconds, now, real: house.realNow() }
}

const ENDING: ReadonlySet<string> = new Set(['status', 'rate-limit', 'reset', 'empty', 'cursor-expired'])

async function act(ex: Exchange, route: Routed, faults: Faults, fault: Before): Promise<boolean> {
  switch (fault.kind) {
    case 'latency':
      return false
    case 'status':
      await sendStatus(ex, fault)
      return true
    case 'rate-limit':
      ex.sandbox.askedWaits.refuse(metBy(ex, fault))
      throw tooManyRequests(fault.limit, fault.seconds, secondsLeft(ex.now, fault.seconds))
    case 'reset':
    case 'empty':
      ex.house.silentRetries.end(ex, fault.kind)
      return true
    case 'cursor-expired':
      throw cursorInvalid('next.expiry', 'a token that has not expired', tokenOf(ex))
    case 'stale-read':
      faults.world = staleWorld(ex, route, fault.versions)
      return false
    case 'conflicting-edit':
      commit(ex, conflict(ex, route, fault.edit))
      return false
  }
}

/** Whether a fault that needs something of the world, or of a walk, has it. */
function isPossible(ex: Exchange, route: Routed, fault: Before): boolean {
  if (fault.kind === 'cursor-expired') return roleOf(ex, route) === 'searchFiles' && Boolean(tokenOf(ex))
  if (fault.kind === 'stale-read') return (fileSetOf(ex, route)?.past.size ?? 0) > 0
  return fault.kind !== 'conflicting-edit' || conflict(ex, route, fault.edit).length > 0
}

/** As it was told to be; a bare one is a refusal in the form that the ledger gives to all of them. */
async function sendStatus(ex: Exchange, { status, headers, body }: FaultOf<'status'>): Promise<void> {
  if (body === undefined && status >= 400) throw bareProblem(status, headers)
  setHeaders(ex, headers)
  if (body === undefined) ex.response.writeHead(status, ex.headers).end()
  else if (typeof body === 'string')
    await sendReady(ex, status, headers['content-type'] ?? 'text/plain; charset=utf-8', body)
  else await sendReady(ex, status, headers['content-type'] ?? 'application/json', stringifyJson(body))
  finish(ex, ex.leaning.rows())
}

/** The file set that a search is about. */
function fileSetOf(ex: Exchange, route: Routed): FileSet | undefined {
  if (roleOf(ex, route) !== 'searchFiles') return undefined
  try {
    return ex.sandbox.world.fileSets.get(decodeURIComponent(namedByPath(ex, route) ?? ''))
  } catch {
    // What cannot be decoded is refused when it is decided on.
    return undefined
  }
}

/** The world with a file set as it was so many changes ago, or as long ago as is remembered. */
function staleWorld(ex: Exchange, route: Routed, versions: number): World {
  const { world } = ex.sandbox
  const fileSet = fileSetOf(ex, route)
  if (!fileSet) return world
  const earlier = [...fileSet.past.entries()]
  const [version, entries] = earlier.at(-versions) ?? earlier[0] ?? [fileSet.version, fileSet.entries]
  const past = new Map(earlier.filter(([one]) => one < version))
  return { ...world, fileSets: new Map(world.fileSets).set(fileSet.id, { ...fileSet, version, entries, past }) }
}

/** What somebody else does: to the schedule that is updated, or to the file that the walk's last page ended with. */
function conflict(ex: Exchange, route: Routed, edit: 'change' | 'remove'): WorldEvent[] {
  const { world, cursors } = ex.sandbox
  if (roleOf(ex, route) === 'updateReportSchedule') {
    const stored = world.reportSchedules.get(Number(namedByPath(ex, route)))
    if (!stored) return []
    if (edit === 'remove') return [{ type: 'report-schedule.removed', reportScheduleId: stored.id }]
    const changed = { title: `${stored.title} (edited)`, written: ex.now, revision: stored.revision + 1 }
    return [{ type: 'report-schedule.updated', reportSchedule: { ...stored, ...changed } }]
  }
  const fileSet = edit === 'remove' ? fileSetOf(ex, route) : undefined
  const last = cursors.decode(tokenOf(ex) ?? '')?.place.at(-1)
  const slot = typeof last === 'string' ? fileSet?.entries.slotWithId(last) : undefined
  if (!fileSet || slot === undefined || fileSet.entries.isDirectory(slot)) return []
  return [{ type: 'files.removed', fileSetId: fileSet.id, paths: [fileSet.entries.record(slot).path] }]
}

/**
 * After the change was stored: whether the answer is lost.
 *
 * @throws Problem 504 where a gateway gives up
 */
export function loseAnswer(ex: Exchange, { events }: Outcome): boolean {
  const [strike] = ex.faults && events.length > 0 ? ex.faults.strikes(['lost-answer']).take(1) : []
  if (!strike) return false
  const { fault } = strike
  if (fault.by === 'gateway-timeout')
    throw new Problem(504, 'gateway-timeout', 'Gateway Timeout', { detail: 'The service did not answer in time.' })
  cut(ex, fault.by)
  return true
}
