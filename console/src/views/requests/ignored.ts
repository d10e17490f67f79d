import type { ExchangeRecord } from '../../../../src/control/client/types.ts'
import { headerOf } from './header-of.ts'

/** What was sent and had no effect. */
interface Ignored {
  /** Names of parameters of the query. */
  readonly query: readonly string[]
  /** JSON pointers of members of the body. */
  readonly body: readonly string[]
}

/** What the header `X-Mock-Ignored` of a response names: `query cursor, body /mood`. */
export function ignoredIn({ answer }: Pick<ExchangeRecord, 'answer'>): Ignored {
  const header = headerOf(answer, 'x-mock-ignored') ?? ''
  const parts = header.split(/, (?=query |body )/)
  const named = (kind: string) =>
    parts.filter((part) => part.startsWith(`${kind} `)).map((part) => decoded(part.slice(kind.length + 1)))
  return { query: named('query'), body: named('body') }
}

/** All of it, as people read it. @example wordsOfIgnored({ query: ['cursor'], body: ['/mood'] }) // 'cursor, /mood' */
export function wordsOfIgnored({ query, body }: Ignored): string {
  return [...query, ...body].join(', ')
}

/** A long name is cut, perhaps within what stands for one character. */
function decoded(text: string): string {
  try {
    return decodeURI(text)
  } catch {
    return text
  }
}
