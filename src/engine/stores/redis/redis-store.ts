import type { StoreDurability } from '../../../config/config.ts'
import { StartupError } from '../../../base/errors/problem.ts'
import { isObject, parseJson, stringifyJson } from '../../../base/formats/json.ts'
import type { EventStore, FoundRecord, StoredRecord } from '../event-store.ts'
import type { RunFingerprint } from '../fingerprint.ts'
import { connect, type Connection, refusal } from './connection.ts'
import { createRedisExchanges, type ExchangeKeys } from './redis-exchanges.ts'
import { APPEND, CREATE, OPEN, READ, REMOVE, RESERVE, SNAPSHOT, USE } from './scripts.ts'

/** The version of the keys. */
const VERSION = 1
/** The oldest server, and its Valkey: all of those are newer. */
const OLDEST = 7
const PREFIX = 'standin'
/** How often a commit whose answer was lost is asked for again. */
const MOST_ATTEMPTS = 3
/** Milliseconds for one answer: a server that hangs keeps its connections. */
const PATIENCE = 2000

export interface RedisStoreOptions {
  /** `always` refuses a server that may lose what it acknowledged. By default a crash of it may lose the last second. */
  readonly durability?: StoreDurability
  /** Receives what does not refuse the start, as a sentence. */
  readonly note?: (text: string) => void
}

/**
 * Opens a store in Valkey or Redis: all stand-ins with the same address are replicas of each other. `?prefix=team` keeps several apart.
 *
 * @throws StartupError when nothing answers there, the server is too old or evicts keys, or other keys have the prefix; nothing is written then
 * @example const store = await openRedisStore('redis://127.0.0.1:6379')
 */
export async function openRedisStore(url: string, options: RedisStoreOptions = {}): Promise<EventStore> {
  const parsed = new URL(url)
  const prefix = parsed.searchParams.get('prefix') ?? PREFIX
  const connection = await connect(parsed)
  try {
    const { run, isDurable } = await inspectServer(connection, options)
    const keys = createKeys(prefix)
    const readMeta = async () => membersOf(await connection.send('HGETALL', keys.meta).catch(() => []))
    let found = await readMeta()
    if (found.format === undefined && (await hasKeys(connection, keys.all))) {
      // Another replica may have begun the store meanwhile.
      found = await readMeta()
      refuseForeign(found, `${connection.address}: ${keys.all}*`)
    }
    // Connections are numbered from the server's start on.
    const self = `${run}-${String(await connection.send('CLIENT', 'ID'))}`
    return createStore(connection, { keys, self, isDurable, known: found.fingerprint })
  } catch (error) {
    await connection.close()
    throw error instanceof StartupError ? error : refusal(connection.address, error)
  }
}

interface StoreKeys extends ExchangeKeys {
  readonly all: string
  readonly meta: string
  readonly sandboxes: string
  /** When each stream was used last. */
  readonly used: string
  log(stream: string): string
}

/** The braces put all keys on one node of a cluster. */
function createKeys(prefix: string): StoreKeys {
  const all = `{${prefix}}:`
  return {
    all,
    meta: `${all}meta`,
    sandboxes: `${all}sandboxes`,
    used: `${all}used`,
    image: (stream) => `${all}${stream}:image`,
    log: (stream) => `${all}${stream}:log`,
    writers: (stream) => `${all}${stream}:writers`,
    waiting: (stream) => `${all}${stream}:waiting`,
    journal: (stream) => `${all}${stream}:journal`,
    added: (stream, writer) => `${all}${stream}:added:${writer}`,
  }
}

interface InspectedServer {
  /** What identifies this run of the server. */
  readonly run: string
  /** Whether its end loses nothing that it acknowledged. */
  readonly isDurable: boolean
}

