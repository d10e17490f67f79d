import { refusal } from '../../../behaviours/refusal.ts'
import { decodePercent } from '../../../contract/pointer.ts'
import type { TokenCodec } from '../../../engine/random.ts'
import { cursorInvalid } from '../../../base/errors/resource-errors.ts'
import type { FaultOf } from '../../../engine/faults/fault.ts'
import { isOfPages } from '../../../engine/faults/page-faults.ts'
import type { FaultEffect, FaultedRequest, OperationFaults } from '../../resource.ts'
import { documentsOf } from '../collection-state.ts'
import { instanceName } from '../operations/instance-name.ts'
import type { OperationWork } from '../operations/work.ts'
import { readQuery } from './list.ts'
import type { ListPlan } from './list-plan.ts'
import { decodeToken } from './pages/list-token.ts'
import { styleOf } from './pages/page-links.ts'
import type { ListQuery } from './read-list-query.ts'

/**
 * What faults do to lists: they know the page of a request, which token has expired, and what was listed some changes ago.
 *
 * @param list what is documented of it
 */
export function createListFaults(
  { plan }: OperationWork,
  list: () => ListPlan,
  tokensOf: (seed: number) => TokenCodec,
): OperationFaults {
  return {
    meets: ({ kind }) => isOfPages(kind) && isPossible(kind, list()),
    page: (request) => pageOf(queryOf(list(), request), request, tokensOf),
    before(fault, request) {
      if (fault.kind === 'stale-read') return staleRead(plan, request, fault)
      const { position } = queryOf(list(), request)
      if (fault.kind !== 'cursor-expired' || !('text' in position)) return undefined
      const { where, text } = position
      const refused = refusal('collections.token', where, 'a token that has not expired', text)
      return { problem: cursorInvalid({ violations: [refused] }) }
    },
  }
}

/** Pages by number begin at multiples of their size, so none can be short; nothing expires where there are no tokens. */
function isPossible(kind: string, { parameters, bodyParameters, headerParameters }: ListPlan): boolean {
  const all = [...parameters, ...bodyParameters, ...headerParameters]
  if (kind === 'cursor-expired')
    return all.some(({ meaning }) => meaning.kind === 'cursor' || ('tokens' in meaning && meaning.tokens !== undefined))
  return (
    kind !== 'short-page' ||
    all.some(({ meaning: { kind: one } }) => one === 'cursor' || one === 'offset') ||
    styleOf(all)?.kind === 'token'
  )
}

function queryOf(list: ListPlan, { search, body, header }: FaultedRequest): ListQuery {
  const sent = new URLSearchParams(search)
  const query = list.parameters.reduce<Nested>((held, { name, path }) => {
    const value = sent.get(name)
    return value === null ? held : placed(held, path, value)
  }, {})
  return readQuery(list, { query, body, header })
}

interface Nested {
  readonly [name: string]: string | Nested
}

/** A copy with a value where `page[number]` is read. */
function placed(held: Nested, [name = '', ...rest]: readonly string[], value: string): Nested {
  const inner = held[name]
  return { ...held, [name]: rest.length === 0 ? value : placed(typeof inner === 'object' ? inner : {}, rest, value) }
}

/** The page of a request, from 1; undefined where the id of an item leads to it. */
function pageOf(
  { position, size }: ListQuery,
  { state }: FaultedRequest,
  tokensOf: (seed: number) => TokenCodec,
): number | undefined {
  switch (position.kind) {
    case 'start':
      return 1
    case 'page':
      return position.page + 1
    case 'offset':
      return position.offset === 0 ? 1 : size ? Math.floor(position.offset / size) + 1 : undefined
    case 'after':
    case 'before':
      return decodeToken(tokensOf(state.seed), position.text)?.page
  }
}

/** The state with an earlier version of the collection, or its oldest known one. */
function staleRead(
  { collection, parents }: OperationWork['plan'],
  { state, path }: FaultedRequest,
  { versions }: FaultOf<'stale-read'>,
): FaultEffect | undefined {
  const name = instanceName(
    collection,
    parents.map((parent) => decodePercent(path[parent] ?? '')),
  )
  const past = documentsOf(state, name)?.before(versions)
  return past && { state: { ...state, collections: new Map(state.collections).set(name, past) } }
}
