import { setTimeout as sleep } from 'node:timers/promises'
import type { ExchangeBatch, ExchangeStore, FoundExchanges, StoredExchange } from './exchange-store.ts'

/** Milliseconds between two batches. A question about the exchanges of others waits as long. */
const INTERVAL = 100
/** Milliseconds that a question waits for another replica, at most. */
const PATIENCE = 2000
const STEP = 10
/** Exchanges that are added at once when so many wait. */
const BATCH = 64
/** Exchanges that wait while the store is away, and their characters. */
const MOST_WAITING = 1000
const LONGEST_WAITING = 4 * 1024 * 1024
/** Exchanges of others after which a replica that writes reads them, so that they are counted before they are dropped. */
const FAR_BEHIND = 250

/** What a reader is given. */
export interface CollectedExchanges extends FoundExchanges {
  /** Whether the stream is another one than before. */
  readonly isNew: boolean
}

/**
 * The exchanges of a sandbox that replicas share. A replica adds its own in batches, off the path of requests, and a reader of them waits until
 * all replicas have added what was answered before the question.
 */
export class SharedExchanges {
  readonly #store: ExchangeStore
  readonly #writer: () => Promise<string>
  /** Those that have something to add. */
  readonly #unsaved: Set<SharedExchanges>
  readonly #elapsed: (() => number) | undefined
  #stream: string | undefined
  #isNew = true
  /** How many requests are handled now. */
  #working = 0
  #round = 0
  /** Whether the store knows that requests are handled. */
  #isMarked = false
  #isMarking = false
  #moment = 0
  /** When that moment was read. */
  #passedAt = 0
  #waiting: StoredExchange[] = []
  #length = 0
  #isLossy = false
  /** Batches whose answer was lost. */
  #unsure: ExchangeBatch[] = []
  /** What is added, one after the other. */
  #adding: Promise<unknown> = Promise.resolve()
  /** What is read: another chain, since two replicas that read wait until the other one has added. */
  #reading: Promise<unknown> = Promise.resolve()
  #timer: NodeJS.Timeout | undefined
  /** The number of the latest exchange that was read. */
  #read = 0
  /** Writers that did not answer a question, by the round that they worked in. */
  readonly #gone = new Map<string, number>()
  #collect: (() => Promise<unknown>) | undefined

  /** @param elapsed a monotonic clock, milliseconds, where requests do not read the moment of the store */
  constructor(
    store: ExchangeStore,
    writer: () => Promise<string>,
    unsaved: Set<SharedExchanges>,
    elapsed?: () => number,
  ) {
    this.#store = store
    this.#writer = writer
    this.#unsaved = unsaved
    this.#elapsed = elapsed
  }