/** @throws StartupError for a server that cannot keep a store */
async function inspectServer(
  connection: Connection,
  { durability = 'server', note = () => undefined }: RedisStoreOptions,
): Promise<InspectedServer> {
  const { address, send } = connection
  const info = String(await send('INFO'))
  const read = (name: string) => new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1]
  const version = read('redis_version') ?? '0'
  if (Number.parseInt(version) < OLDEST)
    throw new StartupError([
      `--store ${address}: the server is Redis ${version}. Use Valkey, or Redis ${OLDEST} or later.`,
    ])
  const policy = read('maxmemory_policy') ?? 'noeviction'
  if (policy.startsWith('allkeys'))
    throw new StartupError([
      `--store ${address}: the server removes keys when its memory is full (maxmemory-policy ${policy}). Set maxmemory-policy noeviction.`,
    ])
  const hasFile = read('aof_enabled') !== '0'
  // Some servers do not allow the command.
  const { appendfsync = 'unknown' } = membersOf(await send('CONFIG', 'GET', 'appendfsync').catch(() => []))
  const isDurable = hasFile && appendfsync === 'always'
  if (durability === 'always' && !isDurable)
    throw new StartupError([
      `--store ${address}: --store-durability always needs a server with appendonly yes and appendfsync always; this one has appendonly ${hasFile ? 'yes' : 'no'} and appendfsync ${appendfsync}. Set both, or leave --store-durability out.`,
    ])
  if (!hasFile)
    note(
      `--store ${address}: the server writes no append-only file, so its end loses the sandboxes. Set appendonly yes.`,
    )
  return { run: read('run_id') ?? '', isDurable }
}

interface StoreParts {
  readonly keys: StoreKeys
  /** Distinguishes the commits of this process. */
  readonly self: string
  readonly isDurable: boolean
  /** The fingerprint that the store keeps. */
  readonly known: string | undefined
}

function createStore(connection: Connection, { keys, self, isDurable, known }: StoreParts): EventStore {
  const { address, run, send } = connection
  let commits = 0
  /** The commit that ends each stream, as far as it was read. */
  const tops = new Map<string, { readonly next: number; readonly commit: string }>()
  /** Streams for which a snapshot is due. */
  const long = new Set<string>()
  const keysOf = (stream: string) => [keys.image(stream), keys.log(stream)]
  return {
    kind: 'redis',
    exchanges: createRedisExchanges(connection, { keys, self, isDurable, again }),
    firstMoment: known === undefined ? undefined : Date.parse((JSON.parse(known) as RunFingerprint).firstMoment),
    async open(fingerprint) {
      const found = membersOf(await run(OPEN, [keys.meta, keys.sandboxes], [VERSION, JSON.stringify(fingerprint)]))
      refuseForeign(found, `${address}: ${keys.all}*`)
      return JSON.parse(found.fingerprint ?? '') as RunFingerprint
    },
    async list() {
      const [found, used] = await Promise.all(
        [keys.sandboxes, keys.used].map(async (key) => membersOf(await again(() => send('HGETALL', key)))),
      )
      return Object.entries(found ?? {})
        .map(([name, text]) => ({ name, ...(JSON.parse(text) as { stream: string; ttl: string }) }))
        .sort((a, b) => Number(a.stream) - Number(b.stream))
        .map(({ name, stream, ttl }) => ({
          stream,
          name,
          ttl: ttl === '' ? undefined : (JSON.parse(ttl) as number | null),
          usedAt: used?.[stream] === undefined ? undefined : Number(used[stream]),
        }))
    },
    async create({ name, ttl, usedAt }, { next, records }, most) {
      const commit = `${self}-${++commits}`
      const written = ttl === undefined ? '' : JSON.stringify(ttl)
      const values = [keys.all, name, written, commit, most, next, textOf(records), usedAt]
      const made = await again(() => run(CREATE, [keys.meta, keys.sandboxes, keys.used], values))
      return typeof made === 'string' ? made : undefined
    },
    async read(stream, from = -1) {
      const top = tops.get(stream)
      const commit = top?.next === from ? top.commit : ''
      const found = (await again(() => run(READ, keysOf(stream), [from, commit]))) as
        [0 | 1, number, string, LogEntry[], string] | null
      if (!found) return undefined
      const [isKnown, first, image, entries, moment] = found
      const place = `${address}, stream ${stream}`
      const last = entries.at(-1)
      if (last) tops.set(stream, { next: Number(last[0].slice(2)), commit: last[1][1] })
      else if (isKnown === 0) tops.delete(stream)
      const texts = [...(isKnown === 1 ? [] : [image]), ...entries.map(([, fields]) => fields[3])]
      return { first, records: texts.flatMap((text) => recordsIn(text, place)), moment: Number(moment) }
    },
    async append(stream, { expected, next, records, clears }) {
      const commit = `${self}-${++commits}`
      const used = [...keysOf(stream), keys.waiting(stream), keys.journal(stream), keys.writers(stream)]
      const values = [expected, next, textOf(records), commit, clears ? 1 : 0, ...(clears ?? [])]
      const stored = Number(await again(() => run(APPEND, used, values)))
      if (stored === 0) return false
      tops.set(stream, { next, commit })
      if (stored === 2) long.add(stream)
      return true
    },
    isLong: (stream) => long.has(stream),
    async snapshot(stream, { next, records }) {
      long.delete(stream)
      await run(SNAPSHOT, keysOf(stream), [next, textOf(records)])
    },
    reserve: async (stream, count) => Number(await inTime(run(RESERVE, [keys.image(stream)], [count]))),
    use: async (stream, at, after) =>
      (await again(() => run(USE, [keys.image(stream), keys.used], [stream, at, after]))) === 1,
    async remove(stream, until) {
      const exchanges = [keys.writers(stream), keys.waiting(stream), keys.journal(stream)]
      const used = [keys.sandboxes, keys.used, ...keysOf(stream), ...exchanges]
      const isRemoved = (await run(REMOVE, used, [stream, until ?? ''])) !== 0
      if (isRemoved) {
        tops.delete(stream)
        long.delete(stream)
      }
      return isRemoved
    },
    close: () => connection.close(),
  }
}

