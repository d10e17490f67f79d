/** Two ways to one answer, taken in turn: whatever slows the machine down slows both. */
import { median } from './frame/spread.ts'
import { type From, type LikeBy, type Row, rowsOf, type Sqlite, toRow } from './sqlite.ts'
import type { Entry, Search, Subject } from './subject.ts'

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
  readonly heat: 'cold' | 'warm' | 'walk'
  /** Milliseconds by contender, one for each round or quarter of a walk; Standin's come first. */
  readonly times: ReadonlyMap<string, readonly number[]>
}

export interface Contender {
  readonly name: string
  /** The entries of one page, each as JSON text. */
  run(): readonly string[]
}

export interface Turns {
  /** What is asked, for the message when answers differ. */
  readonly about: string
  /** Who begins: the turns are rotated by this. */
  readonly first: number
  /** Milliseconds after which no further repetition begins; the first is always made. */
  readonly patience: number
  /** Milliseconds by contender: the median of the repetitions is added. */
  readonly into: Map<string, number[]>
}

const MAX_REPETITIONS = 25

/** Lets all contenders answer in turn. @throws Error when their answers differ @returns the answer */
export function takeTurns(
  contenders: readonly Contender[],
  { about, first, patience, into }: Turns,
): readonly string[] {
  const until = performance.now() + patience
  const taken = new Map<string, number[]>()
  let texts: readonly string[] = []
  for (let repetition = 0; repetition < MAX_REPETITIONS; repetition++) {
    const answers = contenders.map((_, at) => {
      const { name, run } = contenders[(at + first + repetition) % contenders.length]!
      const began = performance.now()
      const answer = run()
      const took = performance.now() - began
      taken.set(name, [...(taken.get(name) ?? []), took])
      return { name, answer }
    })
    texts = answers[0]?.answer ?? []
    for (const { name, answer } of answers) {
      refuseDifference(`${about}: ${answers[0]?.name ?? ''} and ${name}`, texts, answer)
    }
    if (performance.now() >= until) break
  }
  // In the order in which they are listed, not in that of their turns.
  for (const { name } of contenders) into.set(name, [...(into.get(name) ?? []), median(taken.get(name) ?? [])])
  return texts
}

/** One page by Standin, and the token to the next. */
export function askStandin(
  subject: Subject,
  search: Search,
  token?: string,
): { texts: readonly string[]; next?: string | undefined } {
  const { fragments, next } = subject.page(search, token)
  return { texts: fragments, next }
}

/** The same page by SQLite, without the extra row that shows whether there is another. */
export function askSqlite(sqlite: Sqlite, search: Search, from?: From, likeBy?: LikeBy): string[] {
  const rows = rowsOf(sqlite.prepare(search, from, likeBy))
  return rows.slice(0, search.limit ?? 100).map((row) => JSON.stringify(row))
}

/** Compares every field of every row, in order. A directory shows few fields; SQLite shows null for the others. */
export function refuseDifference(about: string, some: readonly string[], others: readonly string[]): void {
  for (let at = 0; at < Math.max(some.length, others.length); at++) {
    const [one, other] = [some[at], others[at]].map((text) => text && normalForm(text))
    if (one !== other)
      throw new Error(`${about} differ in row ${at + 1}:\n  ${one ?? 'nothing'}\n  ${other ?? 'nothing'}`)
  }
}

function normalForm(text: string): string {
  return JSON.stringify(toRow(JSON.parse(text) as Entry))
}

/** The last row of a page, for SQLite to go on after. */
export function lastRow(texts: readonly string[]): Row | undefined {
  const last = texts.at(-1)
  return last === undefined ? undefined : toRow(JSON.parse(last) as Entry)
}
