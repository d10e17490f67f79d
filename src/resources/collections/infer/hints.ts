import type { Operation } from '../../../contract/contract.ts'
import { valueAt } from '../../../contract/pointer.ts'
import { asObject, isObject } from '../../../base/formats/json.ts'
import { ROLES, type Role } from './plan.ts'
import type { PathItem } from './routes.ts'

/** The settings of a collection in `x-standin` of its path item. */
export interface Hints {
  readonly isIgnored: boolean
  /** Its name. */
  readonly collection: string | undefined
  /** The member that identifies its items. */
  readonly id: string | undefined
  /** The name of the collection that it lies below; null for none. */
  readonly parent: string | null | undefined
}

/** Reads `x-standin` of the path item of a collection, or of its items. */
export function readHints(document: unknown, base: PathItem | undefined, item: PathItem | undefined): Hints {
  const said = [base, item].map((route) => hintOf(document, route))
  const text = (name: string) => said.map((one) => one[name]).find((value) => typeof value === 'string')
  const parent = said.some((one) => one.parent === null) ? null : text('parent')
  return {
    isIgnored: said.some(({ ignore }) => ignore === true),
    collection: text('collection'),
    id: text('id'),
    parent,
  }
}

function hintOf(document: unknown, route: PathItem | undefined): Readonly<Record<string, unknown>> {
  const [operation] = route?.methods.values() ?? []
  const pathItem = operation && valueAt(document, operation.pointer.slice(0, operation.pointer.lastIndexOf('/')))
  return asObject(asObject(pathItem)['x-standin'])
}

/** The settings in `x-standin` of an operation; a text alone is its role. */
export function hintOfOperation({ extensions }: Operation): Readonly<Record<string, unknown>> {
  const hint = extensions['x-standin']
  if (isObject(hint)) return hint
  return hint === undefined ? {} : { role: hint }
}

/** The role that an operation names by `x-standin`. */
export function hintedRole(operation: Operation): Role | undefined {
  const named = hintOfOperation(operation).role
  return ROLES.find((role) => role === named)
}
