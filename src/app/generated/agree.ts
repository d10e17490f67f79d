import type { Contract, Operation } from '../../contract/contract.ts'
import { isObject, type Members } from '../../base/formats/json.ts'
import { createConsistency, type MakeConsistent } from '../../values/consistency/make-consistent.ts'
import { outcomeMembers } from '../../values/consistency/outcome.ts'
import { agreeing } from '../../values/document-maker.ts'
import type { ValueOptions } from '../../values/generate-value.ts'

interface Agreement {
  readonly status: number
  readonly mediaType: string
  readonly values: ValueOptions
  /** That the value is read at; undefined where it is not read. */
  readonly path: string | undefined
  /** Of the value. */
  readonly schema: unknown
  /** Pointers of what stays: examples of the document, and what the request says. */
  readonly kept: readonly string[]
}

const DAY = 86_400_000

/** Makes the members of a valid value agree with each other and with the status, as far as the contract allows it. */
export type Agree = (value: unknown, agreement: Agreement) => unknown

export function createAgreement({ document }: Pick<Contract, 'document'>, operation: Operation): Agree {
  const known = new Map<unknown, MakeConsistent>()
  return (value, { status, mediaType, values, path, schema, kept }) => {
    // A list has no members to agree, so it becomes one.
    const isList = Array.isArray(value)
    const plain: unknown = isList ? { list: value } : value
    if (!isObject(plain)) return value
    const whole = isList ? { type: 'object', properties: { list: schema } } : schema
    const agree = known.get(schema) ?? createConsistency(document, whole)
    known.set(schema, agree)
    const check = (made: Members) => operation.checkResponse(status, isList ? made.list : made, mediaType)
    const noun = isObject(schema) && typeof schema.$ref === 'string' ? schema.$ref.replace(/^.*\//, '') : ''
    const request = {
      // As the latest of many, with dates of the last month.
      ...{
        key: values.key,
        index: 999,
        count: 1000,
        variant: 0,
        now: values.now - (values.now % DAY),
        noun,
        path,
      },
      references: () => undefined,
    }
    const fixed = kept.map((place) => (isList ? `/list${place}` : place))
    const agreed = agreeing({ check }, agree, { plain, request, fixed })
    if (isList) return agreed.list
    const ended = withOutcome(agreed, outcomeMembers(document, schema, status))
    return check(ended).length === 0 ? ended : agreed
  }
}

/** Members that the value has, as their outcome says; undefined removes one. */
function withOutcome(value: Members, outcome: Members): Members {
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, one]) => [name, Object.hasOwn(outcome, name) ? outcome[name] : one] as const)
      .filter(([, one]) => one !== undefined),
  )
}
