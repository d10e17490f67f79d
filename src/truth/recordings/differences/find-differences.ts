import { isDeepStrictEqual } from 'node:util'
import { shown } from '../../../base/errors/problem.ts'
import { asObject, isObject, type Members, tryParseJson } from '../../../base/formats/json.ts'
import { headerOf, type RecordedExchange } from '../recorded-exchange.ts'
import { alignItems } from './align-items.ts'
import { formOf, kindOf, type Matcher, momentOf } from './values.ts'

/** An exchange with its bodies where they are JSON. */
export interface ReadExchange {
  readonly exchange: Pick<RecordedExchange, 'request' | 'response'>
  readonly sent: unknown
  readonly json: unknown
}

export function readExchange<Exchange extends ReadExchange['exchange']>(
  exchange: Exchange,
): ReadExchange & { readonly exchange: Exchange } {
  return { exchange, sent: tryParseJson(exchange.request.body), json: tryParseJson(exchange.response.body) }
}

/** In what the responses to one request differ. */
export interface Difference {
  readonly kind:
    | 'status'
    | 'header'
    | 'member'
    | 'type'
    | 'null'
    | 'value'
    | 'form'
    | 'order'
    | 'items'
    | 'page'
    | 'identity'
    | 'body'
  /** A status or header by name; a pointer, with a star for the items of lists. */
  readonly where: string
  readonly standin: string
  readonly target: string
  /** Of two lists, the share of items that only one has. */
  readonly share?: number
}

/** Headers that clients act on, and what of them counts. */
const HEADERS: Readonly<Record<string, (value: string) => string>> = {
  'content-type': (value) => value.split(';', 1)[0]?.trim().toLowerCase() ?? '',
  'www-authenticate': (value) => value.split(' ', 1)[0]?.toLowerCase() ?? '',
  allow: (value) =>
    value
      .split(',')
      .map((one) => one.trim().toUpperCase())
      .toSorted()
      .join(', '),
  'content-encoding': (value) => value.toLowerCase(),
  'retry-after': () => 'present',
  etag: () => 'present',
  location: () => 'present',
  link: () => 'present',
  'access-control-allow-origin': (value) => value,
  'access-control-allow-credentials': (value) => value,
}

interface Matching {
  readonly matcher: Matcher
  readonly now: number
  readonly isError: boolean
  readonly found: Difference[]
}

/**
 * The differences between what the stand-in and the target responded to the same request.
 *
 * @param now epoch ms on each side: what lies after it was computed, and has to be the same
 */
export function findDifferences(
  standin: ReadExchange,
  target: ReadExchange,
  { matcher, now }: Pick<Matching, 'matcher' | 'now'>,
): readonly Difference[] {
  const [ours, theirs] = [standin.exchange.response, target.exchange.response]
  const found: Difference[] = []
  shareSent(standin, target, matcher)
  if (ours.status !== theirs.status) {
    found.push({ kind: 'status', where: 'status', standin: String(ours.status), target: String(theirs.status) })
    // A refusal and a success have nothing else in common.
    if (ours.status < 400 !== theirs.status < 400) return found
  }
  for (const [name, read] of Object.entries(HEADERS)) {
    const [mine, other] = [ours, theirs].map(({ headers }) => {
      const value = headerOf(headers, name)
      return value === undefined ? undefined : read(value)
    })
    if (mine !== other)
      found.push({ kind: 'header', where: name, standin: mine ?? 'absent', target: other ?? 'absent' })
  }
  if (!theirs.isWhole && theirs.body === undefined) return found
  const context = { matcher, now, isError: theirs.status >= 400, found }
  if (standin.json === undefined || target.json === undefined) compareTexts(standin, target, found)
  else compareValues(standin.json, target.json, { pointer: '', name: '' }, context)
  return found
}

/** The ids of a request that both got mean the same on both. */
function shareSent(standin: ReadExchange, target: ReadExchange, matcher: Matcher): void {
  const [ours, theirs] = [standin.exchange.request, target.exchange.request]
  if (ours.body !== undefined && ours.body === theirs.body) shareIds('', standin.sent, matcher)
}

