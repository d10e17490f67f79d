/** What a client did and saw. */
export interface Operation {
  readonly client: number
  readonly kind: 'list' | 'get' | 'create' | 'put' | 'delete' | 'advance' | 'clock'
  readonly id?: number | undefined
  /** Of what it created or put; another one in each operation. */
  readonly name?: string | undefined
  /** The item that it demanded by `If-Match`. */
  readonly demanded?: { readonly id: number; readonly name: string } | undefined
  /** Of a list. */
  readonly page?: { readonly offset: number; readonly limit: number } | undefined
  /** Milliseconds of one clock. */
  readonly began: number
  readonly ended: number
  /** 0 where no response came, or one that does not tell whether it was stored. */
  readonly status: number
  /** Whether it surely was not stored, where its status is 0. */
  readonly isRefused?: boolean | undefined
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
  /** Of a clock that was moved: what it shows then, ISO 8601. */
  readonly to?: string
}

type Items = ReadonlyMap<number, string>

/**
 * Whether a history is linearizable, with the stream as the witness: each response says after which event it was decided, so the order is
 * known. Every response must be what the events before it give, every acknowledged change must be in the stream once and with the request
 * that made it, a change without a request must be one whose response was lost, and the order must agree with real time.
 *
 * @param lost how many events were there before operations that are not given, since a server lost some of theirs
 * @returns what is wrong, each as a sentence
 */
export function findViolations(operations: readonly Operation[], events: readonly HistoryEvent[], lost = 0): string[] {
  const found: string[] = []
  const states: Items[] = [new Map()]
  for (const [index, event] of events.entries()) {
    if (event.number !== index) found.push(`the event ${index} has the number ${event.number}`)
    states.push(after(states[index] ?? new Map(), event))
  }
  const known = operations.filter(({ status, event }) => status !== 0 && event !== undefined)
  for (const one of known) found.push(...wrongIn(one, states, events))
  found.push(...unaccounted(operations, events), ...outOfTime(known), ...wrongTallies(operations, events.slice(lost)))
  return found
}

function after(state: Items, { type, id, document }: HistoryEvent): Items {
  const next = new Map(state)
  if (type === 'document.removed') next.delete(Number(id))
  else if (type.startsWith('document.')) next.set(Number(id), String(document?.name))
  return next
}

const READS: readonly Operation['kind'][] = ['list', 'get', 'clock']

/** Whether it changes nothing. A read of an item that a fault may strike is counted. */
export function isRead({ kind }: Operation): boolean {
  return kind === 'list' || kind === 'clock'
}

export function isChange({ kind, status }: Operation): boolean {
  return !READS.includes(kind) && status >= 200 && status < 300
}

/** The items after some events, the id of the next one, and the seconds that the clock was advanced by. */
export function startOf(events: readonly HistoryEvent[]) {
  const items = [...events.reduce<Items>(after, new Map())].map(([id, name]) => ({ id, name }))
  const ids = events.flatMap(({ type, id }) => (type === 'document.created' ? [Number(id)] : []))
  return { items, next: Math.max(0, ...ids) + 1, clock: 60 * countOf(events, 'clock.moved') }
}

export function countOf(events: readonly HistoryEvent[], type: string): number {
  return events.filter((event) => event.type === type).length
}

function wrongIn(one: Operation, states: readonly Items[], events: readonly HistoryEvent[]): string[] {
  const { kind, id, name, status, event = -1, body, requestId, demanded, page } = one
  const what = `${kind} ${String(id ?? '')} ${name ?? ''} (${status}, event ${event}, ${String(requestId)})`
  const state = states[event]
  if (!state) return [`${what}: the stream has ${events.length} events`]
  const text = JSON.stringify(body)
  const isThere = id !== undefined && state.has(id)
  if (kind === 'list') {
    const all = [...state].map(([known, value]) => ({ id: known, name: value }))
    const expected = itemsIn(page ? all.slice(page.offset, page.offset + page.limit) : all)
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
  return JSON.stringify(itemsOf(body))
}

/** The items of a response: a list, or one. */
export function itemsOf(body: unknown): { readonly id: number; readonly name: string }[] {
  const items = (Array.isArray(body) ? body : body === undefined ? [] : [body]) as { id: number; name: string }[]
  return items.map(({ id, name }) => ({ id, name }))
}

/** Requests that a fault struck, or advances of the clock, which the events do not have so often. */
function wrongTallies(operations: readonly Operation[], events: readonly HistoryEvent[]): string[] {
  const found: string[] = []
  for (const [what, type, kind, isKnown] of [
    ['a fault struck', 'fault.struck', 'get', ({ status }: Operation) => status === 418],
    ['the clock was advanced', 'clock.moved', 'advance', isChange],
  ] as const) {
    const asked = operations.filter((one) => one.kind === kind)
    const least = asked.filter(isKnown).length
    const most =
      least + asked.filter(({ status, isRefused }) => status === 0 && (kind === 'get' || isRefused !== true)).length
    const count = countOf(events, type)
    if (count < least || count > most)
      found.push(`${what} ${count} times, and clients saw it ${least} to ${most} times`)
  }
  const shown = events.flatMap(({ type, to }) => (type === 'clock.moved' && to !== undefined ? [Date.parse(to)] : []))
  const told = operations.flatMap((one) =>
    one.kind === 'advance' && isChange(one) ? [Date.parse((one.body as { now: string }).now)] : [],
  )
  for (const now of told)
    if (!shown.includes(now)) found.push(`an advance to ${new Date(now).toISOString()} is not stored`)
  if (new Set(told).size !== told.length) found.push('two advances of the clock led to the same time')
  return found
}

/** Changes that are stored twice, or that nobody asked for, and acknowledged ones that are not stored. */
function unaccounted(operations: readonly Operation[], events: readonly HistoryEvent[]): string[] {
  const asked = new Map(operations.flatMap((one) => (one.name === undefined ? [] : [[one.name, one] as const])))
  const stored = new Map<string, number>()
  const found: string[] = []
  for (const { number, type, document } of events) {
    if (type === 'document.removed' || !type.startsWith('document.')) continue
    const name = document?.name ?? ''
    const [before, by] = [stored.get(name), asked.get(name)]
    if (before !== undefined) found.push(`${name} is stored as the events ${before} and ${number}`)
    stored.set(name, number)
    if (!by) found.push(`the event ${number} stores ${name}, which no client sent`)
    else if (by.status >= 400 || by.isRefused === true)
      found.push(`the event ${number} stores ${name}, which was refused with ${by.status || 503}`)
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
