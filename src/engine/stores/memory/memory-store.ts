import { parseJson, stringifyJson } from '../../../base/formats/json.ts'
import type { EventStore, StoredCommit, StoredRecord, StoredSnapshot, StoredStream } from '../event-store.ts'
import type { RunFingerprint } from '../fingerprint.ts'
import { clearKept, createKeptExchanges, createMemoryExchanges, type KeptExchanges } from './memory-exchanges.ts'

interface KeptStream extends StoredStream {
  /** What was stored last before the commits. */
  snapshot: { readonly next: number; readonly texts: readonly string[] }
  commits: { readonly expected: number; readonly next: number; readonly texts: readonly string[] }[]
  next: number
  requests: number
  usedAt: number
  readonly exchanges: KeptExchanges
}

/** Commits after which a snapshot is due. */
const LONG = 1000

/**
 * A store in the memory of this process. Several stand-ins of the process that are given the same one are replicas of each other.
 *
 * @example
 * const store = createMemoryStore()
 * const replicas = [createStandin({ store }), createStandin({ store })]
 */
export function createMemoryStore(): EventStore {
  const streams = new Map<string, KeptStream>()
  let begun: RunFingerprint | undefined
  let made = 0
  let moment = 0
  const written = (records: Iterable<StoredRecord>) => Array.from(records, (record) => stringifyJson(record))
  const take = ({ next, records }: StoredSnapshot) => ({ next, texts: written(records) })
  const tick = () => ++moment
  return {
    kind: 'memory',
    exchanges: createMemoryExchanges({ find: (stream) => streams.get(stream)?.exchanges, tick }),
    get firstMoment() {
      return begun && Date.parse(begun.firstMoment)
    },
    open: (fingerprint) => (begun ??= fingerprint),
    list: () => [...streams.values()].map(({ stream, name, ttl, usedAt }) => ({ stream, name, ttl, usedAt })),
    create(sandbox, snapshot, most) {
      if (streams.size >= most || streams.values().some(({ name }) => name === sandbox.name)) return undefined
      const stream = `${++made}`
      const { next } = snapshot
      const kept = { snapshot: take(snapshot), commits: [], next, requests: 0, exchanges: createKeptExchanges() }
      streams.set(stream, { ...sandbox, stream, ...kept })
      return stream
    },
    read(stream, from = -1) {
      const found = streams.get(stream)
      if (!found) return undefined
      const { snapshot, commits, next } = found
      const isKept = from >= snapshot.next && from <= next
      const place = `the stream ${stream}`
      const texts = commits.filter(({ expected }) => !isKept || expected >= from).flatMap((commit) => commit.texts)
      const all = isKept ? texts : [...snapshot.texts, ...texts]
      const records = all.map((text) => ({ value: parseJson(text) as StoredRecord, place }))
      return { first: isKept ? from : snapshot.next, records, moment: tick() }
    },
    append(stream, { expected, next, records, clears }: StoredCommit) {
      const found = streams.get(stream)
      if (found?.next !== expected) return false
      found.commits.push({ expected, next, texts: written(records) })
      found.next = next
      if (clears) clearKept(found.exchanges, tick(), clears)
      return true
    },
    isLong: (stream) => (streams.get(stream)?.commits.length ?? 0) > LONG,
    snapshot(stream, snapshot) {
      const found = streams.get(stream)
      if (!found || snapshot.next > found.next || snapshot.next <= found.snapshot.next) return
      found.snapshot = take(snapshot)
      found.commits = found.commits.filter(({ expected }) => expected >= snapshot.next)
    },
    reserve(stream, count) {
      const found = streams.get(stream)
      if (!found) return 0
      found.requests += count
      return found.requests - count
    },
    use(stream, at, after) {
      const found = streams.get(stream)
      if (!found || found.usedAt <= after) return false
      found.usedAt = Math.max(found.usedAt, at)
      return true
    },
    remove(stream, until = Number.POSITIVE_INFINITY) {
      const { usedAt = Number.POSITIVE_INFINITY } = streams.get(stream) ?? {}
      return usedAt <= until && streams.delete(stream)
    },
    close: () => undefined,
  }
}