function shareIds(name: string, value: unknown, matcher: Matcher): void {
  if (isObject(value)) for (const [member, inner] of Object.entries(value)) shareIds(member, inner, matcher)
  else if (kindOf(name, value) === 'id') matcher.share(value)
}

function compareTexts(standin: ReadExchange, target: ReadExchange, found: Difference[]): void {
  const describe = ({ json, exchange }: ReadExchange) =>
    json === undefined ? ((exchange.response.body ?? '') === '' ? 'no body' : 'a body that is not JSON') : 'JSON'
  const [ours, theirs] = [describe(standin), describe(target)]
  if (ours !== theirs) found.push({ kind: 'body', where: 'body', standin: ours, target: theirs })
}

interface Member {
  readonly pointer: string
  /** The name of the member. */
  readonly name: string
}

function compareValues(ours: unknown, theirs: unknown, place: Member, context: Matching): void {
  if (Array.isArray(ours) && Array.isArray(theirs)) return compareLists(ours, theirs, place, context)
  if (isObject(ours) && isObject(theirs)) return compareObjects(ours, theirs, place, context)
  const add = (kind: Difference['kind'], standin = shown(ours), target = shown(theirs)) =>
    void context.found.push({ kind, where: place.pointer, standin, target })
  if (ours === null || theirs === null) {
    if (ours !== theirs) add('null')
    return
  }
  const [mine, other] = [typeName(ours), typeName(theirs)]
  if (mine !== other) return add('type', `${mine} (${shown(ours)})`, `${other} (${shown(theirs)})`)
  compareLeaves(ours, theirs, place, context)
}

function compareLeaves(ours: unknown, theirs: unknown, { pointer, name }: Member, context: Matching): void {
  const { matcher, now, isError, found } = context
  const add = (kind: Difference['kind'], standin = shown(ours), target = shown(theirs)) =>
    void found.push({ kind, where: pointer, standin, target })
  const [mine, other] = [kindOf(name, ours), kindOf(name, theirs)]
  if (mine !== other) {
    const isPage = mine === 'token' || other === 'token'
    if (matcher.isStrange && !isPage) return
    return isDeepStrictEqual(ours, theirs) ? undefined : add(isPage ? 'page' : 'value')
  }
  const [form, otherForm] = [formOf(mine, ours), formOf(other, theirs)]
  if (form !== otherForm) return add('form', form, otherForm)
  if (matcher.isStrange) return
  if (mine === 'token') return
  if (mine === 'instant') {
    const [moment = 0, their = 0] = [momentOf(ours), momentOf(theirs)]
    // What is yet to come was computed from the request and the clock.
    const isToCome = moment > now + A_MINUTE || their > now + A_MINUTE
    if (isToCome ? moment !== their : !matcher.match(moment, their)) add(isToCome ? 'value' : 'identity')
  } else if (mine === 'id') {
    if (!matcher.match(ours, theirs)) add('identity')
  } else if (!isDeepStrictEqual(ours, theirs) && !(isError && isProse(ours, theirs))) add('value')
}

const A_MINUTE = 60_000

/** Words for people, and what was received: every service has its own. */
function isProse(ours: unknown, theirs: unknown): boolean {
  return [ours, theirs].some((text) => typeof text === 'string' && !/^[a-z][\w.-]*$/i.test(text))
}

function typeName(value: unknown): string {
  if (Array.isArray(value)) return 'list'
  if (isObject(value)) return 'object'
  return typeof value === 'bigint' ? 'number' : typeof value
}

