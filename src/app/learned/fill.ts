import { iso } from '../../base/formats/instant.ts'
import type { Violation } from '../../base/errors/problem.ts'
import { isObject, splitPointer, stringifyJson, tryParseJson } from '../../base/formats/json.ts'
import { valueAt } from '../../contract/pointer.ts'
import { evaluate, type ExpressionSource, isExpression, PLACE, textOf } from '../../contract/runtime-expression.ts'
import { chanceKey, draw, hex32, randomUuid } from '../../engine/random.ts'
import { PATH_PLACES, pathPart } from './path-words.ts'

/** What the places of a learnt value are filled with. */
export interface FillSource extends ExpressionSource {
  /** Epoch ms by the sandbox's clock. */
  readonly now: number
  /** The first thing that is wrong with the request. */
  readonly violation?: Violation | undefined
  /** What a stand-in says of it, in a sentence. */
  readonly problem?: string | undefined
  /** The path template of the operation; undefined where there is none. */
  readonly template: string | undefined
}

interface FillPlace {
  /** The object that the value is in. */
  readonly item: unknown
  readonly pointer: string
}

/** A learnt value with its places filled; undefined where it is a place whose value was not sent. */
export function fill(template: unknown, source: FillSource, place: FillPlace): unknown {
  if (Array.isArray(template)) return template.map((one) => fill(one, source, place) ?? null)
  if (isObject(template)) {
    const filled = Object.entries(template).map(
      ([name, one]) => [textOf(fill(name, source, place)) ?? name, fill(one, source, place)] as const,
    )
    return Object.fromEntries(filled.filter(([, value]) => value !== undefined))
  }
  if (typeof template !== 'string' || !template.includes('{$')) return template
  const [whole, expression = ''] = /^\{(\$[^{}]*)\}$/.exec(template) ?? []
  if (whole !== undefined) return valueOf(expression, source, place)
  const textAt = (inner: string) => textOf(valueOf(inner, source, place))
  const isFilled = [...template.matchAll(PLACE)].every(([, inner = '']) => textAt(inner) !== undefined)
  // A sentence about what this request does not have is that of an operation with other parameters.
  if (!isFilled && source.problem !== undefined) return source.problem
  return template.replaceAll(PLACE, (_place, inner: string) => textAt(inner) ?? '')
}

const ITEM = '$item#'

/** The parts of what is wrong with a request; `member` is the last name of its place. */
export const VIOLATION_PLACES = ['member', 'pointer', 'code', 'received'].map((name) => `$violation.${name}`)

function partOf(violation: Violation | undefined, part: string): unknown {
  if (!violation) return undefined
  const { pointer, parameter, header, code, received } = violation
  if (part === 'code') return code
  if (part === 'received') return received === undefined ? undefined : (tryParseJson(received) ?? received)
  if (part === 'pointer') return pointer
  return pointer === undefined ? (parameter ?? header) : splitPointer(pointer).at(-1)
}

/** Values that are of their own for each object. */
const MADE_PLACES = ['$now', '$moment', '$uuid', '$number', '$text'] as const

/** Whether a place can be filled. */
export function isPlace(expression: string): boolean {
  return (
    expression.startsWith(ITEM) ||
    VIOLATION_PLACES.includes(expression) ||
    PATH_PLACES.includes(expression) ||
    expression === '$problem' ||
    isExpression(expression) ||
    MADE_PLACES.some((one) => one === expression)
  )
}

export function valueOf(expression: string, source: FillSource, { item, pointer }: FillPlace): unknown {
  if (expression.startsWith(ITEM)) return valueAt(item, expression.slice(ITEM.length))
  if (expression === '$problem') return source.problem
  if (PATH_PLACES.includes(expression)) return pathPart(expression, source)
  if (expression.startsWith('$violation.')) return partOf(source.violation, expression.slice('$violation.'.length))
  if (expression === '$now') return iso(source.now)
  if (expression === '$moment') return source.now
  const drawn = (at: number) => draw(chanceKey(0, `${pointer} ${stringifyJson(idOf(item))}`), at)
  if (expression === '$uuid') return randomUuid(drawn(0), drawn(1), drawn(2), drawn(3))
  if (expression === '$number') return drawn(0) % 1000
  if (expression === '$text') return hex32(drawn(0)) + hex32(drawn(1))
  return evaluate(expression, source)
}

/** What tells an object apart, so that it has the same values whenever it is shown. */
export function idOf(item: unknown): unknown {
  if (!isObject(item)) return null
  const { id, uid, uuid, key, name } = item
  return id ?? uid ?? uuid ?? key ?? name ?? null
}
