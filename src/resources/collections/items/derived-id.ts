import type { Operation } from '../../../contract/contract.ts'
import { textOf } from '../../../contract/runtime-expression.ts'
import type { Members } from '../../../base/formats/json.ts'
import { hintOfOperation } from '../infer/hints.ts'

const MEMBER = /\{([^{}]*)\}/g

/** The members that an id is made of: `name` of `{name}.`. */
export function membersOfId(template: string): readonly string[] {
  return [...template.matchAll(MEMBER)].map(([, name = '']) => name)
}

/** The id that a new item gets by `x-standin: { id: '{name}.' }`; undefined without it, and where a member was not sent. */
export function derivedId(operation: Operation, given: Members): string | undefined {
  const { id } = hintOfOperation(operation)
  return typeof id === 'string' ? idFrom(id, given) : undefined
}

/** The id that a template makes of what was sent; undefined where a member was not. */
export function idFrom(template: string, given: Members): string | undefined {
  const values = membersOfId(template).map((name) => textOf(given[name]) ?? '')
  if (values.length === 0 || values.includes('')) return undefined
  const rest = values.values()
  return template.replaceAll(MEMBER, () => rest.next().value ?? '')
}
