import type { Sandbox, SandboxObserver } from '../../../engine/sandbox.ts'
import { refreshOne } from '../../../engine/sandboxes.ts'
import { createChangeReader, type ItemHappening } from '../webhooks/item-changes.ts'

declare module '../../../engine/sandbox.ts' {
  interface SandboxObservers {
    /** What changes in its collections; absent where no operation of the contract sends that. */
    readonly changes?: ChangeFeed
  }
}

/** A change, and how many events of the sandbox there are up to it. */
interface KeptChange extends ItemHappening {
  readonly position: number
}

const MOST_CHANGES = 1000
/** The longest that a timer waits; then it looks again. */
const LONGEST_WAIT = 600_000

/** The latest changes of items of one sandbox, since something has asked for them first. */
class ChangeFeed {
  readonly #sandbox: () => Sandbox | undefined
  #read = createChangeReader()
  #kept: KeptChange[] = []
  /** How many events of the sandbox were seen; undefined until something asks. */
  #position: number | undefined
  /** What changed after this position is kept. */
  #first = 0
  /** What ends each wait, and when by the sandbox's clock, epoch ms. */
  #waiting = new Map<() => void, number>()
  #timer: NodeJS.Timeout | undefined

  constructor(sandbox: () => Sandbox | undefined) {
    this.#sandbox = sandbox
  }

  /** The position of now. */
  open(sandbox: Sandbox): number {
    if (this.#position === undefined) this.#first = sandbox.nextEvent
    return (this.#position = Math.max(this.#position ?? 0, sandbox.nextEvent))
  }

  /** Whether everything that changed after a position is kept. */
  has(position: number): boolean {
    return this.#first <= position && position <= (this.#position ?? -1)
  }

  after(position: number): readonly KeptChange[] {
    return this.#kept.slice(this.#kept.findLastIndex((one) => one.position <= position) + 1)
  }

  /** Whether something of a collection has changed after a position, or that is not kept. */
  hasChanged(position: number, isMeant: (collection: string) => boolean): boolean {
    return !this.has(position) || this.after(position).some(({ collection }) => isMeant(collection))
  }

  /**
   * Resolves when something has happened after a position, when the signal ends it, or when the clock of the sandbox has come so far. Time is
   * looked at meanwhile, where the clock runs, and what other processes changed.
   *
   * @param until epoch ms
   */
  next(position: number, signal: AbortSignal, until = Infinity): Promise<void> {
    // More may have happened while the last change was sent.
    if (signal.aborted || !this.has(position) || this.after(position).length > 0) return Promise.resolve()
    if (until < Infinity && (this.#sandbox()?.now() ?? Infinity) >= until) return Promise.resolve()
    return new Promise((resolve) => {
      const end = () => {
        this.#waiting.delete(end)
        signal.removeEventListener('abort', end)
        if (this.#waiting.size === 0) clearTimeout(this.#timer)
        resolve()
      }
      this.#waiting.set(end, until)
      signal.addEventListener('abort', end, { once: true })
      this.#plan()
    })
  }

  readonly onEvent: NonNullable<SandboxObserver['onEvent']> = (event, state) => {
    const change = this.#read(event, state)
    if (this.#position !== undefined) {
      const position = ++this.#position
      if (change) this.#kept.push({ ...change, position })
      const dropped = this.#kept.length > MOST_CHANGES ? this.#kept.shift() : undefined
      if (dropped) this.#first = dropped.position
    }
    if (REPLACED.has(event.type)) this.#restart()
    if (change || REPLACED.has(event.type)) this.#wake(Infinity)
    else if (event.type === 'clock.moved') this.#wake(event.to)
    // Only then is it known what falls due next.
    if (this.#waiting.size > 0) setImmediate(() => this.#plan())
  }

  /** Ends all streams: what is kept leads to no present item. */
  close(): void {
    this.#restart()
    this.#wake(Infinity)
  }

  /** Ends the waits that end by a moment, epoch ms. */
  #wake(shown: number): void {
    for (const [end, until] of [...this.#waiting]) if (until <= shown) end()
  }

  #restart(): void {
    this.#read = createChangeReader()
    this.#kept = []
    if (this.#position !== undefined) this.#first = ++this.#position
  }

  /** Looks again when something falls due by a clock that runs; more often where other processes change the sandbox too. */
  #plan(): void {
    clearTimeout(this.#timer)
    const sandbox = this.#waiting.size > 0 ? this.#sandbox() : undefined
    if (!sandbox) return
    if (sandbox.shared) {
      // The log says that the store is away.
      const look = () =>
        void refreshOne(sandbox).then(
          () => this.#look(sandbox),
          () => this.#plan(),
        )
      this.#timer = setTimeout(look, LOOK).unref()
      return
    }
    const { clock } = sandbox.state
    if (clock.mode === 'frozen' || sandbox.isBusy) return
    const next = Math.min(sandbox.nextDue() ?? Infinity, ...this.#waiting.values())
    if (next === Infinity) return
    const wait = Math.max(1, (next - sandbox.now()) / clock.rate)
    this.#timer = setTimeout(() => this.#look(sandbox), Math.min(wait, LONGEST_WAIT)).unref()
  }

  #look(sandbox: Sandbox): void {
    this.#wake(sandbox.now())
    this.#plan()
  }
}

/** Milliseconds between two looks at what other processes did. */
const LOOK = 250

/** Events after which the items of before say nothing. */
const REPLACED: ReadonlySet<string> = new Set(['sandbox.reset', 'state.imported', 'checkpoint.restored'])

export function observeChanges(sandbox: () => Sandbox | undefined): SandboxObserver {
  const changes = new ChangeFeed(sandbox)
  return { members: { changes }, onEvent: changes.onEvent, onDelete: () => changes.close() }
}
