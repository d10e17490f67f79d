/** When something falls due next. */
export interface Appointment<Key extends number | string> {
  /** Epoch ms. */
  readonly at: number
  readonly key: Key
}

/** When each of many things falls due next, in the order of time and then of key. */
export interface Agenda<Key extends number | string> {
  first(): Appointment<Key> | undefined
  /** When one thing falls due next, epoch ms. */
  of(key: Key): number | undefined
  /** @param at epoch ms; undefined removes the thing */
  set(key: Key, at: number | undefined): void
  copy(): Agenda<Key>
}

export function createAgenda<Key extends number | string>(appointments: Iterable<Appointment<Key>> = []): Agenda<Key> {
  const agenda = assemble(new Map<Key, number>(), [])
  for (const { key, at } of appointments) agenda.set(key, at)
  return agenda
}

/** A binary heap. Outdated appointments stay in it until they reach the top. When they are more than half, it is built anew. */
function assemble<Key extends number | string>(
  current: Map<Key, number>,
  given: readonly Appointment<Key>[],
): Agenda<Key> {
  let heap = [...given]
  const isCurrent = ({ key, at }: Appointment<Key>) => current.get(key) === at
  const push = (appointment: Appointment<Key>) => {
    heap.push(appointment)
    rise(heap, heap.length - 1)
  }
  return {
    first() {
      for (let top = heap[0]; top; top = heap[0]) {
        if (isCurrent(top)) return top
        dropFirst(heap)
      }
      return undefined
    },
    of: (key) => current.get(key),
    set(key, at) {
      if (current.get(key) === at) return
      if (at === undefined) current.delete(key)
      else {
        current.set(key, at)
        push({ at, key })
      }
      if (heap.length <= 2 * current.size + SPARE) return
      heap = []
      for (const [each, time] of current) push({ at: time, key: each })
    },
    copy: () => assemble(new Map(current), heap),
  }
}

const SPARE = 64

function isBefore<Key extends number | string>(a: Appointment<Key>, b: Appointment<Key>): boolean {
  return a.at < b.at || (a.at === b.at && a.key < b.key)
}

function rise<Key extends number | string>(heap: Appointment<Key>[], from: number): void {
  const moved = heap[from]
  if (!moved) return
  let at = from
  while (at > 0) {
    const above = (at - 1) >> 1
    const parent = heap[above]
    if (!parent || !isBefore(moved, parent)) break
    heap[at] = parent
    at = above
  }
  heap[at] = moved
}

function dropFirst<Key extends number | string>(heap: Appointment<Key>[]): void {
  const moved = heap.pop()
  if (!moved || heap.length === 0) return
  let at = 0
  for (;;) {
    const left = 2 * at + 1
    const [first, second] = [heap[left], heap[left + 1]]
    if (!first) break
    const [child, index] = second && isBefore(second, first) ? [second, left + 1] : [first, left]
    if (!isBefore(child, moved)) break
    heap[at] = child
    at = index
  }
  heap[at] = moved
}
