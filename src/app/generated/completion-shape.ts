import type { Operation } from '../../contract/contract.ts'
import type { Lookup } from '../../contract/pointer.ts'
import { readDocumented } from '../../contract/schemas/documented.ts'
import { shapeOf } from '../../contract/schemas/shape.ts'

/** How a language model responds: with `choices`, as many services have it, or as a `message` with blocks of content. */
export type CompletionShape = 'choices' | 'message'

/** The shape of the responses of an operation that completes messages by a language model, by the members of its bodies. */
export function completionShape({ method, pointer }: Operation, { document }: Lookup): CompletionShape | undefined {
  if (method !== 'POST') return undefined
  const { body, response } = readDocumented(document, { pointer })
  const sent = shapeOf(document, body, 'any').properties
  if (!sent.has('messages') || !sent.has('model')) return undefined
  const answered = shapeOf(document, response(200)?.schema, 'any').properties
  if (answered.has('choices')) return 'choices'
  return answered.has('content') && answered.has('stop_reason') ? 'message' : undefined
}
