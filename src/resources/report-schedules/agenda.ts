/** When a schedule runs next. */
export interface Appointment {
  /** Epoch ms. */
  readonly at: number
  readonly reportScheduleId: number
}

/** The next run of each schedule, in the order of time and then of id. */
export interface Agenda {
  first(): Appointment | undefined
  /** When one schedule runs next, epoch ms. */
  of(reportScheduleId: number): number | undefined
  /** @param at epoch ms; undefined removes the schedule */
  set(reportScheduleId: number, at: number | undefined): void
  copy(): Agenda
}

export function createAgenda(appointments: Iterable<Appointment> = []): Agenda {
  const agenda = assemble(new Map(), [])
  for (const { reportScheduleId, at } of appointments) agenda.set(reportScheduleId, at)
  return agenda
}

/** A binary heap. Outdated appointments stay in it until they reach the top. When they are more than half, it is built anew. */
function assemble(current: Map<number, number>, given: readonly Appointment[]): Agenda {
  let heap = [...given]
  const isCurrent = ({ reportScheduleId, at }: Appointment) => current.get(reportScheduleId) === at
  const push = (appointment: Appointment) => {
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
    of: (reportScheduleId) => current.get(reportScheduleId),
    set(reportScheduleId, at) {
      if (current.get(reportScheduleId) === at) return
      if (at === undefined) current.delete(reportScheduleId)
      else {
        current.set(reportScheduleId, at)
        push({ at, reportScheduleId })
      }
      if (heap.length <= 2 * current.size + SPARE) return
      heap = []
      for (const [id, time] of current) push({ at: time, reportScheduleId: id })
    },
    copy: () => assemble(new Map(current), heap),
  }
}

const SPARE = 64

function isBefore(a: Appointment, b: Appointment): boolean {
  return a.at < b.at || (a.at === b.at && a.reportScheduleId < b.reportScheduleId)
}

function rise(heap: Appointment[], from: number): void {
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

function dropFirst(heap: Appointment[]): void {
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
