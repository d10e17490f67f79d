import { once } from '../../../base/cache.ts'
import type { Violation } from '../../../base/errors/problem.ts'
import { asObject, splitPointer } from '../../../base/formats/json.ts'
import { plainName } from '../../../base/formats/names.ts'
import { isMadeByFastApi } from '../../../contract/load/document-generators.ts'
import { follow, pointerOf } from '../../../contract/pointer.ts'
import { memberAt, shapeOf } from '../../../contract/schemas/shape.ts'
import type { Handler } from '../../handler.ts'
import { thingOf } from '../infer/id-names.ts'
import type { OperationWork } from './work.ts'

type CountFaults = NonNullable<Handler['faultsThatCount']>

/** Which faults of a body count. */
export function bodyFaults(work: OperationWork): Pick<Handler, 'faultsThatCount'> {
  const { document, plan } = work
  const { input } = plan
  if (!input) return {}
  const mayLack = plan.role === 'merge' ? mayLackMembers(work) : undefined
  // Its schema says what responses have (OpenAPI 3.0.3, 4.7.24.1), and what a client sends for it is ignored.
  const isReadOnly = ({ pointer = '' }: Violation) => {
    const [name = ''] = pointer.startsWith(`${input.pointer}/`) ? splitPointer(pointer.slice(input.pointer.length)) : []
    return shapeOf(document, memberAt(document, input.schema, [name])).keywords.readOnly === true
  }
  return {
    faultsThatCount(found, tracker) {
      const others = found.filter(
        (one) => !isNamedByPath(work, one) && !(isReadOnly(one) && tracker.ask('collections.read-only') === 'ignore'),
      )
      return mayLack?.(others, tracker) ?? { faults: others, behaviours: [] }
    },
  }
}

/**
 * Whether a member that a body lacks is required, but not described, and the path names it: a schema that requires a `project` is also that
 * of `POST /projects/{project_id}/tasks`.
 */
function isNamedByPath({ document, plan }: OperationWork, { code, pointer = '' }: Violation): boolean {
  const [name = ''] = splitPointer(pointer).slice(-1)
  if (code !== 'required' || pointer !== `${plan.input?.pointer ?? ''}/${name}`) return false
  const isDescribed = Object.keys(asObject(memberAt(document, plan.input?.schema, [name]))).length > 0
  const named = plan.pathParameters.flatMap((one) => [one, thingOf(one) ?? one]).map(plainName)
  return !isDescribed && named.includes(plainName(name))
}

/** `collections.patch-required`: a body with the schema of whole items may lack members of one. */
function mayLackMembers({ document, plan, views }: OperationWork): CountFaults | undefined {
  const { operation, input, collection } = plan
  if (operation.method !== 'PATCH' || !input || isMadeByFastApi(asObject(document))) return undefined
  const isWhole = once(() => {
    const others = views.flatMap((one) => (one.role === 'merge' ? [] : one.input?.schema))
    return [collection.schema, ...others].some((one) => follow(document, one) === follow(document, input.schema))
  })
  const isOfItem = (pointer: string) => pointerOf(splitPointer(pointer).slice(0, -1)) === input.pointer
  const isLacking = ({ code, pointer = '' }: Violation) => code === 'required' && isOfItem(pointer) && isWhole()
  return (found, tracker) => {
    const others = found.filter((one) => !isLacking(one))
    if (others.length === found.length) return { faults: found, behaviours: [] }
    const isIgnored = tracker.ask('collections.patch-required') === 'ignore'
    return isIgnored
      ? { faults: others, behaviours: [] }
      : { faults: found, behaviours: ['collections.patch-required'] }
  }
}
