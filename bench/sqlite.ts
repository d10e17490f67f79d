/**
 * The rival: the same entries in SQLite, in memory, with an index for everything that is sorted or filtered, asked by SQL that means
 * what a search of the service means. What is compared is in `search.ts`; this file only knows SQL.
 */
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { FIELDS } from '../src/resources/file-sets/entries/file-record.ts'
import type { Entry, Search } from './subject.ts'

/** A directory has null for the fields that it does not show. */
export type Row = Readonly<Record<(typeof FIELDS)[number], SQLInputValue>>

/** Where the page begins: after the last row of the page before, or after so many rows. */
export type From = { readonly after: Row } | { readonly offset: number }

/**
 * How a LIKE is put: as it stands, leaving the plan to SQLite; looked up first in the index on names, which is smaller to scan than
 * the table; or by the trigrams of FTS5.
 */
export type LikeBy = 'plan' | 'index' | 'trigram'

/** A statement with its parameters. */
export interface Asked {
  readonly statement: StatementSync
  readonly parameters: readonly SQLInputValue[]
}

export interface Sqlite {
  readonly version: string
  /** Prepares a search; a statement that was prepared before is used again. */
  prepare(search: Search, from?: From, likeBy?: LikeBy): Asked
  /** Forgets the statements, so that the next one is compiled. */
  forget(): void
  close(): void
}

export function rowsOf({ statement, parameters }: Asked): Row[] {
  return statement.all(...parameters) as unknown as Row[]
}

/** Text is compared by its UTF-8 bytes (BINARY), which is the order of code points. */
const SCHEMA = `
  CREATE TABLE entries (${FIELDS.map((field) => `${field} ${field === 'size' || field === 'createdBy' ? 'INTEGER' : 'TEXT'}`).join(', ')}, parent TEXT)`

/** Sorts end in the id, so an index holds it too; a descending sort is not an ascending one read backwards, for ids still ascend. */
const INDEXES = [
  'CREATE UNIQUE INDEX by_id ON entries(id)',
  'CREATE UNIQUE INDEX by_path ON entries(path)',
  ...['name', 'fileType', 'contentType', 'size', 'created', 'createdBy'].flatMap((field) => [
    `CREATE INDEX by_${field} ON entries(${field}, id)`,
    `CREATE INDEX by_${field}_descending ON entries(${field} DESC, id)`,
  ]),
  'CREATE INDEX by_parent ON entries(parent, path)',
  `CREATE VIRTUAL TABLE names USING fts5(name, tokenize = 'trigram', content = 'entries', detail = 'full')`,
  `INSERT INTO names(names) VALUES ('rebuild')`,
  'ANALYZE',
]

export function createSqlite(entries: Iterable<Entry>): Sqlite {
  const database = new DatabaseSync(':memory:')
  database.exec(SCHEMA)
  const insert = database.prepare(`INSERT INTO entries VALUES (${[...FIELDS, 'parent'].map(() => '?').join(', ')})`)
  database.exec('BEGIN')
  for (const entry of entries) {
    const row = toRow(entry)
    insert.run(...FIELDS.map((field) => row[field]), parentOf(entry.path))
  }
  database.exec('COMMIT')
  for (const statement of INDEXES) database.exec(statement)
  const statements = new Map<string, StatementSync>()
  return {
    version: String(database.prepare('SELECT sqlite_version() AS version').get()?.version),
    prepare(search, from, likeBy = 'plan') {
      const { sql, parameters } = translate(search, from, likeBy)
      const statement = statements.get(sql) ?? database.prepare(sql)
      statements.set(sql, statement)
      return { statement, parameters }
    },
    forget: () => statements.clear(),
    close: () => database.close(),
  }
}

/** An entry as a row: every field, null where it has none. */
export function toRow(entry: Entry): Row {
  const known = entry as unknown as Partial<Row>
  return Object.fromEntries(FIELDS.map((field) => [field, known[field] ?? null])) as unknown as Row
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}

/** SQL text with the values of its question marks, in their order. */
interface Sql {
  readonly sql: string
  readonly parameters: readonly SQLInputValue[]
}

