import { tryParse } from './match-exchange.ts'
import { stringifySorted } from '../../formats/json.ts'
import type { Miss } from '../../../types/control-api.d.ts'
import { describeUnknown, type Evidence, type Finding, missOf, possibleMatches } from './verify-count.ts'
import { counted } from '../../errors/counted.ts'
import type { Exchanged } from '../exchanged.ts'

/** A page that was answered. A page that was refused, or whose answer was lost, was not had, so asking for it again is right. */
interface Page {
  readonly exchange: Exchanged
  /** The token that was sent; undefined for a first page. */
  readonly token: string | undefined
}

/** Every walk that was begun was walked to its end, and no page was had twice. */
export function* verifyWalks(evidence: Evidence): Generator<undefined, Finding> {
  const { exchanges, forgotten } = evidence
  const searched = exchanges.filter((exchange) => isPage(exchange, evidence))
  const pages = (yield* possibleMatches({ ...evidence, exchanges: searched })).map((exchange): Page => ({
    exchange,
    token: tokenOf(exchange),
  }))
  const misses = [
    ...(yield* findRepeats(pages, evidence)),
    ...findLeft(pages, evidence),
    ...findStrangers(pages, evidence),
  ]
  const walks = pages.filter(({ token }) => token === undefined).length
  return {
    passed: misses.length === 0 && pages.length > 0 && forgotten === 0,
    expected: 'every page of each search once, to the last',
    received:
      pages.length === 0
        ? `no page was answered${describeUnknown(forgotten)}`
        : `${counted(pages.length, 'page')} in ${counted(walks, 'walk')}, ${misses.length} of them amiss${describeUnknown(forgotten)}`,
    matched: pages.map(({ exchange }) => exchange),
    misses,
  }
}

function isPage({ operationId = '', status, end, isAnswerBinary }: Exchanged, { handlerKinds }: Evidence): boolean {
  const isReadable = end === 'whole' && !isAnswerBinary
  return handlerKinds.get(operationId) === 'searchFiles' && status >= 200 && status < 300 && isReadable
}

function tokenOf({ url }: Exchanged): string | undefined {
  const mark = url.indexOf('?')
  const token = mark < 0 ? null : new URLSearchParams(url.slice(mark + 1)).get('next')
  return token === null || token === '' ? undefined : token
}

function* findRepeats(pages: readonly Page[], { redactor }: Evidence): Generator<undefined, Miss[]> {
  const had = new Map<string, Exchanged>()
  const misses: Miss[] = []
  for (const { exchange, token } of pages) {
    yield
    const question = token === undefined ? questionOf(exchange) : `page ${token}`
    const before = had.get(question)
    had.set(question, exchange)
    if (!before) continue
    const difference = {
      what: 'page',
      expected: 'once',
      received: `in exchange ${before.id} and again in ${exchange.id}`,
    }
    misses.push({ ...missOf([before, exchange], redactor), differences: [difference] })
  }
  return misses
}

/** What a first page is a page of: the members of the body in any order. */
function questionOf({ url, requestBody }: Exchanged): string {
  const body = requestBody === undefined ? {} : tryParse(requestBody)
  const [path = '', query = ''] = url.split('?')
  const parameters = [...new URLSearchParams(query)].filter(([name]) => name !== 'next').sort()
  return stringifySorted([path, parameters, body])
}

/** Walks that stop although there is another page. */
function findLeft(pages: readonly Page[], { redactor }: Evidence): Miss[] {
  const sent = new Set(pages.map(({ token }) => token))
  return pages.flatMap(({ exchange }) => {
    if (exchange.next === undefined || sent.has(exchange.next)) return []
    const difference = { what: 'next page', expected: 'asked for and answered', received: 'never had' }
    return [{ ...missOf([exchange], redactor), differences: [difference] }]
  })
}

/** Pages whose token no page of the journal gave. */
function findStrangers(pages: readonly Page[], { redactor }: Evidence): Miss[] {
  const given = new Set(pages.map(({ exchange }) => exchange.next))
  return pages.flatMap(({ exchange, token }) => {
    if (token === undefined || given.has(token)) return []
    const difference = { what: 'page before', expected: 'in the journal', received: 'not there' }
    return [{ ...missOf([exchange], redactor), differences: [difference] }]
  })
}
