import { encodePointer, isObject } from '../../src/base/formats/json.ts'
import type { Answer } from './session.ts'

/** What of a response is as the service's. Undefined where the service's response has nothing of the kind. */
export interface Likeness {
  readonly status: boolean
  /** The same members, at all depths; those of the elements of a list together. */
  readonly members?: boolean
  /** Each list has as many elements. */
  readonly counts?: boolean
  /** Each member has the same JSON type. */
  readonly types?: boolean
  /** Each member has the same value, but for what differs between two runs of the service, and for prose. */
  readonly values?: boolean
  /** The share of the members that both have, of those that either has: 0 to 1. */
  readonly shared?: number
  /** Members of the service's response that this one has not, and those that only this one has. */
  readonly lacks?: readonly string[]
  readonly adds?: readonly string[]
}

export const ASPECTS = ['status', 'members', 'counts', 'types', 'values'] as const

export type Aspect = (typeof ASPECTS)[number]

/** @param varies paths of members whose values differ between two runs of the service */
export function compareAnswers(expected: Answer, received: Answer, varies: ReadonlySet<string> = new Set()): Likeness {
  const status = expected.status === received.status
  if (!isObject(expected.body) && !Array.isArray(expected.body)) return { status }
  const [own, other] = [outlineOf(expected.body, varies), outlineOf(received.body, varies)]
  const both = own.members.intersection(other.members).size
  return {
    status,
    members: isSame(own.members, other.members),
    ...(own.counts.length > 0 && { counts: own.counts.join() === other.counts.join() }),
    types: isSame(own.types, other.types),
    values: own.values.join('\n') === other.values.join('\n'),
    shared: both / own.members.union(other.members).size,
    lacks: [...own.members.difference(other.members)],
    adds: [...other.members.difference(own.members)],
  }
}

/** The paths at which two responses have other values. */
export function varyingPaths(one: Answer, other: Answer): string[] {
  const [first, second] = [one, other].map(({ body }) => new Set(outlineOf(body, new Set()).values))
  if (!first || !second) return []
  return [...new Set([...first.symmetricDifference(second)].map((value) => value.slice(0, value.indexOf(' '))))].sort()
}

interface Outline {
  readonly members: Set<string>
  readonly counts: string[]
  readonly types: Set<string>
  readonly values: string[]
}

function outlineOf(body: unknown, varies: ReadonlySet<string>): Outline {
  const outline: Outline = { members: new Set(), counts: [], types: new Set(), values: [] }
  visit(body, '', { outline, varies })
  outline.counts.sort()
  outline.values.sort()
  return outline
}

function visit(
  value: unknown,
  path: string,
  to: { readonly outline: Outline; readonly varies: ReadonlySet<string> },
): void {
  const { outline, varies } = to
  outline.members.add(path)
  outline.types.add(`${path} ${typeOf(value)}`)
  if (Array.isArray(value)) {
    outline.counts.push(`${path} ${value.length}`)
    for (const one of value) visit(one, `${path}/*`, to)
  } else if (isObject(value))
    for (const [name, one] of Object.entries(value))
      visit(one, `${path}/${isId(name) ? '<id>' : encodePointer(name)}`, to)
  else outline.values.push(`${path} ${varies.has(path) ? '<varies>' : comparable(value)}`)
}

function typeOf(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value
}

/** An id as a name is an id: `{"a3f0…": {…}}`. */
function isId(name: string): boolean {
  return /^[0-9a-f-]{16,}$/i.test(name)
}

/** Prose says the same in other words: that there is some is compared, not what it says. */
function comparable(value: unknown): string {
  return typeof value === 'string' && value.trim().split(/\s+/).length >= 4 ? '<prose>' : JSON.stringify(value)
}

function isSame(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return one.size === other.size && one.isSubsetOf(other)
}
