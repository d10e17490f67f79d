import type { ExchangeRecord } from '../../../../src/control/client/types.ts'
import { type MemberDifference, memberDifferences } from '../sandboxes/state-diff.ts'
import { parsedJson } from './parsed-json.ts'

/** Headers that differ between any two responses, or because this page sent one of the requests, or that tell what the body says. */
const ALWAYS =
  /^(?:date|x-request-id|x-mock-(?:sandbox|behaviours)|content-length|keep-alive|connection|vary|access-control-.*)$/

/** What differs between two responses: the status, headers, and members of their bodies. */
export function diffResponses(left: ExchangeRecord, right: ExchangeRecord): readonly MemberDifference[] {
  const [a, b] = [partsOf(left), partsOf(right)]
  return [...memberDifferences(a, b)]
}

function partsOf({ answer, requestId }: ExchangeRecord): Readonly<Record<string, unknown>> {
  if (!answer) return { status: 'no response' }
  const headers = answer.headers.map(({ name, value }) => [name.toLowerCase(), value] as const)
  const text = (answer.body ?? '').replaceAll(requestId, '(its request id)')
  return {
    status: answer.isComplete ? answer.status : `${answer.status}, then broken off`,
    headers: Object.fromEntries(headers.filter(([name]) => !ALWAYS.test(name))),
    body: answer.isForgotten ? '(dropped from the journal)' : (parsedJson(text) ?? text),
  }
}
