import { valueAt } from '../../../contract/pointer.ts'
import { readDocumented } from '../../../contract/schemas/documented.ts'
import { chanceKey } from '../../../engine/random.ts'
import { asObject, isObject, isScalar, splitPointer } from '../../../base/formats/json.ts'
import type { CollectionPlan, OperationPlan } from '../infer/plan.ts'
import { createEnvelope, type Envelope } from './pages/envelope.ts'
import { type Fill, type NextPage, nextPageIn } from './pages/envelope-fillers.ts'
import { type ItemMembers, readListedMembers } from './item-members.ts'
import type { ListParameter } from './list-parameter.ts'
import { type PageStyle, styleOf } from './pages/page-links.ts'
import { type PageHeader, readPageHeaders } from './pages/page-headers.ts'
import { type NamedValues, valuesNamed } from './named-values.ts'
import { plainName, wordsOf } from '../../../base/formats/names.ts'
import { relatedMembers } from '../related/related-members.ts'
import { readBodyParameters, readHeaderParameters, readListParameters } from './read-list-parameters.ts'

/** What a contract documents of a list. */
export interface ListPlan {
  readonly items: ItemMembers
  /** Of the query. */
  readonly parameters: readonly ListParameter[]
  /** Those of the body, for a search by POST. */
  readonly bodyParameters: readonly ListParameter[]
  /** Those of the headers, which are about pages alone. */
  readonly headerParameters: readonly ListParameter[]
  /** How links lead to pages; undefined where the list has no pages. */
  readonly style: PageStyle | undefined
  /** The items that the path shows, where its last word says so: `/matches/upcoming`. */
  readonly view: NamedValues | undefined
  /** Whether a request can ask for another page than the first. */
  readonly hasPages: boolean
  /** What the response says of the next page. */
  readonly next: NextPage
  /** Whether the description says that the latest items come first. */
  readonly isNewestFirst: boolean
  readonly contentType: string
  /** The documented headers of the response. */
  readonly headers: readonly PageHeader[]
  /** Whether pages are asked for by tokens. */
  readonly usesTokens: boolean
  envelope(seed: number): Envelope
}

/** Reads what a contract documents of a list. */
export function readListPlan(document: unknown, plan: OperationPlan, collections: readonly CollectionPlan[]): ListPlan {
  const { operation, output, collection } = plan
  const documented = readDocumented(document, operation)
  const schema = output.located?.schema ?? collection.schema
  const reading = {
    document,
    items: readListedMembers(document, plan),
    related: () => ({
      members: relatedMembers({ document, collections }, schema),
      prefix: splitPointer(output.located?.pointer ?? '')
        .map((name) => `${name}.`)
        .join(''),
    }),
  }
  const { items } = reading
  const parameters = readListParameters(operation, reading)
  const bodyParameters =
    documented.body === undefined ? [] : readBodyParameters(documented.body, reading, collection.noun)
  const headerParameters = readHeaderParameters(operation, reading)
  const all = [...parameters, ...bodyParameters, ...headerParameters]
  const style = styleOf(parameters)
  const usesTokens = (style ?? styleOf(all))?.kind === 'token'
  const held = valueAt(document, operation.pointer)
  const envelopes = new Map<number, Envelope>()
  return {
    items,
    parameters,
    bodyParameters,
    headerParameters,
    style,
    view: viewOf(document, plan, items),
    hasPages: styleOf(all) !== undefined,
    next: nextPageIn(document, output.schema),
    isNewestFirst: isObject(held) && saysNewestFirst(`${String(held.summary)} ${String(held.description)}`),
    contentType: documented.response(output.status)?.contentType ?? 'application/json',
    headers: readPageHeaders(document, operation, output.status),
    usesTokens,
    envelope(seed) {
      const known = envelopes.get(seed)
      if (known) return known
      const made = createEnvelope({
        document,
        schema: output.schema,
        pointer: output.located?.pointer ?? '',
        isMap: output.located?.isMap === true,
        key: chanceKey(seed, `list ${operation.operationId}`),
        usesTokens,
        asked: askedMembers(parameters),
        check: (body) => operation.checkResponse(output.status, body),
      })
      // The key of generated values. Sandboxes with different seeds share one envelope.
      envelopes.clear()
      envelopes.set(seed, made)
      return made
    },
  }
}

/** What members beside the list say that are called as a parameter. A list has some order even where the request asks for none. */
function askedMembers(parameters: readonly ListParameter[]): ReadonlyMap<string, Fill> {
  return new Map(
    parameters.map(({ name, usual, values = [], meaning: { kind } }) => {
      const ascending = values.find((one) => /^asc/i.test(String(one))) ?? 'asc'
      const first = kind === 'direction' ? ascending : kind === 'sort' ? values[0] : undefined
      const otherwise = usual ?? first
      return [plainName(name), (facts) => facts.sent(name) ?? (isScalar(otherwise) ? otherwise : undefined)]
    }),
  )
}

/** What the word after the path of a collection says of the items that a list shows. */
function viewOf(
  document: unknown,
  { role, operation: { path, pointer }, collection }: OperationPlan,
  items: ItemMembers,
): NamedValues | undefined {
  const word = path.split('/').findLast((segment) => segment !== '') ?? ''
  const isBelow = role === 'list' && !word.includes('{') && word !== collection.path.split('/').at(-1)
  // What a request adds there would not be in it: nothing says that it sets the member.
  const methods = Object.keys(asObject(valueAt(document, pointer.slice(0, pointer.lastIndexOf('/')))))
  const isWritten = methods.some((one) => /^(post|put|patch|delete)$/.test(one))
  return isBelow && !isWritten ? valuesNamed(wordsOf(word), items) : undefined
}

function saysNewestFirst(text: string): boolean {
  return /\b(newest|latest|most recent(ly)?)( \w+){0,3} (appear\w*|come\w*|listed|shown)? ?first\b|reverse chronological/i.test(
    text,
  )
}
