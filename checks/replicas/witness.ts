/** What a client did and saw. */
export interface Operation {
  readonly client: number
  readonly kind: 'list' | 'get' | 'create' | 'put' | 'delete'
  readonly id?: number | undefined
  /** Of what it created or put; another one in each operation. */
  readonly name?: string | undefined
  /** The item that it demanded by `If-Match`. */
  readonly demanded?: { readonly id: number; readonly name: string } | undefined
  /** Milliseconds of one clock. */
  readonly began: number
  readonly ended: number
  /** 0 where no response came, or one that does not tell whether it was stored. */
  readonly status: number
  readonly requestId?: string | undefined
  /** The number of the next event, as the response said. */
  readonly event?: number | undefined
  readonly body?: unknown
}

/** An event of the stream. */
export interface HistoryEvent {
  readonly number: number
  readonly type: string
  readonly requestId?: string | undefined
  readonly id?: string
  readonly document?: { readonly name?: string }
}

type Items = ReadonlyMap<number, string>

/**
 * Whether a history is linearizable, with the stream as the witness: each response says after which event it was decided, so the order is
 * known. Every response must be what the events before it give, every acknowledged change must be in the stream once and with the request
 * that made it, a change without a request must be one whose response was lost, and the order must agree with real time.
 *
 * @returns what is wrong, each as a sentence
 */
export function findViolations(operations: readonly Operation[], events: readonly HistoryEvent[]): string[] {
  const found: string[] = []
  const states: Items[] = [new Map()]
  for (const [index, event] of events.entries()) {
    if (event.number !== index) found.push(`the event ${index} has the number ${event.number}`)
    states.push(after(states[index] ?? new Map(), event))
  }
  const known = operations.filter(({ status }) => status !== 0)
  for (const one of known) found.push(...wrongIn(one, states, events))
  found.push(...unaccounted(operations, events), ...outOfTime(known))
  return found
}

function after(state: Items, { type, id, document }: HistoryEvent): Items {
  const next = new Map(state)
  if (type === 'document.removed') next.delete(Number(id))
  else if (type.startsWith('document.')) next.set(Number(id), String(document?.name))
  return next
}

function isChange({ kind, status }: Operation): boolean {
  return kind !== 'list' && kind !== 'get' && status >= 200 && status < 300
}

function wrongIn(one: Operation, states: readonly Items[], events: readonly HistoryEvent[]): string[] {
  const { kind, id, name, status, event = -1, body, requestId, demanded } = one
  const what = `${kind} ${String(id ?? '')} ${name ?? ''} (${status}, event ${event}, ${String(requestId)})`
  const state = states[event]
  if (!state) return [`${what}: the stream has ${events.length} events`]
  const text = JSON.stringify(body)
  const isThere = id !== undefined && state.has(id)
  if (kind === 'list') {
    const expected = itemsIn([...state].map(([known, value]) => ({ id: known, name: value })))
    return itemsIn(body) === expected ? [] : [`${what}: got ${text}, and the events give ${expected}`]
  }
  if (isChange(one)) {
    const own = events[event - 1]
    const before = states[event - 1]
    if (own?.requestId !== requestId) return [`${what}: its event is ${JSON.stringify(own)}`]
    if (kind !== 'create' && Number(own?.id) !== id) return [`${what}: its event is ${JSON.stringify(own)}`]
    if (kind !== 'create' && !before?.has(id ?? 0)) return [`${what}: there was no such item`]
    if (kind !== 'delete' && own?.document?.name !== name) return [`${what}: its event is ${JSON.stringify(own)}`]
    return demanded && !isDemanded(before, id, demanded) ? [`${what}: the item was no longer ${demanded.name}`] : []
  }
  if (status === 404) return isThere ? [`${what}: the item is there`] : []
  if (status === 412) return !demanded || isDemanded(state, id, demanded) ? [`${what}: the item is as demanded`] : []
  const isRead = kind === 'get' && status === 200 && isThere
  if (isRead && itemsIn([body]) === itemsIn([{ id, name: state.get(id) }])) return []
  return [`${what}: got ${text}, and the events give ${String(state.get(id ?? 0))}`]
}

function isDemanded(state: Items | undefined, id: number | undefined, demanded: { id: number; name: string }): boolean {
  return id === demanded.id && state?.get(id) === demanded.name
}

function itemsIn(body: unknown): string {
  const items = (Array.isArray(body) ? body : []) as { readonly id: number; readonly name: string }[]
  return JSON.stringify(items.map(({ id, name }) => ({ id, name })))
}

/** Changes that are stored twice, or that nobody asked for, and acknowledged ones that are not stored. */
function unaccounted(operations: readonly Operation[], events: readonly HistoryEvent[]): string[] {
  const asked = new Map(operations.flatMap((one) => (one.name === undefined ? [] : [[one.name, one] as const])))
  const stored = new Map<string, number>()
  const found: string[] = []
  for (const { number, type, document } of events) {
    if (type === 'document.removed') continue
    const name = document?.name ?? ''
    const [before, by] = [stored.get(name), asked.get(name)]
    if (before !== undefined) found.push(`${name} is stored as the events ${before} and ${number}`)
    stored.set(name, number)
    if (!by) found.push(`the event ${number} stores ${name}, which no client sent`)
    else if (by.status >= 400) found.push(`the event ${number} stores ${name}, which was refused with ${by.status}`)
  }
  for (const one of operations)
    if (one.name !== undefined && isChange(one) && !stored.has(one.name))
      found.push(`${one.name} was acknowledged and is not stored`)
  return found
}

/** Operations that saw less than one that had ended before they began. */
function outOfTime(known: readonly Operation[]): string[] {
  const found: string[] = []
  const ended = known.toSorted((a, b) => a.ended - b.ended)
  let next = 0
  let most: Operation | undefined
  for (const one of known.toSorted((a, b) => a.began - b.began)) {
    for (let other = ended[next]; other && other.ended < one.began; other = ended[++next])
      if ((other.event ?? 0) > (most?.event ?? -1)) most = other
    const least = (most?.event ?? 0) + (isChange(one) ? 1 : 0)
    if ((one.event ?? 0) < least)
      found.push(
        `${one.kind} of client ${one.client} saw the event ${String(one.event)} after client ${String(most?.client)} had seen ${String(most?.event)}`,
      )
  }
  return found
}