  /** Takes the stream of the sandbox; what waits for another one is dropped with it. */
  use(stream: string): void {
    if (stream === this.#stream) return
    if (this.#stream !== undefined) this.#forget()
    this.#stream = stream
  }

  /** A request arrives. */
  start(): void {
    this.#working++
  }

  /** Its connection has its response, or is closed. */
  end(): void {
    this.#working--
  }

  /** Tells the store that requests are handled, before the first one is answered. */
  async mark(): Promise<void> {
    if (this.#isMarked || this.#stream === undefined || this.#working === 0) return
    this.#isMarked = true
    this.#isMarking = true
    this.#arm()
    try {
      await this.#store.begin(this.#stream, await this.#writer(), this.#round)
    } catch (error) {
      this.#isMarked = false
      throw error
    } finally {
      this.#isMarking = false
    }
  }

  /** Whether the store knows already that requests are handled in this round. */
  get isAnnounced(): boolean {
    return this.#isMarked && !this.#isMarking && this.#unsure.length === 0
  }

  /** The store's moment of the latest read. */
  passed(moment: number): void {
    this.#moment = moment
    this.#passedAt = this.#elapsed?.() ?? 0
  }

  /** Never later than the store's: what waits is read up to a moment. */
  get #present(): number {
    return this.#elapsed ? this.#moment + Math.floor(1000 * (this.#elapsed() - this.#passedAt)) : this.#moment
  }

  /** @param collect reads what others added, which is called before the store drops much that was not read */
  add(text: string, collect: () => Promise<unknown>): void {
    this.#collect = collect
    this.#waiting.push({ moment: this.#present, text })
    this.#length += text.length
    while (this.#waiting.length > MOST_WAITING || this.#length > LONGEST_WAITING) {
      this.#length -= this.#waiting.shift()?.text.length ?? 0
      this.#isLossy = true
    }
    this.#arm()
    if (this.#waiting.length === BATCH) void this.flush().catch(() => undefined)
  }

  /** Adds what waits. @throws Problem 503 when the store is away */
  flush(): Promise<void> {
    const done = this.#adding.then(() => this.#flush())
    this.#adding = done.catch(() => undefined)
    return done
  }

  /**
   * Reads what is new, with everything that any replica answered before this call.
   *
   * @param take is given it
   * @returns why some of it may be missing, as a sentence; undefined where nothing is
   * @throws Problem 503 when the store is away
   */
  collect(take: (found: CollectedExchanges) => void): Promise<string | undefined> {
    const done = this.#reading.then(async () => {
      await this.flush()
      const stream = this.#stream
      const seen = stream === undefined ? undefined : await this.#waitForOthers(stream)
      const found = seen && (await this.#store.read(stream ?? '', seen.moment, this.#read))
      if (!found || stream !== this.#stream) return undefined
      take({ ...found, isNew: this.#isNew })
      this.#isNew = false
      this.#read = found.last
      return seen.doubt ?? (this.#gone.size === 0 ? undefined : this.#describeGone())
    })
    this.#reading = done.catch(() => undefined)
    return done
  }

  /** Forgets all exchanges, in all replicas. @throws Problem 503 when the store is away */
  async clear(what: 'journal' | 'coverage'): Promise<void> {
    if (this.#stream === undefined) return
    await this.#store.clear(this.#stream, what, this.gone)
    if (what === 'journal') this.forgive()
  }

  /** Replicas that ended, or hang, before they had added their exchanges. */
  get gone(): readonly string[] {
    return [...this.#gone.keys()]
  }

  /** The journal has begun again without those that are gone. */
  forgive(): void {
    this.#gone.clear()
  }

  #forget(): void {
    this.#isNew = true
    this.#isMarked = false
    this.#isLossy = false
    this.#waiting = []
    this.#length = 0
    this.#unsure = []
    this.#read = 0
    this.#gone.clear()
  }

  #arm(): void {
    this.#unsaved.add(this)
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      void this.flush()
        .catch(() => undefined)
        .then(() => {
          if (this.#isMarked || this.#waiting.length > 0 || this.#unsure.length > 0) this.#arm()
          else this.#unsaved.delete(this)
        })
    }, INTERVAL).unref()
  }

  async #flush(): Promise<void> {
    const stream = this.#stream
    if (stream === undefined || (!this.#isMarked && this.#waiting.length === 0 && this.#unsure.length === 0)) return
    const writer = await this.#writer()
    const isOver = this.#working === 0
    const batch = { writer, round: this.#round++, isOver, isLossy: this.#isLossy, exchanges: this.#waiting }
    if (isOver) this.#isMarked = false
    this.#waiting = []
    this.#length = 0
    this.#isLossy = false
    this.#unsure = mergeUnsure([...this.#unsure, batch])
    for (let [next] = this.#unsure; next; [next] = this.#unsure) {
      const given = await this.#store.add(stream, next)
      this.#unsure = this.#unsure.slice(1)
      if (given - this.#read > FAR_BEHIND) void this.#collect?.().catch(() => undefined)
    }
  }

  async #waitForOthers(stream: string) {
    const own = await this.#writer()
    const first = await this.#store.look(stream)
    const open = new Map(first?.working)
    open.delete(own)
    for (const [writer, round] of this.#gone) if (open.get(writer) !== round) this.#gone.delete(writer)
    for (const writer of this.#gone.keys()) open.delete(writer)
    for (let waited = 0; open.size > 0 && waited < PATIENCE; waited += STEP) {
      await sleep(STEP)
      const now = await this.#store.look(stream)
      for (const [writer, round] of open) if (now?.working.get(writer) !== round) open.delete(writer)
    }
    for (const [writer, round] of open) this.#gone.set(writer, round)
    return first
  }

  #describeGone(): string {
    const count = this.#gone.size === 1 ? 'A replica has' : `${this.#gone.size} replicas have`
    return `${count} handled requests to the sandbox, and ended or hangs before their exchanges were stored.`
  }
}

/** Keeps the latest batches, as many as a store that is away may make wait. */
function mergeUnsure(batches: readonly ExchangeBatch[]): ExchangeBatch[] {
  const [first, ...rest] = batches
  // The first one may have been stored already; those behind it were never sent.
  const last = rest.at(-1)
  if (!first || !last) return [...batches]
  const exchanges = rest.flatMap((batch) => batch.exchanges)
  const kept = exchanges.slice(-MOST_WAITING)
  const isLossy = kept.length < exchanges.length || rest.some((batch) => batch.isLossy)
  return [first, { ...last, isLossy, exchanges: kept }]
}
