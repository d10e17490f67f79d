import { follow, valueAt } from '../../../contract/pointer.ts'
import { readDocumented, responseName } from '../../../contract/schemas/documented.ts'
import { linearPattern } from '../../../contract/schemas/patterns.ts'
import { shapeOf } from '../../../contract/schemas/shape.ts'
import { asObject, isObject } from '../../../base/formats/json.ts'
import type { OperationPlan } from '../infer/plan.ts'

/** The documented headers that have a meaning in HTTP. */
export interface DocumentedHeaders {
  /** Whether responses of the operation have an `ETag`. */
  readonly showsTag: boolean
  /** Whether `If-Match` and `If-None-Match` count. */
  readonly isConditional: boolean
  /** Whether a write without `If-Match` is refused with 428. */
  readonly needsCondition: boolean
  /** Whether a read may be answered with 304. */
  readonly hasNotModified: boolean
  /** Whether the `Location` of a new item has scheme and host. */
  readonly hasWholeLocation: boolean
  /** Whether its tags can be numbers alone, by the patterns of the headers. */
  readonly hasNumericTag: boolean
  /** Whether responses of the operation have `Last-Modified`. */
  readonly showsModified: boolean
  /** The name of the header that makes a write idempotent, such as `Idempotency-Key`. */
  readonly idempotencyKey: string
}

export function readDocumentedHeaders(
  document: unknown,
  plan: OperationPlan,
  views: readonly OperationPlan[],
): DocumentedHeaders {
  const parameters = plan.operation.parameters.filter((one) => one.in === 'header')
  const headers = parameters.map(({ name }) => name)
  const has = (name: string) => headers.some((one) => one.toLowerCase() === name)
  const isConditional = has('if-match') || has('if-none-match')
  const { statuses } = readDocumented(document, plan.operation)
  const ofResponse = showsHeader(document, plan, 'etag')
  const patterns = views.flatMap(({ operation }) =>
    operation.parameters
      .filter((one) => one.in === 'header' && /^if-(none-)?match$/i.test(one.name))
      .map(({ schema }) => shapeOf(document, schema).keywords.pattern),
  )
  return {
    showsTag: ofResponse || isConditional,
    isConditional: isConditional || ofResponse || views.some((view) => showsHeader(document, view, 'etag')),
    needsCondition: has('if-match') && statuses.includes('428'),
    hasNotModified: statuses.includes('304'),
    hasWholeLocation: hasWholeLocation(document, plan),
    hasNumericTag: patterns.some(takesNumbersAlone),
    showsModified: showsHeader(document, plan, 'last-modified'),
    // Services that take the header seldom name it for each operation, and their clients send it with each write.
    idempotencyKey: headers.find((name) => /^(x-)?(idempotency-key|idempotence-key)$/i.test(name)) ?? 'Idempotency-Key',
  }
}

/** Whether a pattern of tags allows `"12"` and not `"a1B"`. */
function takesNumbersAlone(pattern: unknown): boolean {
  if (typeof pattern !== 'string') return false
  const tags = linearPattern(pattern)
  return tags.test('"12"') && !tags.test('"a1B"')
}

/** Whether the first documented success of an operation has a header. @param name in lower case */
function showsHeader(document: unknown, plan: OperationPlan, name: string): boolean {
  return headerOf(document, plan, name) !== undefined
}

function headerOf(document: unknown, { operation, output }: OperationPlan, name: string): unknown {
  const held = follow(document, valueAt(document, operation.pointer))
  const responses = asObject(asObject(held).responses)
  const response = follow(document, responses[responseName(output.status, responses) ?? ''])
  const headers = asObject(asObject(response).headers)
  return Object.entries(headers).find(([one]) => one.toLowerCase() === name)?.[1]
}

/** Whether `Location` is documented as a URI, which is absolute, and not as a reference or a text. */
function hasWholeLocation(document: unknown, plan: OperationPlan): boolean {
  const header = follow(document, headerOf(document, plan, 'location'))
  return isObject(header) && shapeOf(document, header.schema).keywords.format === 'uri'
}