type LogEntry = readonly [id: string, fields: readonly [commit: string, string, records: string, string]]

/** Whether there are keys with a prefix. Called once for each new store: it looks at all keys of the database. */
async function hasKeys({ send }: Connection, prefix: string): Promise<boolean> {
  const pattern = `${prefix.replaceAll(/[*?[\]\\]/g, '\\$&')}*`
  for (let cursor = ''; cursor !== '0';) {
    const [next, keys] = (await send('SCAN', cursor || '0', 'MATCH', pattern, 'COUNT', '10000')) as [string, string[]]
    if (keys.length > 0) return true
    cursor = next
  }
  return false
}

/** Asks again where the answer was lost. That changes nothing twice: the scripts know a commit that they have stored already. */
async function again<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await inTime(ask())
    } catch (error) {
      const isAnswer = error instanceof Error && /^[A-Z]{3,} /.test(error.message)
      if (isAnswer || attempt === MOST_ATTEMPTS) throw error
    }
  }
}

/** @throws Error where there is no answer in time */
async function inTime<Answer>(answer: Promise<Answer>): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    const fail = () => reject(new Error(`no answer in ${PATIENCE / 1000} s`))
    // After long work of this process the answer may have arrived, and is read first.
    timer = setTimeout(() => setImmediate(fail), PATIENCE)
  })
  try {
    return await Promise.race([answer, late])
  } finally {
    clearTimeout(timer)
  }
}

function textOf(records: Iterable<StoredRecord>): string {
  return stringifyJson([...records])
}

function recordsIn(text: string, place: string): readonly FoundRecord[] {
  const values = parseJson(text)
  return Array.isArray(values) ? values.filter(isObject).map((value) => ({ value, place })) : []
}

/** The members of a hash. */
function membersOf(answer: unknown): Readonly<Record<string, string>> {
  const list = Array.isArray(answer) ? answer.map(String) : []
  return Object.fromEntries(list.flatMap((name, at) => (at % 2 === 0 ? [[name, list[at + 1] ?? '']] : [])))
}

/** @throws StartupError */
function refuseForeign({ format, version }: Readonly<Record<string, string>>, what: string): void {
  if (format !== 'standin-store')
    throw new StartupError([`--store ${what} are keys of another program. Name another prefix: ?prefix=standin-2.`])
  if (Number(version) !== VERSION)
    throw new StartupError([
      `--store ${what} are of version ${String(version)}, and this Standin reads version ${VERSION}. Use the Standin that made them, or another prefix.`,
    ])
}
