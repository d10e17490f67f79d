import { bareType } from '../contract/media-type.ts'
import { shown } from '../errors/problem.ts'
import { isObject, parseJson } from '../formats/json.ts'
import { parseInstant } from '../formats/instant.ts'
import { headerOf, type RecordedResponse } from '../traffic/recorded-exchange.ts'

/** In what the stand-in's response differs from the service's. */
export interface Difference {
  readonly kind: 'status' | 'header' | 'member' | 'type' | 'value' | 'items' | 'order'
  /** `status`, a header, or a pointer with a star for the items of lists. */
  readonly where: string
  readonly service: string
  readonly standin: string
}

/** Of one response; more say nothing more. */
const MOST = 20

/** The differences that clients see. Ids, tokens and moments are each side's own, so only their presence and type are compared. */
export function findDifferences(service: RecordedResponse, standin: RecordedResponse): readonly Difference[] {
  const found: Difference[] = []
  if (service.status !== standin.status)
    found.push({ kind: 'status', where: 'status', service: String(service.status), standin: String(standin.status) })
  // A refusal and a success have nothing else in common.
  if (service.status < 400 !== standin.status < 400) return found
  const [theirs, ours] = [service, standin].map(({ headers }) => bareType(headerOf(headers, 'content-type') ?? 'none'))
  if (theirs !== ours)
    found.push({ kind: 'header', where: 'content-type', service: String(theirs), standin: String(ours) })
  const [their, our] = [readJson(service.body), readJson(standin.body)]
  if (their !== undefined && our !== undefined && service.isWhole)
    compareValues(their, our, { pointer: '', name: '', isError: service.status >= 400, found })
  const places = new Map(found.map((one) => [`${one.kind} ${one.where}`, one]))
  return [...places.values()].slice(0, MOST)
}

interface Place {
  readonly pointer: string
  /** Of the member. */
  readonly name: string
  readonly isError: boolean
  readonly found: Difference[]
}

function compareValues(theirs: unknown, ours: unknown, place: Place): void {
  const { pointer: where, found } = place
  if (Array.isArray(theirs) && Array.isArray(ours)) return compareLists(theirs, ours, place)
  if (isObject(theirs) && isObject(ours)) {
    for (const name of new Set([...Object.keys(theirs), ...Object.keys(ours)]))
      compareMembers(theirs, ours, { ...place, pointer: `${where}/${name}`, name })
    return
  }
  if (typeName(theirs) !== typeName(ours))
    found.push({ kind: 'type', where, service: shown(theirs), standin: shown(ours) })
  else if (theirs !== ours && !isOwn(place, theirs))
    found.push({ kind: 'value', where, service: shown(theirs), standin: shown(ours) })
}

type Members = Readonly<Record<string, unknown>>

function compareMembers(theirs: Members, ours: Members, place: Place): void {
  const { name, pointer: where, found } = place
  const [isTheirs, isOurs] = [Object.hasOwn(theirs, name), Object.hasOwn(ours, name)]
  if (isTheirs && isOurs) compareValues(theirs[name], ours[name], place)
  else {
    const describe = (has: boolean, value: unknown) => (has ? shown(value) : 'absent')
    const [service, standin] = [describe(isTheirs, theirs[name]), describe(isOurs, ours[name])]
    found.push({ kind: 'member', where, service, standin })
  }
}

/** Items are matched up by what names them. */
function compareLists(theirs: readonly unknown[], ours: readonly unknown[], place: Place): void {
  const { pointer: where, found } = place
  const [names, others] = [theirs.map(nameOf), ours.map(nameOf)]
  const describe = (all: readonly string[], than: readonly string[]) => {
    const only = all.filter((name) => !than.includes(name))
    return `${all.length}${only.length === 0 ? '' : `, among them ${only.slice(0, 3).join(', ')}`}`
  }
  const [service, standin] = [describe(names, others), describe(others, names)]
  if (service !== standin || service.includes(',')) found.push({ kind: 'items', where, service, standin })
  const common = names.filter((name) => others.includes(name))
  const reordered = others.filter((name) => names.includes(name))
  if (common.join('\n') !== reordered.join('\n'))
    found.push({ kind: 'order', where, service: firstOf(common), standin: firstOf(reordered) })
  for (const [at, name] of names.entries()) {
    const index = others.indexOf(name)
    if (index >= 0) compareValues(theirs[at], ours[index], { ...place, pointer: `${where}/*` })
  }
}

function firstOf(names: readonly string[]): string {
  return names.slice(0, 3).join(', ') + (names.length > 3 ? ', …' : '')
}

/** What people call an item, before its id. */
function nameOf(item: unknown): string {
  const { path, name, title, id } = isObject(item) ? item : {}
  return shown(path ?? name ?? title ?? id ?? item)
}

const OWN_NAME = /^(?:next|prev|previous|cursor|.*(?:token|cursor|_?id)|etag|hash|.*(?:date|_at|At))$/i
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

/** Whether each side has a value of its own: an id, a token, a moment, or the words of an error. */
function isOwn({ name, isError }: Place, value: unknown): boolean {
  if (isError && typeof value === 'string' && !/^[\w.-]+$/.test(value)) return true
  return OWN_NAME.test(name) || (typeof value === 'string' && (UUID.test(value) || parseInstant(value) !== undefined))
}

function typeName(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'list' : typeof value === 'bigint' ? 'number' : typeof value
}

function readJson(body: string | undefined): unknown {
  try {
    return body === undefined || body === '' ? undefined : parseJson(body)
  } catch {
    return undefined
  }
}
