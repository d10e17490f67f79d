import { hash } from 'node:crypto'
import { remembering } from '../../../base/cache.ts'
import { wordsOf } from '../../../base/formats/names.ts'
import { shapeOf } from '../../../contract/schemas/shape.ts'
import type { Steps } from '../../../engine/slices.ts'
import type { State } from '../../../engine/state.ts'
import { createTokenCodec, type TokenCodec } from '../../../engine/random.ts'
import { refusal } from '../../../behaviours/refusal.ts'
import { asObject, isScalar, type Json, type Members, stringifyJson, asText } from '../../../base/formats/json.ts'
import { pointerOf, withValue } from '../../../contract/pointer.ts'
import type { Call, Handler, Outcome, Reading } from '../../handler.ts'
import { createDocuments } from '../documents/documents.ts'
import { selectInSteps } from '../documents/select.ts'
import type { Condition, Selection } from '../documents/selection.ts'
import { type ListPage, pageOf } from './pages/list-page.ts'
import type { ListParameter } from './list-parameter.ts'
import type { ListPlan } from './list-plan.ts'
import { type Input, meaningOf } from './meaning-of.ts'
import { conditionOf } from './named-values.ts'
import type { PageFacts } from './pages/page-facts.ts'
import { pageHeaders } from './pages/page-headers.ts'
import { isThere, linkTo, type PageStyle, styleOf } from './pages/page-links.ts'
import { repeatResponse } from './pages/repeat-response.ts'
import { type ListQuery, readListQuery } from './read-list-query.ts'
import type { OperationPlan } from '../infer/plan.ts'
import { instanceOf, itemHandler } from '../operations/instance.ts'
import { PARENT_FACT, parentFact } from '../operations/parent.ts'
import { wantedOf } from '../related/show-related.ts'
import { type ItemTexts, textOptions } from './item-texts.ts'
import type { OperationWork } from '../operations/work.ts'

/** @param list what the contract documents of the list, read with the first request */
export function createListHandler(
  work: OperationWork,
  list: () => ListPlan,
  { texts, tokensOf }: { readonly texts: () => ItemTexts; readonly tokensOf: TokensOf },
): Handler {
  const { plan } = work
  return {
    ...itemHandler(plan),
    takes: (_tracker, body) => unlistedPlaces(Object.keys(asObject(body)), list()).map(({ path }) => pointerOf(path)),
    takesQuery: (name) =>
      unlistedIn([name], list()).length > 0 || list().parameters.some((one) => name.startsWith(`${one.name}[`)),
    read(state, call) {
      const query = readQuery(list(), call)
      if (query.related.length > 0) wantedOf(state, query.related)
      const asked = { work, list: list(), query, texts: texts(), tokensOf }
      return {
        violations: [...query.violations, ...refuseIgnored(query, call)],
        decide: () => decide(asked, state, call),
        repeat: repeatOf(asked),
      }
    },
  }
}

/** A separate function: a closure inside `read` would keep the state alive. */
function repeatOf(asked: Asked): NonNullable<Reading['repeat']> {
  const { work, query } = asked
  const decideNow = (state: State, call: Call) => decide(asked, state, call)
  // Such responses also depend on other collections.
  const isAlone = query.related.length === 0 && work.derived.isNone()
  return isAlone ? repeatResponse(decideNow, (state, call) => instanceOf(state, work.plan, call).documents) : decideNow
}

type TokensOf = (seed: number) => TokenCodec

/** Codecs of recent seeds: creating one takes longer than reading a request. */
export function createTokens(): TokensOf {
  return remembering(1024, (seed: number) => createTokenCodec(seed, 'standin list'))
}

