import type { Operation } from '../../../contract/contract.ts'
import { follow, valueAt } from '../../../contract/pointer.ts'
import { readDocumented, responseName } from '../../../contract/schemas/documented.ts'
import { chanceKey } from '../../../engine/random.ts'
import { isObject } from '../../../formats/json.ts'
import type { OperationPlan } from '../infer/plan.ts'
import { createEnvelope, type Envelope } from './pages/envelope.ts'
import { type ItemMembers, readItemMembers } from './item-members.ts'
import type { ListParameter } from './list-parameter.ts'
import { type PageStyle, styleOf } from './pages/page-links.ts'
import { readBodyParameters, readListParameters } from './read-list-parameters.ts'

/** What a contract documents of a list. */
export interface ListPlan {
  readonly items: ItemMembers
  /** Of the query. */
  readonly parameters: readonly ListParameter[]
  /** Those of the body, for a search by POST. */
  readonly bodyParameters: readonly ListParameter[]
  /** How links lead to pages; undefined where the list has no pages. */
  readonly style: PageStyle | undefined
  /** Whether a request can ask for another page than the first. */
  readonly hasPages: boolean
  /** Whether the description says that the latest items come first. */
  readonly isNewestFirst: boolean
  readonly contentType: string
  /** Names of the documented headers of the response. */
  readonly headers: readonly string[]
  envelope(seed: number): Envelope
}

/** Reads what a contract documents of a list. */
export function readListPlan(document: unknown, plan: OperationPlan): ListPlan {
  const { operation, output, collection } = plan
  const documented = readDocumented(document, operation)
  const items = readItemMembers(document, output.located?.schema ?? collection.schema)
  const parameters = readListParameters(operation, { document, items })
  const bodyParameters = documented.body === undefined ? [] : readBodyParameters(documented.body, { document, items })
  const all = [...parameters, ...bodyParameters]
  const style = styleOf(parameters)
  const held = valueAt(document, operation.pointer)
  const envelopes = new Map<number, Envelope>()
  return {
    ...{ items, parameters, bodyParameters, style },
    hasPages: styleOf(all) !== undefined,
    isNewestFirst: isObject(held) && saysNewestFirst(`${String(held.summary)} ${String(held.description)}`),
    contentType: documented.response(output.status)?.contentType ?? 'application/json',
    headers: headersOf(document, operation, output.status),
    envelope(seed) {
      const known = envelopes.get(seed)
      if (known) return known
      const made = createEnvelope({
        ...{ document, schema: output.schema, pointer: output.located?.pointer ?? '' },
        key: chanceKey(seed, `list ${operation.operationId}`),
        usesTokens: (style ?? styleOf(all))?.kind === 'token',
        check: (body) => operation.checkResponse(output.status, body),
      })
      // The key of what is made up; sandboxes of many seeds share the envelope of the last one.
      envelopes.clear()
      envelopes.set(seed, made)
      return made
    },
  }
}

function saysNewestFirst(text: string): boolean {
  return /\b(newest|latest|most recent(ly)?)( \w+){0,3} (appear\w*|come\w*|listed|shown)? ?first\b|reverse chronological/i.test(
    text,
  )
}

function headersOf(document: unknown, { pointer }: Operation, status: number): readonly string[] {
  const held = follow(document, valueAt(document, `${pointer}/responses`))
  const responses = isObject(held) ? held : {}
  const response = follow(document, responses[responseName(status, responses) ?? ''])
  return isObject(response) && isObject(response.headers) ? Object.keys(response.headers) : []
}
