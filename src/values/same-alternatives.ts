import { memberOf } from '../contract/load/document-structure.ts'
import type { Lookup } from '../contract/pointer.ts'
import { isObject, stringifyJson } from '../formats/json.ts'

/** Larger sets of alternatives count as different. */
const MOST_PARTS = 2000
const DEEPEST = 24

/** Whether each alternative equals another one, so that no value can satisfy exactly one. */
export function sameAlternatives(lookup: Lookup, alternatives: readonly unknown[]): boolean {
  if (alternatives.length < 2) return false
  const writing = { lookup, left: MOST_PARTS }
  const written = alternatives.map((one) => stringifyJson(meaningOf(writing, one, 0)))
  if (writing.left < 0) return false
  return written.every((one, at) => written.some((other, index) => index !== at && other === one))
}

interface Writing {
  readonly lookup: Lookup
  left: number
}

/** What a schema asserts, with references resolved and members sorted by name. */
function meaningOf(writing: Writing, schema: unknown, depth: number): unknown {
  if (!isObject(schema)) return schema
  if (--writing.left < 0) return undefined
  const { $ref: reference, ...beside } = schema
  const made = Object.entries(beside)
    .filter(([name]) => !ANNOTATIONS.has(name) && !name.startsWith('x-'))
    .map(([name, held]) => [name, memberMeaning(writing, name, held, depth + 1)] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
  const own = Object.fromEntries(made)
  if (typeof reference !== 'string') return own
  const target = depth < DEEPEST ? meaningOf(writing, writing.lookup.follow(schema), depth + 1) : reference
  return made.length === 0 ? target : { ...own, $ref: target }
}

function memberMeaning(writing: Writing, name: string, held: unknown, depth: number): unknown {
  const member = memberOf('schema', name)
  if (!member) return held
  if (member.holds === 'one') return meaningOf(writing, held, depth)
  if (Array.isArray(held)) return held.map((one) => meaningOf(writing, one, depth))
  if (!isObject(held)) return held
  const made = Object.entries(held).map(([key, one]) => [key, meaningOf(writing, one, depth)] as const)
  return Object.fromEntries(made.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

/** Keywords that assert nothing. `readOnly` and `writeOnly` change what is required on one side. */
const ANNOTATIONS = new Set([
  'title',
  'description',
  'default',
  'example',
  'examples',
  'deprecated',
  'externalDocs',
  'xml',
  'discriminator',
  '$comment',
])
