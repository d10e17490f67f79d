/** What the bench of HTTP asks: the interface's own example of a search, others like it, and writes. */
import { type Ask, askCreate, askPage, askUpdate } from './frame/ask.ts'

/** Words of file names, each of which several files have. */
const WORDS = ['report', 'budget', 'invoice', 'plan', 'summary', 'forecast', 'notes', 'draft', 'review', 'contract']

/** Interface 4.1 and 2.3: a LIKE filter on the name, a date filter on `created`, and a sort by it. */
function exampleSearch(word: string, start = '2023-01-01T00:00:00.000Z') {
  return {
    fieldSort: [{ field: 'created', order: 'ASC' }],
    filters: [{ field: 'name', operator: 'LIKE', value: [word], not: false }],
    dateFilters: [{ field: 'created', start, end: null, not: false }],
  }
}

/** Stands for another moment in each request; the load generators fill it in (`servers/load.js`, `frame/wrk.ts`). */
export const NEW_MOMENT = '@NEW-MOMENT@'

export interface HttpQuestion {
  readonly title: string
  readonly kind: 'search' | 'create' | 'update'
  readonly ask: Ask
  /** Bodies that are sent in turn instead of the one of `ask`. */
  readonly bodies?: readonly string[]
}

const search = (limit: number): HttpQuestion => ({
  title: `example search, ${limit}`,
  kind: 'search',
  ask: askPage(limit, exampleSearch('report')),
})

export const HTTP_QUESTIONS: readonly HttpQuestion[] = [
  search(1),
  search(10),
  search(100),
  {
    title: 'ten searches in rotation',
    kind: 'search',
    ask: askPage(10, exampleSearch('report')),
    bodies: WORDS.map((word) => JSON.stringify(exampleSearch(word))),
  },
  {
    title: 'each search new',
    kind: 'search',
    ask: askPage(10, exampleSearch('report')),
    bodies: WORDS.map((word) => JSON.stringify(exampleSearch(word, NEW_MOMENT))),
  },
  { title: 'create', kind: 'create', ask: askCreate() },
  { title: 'update', kind: 'update', ask: askUpdate() },
]
