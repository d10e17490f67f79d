import { isDeepStrictEqual } from 'node:util'
import type { RecordedExample } from '../../app/learned/learned.ts'
import { hasPersonal } from '../recordings/scrub.ts'
import { likenessOf } from './likeness.ts'
import type { ComparedExchange } from './compared-exchange.ts'

/** More are not kept: a contract that is not the service's needs one for everything. */
const MOST_EXAMPLES = 200

/**
 * Responses that nothing else describes: of requests that no collection handles, and that got the same response each time.
 *
 * @param compared with all that was learnt
 */
export function learnExamples(
  compared: readonly ComparedExchange[],
  isStateful: (operationId: string) => boolean,
): RecordedExample[] {
  const read = compared.filter(
    ({ method, operation }) => /^(?:GET|HEAD)$/.test(method) && !(operation && isStateful(operation.operationId)),
  )
  const groups = [...Map.groupBy(read, ({ method, url }) => `${method} ${url}`).values()]
  const wrong = groups.flatMap((group): RecordedExample[] => {
    const [first] = group
    const isOne = group.every(
      ({ theirs }) => theirs.status === first?.theirs.status && isDeepStrictEqual(theirs.json, first.theirs.json),
    )
    if (!first || !isOne || group.every(isRight)) return []
    // A text that is no JSON is not known, and what tells people apart is not kept.
    if ((first.theirs.json === undefined && first.theirs.hasBody) || hasPersonal(first.theirs.json)) return []
    const { method, url, theirs } = first
    return [{ method, url, status: theirs.status, ...(theirs.json !== undefined && { body: theirs.json }) }]
  })
  return wrong.slice(0, MOST_EXAMPLES)
}

function isRight(one: ComparedExchange): boolean {
  const { status, values } = likenessOf(one)
  return status && values !== false
}
