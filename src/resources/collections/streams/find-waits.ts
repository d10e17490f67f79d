import type { Contract, Operation } from '../../../contract/contract.ts'
import { follow, valueAt } from '../../../contract/pointer.ts'
import { readDocumented, responseName } from '../../../contract/schemas/documented.ts'
import { shapeOf } from '../../../contract/schemas/shape.ts'
import { asObject, asText, encodePointer, isObject, type Json, parseJson } from '../../../base/formats/json.ts'
import { wordsOf } from '../../../base/formats/names.ts'
import type { Outcome } from '../../handler.ts'
import type { LongPoll, PollRequest } from '../../resource.ts'
import type { KnownCollections } from '../control/known-collections.ts'
import type { OperationPlan } from '../infer/plan.ts'
import { statusOf } from '../lifecycles/lifecycle.ts'
import { isStatus } from '../lifecycles/status-words.ts'
import { readListedMembers } from '../lists/item-members.ts'
import { documentedIn, readListParameters, schemaOf, textOf } from '../lists/read-list-parameters.ts'
import { findPlace } from '../seeds/instance-place.ts'
import { readWait, waitUnit } from './wait-parameter.ts'

interface Waiting {
  readonly in: 'query' | 'header'
  readonly name: string
  readonly unit: 1 | 1000
}

/** The operations whose requests may say how long they wait for something new in a collection. */
export function findWaits(
  { document }: Pick<Contract, 'document'>,
  known: KnownCollections,
  free: readonly Operation[],
): ReadonlyMap<Operation, LongPoll> {
  return new Map(
    free.flatMap((operation) => {
      const plan = known.operations.get(operation)
      if (operation.method !== 'GET' || !plan || !/^(list|read)$/.test(plan.role)) return []
      const waits = waitsOf(document, plan)
      return waits.length > 0 ? [[operation, pollOf({ document, known, plan, waits })] as const] : []
    }),
  )
}

function waitsOf(document: unknown, plan: OperationPlan): readonly Waiting[] {
  const { operation } = plan
  const read = (place: Waiting['in']): Waiting[] =>
    [...documentedIn(place, operation, document)].flatMap(([name, parameter]) => {
      const shape = shapeOf(document, schemaOf(parameter), 'any')
      const description = textOf(parameter, shape)
      const words = wordsOf(name.replace(/^x-/i, ''))
      if (place === 'header' && words.join('') === 'prefer')
        return /\bwait\b/i.test(JSON.stringify(parameter)) ? [{ in: place, name: PREFER, unit: 1000 }] : []
      const unit = waitUnit({ words, shape, description })
      return unit === undefined ? [] : [{ in: place, name, unit }]
    })
  const found = [...read('query'), ...read('header')]
  if (plan.role === 'read' || found.length === 0) return found
  // A parameter such as `max_wait_time` may be a filter of the list.
  const meant = readListParameters(operation, { document, items: readListedMembers(document, plan) })
  return found.filter(
    (one) => one.in === 'header' || meant.some(({ name, meaning }) => name === one.name && meaning.kind === 'wait'),
  )
}

const PREFER = 'prefer'

/** What a client sends back to say which version it has, and where a response shows it. */
interface Marker {
  readonly in: 'query' | 'header'
  readonly name: string
  /** A header of the response, or a member of its body. */
  readonly shown: { readonly header: string } | { readonly pointer: string }
}

interface Polled {
  readonly document: unknown
  readonly known: KnownCollections
  readonly plan: OperationPlan
  readonly waits: readonly Waiting[]
}

function pollOf(polled: Polled): LongPoll {
  const { document, plan, waits, known } = polled
  const { operation, output, role, collection } = plan
  const markers = [...markersOf(document, plan)]
  const { statuses } = readDocumented(document, operation)
  const hasTag = statuses.includes('304') && [...documentedIn('header', operation, document).keys()].some(isTag)
  const sentMarker = (request: PollRequest) => markers.find((one) => sentIn(request, one) !== undefined)
  const versioned = markers.flatMap(({ shown }) => ('header' in shown ? shown.header.toLowerCase() : []))
  const names = waits.map((one) =>
    one.name === PREFER ? 'Prefer: wait' : one.in === 'query' ? `?${one.name}` : one.name,
  )
  return {
    report: `${operation.method} ${operation.path}: waits for something new, as long as ${names.join(' or ')} says`,
    usesPrefer: waits.some(({ name }) => name === PREFER),
    versionHeaders: versioned,
    milliseconds: (request) => firstWait(waits, request),
    isAbout: (instance) => findPlace(known.collections, instance)?.plan === collection,
    hasNothingNew(outcome, request, { before, hasChangedSince }) {
      if (outcome.status === 304) return true
      if (outcome.status !== output.status) return false
      const marker = sentMarker(request)
      const sent = marker && sentIn(request, marker)
      if (marker && sent !== undefined)
        return 'header' in marker.shown
          ? /^\d{1,15}$/.test(sent) && !hasChangedSince(Number(sent))
          : asText(valueAt(bodyOf(outcome), marker.shown.pointer) as Json) === sent
      // Without what it documents for that, a client asks for the state as it is.
      if (markers.length > 0 || hasTag) return false
      if (role === 'list') return isEmptyList(plan, outcome)
      return !isFinal(polled, outcome) && (before === undefined || isSame(before, outcome))
    },
    unchanged(request) {
      if (sentMarker(request) && statuses.includes('304')) return 304
      return role === 'list' && statuses.includes('204') ? 204 : undefined
    },
  }
}

