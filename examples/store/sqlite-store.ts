import { DatabaseSync } from 'node:sqlite'
import type { EventStore, FoundRecord, RunFingerprint, StoredRecord } from 'standin'

type Row = Record<string, string | number | null>

/** Commits after which a snapshot is due. */
const LONG = 1000

/**
 * Keeps sandboxes in an SQLite database. Stand-ins that use the same file, in one process or several, are replicas of each other.
 *
 * @example createStandin({ store: createSqliteStore('sandboxes.db') })
 */
export function createSqliteStore(path: string): EventStore {
  const database = new DatabaseSync(path)
  database.exec(`
    PRAGMA journal_mode = WAL; PRAGMA busy_timeout = 1000;
    CREATE TABLE IF NOT EXISTS origin (fingerprint TEXT);
    CREATE TABLE IF NOT EXISTS streams
      (stream INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, ttl TEXT, first INTEGER, next INTEGER, snapshot TEXT, requests INTEGER DEFAULT 0, used INTEGER);
    CREATE TABLE IF NOT EXISTS commits (stream INTEGER, expected INTEGER, records TEXT, PRIMARY KEY (stream, expected));`)
  const all = (sql: string, ...values: (string | number)[]) => database.prepare(sql).all(...values) as Row[]
  const run = (sql: string, ...values: (string | number)[]) => database.prepare(sql).run(...values)
  /** Does everything, or nothing where it throws. */
  const atOnce = <Result>(act: () => Result): Result => {
    database.exec('BEGIN IMMEDIATE')
    try {
      const result = act()
      database.exec('COMMIT')
      return result
    } catch (error) {
      database.exec('ROLLBACK')
      throw error
    }
  }
  const found = (texts: unknown[], stream: string): FoundRecord[] =>
    texts.flatMap((text) =>
      (JSON.parse(String(text)) as StoredRecord[]).map((value) => ({ value, place: `${path}, stream ${stream}` })),
    )
  const origin = () => all('SELECT fingerprint FROM origin')[0]?.fingerprint
  const first = origin()
  return {
    firstMoment:
      first === undefined ? undefined : Date.parse((JSON.parse(String(first)) as { firstMoment: string }).firstMoment),
    open(fingerprint) {
      atOnce(() => {
        if (origin() === undefined) run('INSERT INTO origin VALUES (?)', JSON.stringify(fingerprint))
      })
      return JSON.parse(String(origin())) as RunFingerprint
    },
    list: () =>
      all('SELECT stream, name, ttl, used FROM streams ORDER BY stream').map(({ stream, name, ttl, used }) => ({
        stream: String(stream),
        name: String(name),
        ttl: ttl === '' ? undefined : (JSON.parse(String(ttl)) as number | null),
        usedAt: Number(used),
      })),
    create: ({ name, ttl, usedAt }, { next, records }, most) =>
      atOnce(() => {
        if (
          all('SELECT name FROM streams').length >= most ||
          all('SELECT 1 FROM streams WHERE name = ?', name).length > 0
        )
          return undefined
        const columns = 'INSERT INTO streams (name, ttl, first, next, snapshot, used) VALUES (?, ?, ?, ?, ?, ?)'
        const values = [name, ttl === undefined ? '' : JSON.stringify(ttl), next, next, JSON.stringify([...records])]
        return String(run(columns, ...values, usedAt).lastInsertRowid)
      }),
    read: (stream, from = -1) =>
      atOnce(() => {
        const [kept] = all('SELECT first, next, snapshot FROM streams WHERE stream = ?', stream)
        if (!kept) return undefined
        const isKept = from >= Number(kept.first) && from <= Number(kept.next)
        const start = isKept ? from : Number(kept.first)
        const sql = 'SELECT records FROM commits WHERE stream = ? AND expected >= ? ORDER BY expected'
        const commits = all(sql, stream, start).map(({ records }) => records)
        return { first: start, records: found(isKept ? commits : [kept.snapshot, ...commits], stream) }
      }),
    append: (stream, { expected, next, records }) =>
      atOnce(() => {
        const { changes } = run('UPDATE streams SET next = ? WHERE stream = ? AND next = ?', next, stream, expected)
        if (changes === 1) run('INSERT INTO commits VALUES (?, ?, ?)', stream, expected, JSON.stringify(records))
        return changes === 1
      }),
    isLong: (stream) => Number(all('SELECT count(*) AS n FROM commits WHERE stream = ?', stream)[0]?.n) > LONG,
    snapshot: (stream, { next, records }) =>
      atOnce(() => {
        const sql = 'UPDATE streams SET first = ?, snapshot = ? WHERE stream = ? AND first < ? AND next >= ?'
        const { changes } = run(sql, next, JSON.stringify([...records]), stream, next, next)
        if (changes === 1) run('DELETE FROM commits WHERE stream = ? AND expected < ?', stream, next)
      }),
    reserve: (stream, count) =>
      atOnce(() => {
        run('UPDATE streams SET requests = requests + ? WHERE stream = ?', count, stream)
        return Number(all('SELECT requests FROM streams WHERE stream = ?', stream)[0]?.requests ?? count) - count
      }),
    use: (stream, at, after) =>
      run('UPDATE streams SET used = max(used, ?) WHERE stream = ? AND used > ?', at, stream, after).changes === 1,
    remove: (stream, until = Number.MAX_SAFE_INTEGER) =>
      atOnce(() => {
        const { changes } = run('DELETE FROM streams WHERE stream = ? AND used <= ?', stream, until)
        if (changes === 1) run('DELETE FROM commits WHERE stream = ?', stream)
        return changes === 1
      }),
    close: () => database.close(),
  }
}
