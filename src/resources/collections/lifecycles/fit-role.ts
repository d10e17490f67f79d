import { withArticle } from '../../../base/errors/wording.ts'
import type { OperationPlan, Role } from '../infer/plan.ts'

/** The roles that each method may have; a POST may have any. */
const ROLES_OF: Readonly<Record<string, readonly Role[]>> = {
  GET: ['list', 'search', 'read', 'exists'],
  HEAD: ['read', 'exists'],
  DELETE: ['delete', 'action', 'bulk'],
}

/** Why an operation cannot have the role that `x-standin` names, as the end of a sentence; undefined where it can. */
export function misfitOf({ operation, role, collection, itemParameter, output }: OperationPlan): string | undefined {
  const { method } = operation
  const { noun, isSingleton } = collection
  const roles = ROLES_OF[method]
  if (roles && !roles.includes(role)) return `${withArticle(method)} may be ${roles.join(', ')}`
  if ((role === 'list' || role === 'search') && output.located?.isList !== true)
    return `its response has no list of items like ${withArticle(noun)}`
  const isRead = role === 'read' || role === 'exists'
  if (isRead && method !== 'POST' && itemParameter === undefined && !isSingleton)
    return `its path has no id of ${withArticle(noun)}`
  return undefined
}
