import { stringify } from 'yaml'
import { isObject, stringifyJson } from './json.ts'

export type DocumentFormat = 'json' | 'yaml'

/** Objects down to this depth are written member by member: `paths./items.get`. */
const DEPTH = 3

/** A document as text, in pieces that take a few milliseconds at most, so that other requests can have their turn in between. */
export function documentPieces(document: object, format: DocumentFormat): Generator<string, undefined> {
  return format === 'json' ? jsonMembers(document, 0) : yamlMembers(document, 0)
}

function* jsonMembers(value: object, depth: number): Generator<string, undefined> {
  const indent = '  '.repeat(depth + 1)
  let separator = '{\n'
  for (const [name, inner] of membersOf(value)) {
    yield `${separator}${indent}${JSON.stringify(name)}: `
    if (isDivided(inner, depth)) yield* jsonMembers(inner, depth + 1)
    else yield stringifyJson(inner)
    separator = ',\n'
  }
  yield separator === ',\n' ? `\n${'  '.repeat(depth)}}` : '{}'
  if (depth === 0) yield '\n'
}

function* yamlMembers(value: object, depth: number): Generator<string, undefined> {
  const indent = '  '.repeat(depth)
  for (const [name, inner] of membersOf(value)) {
    if (isDivided(inner, depth)) {
      yield indent + yamlOf({ [name]: {} }).replace(/ \{\}\n$/, '\n')
      yield* yamlMembers(inner, depth + 1)
    } else yield yamlOf({ [name]: inner }).replaceAll(/^(?=.)/gm, indent)
  }
}

/** Without folded lines and aliases, which not every reader understands. */
function yamlOf(value: object): string {
  return stringify(value, { aliasDuplicateObjects: false, lineWidth: 0 })
}

function isDivided(value: unknown, depth: number): value is object {
  return isObject(value) && membersOf(value).length > 0 && (depth + 1 < DEPTH || isLarge(value))
}

/** Values in an object that is written at once, at most. */
const MAX_VALUES = 500

function isLarge(value: object): boolean {
  let count = 0
  const visit = (one: unknown): boolean =>
    ++count > MAX_VALUES || (typeof one === 'object' && one !== null && Object.values(one).some(visit))
  return visit(value)
}

function membersOf(value: object): [string, unknown][] {
  return Object.entries(value).filter(([, inner]) => inner !== undefined)
}
