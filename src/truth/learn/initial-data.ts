import type { LoadedParts } from '../../app/setup/load.ts'
import { collectData, createRouteFinder, type SeenData } from '../recordings/collect.ts'
import { type RecordedExchange, wordIn } from '../recordings/recorded-exchange.ts'
import { isObject, tryParseJson } from '../../base/formats/json.ts'
import { decodePercent } from '../../contract/pointer.ts'

/** Members by which a client names what it makes. */
const OWN_NAME = /^_?(?:id|uuid|uid|key|name|slug|code|username|login)s?$/i

/**
 * What was there before the first request: items that reads show, as they were at first, and that no request made.
 */
export function initialData(
  exchanges: readonly RecordedExchange[],
  parts: Pick<LoadedParts, 'contract' | 'bindings'>,
): SeenData {
  const isRead = ({ request }: RecordedExchange) => request.method === 'GET' && !asksForOthers(request.url)
  const reads = exchanges.filter(isRead)
  const findRoute = createRouteFinder(parts)
  const shown = collectData(reads, findRoute)
  // The earliest comes last, so that it is what is kept.
  const first = collectData(reads.toReversed(), findRoute)
  const isMade = findMade(exchanges, findRoute)
  const isNamedBefore = findNamed(exchanges)
  const created = collectData(
    exchanges.filter(
      ({ request, response }) => request.method === 'POST' || (request.method === 'PUT' && response.status === 201),
    ),
    findRoute,
  )
  const changed = new Set(exchanges.flatMap(({ request }) => (request.method === 'GET' ? [] : [lastOf(request.url)])))
  for (const [name, { documents, hasIds, noun }] of shown.collections) {
    // Which items a request made cannot be told without ids.
    if (!hasIds && name.split('/').some((one) => changed.has(one))) documents.clear()
    const others = created.collections.get(name)?.documents
    for (const id of documents.keys()) {
      const early = first.collections.get(name)?.documents.get(id)
      if (isMade(noun, id) || others?.has(id) === true || !early || isNamedBefore(name, id)) documents.delete(id)
      else documents.set(id, early)
    }
  }
  return { ...shown, fileSets: new Map(), reportSchedules: new Map() }
}

/** Finds the names of items that requests created. A request about one collection creates no items of another. */
function findMade(exchanges: readonly RecordedExchange[], findRoute: ReturnType<typeof createRouteFinder>) {
  const byNoun = new Map<string | undefined, Set<string>>()
  for (const { request, response } of exchanges) {
    if (request.method === 'GET' || response.status >= 400) continue
    const noun = findRoute(request)?.plan?.collection.noun
    const made = byNoun.get(noun) ?? new Set()
    byNoun.set(noun, made)
    // `PUT /users/ann`, and `POST /users/ann`. What comes before is what it is below.
    const last = lastOf(request.url)
    if (/^(?:PUT|POST)$/.test(request.method) && last !== undefined) made.add(decodePercent(last))
    if (request.method !== 'POST') continue
    made.add(wordIn(response.body) ?? '')
    const sent = tryParseJson(request.body)
    // `POST /pets/import {"pets": [{"id": 7}]}`: lists of what it makes may be one level down.
    const lists: unknown[] = isObject(sent) ? Object.values(sent).filter(Array.isArray).flat().filter(isMoreThanId) : []
    for (const one of [sent, lists].flat()) for (const name of ownNames(one)) made.add(name)
  }
  return (noun: string, id: string) => [noun, undefined].some((one) => byNoun.get(one)?.has(id) === true)
}

/**
 * Finds the items that a request described before a response showed them: `PATCH /pets {"actions": [{"pets": [{"name": "Rex", "age": 3}]}]}`
 * made one, whatever is understood of it.
 */
function findNamed(exchanges: readonly RecordedExchange[]) {
  const named = new Map<string, { readonly index: number; readonly url: string }[]>()
  for (const [index, { request, response }] of exchanges.entries()) {
    if (request.method === 'GET' || response.status >= 400) continue
    for (const text of textsOfItems(tryParseJson(request.body))) {
      const requests = named.get(text) ?? []
      named.set(text, requests)
      requests.push({ index, url: request.url })
    }
  }
  return (collection: string, id: string) => {
    const word = lastOf(collection) ?? ''
    const [first] = (named.get(id) ?? []).filter(({ url }) => segmentsOf(url).includes(word))
    if (!first) return false
    const isShown = ({ request, response }: RecordedExchange) =>
      request.method === 'GET' && response.body?.includes(id) === true
    return !exchanges.slice(0, first.index).some(isShown)
  }
}

/** The values of objects with several members, at any depth. */
function textsOfItems(sent: unknown): Set<string> {
  if (Array.isArray(sent)) return new Set(sent.flatMap((one) => [...textsOfItems(one)]))
  if (!isObject(sent)) return new Set()
  const values = Object.values(sent)
  const own = values.length > 1 ? values.filter((one) => typeof one === 'string' || typeof one === 'number') : []
  return new Set([...own.map(String), ...values.flatMap((one) => [...textsOfItems(one)])])
}

/** An id alone is of what is there. */
function isMoreThanId(one: unknown): boolean {
  return isObject(one) && Object.keys(one).length > 1
}

/** The last segment of a path: `pets` of `/v1/pets/?limit=3`. */
function lastOf(url: string): string | undefined {
  return segmentsOf(url).at(-1)
}

function segmentsOf(url: string): readonly string[] {
  const [path = ''] = url.split('?', 1)
  return path.split('/').filter((one) => one !== '')
}

/** `?_embed=comments`, `?fields=name`: what is shown then is more than an item has, or less. */
const OTHERS = /^[_$]?(?:embed|expand|include|with|populate|relations?|fields?|select|projection)(?:\[|$)/i

function asksForOthers(url: string): boolean {
  return [...new URLSearchParams(url.split('?')[1]).keys()].some((name) => OTHERS.test(name))
}

/** By which names a request makes something. Its other members refer to what is there. */
function ownNames(sent: unknown): string[] {
  if (!isObject(sent)) return []
  return Object.entries(sent).flatMap(([name, value]) => (OWN_NAME.test(name) ? [value].flat().map(String) : []))
}