function translate(search: Search, from: From | undefined, likeBy: LikeBy): Sql {
  const { limit = 100, fieldSort = [] } = search
  const [key = { field: 'path', order: 'ASC' }] = fieldSort
  if (fieldSort.length > 1) throw new Error('the benches sort by one key')
  const conditions = [...directoryConditions(search), ...filterConditions(search, likeBy), ...dateConditions(search)]
  if (from && 'after' in from) conditions.push(afterCondition(key.field, key.order, from.after))
  const where = conditions.length === 0 ? '' : ` WHERE ${conditions.map(({ sql }) => sql).join(' AND ')}`
  // A directory lacks these two; nulls are the largest values (behaviour `sort.nulls`).
  const isNullable = key.field === 'size' || key.field === 'contentType'
  const nulls = isNullable ? (key.order === 'ASC' ? ' NULLS LAST' : ' NULLS FIRST') : ''
  const order = `${key.field} ${key.order}${nulls}${key.field === 'path' || key.field === 'id' ? '' : ', id'}`
  const offset = from && 'offset' in from ? ' OFFSET ?' : ''
  return {
    sql: `SELECT ${FIELDS.join(', ')} FROM entries${where} ORDER BY ${order} LIMIT ?${offset}`,
    // One more row shows whether there is another page.
    parameters: [
      ...conditions.flatMap(({ parameters }) => parameters),
      limit + 1,
      ...(from && 'offset' in from ? [from.offset] : []),
    ],
  }
}

/** The keyset: what comes after the last row of the page before. */
function afterCondition(field: string, order: 'ASC' | 'DESC', last: Row): Sql {
  const held = last[field as keyof Row]
  if (held === null) throw new Error('the benches walk by fields that no entry lacks')
  if (field === 'id' || field === 'path')
    return { sql: `${field} ${order === 'ASC' ? '>' : '<'} ?`, parameters: [held] }
  if (order === 'ASC') return { sql: `(${field}, id) > (?, ?)`, parameters: [held, last.id] }
  return { sql: `${field} <= ? AND (${field} < ? OR id > ?)`, parameters: [held, held, last.id] }
}

function directoryConditions({ directoryPath, immediateChildren }: Search): Sql[] {
  if (directoryPath === undefined) return []
  if (immediateChildren) return [{ sql: 'parent = ?', parameters: [directoryPath] }]
  // `0` is the character after `/`.
  return [{ sql: 'path > ? AND path < ?', parameters: [`${directoryPath}/`, `${directoryPath}0`] }]
}

const OPERATORS: Readonly<Record<string, string>> = {
  EQUALS: '=',
  GREATER_THAN: '>',
  GREATER_THAN_OR_EQUAL: '>=',
  LESS_THAN: '<',
  LESS_THAN_OR_EQUAL: '<=',
}

function filterConditions({ filters = [] }: Search, likeBy: LikeBy): Sql[] {
  return filters.map(({ field, operator, value: [wanted = ''], not }) => {
    if (not) throw new Error('the benches invert no filter')
    if (operator === 'LIKE') return likeCondition(field, wanted, likeBy)
    const sign = OPERATORS[operator]
    if (sign === undefined) throw new Error(`the benches do not use ${operator}`)
    return {
      sql: `${field} ${sign} ?`,
      parameters: [field === 'size' || field === 'createdBy' ? Number(wanted) : wanted],
    }
  })
}

function likeCondition(field: string, needle: string, likeBy: LikeBy): Sql {
  if (field !== 'name' || /[%_\\]/.test(needle)) throw new Error('the benches look for plain needles in names')
  const like = { sql: `name LIKE ?`, parameters: [`%${needle}%`] }
  switch (likeBy) {
    case 'plan':
      return like
    case 'index':
      return { ...like, sql: `rowid IN (SELECT rowid FROM entries INDEXED BY by_name WHERE ${like.sql})` }
    case 'trigram':
      return {
        sql: 'rowid IN (SELECT rowid FROM names WHERE names MATCH ?)',
        parameters: [`"${needle.replaceAll('"', '""')}"`],
      }
  }
}

/** Timestamps are text of one form, so their order is that of the instants. */
function dateConditions({ dateFilters = [] }: Search): Sql[] {
  return dateFilters.map(({ start, end }) => ({ sql: 'created BETWEEN ? AND ?', parameters: [start, end] }))
}
