/**
 * From page to page by tokens, against SQLite by keyset, every page compared; then the first page against one far behind, and steps of
 * one entry, where hardly anything but finding the place is left.
 */
import type { Row, Sqlite } from './sqlite.ts'
import { quantile } from './statistics.ts'
import type { Search, Subject } from './subject.ts'
import {
  askSqlite,
  askStandin,
  type Compared,
  lastRow,
  refuseDifference,
  type SearchOptions,
  takeTurns,
} from './turns.ts'

const BY_DATE: Search = { fieldSort: [{ field: 'created', order: 'ASC' }], limit: 100 }
/** The page that is compared with the first, or the middle one of a set that does not have as many. */
const DEEP = 5_000
/** A quantile is taken of each of so many parts of a walk, so that it has a range too. */
const LAPS = 4

export function walk({ files, rounds, steps, progress }: SearchOptions, subject: Subject, sqlite: Sqlite): Compared[] {
  const deep = Math.max(2, Math.min(DEEP, Math.floor(files / 200)))
  const hundreds: Steps = { standin: [], sqlite: [] }
  let place = FRONT
  progress(`${files} files: a walk to page ${deep}`)
  do place = takeSteps(subject, sqlite, BY_DATE, { from: FRONT, count: deep - 1, into: hundreds })
  while (hundreds.standin.length < steps)
  const ones: Steps = { standin: [], sqlite: [] }
  takeSteps(subject, sqlite, { ...BY_DATE, limit: 1 }, { from: place, count: steps, into: ones })
  return [
    ...comparePages(subject, sqlite, place, { files, deep, rounds }),
    ...lapsOf(files, 'a step of 100 entries by date', hundreds),
    ...lapsOf(files, `a step of 1 entry from page ${deep} on`, ones),
  ]
}

/** Where a page begins, for both. */
interface Place {
  readonly token: string | undefined
  readonly after: Row | undefined
}

const FRONT: Place = { token: undefined, after: undefined }

/** Milliseconds of each step. */
interface Steps {
  readonly standin: number[]
  readonly sqlite: number[]
}

interface Stretch {
  readonly from: Place
  /** Pages to go on by. */
  readonly count: number
  readonly into: Steps
}

/** Goes on page by page, and after the last one from the front again. */
function takeSteps(subject: Subject, sqlite: Sqlite, search: Search, { from, count, into }: Stretch): Place {
  let place = from
  for (let step = 1; step <= count; step++) {
    const began = performance.now()
    const { texts, next } = askStandin(subject, search, place.token)
    const between = performance.now()
    const rows = askSqlite(sqlite, search, place.after && { after: place.after })
    const ended = performance.now()
    into.standin.push(between - began)
    into.sqlite.push(ended - between)
    refuseDifference(`Standin and SQLite, step ${step}`, texts, rows)
    place = next === undefined ? FRONT : { token: next, after: lastRow(texts) }
  }
  return place
}

function comparePages(
  subject: Subject,
  sqlite: Sqlite,
  { token, after }: Place,
  { files, deep, rounds }: { readonly files: number; readonly deep: number; readonly rounds: number },
): Compared[] {
  const first = new Map<string, number[]>()
  const later = new Map<string, number[]>()
  for (let round = 0; round < rounds; round++) {
    takeTurns(
      [
        { name: 'Standin', run: () => askStandin(subject, BY_DATE).texts },
        { name: 'SQLite', run: () => askSqlite(sqlite, BY_DATE) },
      ],
      { about: 'page 1', first: round, patience: 20, into: first },
    )
    takeTurns(
      [
        { name: 'Standin', run: () => askStandin(subject, BY_DATE, token).texts },
        { name: 'SQLite', run: () => askSqlite(sqlite, BY_DATE, after && { after }) },
        { name: 'SQLite, OFFSET', run: () => askSqlite(sqlite, BY_DATE, { offset: (deep - 1) * 100 }) },
      ],
      { about: `page ${deep}`, first: round, patience: 20, into: later },
    )
  }
  return [
    { files, question: 'page 1 by date', heat: 'warm', times: first },
    { files, question: `page ${deep} by date`, heat: 'warm', times: later },
  ]
}

function lapsOf(files: number, question: string, { standin, sqlite }: Steps): Compared[] {
  return [0.5, 0.99].map((share) => ({
    files,
    question: `${question}, p${share * 100}`,
    heat: 'walk',
    times: new Map([
      ['Standin', quantiles(standin, share)],
      ['SQLite', quantiles(sqlite, share)],
    ]),
  }))
}

function quantiles(values: readonly number[], share: number): number[] {
  const lap = Math.floor(values.length / LAPS)
  return Array.from({ length: LAPS }, (_, at) => quantile(values.slice(at * lap, (at + 1) * lap), share))
}
