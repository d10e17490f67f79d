/**
 * `npm run bench -- search`: pages of one file set, found and written as JSON text, by Standin and by SQLite in memory, in turn. Every
 * page is compared, row by row and field by field; a difference ends the bench.
 *
 * - cold: asked for the first time. Standin has a fresh file set in each round, so the first to ask for an order pays for making it;
 *   SQLite compiles its statement, and keeps the indexes that it was built with.
 * - warm: the same again.
 */
import type { Bench } from './frame/bench.ts'
import { createTable, type Table } from './frame/result.ts'
import { createQuestions, type Question, SORTS } from './questions.ts'
import { createSqlite, type LikeBy, type Sqlite } from './sqlite.ts'
import { createSubject, type Search, type Subject } from './subject.ts'
import { askSqlite, askStandin, type Compared, type Contender, type SearchOptions, takeTurns } from './turns.ts'
import { walk } from './walk.ts'

/** Of the sorts these stand for the others in docs/performance.md. */
const TELLING_SORTS = [
  'first page by path ASC',
  'first page by name ASC',
  'first page by size ASC',
  'first page by created DESC',
]

export const search: Bench = {
  about: 'Pages of one file set as JSON text, found by Standin and by SQLite in memory; every row compared.',
  run: ({ quick, progress }) => {
    const sizes = quick ? [10_000] : [10_000, 100_000, 1_000_000]
    const extent = quick ? { rounds: 2, patience: 20, steps: 200 } : { rounds: 5, patience: 200, steps: 2_000 }
    const compared = sizes.flatMap((files) => compareSearches({ ...extent, files, progress }))
    return Promise.resolve({
      tables: compared.map((one) => toTable(one, one.files === sizes.at(-1))),
      versions: { SQLite: process.versions.sqlite ?? 'unknown' },
      notes: NOTES,
    })
  },
}

const NOTES = [
  'Cold: the first search, in a fresh file set in each round, so the first page in an order includes making that order, and a needle is one that no search looked for before. SQLite compiles its statement and keeps the indexes that it was built with. Warm: the same again, the median of its repetitions in each round.',
  'SQLite holds the same entries in memory, with an index on every field that is sorted or filtered, ascending and descending, each with the id. A LIKE is put in three ways: as it stands; with the names looked up in their index; and by the trigrams of FTS5.',
  'A step is from page to page, by our token and by the keyset in SQLite; its p50 and p99 are those of each quarter of the walk.',
]

function toTable({ files, question, heat, times }: Compared, isLargest: boolean): Table {
  const isOtherSort = SORTS.some(({ name }) => name === question) && !TELLING_SORTS.includes(question)
  const isLike = question.startsWith('LIKE')
  // What a question costs the first time, or each time after it; the other is a detail.
  const chart = isLargest && !isOtherSort && (heat === 'walk' || heat === (isLike ? 'cold' : 'warm'))
  return createTable(
    {
      title: `${heat === 'walk' ? question : `${question}, ${heat}`}, ${files.toLocaleString('en')} files`,
      unit: 'ms',
      better: 'less',
      reference: 'Standin',
      chart,
      detail: !chart,
    },
    Object.fromEntries(times),
  )
}

/** @throws Error naming question, size and row when the contenders do not answer the same */
export function compareSearches(options: SearchOptions): Compared[] {
  const { files, progress } = options
  progress(`${files} files: SQLite takes them over`)
  const entries = [...createSubject(files).entries()]
  // `_` would be a wildcard.
  const names = entries.map(({ name }) => name).filter((name) => /^[^%_\\]{28,}$/.test(name))
  const questions = createQuestions({
    nameAt: (number) => names[((number + 1) * 7919) % names.length] ?? '',
    author: Number(entries.find(({ fileType }) => fileType !== 'DIRECTORY')?.createdBy),
  })
  const sqlite = createSqlite(entries)
  // A million parsed entries would make every collection of garbage slow, for both.
  entries.length = 0
  try {
    return [...askAll(options, sqlite, [...SORTS, ...questions]), ...walk(options, createSubject(files), sqlite)]
  } finally {
    sqlite.close()
  }
}

/** Milliseconds by contender. */
type Times = Map<string, number[]>

function askAll(
  { files, rounds, patience, progress }: SearchOptions,
  sqlite: Sqlite,
  questions: readonly Question[],
): Compared[] {
  const cold = questions.map((): Times => new Map())
  const warm = questions.map((): Times => new Map())
  for (let round = 0; round < rounds; round++) {
    const subject = createSubject(files)
    questions.forEach(({ name, isLike = false, ask }, at) => {
      progress(`${files} files, round ${round + 1} of ${rounds}: ${name}`)
      const contenders = createContenders(subject, sqlite, ask(round), isLike)
      const turns = { about: `${name}, ${files} files`, first: round }
      sqlite.forget()
      takeTurns(contenders, { ...turns, patience: 0, into: cold[at]! })
      takeTurns(contenders, { ...turns, patience, into: warm[at]! })
    })
  }
  return questions.flatMap(({ name: question }, at) => [
    { files, question, heat: 'cold', times: cold[at]! },
    { files, question, heat: 'warm', times: warm[at]! },
  ])
}

function createContenders(subject: Subject, sqlite: Sqlite, asked: Search, isLike: boolean): Contender[] {
  const ways: readonly LikeBy[] = isLike ? ['plan', 'index', 'trigram'] : ['plan']
  return [
    { name: 'Standin', run: () => askStandin(subject, asked).texts },
    ...ways.map((way) => ({ name: NAMES[way], run: () => askSqlite(sqlite, asked, undefined, way) })),
  ]
}

const NAMES: Readonly<Record<LikeBy, string>> = {
  plan: 'SQLite',
  index: 'SQLite, names from the index',
  trigram: 'SQLite, FTS5 trigrams',
}