function compareObjects(ours: Members, theirs: Members, { pointer }: Member, context: Matching): void {
  for (const name of new Set([...Object.keys(ours), ...Object.keys(theirs)])) {
    const place = { pointer: `${pointer}/${name}`, name }
    const isHere = Object.hasOwn(ours, name)
    if (isHere && Object.hasOwn(theirs, name)) compareValues(ours[name], theirs[name], place, context)
    else
      context.found.push({
        kind: kindOf(name, isHere ? ours[name] : theirs[name]) === 'token' ? 'page' : 'member',
        where: place.pointer,
        standin: isHere ? shown(ours[name]) : 'absent',
        target: isHere ? 'absent' : shown(theirs[name]),
      })
  }
}

function compareLists(ours: readonly unknown[], theirs: readonly unknown[], place: Member, context: Matching): void {
  if (context.matcher.isStrange) return compareShapes(ours, theirs, place, context)
  const { pairs, isReordered, onlyOurs, onlyTheirs } = alignItems(ours, theirs)
  const add = (kind: Difference['kind'], standin: string, target: string) =>
    void context.found.push({ kind, where: place.pointer, standin, target })
  const missing = onlyOurs.length + onlyTheirs.length
  if (missing > 0)
    context.found.push({
      kind: 'items',
      where: place.pointer,
      standin: describeItems(ours.length, onlyOurs),
      target: describeItems(theirs.length, onlyTheirs),
      share: (1 + missing) / (1 + ours.length + theirs.length),
    })
  if (isReordered)
    add(
      'order',
      namesOf(pairs.map(([mine]) => mine)),
      namesOf(pairs.map(([, other]) => other).toSorted((a, b) => theirs.indexOf(a) - theirs.indexOf(b))),
    )
  for (const [mine, other] of pairs)
    compareValues(mine, other, { pointer: `${place.pointer}/*`, name: place.name }, context)
}

function describeItems(count: number, only: readonly unknown[]): string {
  return only.length === 0 ? `${count}` : `${count}, among them ${namesOf(only)}`
}

/** The first three, by what people call them. */
function namesOf(items: readonly unknown[]): string {
  const names = items.slice(0, 3).map((item) => {
    const { path, name, title, id } = asObject(item)
    return shown(path ?? name ?? title ?? id ?? item)
  })
  return names.join(', ') + (items.length > 3 ? ', …' : '')
}

/** What the items of two lists look like, where they are not the same items: members that only one side has, and types of the others. */
function compareShapes(ours: readonly unknown[], theirs: readonly unknown[], place: Member, context: Matching): void {
  const [mine, other] = [ours, theirs].map((items) => items.filter((item) => item !== null))
  if (!mine?.length || !other?.length) return
  const pointer = `${place.pointer}/*`
  const [types, otherTypes] = [mine, other].map((items) => [...new Set(items.map(typeName))])
  if (!types?.some((type) => otherTypes?.includes(type))) {
    context.found.push({ kind: 'type', where: pointer, standin: String(types), target: String(otherTypes) })
    return
  }
  const [objects, others] = [mine, other].map((items) => items.filter(isObject))
  if (!objects?.length || !others?.length) return
  for (const name of new Set([...objects, ...others].flatMap((one) => Object.keys(one)))) {
    const [held, holds] = [objects, others].map((items) => items.flatMap((one) => (name in one ? [one[name]] : [])))
    const where = `${pointer}/${name}`
    if (held?.length === 0) context.found.push({ kind: 'member', where, standin: 'absent', target: shown(holds?.[0]) })
    else if (holds?.length === 0)
      context.found.push({ kind: 'member', where, standin: shown(held?.[0]), target: 'absent' })
    else if (held && holds) compareShapesOf(held, holds, { pointer: where, name }, context)
  }
}

function compareShapesOf(ours: readonly unknown[], theirs: readonly unknown[], place: Member, context: Matching): void {
  const [mine, other] = [ours, theirs].map((values) => [
    ...new Set(values.filter((value) => value !== null).map(typeName)),
  ])
  if (mine?.length && other?.length && !mine.some((type) => other.includes(type)))
    context.found.push({ kind: 'type', where: place.pointer, standin: mine.join(', '), target: other.join(', ') })
}
