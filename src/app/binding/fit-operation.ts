import type { Operation } from '../../contract/contract.ts'
import { readDocumented } from '../../contract/schemas/documented.ts'
import { shapeOf } from '../../contract/schemas/shape.ts'
import type { BuiltinOperation, Fit } from '../../resources/resource.ts'

/** How an operation of a contract fits a built-in one. Only what schemas name is looked at: one that names nothing is no obstacle. */
export function fitOperation(operation: Operation, builtin: BuiltinOperation, document: unknown): Fit {
  const documented = readDocumented(document, operation)
  const success = documented.statuses.find((status) => status.startsWith('2'))
  const answer = success === undefined ? undefined : documented.answer(success === '2XX' ? 200 : Number(success))
  return builtin.fit({
    operation,
    body: shapeOf(document, documented.body, 'any'),
    response: shapeOf(document, answer?.schema ?? {}, 'any'),
    document,
  })
}
