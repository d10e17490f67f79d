import { nextOf, pathsOf, type SearchOptions, type Tester } from './tester.ts'

type Parameters = Readonly<Record<string, string | number | boolean>>

/** A search whose parameters are not yet text, so that a token can be put beside them. */
export interface WalkOptions extends SearchOptions {
  readonly query?: Parameters
}

/** No walk of a test has as many pages. */
const ENDLESS = 500

/** The paths of every page of a search, which is sent again in full beside each token. */
export async function walk(tester: Pick<Tester, 'search'>, options: WalkOptions = {}): Promise<string[][]> {
  const pages: string[][] = []
  let token: string | undefined
  do {
    const next: Parameters = token === undefined ? {} : { next: token }
    const page = await tester.search({ ...options, query: { ...options.query, ...next } })
    if (page.status !== 200) throw new Error(`page ${pages.length + 1}: ${page.status} ${page.text}`)
    pages.push(pathsOf(page))
    token = nextOf(page)
    // A behaviour can mark the last page with an empty token.
  } while (token !== undefined && token !== '' && pages.length < ENDLESS)
  return pages
}

/** The token to the second page of a search. */
export async function tokenOf(tester: Pick<Tester, 'search'>, options: SearchOptions): Promise<string> {
  const token = nextOf(await tester.search(options))
  if (token === undefined) throw new Error('the search has one page only')
  return token
}
