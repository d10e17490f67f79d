import {
  type ExchangeStore,
  type FoundExchange,
  MAX_STORED,
  MAX_STORED_LENGTH,
  type StoredExchange,
} from '../exchange-store.ts'

/** The exchanges of one stream. */
export interface KeptExchanges {
  readonly working: Map<string, number>
  /** The round that each writer added last. */
  readonly added: Map<string, number>
  isLossy: boolean
  /** Those without a number. */
  waiting: StoredExchange[]
  numbered: FoundExchange[]
  length: number
  last: number
  clearedUpTo: number
  clearedAt: number
  uncoveredUpTo: number
}

export function createKeptExchanges(): KeptExchanges {
  return {
    working: new Map(),
    added: new Map(),
    isLossy: false,
    waiting: [],
    numbered: [],
    length: 0,
    last: 0,
    clearedUpTo: 0,
    clearedAt: -1,
    uncoveredUpTo: 0,
  }
}

interface MemoryParts {
  /** Undefined for a stream that was removed. */
  find(stream: string): KeptExchanges | undefined
  /** A number that is larger at each call. */
  tick(): number
}

export function createMemoryExchanges({ find, tick }: MemoryParts): ExchangeStore {
  let writers = 0
  return {
    join: () => `writer-${++writers}`,
    begin: (stream, writer, round) => void find(stream)?.working.set(writer, round),
    add(stream, { writer, round, isOver, isLossy, exchanges }) {
      const kept = find(stream)
      if (!kept) return 0
      if ((kept.added.get(writer) ?? -1) < round) {
        kept.added.set(writer, round)
        if (isOver) kept.working.delete(writer)
        else kept.working.set(writer, round + 1)
        kept.isLossy ||= isLossy
        const added = exchanges.filter(({ moment }) => moment > kept.clearedAt)
        kept.waiting = [...kept.waiting, ...added].sort((a, b) => a.moment - b.moment)
        for (const { text } of added) kept.length += text.length
        shorten(kept)
      }
      return kept.last + kept.waiting.length
    },
    look(stream) {
      const kept = find(stream)
      if (!kept) return undefined
      const doubt = kept.isLossy ? 'A replica had no room for exchanges while the store was away.' : undefined
      return { moment: tick(), working: new Map(kept.working), doubt }
    },
    read(stream, until, after) {
      const kept = find(stream)
      if (!kept) return undefined
      number(kept, kept.waiting.findLastIndex(({ moment }) => moment <= until) + 1)
      const { numbered, last, clearedUpTo, uncoveredUpTo } = kept
      return { exchanges: numbered.filter((one) => one.number > after), last, clearedUpTo, uncoveredUpTo }
    },
    clear(stream, what, gone) {
      const kept = find(stream)
      if (!kept) return
      if (what === 'journal') clearKept(kept, tick(), gone)
      else kept.uncoveredUpTo = kept.last
    },
  }
}

/** @param at the moment: what is added later and was over by then is cleared too */
export function clearKept(kept: KeptExchanges, at: number, gone: readonly string[]): void {
  number(kept, kept.waiting.length)
  kept.clearedUpTo = kept.last
  kept.clearedAt = at
  kept.isLossy = false
  for (const writer of gone) kept.working.delete(writer)
}

/** Gives the first ones that wait their numbers. */
function number(kept: KeptExchanges, count: number): void {
  for (const { text } of kept.waiting.splice(0, count)) kept.numbered.push({ number: ++kept.last, text })
}

function shorten(kept: KeptExchanges): void {
  const { numbered, waiting } = kept
  while (numbered.length + waiting.length > MAX_STORED || kept.length > MAX_STORED_LENGTH) {
    if (numbered.length === 0) number(kept, 1)
    kept.length -= numbered.shift()?.text.length ?? 0
  }
}
