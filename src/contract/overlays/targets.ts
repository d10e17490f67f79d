import type { JSONPathNode, JSONPathQuery } from 'json-p3'
import { didYouMean } from '../load/document-errors.ts'
import { isReference } from '../pointer.ts'
import { misspelt } from '../../base/errors/wording.ts'
import { asObject } from '../../base/formats/json.ts'
import { loadJsonP3 } from '../json-p3.ts'

/** A JSONPath (RFC 9535). Its filters compare values; no text of it is ever run as code. */
export interface OverlayTarget {
  readonly text: string
  readonly query: JSONPathQuery
}

/** A value that a target selects. */
export interface Selected {
  /** Names of members and indexes of elements, from the root. */
  readonly path: readonly (string | number)[]
  readonly value: unknown
}

/** Documents nest a few dozen levels; one that nests deeper than this is a mistake. */
export const MAX_DEPTH = 1000

/** Reads a JSONPath; a sentence if it is none. */
export function parseTarget(text: string): OverlayTarget | string {
  const { JSONPathEnvironment, JSONPathError } = loadJsonP3()
  try {
    return { text, query: new JSONPathEnvironment({ maxRecursionDepth: 2 * MAX_DEPTH }).compile(text) }
  } catch (error) {
    const character = error instanceof JSONPathError ? error.token.index + 1 : 1
    return `${JSON.stringify(text)} is not a JSONPath as in RFC 9535: ${reasonOf(error)} at character ${character}.`
  }
}

/** What a target selects, each once; a sentence if that cannot be found out. */
export function select({ text, query }: OverlayTarget, document: unknown): readonly Selected[] | string {
  try {
    const found = query.query(document as never).nodes
    const byPlace = new Map(found.map(({ location, value }) => [JSON.stringify(location), { path: location, value }]))
    return [...byPlace.values()]
  } catch (error) {
    return `${text} cannot be looked up: ${reasonOf(error)}.`
  }
}

/** Why a target selects nothing: the first step of it that leads nowhere. */
export function reasonForNothing({ query }: OverlayTarget, document: unknown): string {
  const { JSONPathNode } = loadJsonP3()
  let nodes = [new JSONPathNode(document as never, [], document as never)]
  for (const segment of query.segments) {
    // Two dots search everywhere, so no place can be named.
    if (String(segment).startsWith('..')) break
    const next = segment.resolve(nodes)
    if (next.length === 0) return reasonAt(nodes, segment.selectors)
    nodes = next
  }
  return '.'
}

function reasonAt(nodes: readonly JSONPathNode[], selectors: readonly object[]): string {
  const [first] = nodes
  const reference = nodes.find(({ value }) => isReference(value))
  if (reference && isReference(reference.value))
    return `: ${reference.getPath({ form: 'pretty' })} refers to ${JSON.stringify(reference.value.$ref)}, and a target does not follow references. Select the part where it is written; parts of other files must be bundled into the document first.`
  const [selector] = selectors
  if (!first || selectors.length > 1 || !isNamed(selector)) return '.'
  const names = nodes.flatMap(({ value }) => Object.keys(asObject(value)))
  const where = nodes.length === 1 ? first.getPath({ form: 'pretty' }) : `none of the ${nodes.length} values before it`
  const hint = didYouMean(misspelt(selector.name, names))
  return `: ${where} has ${nodes.length === 1 ? 'no ' : ''}${JSON.stringify(selector.name)}.${hint === undefined ? '' : ` ${hint}`}`
}

function isNamed(selector: object | undefined): selector is { readonly name: string } {
  return selector !== undefined && 'name' in selector && typeof selector.name === 'string'
}

/** The library ends its messages with the text and the position: `unexpected ')' ('?(@.x==)]':17)`. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) throw error
  return error.message.replace(/ \('[^]*':\d+\)$/, '')
}
