import type { Operation } from '../../../contract/contract.ts'
import { readDocumented } from '../../../contract/schemas/documented.ts'
import type { DraftOperation } from './draft-operation.ts'
import type { Hints } from './hints.ts'
import type { Role } from './plan.ts'
import { parameterOf, type PathItem, shapeOf } from './routes.ts'

/** A collection that inference is still building. */
export interface Draft {
  /** Of its path. */
  readonly segments: readonly string[]
  readonly noun: string
  readonly isSingleton: boolean
  /** Of an item, as the fullest response shows it. */
  readonly schema: unknown
  /** The schema of an item in the body of a creation. */
  readonly input: unknown
  readonly item: PathItem | undefined
  readonly hints: Hints
  readonly operations: DraftOperation[]
}

/** Whether any operation has one of these roles. */
export function hasRole({ operations }: Pick<Draft, 'operations'>, ...roles: readonly Role[]): boolean {
  return operations.some(({ role }) => roles.includes(role))
}

/** The collections that hold the items which a draft's path goes through, the nearest first. */
export function parentsOf({ segments }: Draft, drafts: ReadonlyMap<string, Draft>): Draft[] {
  const found: Draft[] = []
  for (let length = segments.length - 1; length > 1; length--) {
    if (parameterOf(segments[length - 1]) === undefined) continue
    const parent = drafts.get(shapeOf(segments.slice(0, length - 1)))
    if (parent && !parent.isSingleton) found.push(parent)
  }
  return found
}

/** Whether a list is all that there is of a collection, and has no pages. */
export function isAlone({ operations: [list, ...others] }: Draft): boolean {
  return list?.role === 'list' && others.length === 0 && !hasPages(list.operation)
}

/** Whether a list is all that there is of a collection, and its path is a word after another: `/matches/upcoming`. */
export function isBelowWord({ segments, operations: [list, ...others] }: Draft): boolean {
  return (
    list?.role === 'list' && others.length === 0 && segments.slice(-2).every((one) => parameterOf(one) === undefined)
  )
}

export function hasPages({ queryNames }: Operation): boolean {
  return [...queryNames].some((name) => /page|cursor|offset|limit|after|skip/i.test(name))
}

/**
 * A list without pages that asks for something, `/routes?from=…` or `/search`, finds what it shows rather than having it; one that is a CSV
 * file too is a report.
 */
export function isQuestion(document: unknown, { operation, output }: DraftOperation): boolean {
  const { path, parameters } = operation
  const isAsked = parameters.some(
    ({ in: place, name, required, usual }) => place === 'query' && required && usual === undefined && !ASIDE.test(name),
  )
  const types = readDocumented(document, operation).response(output.status)?.types ?? []
  const isReport = types.some((type) => !/json|xml|^text\/plain|^\*/.test(type))
  return !hasPages(operation) && (isAsked || isReport || SEARCH.test(path))
}

const SEARCH = /\/(search|find|look-?up|query|suggest|autocomplete)[^/]*$/i

/** Whether a search, with pages or without, is all that there is of a collection. */
export function isSearch({ operations: [list, ...others] }: Draft): boolean {
  return (
    list?.role === 'list' &&
    others.length === 0 &&
    (SEARCH.test(list.operation.path) || isSearchOf(list.operation.path))
  )
}

/** `/search/groups`, beside `/groups` */
function isSearchOf(path: string): boolean {
  return /\/(search|find|query)\/[\w-]+\/?$/i.test(path)
}

/** The collection that a path such as `/search/groups` searches: `/groups`. */
export function searchedBy(
  path: string,
  segments: readonly string[],
  drafts: ReadonlyMap<string, Draft>,
): Draft | undefined {
  if (!isSearchOf(path)) return undefined
  return [...drafts.values()].find(
    (one) => one.item !== undefined && one.segments.at(-1) === segments.at(-1) && !shapeOf(one.segments).includes('{'),
  )
}

/** Parameters that do not select items: keys, versions, formats, languages. */
const ASIDE = /key|token|version|format|lang|locale/i

/** Objects of conditions: the list may have them inside a `filter` that also has an order and a page. */
const CONDITIONS = /^(where|filter|query|selector)$/i

/** `DELETE /notes?status=done`, where the list has the same parameter, or `DELETE /notes?where={"status":"done"}`. */
export function isFiltered({ queryNames }: Operation, base: PathItem | undefined): boolean {
  const listed = base?.methods.get('GET')?.queryNames
  const names = [...queryNames].filter((name) => !ASIDE.test(name))
  return names.length > 0 && names.every((name) => listed?.has(name) === true || CONDITIONS.test(name))
}
