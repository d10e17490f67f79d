import { useCallback, useEffect, useMemo, useState } from 'preact/hooks'
import type { ExchangeRecord } from '../../src/control/client/types.ts'
import { listen } from './live.ts'
import { sandboxName } from './session.ts'
import { useLoad } from './use-load.ts'

/** The most that a journal keeps. */
const LIMIT = 1_000

/** Milliseconds between what arrives and what is shown: a burst of requests is drawn once. */
const PAUSE = 100

interface Exchanges {
  /** The latest first; undefined until they are loaded. */
  readonly exchanges: readonly ExchangeRecord[] | undefined
  readonly error: string | undefined
  reload(): void
}

/** The exchanges of the current sandbox. They are loaded once; later ones arrive as events. */
export function useExchanges(): Exchanges {
  const [added, setAdded] = useState<readonly ExchangeRecord[]>([])
  const { value, error, reload: load } = useLoad((client) => client.listExchanges({ limit: LIMIT }))
  const sandbox = sandboxName.value
  const reload = useCallback(() => {
    setAdded([])
    load()
  }, [load])
  useEffect(() => {
    let arrived: ExchangeRecord[] = []
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = listen(({ event, data }) => {
      if (event === 'exchange') arrived.push(data as ExchangeRecord)
      else if (event === 'gap' || isNewStart(data)) {
        arrived = []
        reload()
      }
      timer ??= setTimeout(() => {
        timer = undefined
        const latest = arrived
        arrived = []
        if (latest.length > 0) setAdded((held) => latest.reverse().concat(held).slice(0, LIMIT))
      }, PAUSE)
    })
    return () => {
      stop()
      clearTimeout(timer)
    }
  }, [reload])
  const exchanges = useMemo(() => value && merge(added, value.exchanges.toReversed(), sandbox), [value, added, sandbox])
  return { exchanges, error, reload }
}

/** A reset empties the journal. */
function isNewStart(data: unknown): boolean {
  return typeof data === 'object' && data !== null && 'type' in data && data.type === 'sandbox.begun'
}

/** Those that arrived, then those that were loaded, each once: an exchange may arrive while the others are loaded. */
function merge(
  arrived: readonly ExchangeRecord[],
  loaded: readonly ExchangeRecord[],
  sandbox: string,
): readonly ExchangeRecord[] {
  const last = loaded[0]?.id ?? 0
  return [...arrived.filter(({ id }) => id > last), ...loaded]
    .filter((exchange) => exchange.sandbox === sandbox)
    .slice(0, LIMIT)
}
