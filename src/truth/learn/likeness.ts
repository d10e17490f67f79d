import { isDeepStrictEqual } from 'node:util'
import { isObject } from '../../base/formats/json.ts'
import { kindOf } from '../recordings/differences/values.ts'
import type { ComparedExchange } from './compared-exchange.ts'

/** How much two responses are alike. */
export interface Likeness {
  readonly status: boolean
  /** The same members at all depths, and as many elements in each list. Undefined for a response without JSON. */
  readonly shape: boolean | undefined
  /** The same values, but for what a service makes anew, such as ids and moments, and for prose. */
  readonly values: boolean | undefined
  /** The share of members that both have, of those that either has: 0 to 1. */
  readonly shared: number
}

export function likenessOf({ theirs, ours }: Pick<ComparedExchange, 'theirs' | 'ours'>): Likeness {
  const status = theirs.status === ours.status
  if (theirs.json === undefined)
    return { status, shape: undefined, values: undefined, shared: ours.json === undefined ? 1 : 0 }
  const [their, own] = [outlineOf(theirs.json), outlineOf(ours.json)]
  const names = [their, own].map((one) => new Set(one.keys()))
  const [all, common] = [names[0]?.union(names[1] ?? new Set()), names[0]?.intersection(names[1] ?? new Set())]
  const shape = their.size === own.size && [...their].every(([place, { count }]) => own.get(place)?.count === count)
  return {
    status,
    shape,
    values: shape && [...their].every(([place, { values }]) => isDeepStrictEqual(own.get(place)?.values, values)),
    shared: (common?.size ?? 0) / Math.max(1, all?.size ?? 1),
  }
}

/** How often a place occurs in a body, and its values. */
interface OutlinePlace {
  count: number
  readonly values: unknown[]
}

function outlineOf(body: unknown): Map<string, OutlinePlace> {
  const places = new Map<string, OutlinePlace>()
  const visit = (value: unknown, at: string, name: string): void => {
    const place = places.get(at) ?? { count: 0, values: [] }
    places.set(at, place)
    place.count++
    if (Array.isArray(value)) for (const one of value) visit(one, `${at}/*`, name)
    else if (isObject(value)) for (const [member, one] of Object.entries(value)) visit(one, `${at}/${member}`, member)
    else place.values.push(comparable(name, value))
  }
  if (body !== undefined) visit(body, '', '')
  return places
}

function comparable(name: string, value: unknown): unknown {
  const kind = kindOf(name, value)
  if (kind !== 'plain') return `<${kind}>`
  return isProse(value) ? '<prose>' : value
}

/** Whether it is a sentence: services say the same in other words. */
export function isProse(value: unknown): boolean {
  return typeof value === 'string' && value.trim().split(/\s+/).length >= 4
}

/** How many places of a response have the same values as those of the service. */
export function sameValues({ theirs, ours }: Pick<ComparedExchange, 'theirs' | 'ours'>): number {
  const own = outlineOf(ours.json)
  return [...outlineOf(theirs.json)].filter(([place, { values }]) => isDeepStrictEqual(own.get(place)?.values, values))
    .length
}

/** How many of the responses are as the service's. */
export interface AgreementCount {
  readonly responses: number
  readonly status: number
  readonly bodies: number
  readonly shape: number
  readonly values: number
}

export function agreementOf(compared: readonly ComparedExchange[]): AgreementCount {
  const all = compared.map(likenessOf)
  const count = (test: (one: Likeness) => boolean | undefined) => all.filter(test).length
  return {
    responses: all.length,
    status: count(({ status }) => status),
    bodies: count(({ shape }) => shape !== undefined),
    shape: count(({ shape, status }) => shape && status),
    values: count(({ values, status }) => values && status),
  }
}
