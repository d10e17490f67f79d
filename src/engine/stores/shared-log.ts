import { sandboxOvertaken } from '../../base/errors/control-errors.ts'
import type { Problem } from '../../base/errors/problem.ts'
import { readInstant } from '../../base/formats/instant.ts'
import { readEvent } from '../sandbox-document.ts'
import { type Beginning, copyImage, createImage, type OwnedImage } from '../snapshot.ts'
import { sandboxLimitReached } from '../sandbox-names.ts'
import type { State } from '../state.ts'
import type { Commit, EventLog, Recent, RefreshedBy, Shared, SharedSandbox } from './event-log.ts'
import type { EventStore, FoundStream, StoredSandbox, StoredStream } from './event-store.ts'
import { createMemoryLog } from './memory/memory-log.ts'
import { restore } from './restore.ts'
import type { SharedExchanges } from './shared-exchanges.ts'
import { FRESH, hasSeen, type ReplicaSessions, STALE, writeSession } from './session.ts'
import type { SharedLifetimes } from './shared-lifetimes.ts'
import { commitRecords, type EventRecord, imageRecords } from './stored-records.ts'

/**
 * Another process changed the sandbox first, and what was decided since is dropped. Decide again: handlers are pure, and nobody was told.
 */
export class Overtaken extends Error {}

/** A request is decided so often, at most. */
const MOST_DECISIONS = 20

/** Decides until nobody else was faster. @throws Problem 503 when others always are */
export async function untilStored<Result>(
  decide: () => Promise<Result> | Result,
  confirm: () => Promise<void> | undefined,
): Promise<Result> {
  for (let decisions = 1; ; decisions++) {
    const [decided] = await Promise.allSettled([(async () => decide())()])
    try {
      await confirm()
      if (decided.status === 'rejected' && decided.reason instanceof Overtaken) throw decided.reason
    } catch (error) {
      if (!(error instanceof Overtaken)) throw error
      if (decisions < MOST_DECISIONS) continue
      throw overtaken(decisions)
    }
    if (decided.status === 'rejected') throw decided.reason
    return decided.value
  }
}

function overtaken(times: number): Problem {
  return sandboxOvertaken({
    detail: `Other replicas changed the sandbox first, ${times} times in a row. Nothing was changed. Try again.`,
    headers: { 'retry-after': '1' },
  })
}

export interface SharedLogParts extends StoredSandbox {
  readonly store: EventStore
  /** Resolves when the store is known to belong to the initial state. */
  readonly opened: () => Promise<void>
  readonly initialState: State
  readonly lifetimes: SharedLifetimes
  /** Where a sandbox begins that is not in the store. */
  readonly beginning: Beginning
  /** Where it begins when it is made again, after another process has removed it. */
  readonly again: () => Beginning
  /** Whether it must not be in the store yet. */
  readonly mustBeNew: boolean
  readonly most: number
  readonly exchanges: SharedExchanges | undefined
  /** Where requests need not read what others changed, but what their clients have seen; undefined where they read it. */
  readonly sessions: ReplicaSessions | undefined
}

/** Request ids that are reserved at once. */
const RESERVED = 100
/** Of those, how many are left when requests that do not wait reserve more. */
const FEW = 50

interface Numbered extends Commit {
  readonly number: number
}

/**
 * The log of a sandbox that several processes change. The sandbox runs ahead of it: events that are appended wait, and `confirm` stores all
 * that wait in one commit. Nobody is told of them before. When another process was faster, the sandbox goes back to what is stored.
 *
 * One thing at a time is asked of the store, and requests that come meanwhile share the next one.
 */
export class SharedLog implements EventLog, Shared {
  readonly shared = this
  readonly #parts: SharedLogParts
  #sandbox: SharedSandbox | undefined
  #memory: EventLog
  /** Undefined where it is not in the store. */
  #known: StoredStream | undefined
  /** The number of the next event of the stream, as far as it was read. */
  #end = 0
  #waiting: Numbered[] = []
  /** The image before the events that wait. It is kept besides, since copying one at each change takes longer the more it holds. */
  #stored: OwnedImage
  /** How often events that waited were dropped. */
  #drops = 0
  #tail: Promise<unknown> = Promise.resolve()
  #reading: Promise<void> | undefined
  #writing: Promise<void> | undefined
  #underWay: Promise<void> | undefined
  /** Reserved numbers of requests. */
  #numbers = { next: 0, end: 0 }
  #owed = 0
  #unnumbered = 0
  /** How many numbers this process has reserved. */
  #reserved = 0
  /** Whether it was in the store before. */
  #hasBegun = false
  /** Whether it is used by who waits for the next read, and the time to live that it is made with then. */
  #isUsed = false
  #ttl: () => number | null | undefined
  /** When it was read last, or stored, by the monotonic clock. */
  #readAt = 0

  constructor(parts: SharedLogParts) {
    this.#parts = parts
    this.#ttl = () => parts.ttl
    this.#stored = createImage(parts.beginning)
    this.#memory = createMemoryLog(copyImage(this.#stored))
  }