function isTag(name: string): boolean {
  return /^if-none-match$/i.test(name)
}

function sentIn({ query, header }: PollRequest, { in: place, name }: Pick<Marker, 'in' | 'name'>): string | undefined {
  return (place === 'query' ? query.get(name) : header(name.toLowerCase())) ?? undefined
}

function firstWait(waits: readonly Waiting[], request: PollRequest): number | undefined {
  for (const wait of waits) {
    const sent = sentIn(request, wait)
    const value = wait.name === PREFER ? /(?:^|[,;\s])wait\s*=\s*"?([\w.]+)/i.exec(sent ?? '')?.[1] : sent
    const milliseconds = value === undefined ? undefined : readWait(value, wait.unit)
    if (milliseconds !== undefined) return milliseconds
  }
  return undefined
}

/** `?index=` beside a header `X-Consul-Index`, and `?version=` beside a member `version` of the item. */
function* markersOf(document: unknown, { operation, output, role }: OperationPlan): Generator<Marker> {
  const held = follow(document, valueAt(document, operation.pointer))
  const responses = asObject(asObject(held).responses)
  const response = asObject(follow(document, responses[responseName(output.status, responses) ?? '']))
  const headers = Object.keys(asObject(response.headers)).filter((name) => !/^etag$/i.test(name))
  const { located } = output
  const members = role === 'read' && located ? [...shapeOf(document, located.schema, 'any').properties.keys()] : []
  for (const place of ['query', 'header'] as const)
    for (const name of documentedIn(place, operation, document).keys()) {
      const word = wordsOf(name).at(-1) ?? ''
      if (!VERSION.test(word)) continue
      const header = headers.find((one) => wordsOf(one).at(-1) === word)
      const member = members.find((one) => wordsOf(one).at(-1) === word)
      if (header !== undefined) yield { in: place, name, shown: { header } }
      else if (member !== undefined)
        yield { in: place, name, shown: { pointer: `${located?.pointer ?? ''}/${encodePointer(member)}` } }
    }
}

const VERSION = /^(index|version|revision|rev|generation|sequence|seq)$/

/** Characters; an empty list is shorter. */
const LONGEST_EMPTY = 65_536

function bodyOf({ body }: Outcome): unknown {
  if ('json' in body) return body.json
  return 'content' in body && typeof body.content === 'string' ? parseJson(body.content) : undefined
}

function isEmptyList({ output: { located } }: OperationPlan, outcome: Outcome): boolean {
  const { body } = outcome
  if ('content' in body && body.content.length > LONGEST_EMPTY) return false
  const list = valueAt(bodyOf(outcome), located?.pointer ?? '')
  if (Array.isArray(list)) return list.length === 0
  return isObject(list) && located?.isMap === true && Object.keys(list).length === 0
}

function isSame(one: Outcome, other: Outcome): boolean {
  return one.status === other.status && JSON.stringify(one.body) === JSON.stringify(other.body)
}

const FINAL =
  /^(succeeded|success|successful|completed?|done|finished|failed|failure|errored|error|cancell?ed|aborted|expired|rejected|closed|terminated|stopped|timed[-_ ]?out)$/i

/** Whether the status of an item is final, so that a read does not wait for the next one. */
function isFinal({ known, plan: { collection, output } }: Polled, outcome: Outcome): boolean {
  const item = valueAt(bodyOf(outcome), output.located?.pointer ?? '')
  const lifecycles = known.lifecycles.get(collection) ?? []
  if (lifecycles.length > 0)
    return lifecycles.every((lifecycle) => {
      const status = lifecycle.statuses.get(statusOf(lifecycle, item) ?? '')
      return status?.next.length === 0 && !status.timed
    })
  return Object.entries(asObject(item)).some(
    ([name, value]) => isStatus(name) && typeof value === 'string' && FINAL.test(value),
  )
}