/** What a request asks for, by its parameters and by its body. */
export function readQuery(
  list: ListPlan,
  { query, body, header, url }: Pick<Call, 'query' | 'body' | 'header'> & { readonly url?: Call['url'] },
): ListQuery {
  const { items, bodyParameters, headerParameters, view } = list
  const sent = url?.() ?? ''
  // Most requests ask for nothing that the parsed query does not have.
  const mayBeMore = takesUnlisted(list) || /\[|%5b/i.test(sent)
  const search = new URLSearchParams(mayBeMore ? new URL(sent, 'http://localhost').search : '')
  const named = [...list.parameters, ...unlistedIn(search.keys(), list)]
  const asked = readListQuery(named, { ...Object.fromEntries(search), ...nestedIn(search), ...query }, { items })
  const filtered = view ? { ...asked, conditions: [conditionOf(view), ...asked.conditions] } : asked
  const inQuery = numbered(list, filtered)
  const members = [...bodyParameters, ...unlistedPlaces(Object.keys(asObject(body)), list)]
  const inBody =
    members.length === 0
      ? inQuery
      : both(inQuery, numbered(list, readListQuery(members, body, { items, place: 'pointer' })))
  if (headerParameters.length === 0) return inBody
  const headers = Object.fromEntries(headerParameters.map(({ name }) => [name, header(name.toLowerCase())]))
  return both(inBody, readListQuery(headerParameters, headers, { items, place: 'header' }))
}

/** `filter[where][status]=done` of a parameter that the contract documents as JSON: `{ filter: { where: { status: 'done' } } }`. */
function nestedIn(search: URLSearchParams): Members {
  return [...search].reduce<Members>((made, [name, value]) => {
    const [, base, parts] = /^([^[\]]+)((?:\[[^[\]]+\])+)$/.exec(name) ?? []
    if (base === undefined || parts === undefined) return made
    return withValue(made, pointerOf([base, ...parts.slice(1, -1).split('][')]), value)
  }, {})
}

/** A token that is a number tells how many items come before the page. */
function numbered({ next }: ListPlan, query: ListQuery): ListQuery {
  const { position } = query
  const isNumber = next.isNumber && position.kind === 'after' && /^\d{1,15}$/.test(position.text)
  return isNumber ? { ...query, position: { kind: 'offset', offset: Number(position.text) } } : query
}

/** Whether parameters that the contract does not list may have an effect. */
function takesUnlisted({ items, hasPages, next }: ListPlan): boolean {
  return items.any !== undefined || (!hasPages && next.isTold)
}

/** The parameters of these names that the contract does not list, and that have an effect. */
function unlistedIn(names: Iterable<string>, list: ListPlan): readonly ListParameter[] {
  if (!takesUnlisted(list)) return []
  const listed = new Set(list.parameters.map(({ name }) => name))
  const others = [...names].filter((name) => !listed.has(name))
  return [...unlistedPlaces(others, list), ...unlistedFilters(others, list)]
}

/** `start_cursor` where responses tell it, and no parameter of the contract takes it. */
function unlistedPlaces(names: readonly string[], { items, hasPages, next }: ListPlan): readonly ListParameter[] {
  if (hasPages || !next.isTold) return []
  return names.flatMap((name) => {
    const meaning = meaningOf(unlisted(name), items, new Set())
    return PLACES.has(meaning.kind) ? [{ name, path: [name], meaning, says: '' }] : []
  })
}

/** Filters that are not in the contract, by members that are not in it either: `?status=published&min_words=450`. */
function unlistedFilters(names: readonly string[], { items }: ListPlan): readonly ListParameter[] {
  if (!items.any) return []
  return names.flatMap((name) => {
    const usual = meaningOf(unlisted(name), items, new Set())
    if (NO_FILTERS.has(usual.kind) || /^(?:q|query|search)$/i.test(name)) return []
    const meaning = meaningOf({ ...unlisted(name), name: 'filter[]', path: [] }, items, new Set())
    return meaning.kind === 'unknown' ? [] : [{ name, path: [name], meaning, says: '' }]
  })
}

/** A parameter of which only the name is known. */
function unlisted(name: string): Input {
  return { name, path: [name], words: wordsOf(name), shape: shapeOf(undefined, {}), description: '' }
}

/** Kinds of parameters that ask for a page. */
const PLACES = new Set<string>(['page', 'offset', 'cursor'])

/** Kinds of parameters that ask for a page, an order or parts of items: on open items, the same name could be a member. */
const NO_FILTERS = new Set([...PLACES, 'size', 'sort', 'direction', 'fields', 'expand', 'expression', 'filters'])

function both(asked: ListQuery, more: ListQuery): ListQuery {
  return {
    conditions: [...asked.conditions, ...more.conditions],
    order: [...asked.order, ...more.order],
    position: more.position.kind === 'start' ? asked.position : more.position,
    size: more.size ?? asked.size,
    usualSize: more.usualSize ?? asked.usualSize,
    fields: more.fields ?? asked.fields,
    related: [...asked.related, ...more.related],
    ignored: [...asked.ignored, ...more.ignored],
    violations: [...asked.violations, ...more.violations],
  }
}

/** `collections.unknown-filter` */
export function refuseIgnored({ ignored }: ListQuery, { tracker }: Call) {
  if (ignored.length === 0 || tracker.ask('collections.unknown-filter') === 'ignore') return []
  return ignored.map((name) => {
    const where = name.startsWith('/') ? { pointer: name } : { parameter: name }
    return refusal('collections.unknown-filter', where, 'no parameter that the list cannot follow', name)
  })
}

/** A list that was asked for. */
interface Asked {
  readonly work: OperationWork
  readonly list: ListPlan
  readonly query: ListQuery
  readonly texts: ItemTexts
  readonly tokensOf: TokensOf
}

const NONE = createDocuments()

function* decide({ work, list, query, texts, tokensOf }: Asked, state: State, call: Call): Steps<Outcome> {
  const { plan } = work
  const { name, documents = NONE } = instanceOf(state, plan, call)
  const selection = selectionOf(plan, list, query, { state, call })
  const selected = yield* selectInSteps(documents, selection)
  const limit = sizeOf(list, query, call)
  const size = limit ?? selected.count
  const style = styleOf(list.parameters, query.position)
  const scope = hash('sha256', stringifyJson([name, selection]), 'base64url').slice(0, 16)
  const page = pageOf({
    selected,
    documents,
    size,
    limit: limit ?? Infinity,
    scope,
    instance: name,
    tokens: tokensOf(state.seed),
    position: query.position,
    tracker: call.tracker,
    faults: call.faults,
    continues: list.hasPages && style?.kind !== 'page',
  })
  if (selected.count > 1 && query.order.length === 0) call.tracker.note('collections.order')
  const { facts, nextOf, isNextShown } = factsOf(page, { list, style, call })
  const envelope = list.envelope(state.seed).render(facts)
  const content = yield* texts.page(page.entries, envelope, textOptions(work, query, { state, call, name }))
  const headers = pageHeaders(list.headers, facts, list.usesTokens)
  const added = style?.isOpaque && !isNextShown() ? nextLink(facts, call) : {}
  return {
    status: plan.output.status,
    headers: { ...headers, ...added },
    body: { content, contentType: list.contentType, next: nextOf() },
    events: [],
  }
}

export function selectionOf(
  plan: OperationPlan,
  list: ListPlan,
  query: ListQuery,
  { state, call }: { readonly state: State; readonly call: Call },
): Selection {
  const { pointer, parameter = '' } = plan.ownedBy ?? {}
  const fact = parentFact(state, plan, call)
  // Where the parents are of no collection, the items of the start have no such fact, and are below each of them.
  const facts = fact === undefined ? [] : plan.parent ? [fact] : [fact, null]
  const owned: Condition[] = facts.length === 0 ? [] : [{ hidden: PARENT_FACT, oneOf: facts }]
  if (pointer !== undefined) owned.push({ pointer, oneOf: idsOf(asText(call.path[parameter])) })
  const { tracker } = call
  const order = tracker.settings['collections.order']
  return {
    conditions: [...query.conditions, ...owned],
    order: query.order,
    newestFirst: order === 'newest-first' || (order === 'as-documented' && list.isNewestFirst),
  }
}

/** An id is a text in the path, and may be a number in a member. */
function idsOf(text: string): readonly Json[] {
  return /^-?\d{1,15}$/.test(text) ? [text, Number(text)] : [text]
}

/** The size of a page; undefined for all items, where there is no way to ask for others than the first. */
export function sizeOf({ hasPages }: ListPlan, { size, usualSize }: ListQuery, { tracker }: Call): number | undefined {
  if (size !== undefined || !hasPages) return size
  return usualSize ?? tracker.ask('collections.page-size')
}

/** `collections.next-page` */
function nextLink(facts: PageFacts, { tracker }: Call): Readonly<Record<string, string>> {
  if (!isThere('next', facts) || tracker.ask('collections.next-page') === 'omit') return {}
  const path = facts.link('next')
  return path === undefined ? {} : { link: `<${facts.origin}${path}>; rel="next"` }
}

interface FactParts {
  readonly list: ListPlan
  readonly style: PageStyle | undefined
  readonly call: Call
}

function factsOf(page: ListPage, { list, style, call }: FactParts) {
  const { entries, offset, end, total, size } = page
  let isTokenShown = false
  const token = (rel: 'next' | 'prev') => {
    isTokenShown ||= rel === 'next'
    return page.token(rel)
  }
  const positions = list.parameters
    .filter(({ meaning: { kind } }) => kind === 'page' || kind === 'offset' || kind === 'cursor')
    .map(({ name }) => name)
  const position = { offset, end, total, size, count: entries.length, token }
  const facts: PageFacts = {
    ...position,
    firstPage: style?.kind === 'page' ? style.first : 1,
    firstId: entries[0]?.id,
    lastId: entries.at(-1)?.id,
    startToken: () => (end < total ? undefined : page.startToken()),
    sent(name) {
      const { [name]: value } = call.query
      return isScalar(value) ? value : undefined
    },
    link: (rel) => linkTo(rel, { ...position, url: call.url(), style, positions }),
    origin: call.origin(),
  }
  return { facts, nextOf: () => nextOf(facts, style, isTokenShown), isNextShown: () => isTokenShown }
}

/** What a client sends for the next page: the token that it was shown, the id of the last item, or a number. */
function nextOf(facts: PageFacts, style: PageStyle | undefined, isTokenShown: boolean): string | undefined {
  const { offset, end, total, size, lastId } = facts
  if (!style || size === 0 || end >= total) return undefined
  if (style.kind === 'token') return isTokenShown ? facts.token('next') : lastId
  return String(style.first + (style.kind === 'page' ? Math.floor(offset / size) + 1 : end))
}