  belongTo(sandbox: SharedSandbox): void {
    this.#sandbox = sandbox
  }

  append(expected: number, commit: Commit): void {
    this.#waiting.push({ ...commit, number: expected })
  }

  recent(): Recent {
    return this.#memory.recent()
  }

  /** The number of a request; `refresh` has reserved it. */
  takeNumber(): number {
    this.#owed = Math.max(0, this.#owed - 1)
    const { next, end } = this.#numbers
    // A request that is refused because the store is away has no number of its own.
    if (next >= end) return --this.#unnumbered
    this.#numbers = { next: next + 1, end }
    return next
  }

  /**
   * Reads what other processes changed before this call, or in a session what the client has seen. Calls of one turn of the event loop share it.
   *
   * @returns undefined where there is nothing to wait for
   * @throws Problem 503 when the store is away
   */
  refresh({ isNumbered = false, isUse = false, ttl, seen = '' }: RefreshedBy): Promise<void> | undefined {
    this.#isUsed ||= isUse
    if (ttl && this.#known) this.#ttl = ttl
    if (isNumbered) {
      this.#owed++
      this.exchanges?.start()
    }
    const { sessions } = this.#parts
    return isNumbered && sessions ? this.#readForSession(seen, sessions) : this.#read()
  }

  get session(): string | undefined {
    return this.#parts.sessions && this.#known && writeSession(this.#end, this.#known.stream)
  }

  /** While the store is away, requests that need not see more get what this replica has. */
  #readForSession(seen: string, { elapsed, isAway }: ReplicaSessions): Promise<void> | undefined {
    if (!this.#known || (seen !== '' && !hasSeen(seen, this.#end, this.#known.stream))) return this.#read()
    const age = elapsed() - this.#readAt
    const left = this.#numbers.end - this.#numbers.next - this.#owed
    const isNeeded = age > STALE || left < 0 || this.exchanges?.isAnnounced === false
    if (!isNeeded && age < FRESH && left > FEW) return undefined
    const reading = this.#read().catch(() => undefined)
    return isNeeded && !isAway() ? reading : undefined
  }

  #read(): Promise<void> {
    return (this.#reading ??= this.#afterOthers(async () => {
      await new Promise((resolve) => setImmediate(resolve))
      this.#reading = undefined
      const isUsed = this.#isUsed
      this.#isUsed = false
      const { sessions } = this.#parts
      const readAt = sessions?.elapsed() ?? 0
      const isThere = !isUsed || !this.#known || this.#parts.lifetimes.use(this.#known)
      await Promise.all([isThere, this.exchanges?.mark(), this.#catchUp(isUsed)])
      if (!(await isThere)) await this.#attach(isUsed)
      // It had no stream before.
      await this.exchanges?.mark()
      this.#readAt = readAt
      const { next, end } = this.#numbers
      if (end - next - this.#owed >= (sessions ? FEW : 0)) return
      const count = Math.max(RESERVED, this.#owed)
      const first = await this.#parts.store.reserve(this.#known?.stream ?? '', count)
      this.#numbers = { next: first, end: first + count }
      this.#reserved += count
    }))
  }

  /**
   * Stores everything that waits; also called by who only read, since what was read may wait. Undefined when nothing does.
   *
   * @throws Overtaken when another process was faster, Problem 503 when the store is away: then it may be stored or not
   */
  confirm(): Promise<void> | undefined {
    if (!this.#known && this.#parts.mustBeNew) return (this.#reading ??= this.#afterOthers(() => this.#attach()))
    if (this.#waiting.length === 0) return this.#underWay
    const drops = this.#drops
    return (this.#writing ??= this.#afterOthers(async () => {
      if (drops !== this.#drops) throw new Overtaken()
      this.#writing = undefined
      await (this.#underWay = this.#write().finally(() => (this.#underWay = undefined)))
    }))
  }

  get exchanges(): SharedExchanges | undefined {
    return this.#parts.exchanges
  }

  get isWaiting(): boolean {
    return this.#waiting.length > 0 || this.#underWay !== undefined
  }

  async isAlone(): Promise<boolean> {
    const { store } = this.#parts
    return !this.#known || (await store.reserve(this.#known.stream, 0)) === this.#reserved
  }

  /** Whether it is in the store. */
  get isStored(): boolean {
    return this.#known !== undefined
  }

  /** Forgets the stream. */
  async remove(): Promise<void> {
    if (this.#known) await this.#parts.store.remove(this.#known.stream)
  }

  get #owner(): SharedSandbox {
    if (!this.#sandbox) throw new Error('the log belongs to no sandbox')
    return this.#sandbox
  }

  #afterOthers(task: () => Promise<void>): Promise<void> {
    const done = this.#tail.then(task)
    this.#tail = done.catch(() => undefined)
    return done
  }

  /** Goes back to what is stored. */
  #drop(): void {
    this.#drops++
    this.#waiting = []
    this.#writing = undefined
    const { requests } = this.#owner.image
    this.#owner.replace({ ...copyImage(this.#stored), requests }, this.#end)
  }

  async #write(): Promise<void> {
    const { store, initialState } = this.#parts
    const commits = this.#waiting
    this.#waiting = []
    const next = commits.reduce((end, { number, events }) => Math.max(end, number + events.length), this.#end)
    const records = commits.flatMap((commit) => [...commitRecords(commit.number, commit, initialState)])
    let isStored = false
    try {
      const isReset = commits.some(({ events }) => events.some(({ type }) => type === 'sandbox.reset'))
      const clears = isReset ? (this.exchanges?.gone ?? []) : undefined
      isStored = await store.append(this.#known?.stream ?? '', { expected: this.#end, next, records, clears })
      if (isStored && isReset) this.exchanges?.forgive()
    } finally {
      if (!isStored) this.#drop()
    }
    if (!isStored) {
      await this.#catchUp()
      throw new Overtaken()
    }
    this.#end = next
    for (const { number, ...commit } of commits) {
      this.#memory.append(number, commit)
      for (const event of commit.events) {
        this.#owner.evolve(this.#stored, event, commit.at)
        this.#owner.announce(event, true)
      }
    }
    await this.#shorten().catch(() => undefined)
  }

  /** It may fail: a stream that stays long is only slower to read. */
  async #shorten(): Promise<void> {
    const { store, initialState } = this.#parts
    if (!this.#known || !store.isLong(this.#known.stream)) return
    const records = [...imageRecords(this.#stored, initialState)]
    await store.snapshot(this.#known.stream, { next: this.#end, records })
  }

  /** @param isUsed whether a request uses the sandbox, which starts its time to live again */
  async #catchUp(isUsed = false): Promise<void> {
    const { store } = this.#parts
    if (!this.#known) return this.#attach(isUsed)
    const found = await store.read(this.#known.stream, this.#end)
    if (found) this.#take(found)
    else {
      // It was deleted, and may have been made again.
      this.#known = undefined
      await this.#attach(isUsed)
    }
  }

  /** Finds the sandbox in the store, or makes it there. */
  async #attach(isUsed = false): Promise<void> {
    const { store, lifetimes, opened, name, most, mustBeNew } = this.#parts
    this.#reading = undefined
    await opened()
    for (let attempt = 0; attempt < MOST_DECISIONS; attempt++) {
      const all = await lifetimes.living()
      const known = all.find((one) => one.name === name)
      if (known && mustBeNew && !this.#hasBegun) throw new Overtaken()
      const isThere = known && (!isUsed || (await lifetimes.use(known)))
      const found = isThere && (await store.read(known.stream))
      if (found) {
        this.#use(known)
        this.#take(found)
        return
      }
      if (all.length >= most) throw sandboxLimitReached(most, new Map(all.map((one) => [one.name, one])))
      if (await this.#make()) return
    }
    throw overtaken(MOST_DECISIONS)
  }

  /** Makes the sandbox in the store. @returns whether no other process was faster */
  async #make(): Promise<boolean> {
    const { store, lifetimes, name, most, initialState, beginning, again } = this.#parts
    const image = createImage(this.#hasBegun ? again() : beginning)
    const sandbox = { name, ttl: this.#ttl(), usedAt: lifetimes.now() }
    const stream = await store.create(sandbox, { next: 0, records: [...imageRecords(image, initialState)] }, most)
    if (stream === undefined) return false
    this.#use({ ...sandbox, stream })
    this.#drop()
    this.#restart(image, 0)
    return true
  }

  #use(known: StoredStream): void {
    this.#known = known
    this.#hasBegun = true
    this.#reserved = 0
    this.exchanges?.use(known.stream)
  }

  #take({ first, records, moment }: FoundStream): void {
    if (moment !== undefined) this.exchanges?.passed(moment)
    const { initialState } = this.#parts
    const origin = { model: initialState.model, initialState, made: new Map() }
    const all = [...records]
    const isWhole = all[0] !== undefined && 'image' in all[0].value
    if (all.length === 0) return
    if (this.#waiting.length > 0) this.#drop()
    if (isWhole) {
      const restored = restore({ first, records: all }, origin)
      this.#restart(restored.image, restored.log.recent().next, restored.log)
      return
    }
    const { image } = this.#owner
    for (const { value } of all) {
      const { number, at, requests, requestId, events } = value as unknown as EventRecord
      const facts = { at: readInstant(at, { pointer: '/at' }), requests, requestId }
      for (const [index, document] of events.entries()) {
        const event = readEvent(document, image, origin)
        this.#memory.append(number + index, { ...facts, events: [event] })
        this.#end = number + index + 1
        this.#owner.evolve(this.#stored, event, facts.at)
        this.#owner.follow(event, facts.at)
        this.#owner.announce(event, false)
      }
    }
  }

  #restart(image: OwnedImage, next: number, memory = createMemoryLog(copyImage(image), next)): void {
    this.#memory = memory
    this.#end = next
    this.#numbers = { next: 0, end: 0 }
    this.#stored = copyImage(image)
    this.#owner.replace(image, next)
  }
}
