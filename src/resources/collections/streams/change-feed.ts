import type { Sandbox, SandboxObserver } from '../../../engine/sandbox.ts'
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
  #waiting = new Set<() => void>()
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

  /** Resolves when something has happened after a position, or when the signal ends it. Time is looked at meanwhile, where the clock runs. */
  next(position: number, signal: AbortSignal): Promise<void> {
    // More may have happened while the last change was sent.
    if (signal.aborted || !this.has(position) || this.after(position).length > 0) return Promise.resolve()
    return new Promise((resolve) => {
      const end = () => {
        this.#waiting.delete(end)
        signal.removeEventListener('abort', end)
        if (this.#waiting.size === 0) clearTimeout(this.#timer)
        resolve()
      }
      this.#waiting.add(end)
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
    if (change || REPLACED.has(event.type)) for (const wake of [...this.#waiting]) wake()
    // Only then is it known what falls due next.
    else if (this.#waiting.size > 0) setImmediate(() => this.#plan())
  }

  /** Ends all streams: what is kept leads to no present item. */
  close(): void {
    this.#restart()
    for (const wake of [...this.#waiting]) wake()
  }

  #restart(): void {
    this.#read = createChangeReader()
    this.#kept = []
    if (this.#position !== undefined) this.#first = ++this.#position
  }

  /** Looks again when something falls due by a clock that runs. */
  #plan(): void {
    clearTimeout(this.#timer)
    const sandbox = this.#waiting.size > 0 ? this.#sandbox() : undefined
    if (!sandbox || sandbox.state.clock.mode === 'frozen' || sandbox.shared || sandbox.isBusy) return
    const next = sandbox.nextDue()
    if (next === undefined) return
    const wait = Math.max(1, (next - sandbox.now()) / sandbox.state.clock.rate)
    const look = () => {
      sandbox.now()
      if (this.#waiting.size > 0) this.#plan()
    }
    this.#timer = setTimeout(look, Math.min(wait, LONGEST_WAIT)).unref()
  }
}

/** Events after which the items of before say nothing. */
const REPLACED: ReadonlySet<string> = new Set(['sandbox.reset', 'state.imported', 'checkpoint.restored'])

export function observeChanges(sandbox: () => Sandbox | undefined): SandboxObserver {
  const changes = new ChangeFeed(sandbox)
  return { members: { changes }, onEvent: changes.onEvent, onDelete: () => changes.close() }
}
