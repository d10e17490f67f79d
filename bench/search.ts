/**
 * `npm run bench -- search`: pages of one file set, found and written as JSON text, by Standin and by SQLite in memory, in turn. Every
 * page is compared, row by row and field by field; a difference ends the bench.
 *
 * - cold: nobody has asked it before. Standin has a fresh file set in each round, so the first to ask for an order pays for making it;
 *   SQLite compiles its statement, and keeps the indexes that it was built with.
 * - warm: the same again.
 */
import { createQuestions, type Question, SORTS } from './questions.ts'
import { createSqlite, type LikeBy, type Sqlite } from './sqlite.ts'
import { createSubject, type Search, type Subject } from './subject.ts'
import { askSqlite, askStandin, type Contender, takeTurns } from './turns.ts'
import { walk } from './walk.ts'

export interface SearchOptions {
  /** Files of the set. */
  readonly files: number
  readonly rounds: number
  /** So many milliseconds are spent on repeating one question in each round; it is repeated once at least. */
  readonly patience: number
  /** At least so many steps from page to page are timed; a small set is walked more than once. */
  readonly steps: number
  readonly progress: (step: string) => void
}

/** One question, and what each contender took for it. */
export interface Compared {
  readonly files: number
  readonly question: string
  readonly heat: 'cold' | 'warm'
  /** Milliseconds of each turn, by contender; Standin's come first. */
  readonly times: ReadonlyMap<string, readonly number[]>
}

/** @throws Error naming question, size and row when the contenders do not answer the same */
export function search(options: SearchOptions): Compared[] {
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
