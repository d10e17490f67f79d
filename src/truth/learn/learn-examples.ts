import { isDeepStrictEqual } from 'node:util'
import type { RecordedExample } from '../../app/learned/learned.ts'
import { hasPersonal } from '../recordings/scrub.ts'
import { likenessOf } from './likeness.ts'
import type { ComparedExchange } from './compared-exchange.ts'

/** More are not kept: a contract that is not the service's needs one for everything. */
const MOST_EXAMPLES = 200

/**
 * Responses that nothing else describes: of requests that no collection handles, and that got the same response each time. A list or an
 * item is refused for what its query says, `?filter=((`, whatever there is.
 *
 * @param compared with all that was learnt
 */
export function learnExamples(
  compared: readonly ComparedExchange[],
  isStateful: (operationId: string) => boolean,
): RecordedExample[] {
  const isOfQuery = ({ url, theirs }: ComparedExchange) => url.includes('?') && [400, 422].includes(theirs.status)
  const read = compared.filter(({ method }) => /^(?:GET|HEAD)$/.test(method))
  const groups = [...Map.groupBy(read, ({ method, url }) => `${method} ${url}`).values()]
  const wrong = groups.flatMap((group): RecordedExample[] => {
    const [first] = group
    const isOne = group.every(
      ({ theirs }) => theirs.status === first?.theirs.status && isDeepStrictEqual(theirs.json, first.theirs.json),
    )
    if (!first || !isOne || group.every(isRight)) return []
    const isOfState = first.operation !== undefined && isStateful(first.operation.operationId)
    if (isOfState && !isOfQuery(first)) return []
    // A text that is no JSON is not known, and what tells people apart is not kept. Of a refused list, the status is what counts.
    if (first.theirs.json === undefined && first.theirs.hasBody && !isOfState) return []
    if (hasPersonal(first.theirs.json)) return []
    const { method, url, theirs } = first
    return [{ method, url, status: theirs.status, ...(theirs.json !== undefined && { body: theirs.json }) }]
  })
  return wrong.slice(0, MOST_EXAMPLES)
}

function isRight(one: ComparedExchange): boolean {
  const { status, values } = likenessOf(one)
  return status && values !== false
}
