/** What the benches of search ask. Each is a search as a client would send it; some ask for something new each time. */
import type { Search } from './subject.ts'

export interface Question {
  readonly name: string
  /** @param time how often it was asked before, so that each can look for a new needle */
  ask(time: number): Search
  /** Whether it looks for a needle in names, which SQLite can do in several ways. */
  readonly isLike?: boolean
}

const SORT_FIELDS = ['path', 'id', 'name', 'fileType', 'contentType', 'size', 'created', 'createdBy'] as const

/** The first page in each order by one key; asked in this order of a fresh set, each one has its order still to be made. */
export const SORTS: readonly Question[] = SORT_FIELDS.flatMap((field) =>
  (['ASC', 'DESC'] as const).map((order) => ({
    name: `first page by ${field} ${order}`,
    ask: () => ({ fieldSort: [{ field, order }] }),
  })),
)

/** What is asked of the values that there are. */
export interface Known {
  /** The name of some file, another one for each number. */
  nameAt(number: number): string
  /** Who created some file. */
  readonly author: number
}

/** Filters, directories and ranges. */
export function createQuestions(known: Known): readonly Question[] {
  return [...likeQuestions(known), ...rangeQuestions(known), ...DIRECTORY_QUESTIONS]
}

function likeQuestions({ nameAt }: Known): readonly Question[] {
  const like = (needle: string): Search => ({ filters: [filter('name', 'LIKE', needle)] })
  return [
    { name: 'LIKE, rare needle', isLike: true, ask: (time) => like(needleIn(nameAt(time))) },
    { name: 'LIKE, no match', isLike: true, ask: (time) => like(`zq${time}x`) },
    { name: 'LIKE, common needle', isLike: true, ask: () => like('budget') },
    {
      name: 'LIKE, common needle, newest first',
      isLike: true,
      ask: () => ({ ...like('report'), fieldSort: [{ field: 'created', order: 'DESC' }] }),
    },
  ]
}

function rangeQuestions({ author }: Known): readonly Question[] {
  return [
    {
      name: 'dates of one day, by date',
      ask: () => ({
        dateFilters: [dates('2024-11-05', '2024-11-06')],
        fieldSort: [{ field: 'created', order: 'ASC' }],
      }),
    },
    { name: 'dates of one month, by path', ask: () => ({ dateFilters: [dates('2024-11-01', '2024-12-01')] }) },
    {
      name: 'one author, newest first',
      ask: () => ({
        filters: [filter('createdBy', 'EQUALS', String(author))],
        fieldSort: [{ field: 'created', order: 'DESC' }],
      }),
    },
    {
      name: 'one type, by name',
      ask: () => ({ filters: [filter('fileType', 'EQUALS', 'IMAGE')], fieldSort: [{ field: 'name', order: 'ASC' }] }),
    },
    {
      name: 'sizes in a range, by size',
      ask: () => ({
        filters: [filter('size', 'GREATER_THAN_OR_EQUAL', '500000'), filter('size', 'LESS_THAN', '510000')],
        fieldSort: [{ field: 'size', order: 'ASC' }],
      }),
    },
  ]
}

const DIRECTORY_QUESTIONS: readonly Question[] = [
  { name: 'all below a directory, by path', ask: () => ({ directoryPath: 'finance/budgets/2025' }) },
  {
    name: 'all below a directory, newest first',
    ask: () => ({ directoryPath: 'finance/budgets/2025', fieldSort: [{ field: 'created', order: 'DESC' }] }),
  },
  {
    name: 'immediate children of a directory, by name',
    ask: () => ({
      directoryPath: 'finance/budgets',
      immediateChildren: true,
      fieldSort: [{ field: 'name', order: 'ASC' }],
    }),
  },
]

/** The last 24 characters before the extension, in lower case: subject and day, which few files share. */
export function needleIn(name: string): string {
  return name
    .replace(/\.[^.]*$/, '')
    .slice(-24)
    .toLowerCase()
}

function filter(field: string, operator: string, value: string) {
  return { field, operator, value: [value], not: false }
}

/** Whole days in UTC, the last moment included. */
function dates(first: string, last: string) {
  return { field: 'created', start: `${first}T00:00:00.000Z`, end: `${last}T00:00:00.000Z`, not: false }
}
