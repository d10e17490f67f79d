import { asObject } from '../../../base/formats/json.ts'
import type { Call } from '../../handler.ts'
import type { StatefulOperation } from '../../resource.ts'
import type { OperationPlan } from '../infer/plan.ts'

/** An operation that takes its calls as the document has them, where that names a method: the id is in the query or in the body. */
export function asCalled(plan: OperationPlan, bound: StatefulOperation): StatefulOperation {
  if (!plan.operation.written) return bound
  const select = (sent: unknown, isId: boolean) =>
    Object.fromEntries(
      Object.entries(asObject(sent)).filter(([name]) => plan.pathParameters.includes(name) === isId),
    ) as Call['query']
  const withoutId = (query: Call['query'], body: unknown) => ({
    query: select(query, false),
    body: body === undefined ? undefined : select(body, false),
  })
  const asMeant = (call: Call): Call => ({
    ...call,
    ...withoutId(call.query, call.body),
    path: { ...select(call.query, true), ...select(call.body, true) },
  })
  // What these say of requests is about paths.
  const { parameter: _parameter, faults: _faults, findTargets: _targets, join: _join, ...rest } = bound
  const { handler, unused, uses } = rest
  return {
    ...rest,
    uses: { ...uses, query: [...uses.query, ...plan.pathParameters] },
    ...(unused && {
      unused(sent, given) {
        const { query, body } = withoutId(sent, given)
        return unused(query, body)
      },
    }),
    handler: {
      ...handler,
      prepare: (state, _path, header) => handler.prepare?.(state, {}, header),
      assertExists: (state, call) => handler.assertExists(state, asMeant(call)),
      read(state, call) {
        const { repeat, ...reading } = handler.read(state, asMeant(call))
        return { ...reading, ...(repeat && { repeat: (later, other) => repeat(later, asMeant(other)) }) }
      },
    },
  }
}
