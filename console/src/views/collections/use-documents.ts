import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import type { DocumentList } from '../../../../src/control/client/types.ts'
import { control, messageOf } from '../../session.ts'
import { useReloadOn } from '../../use-reload-on.ts'

type StoredDocument = DocumentList['documents'][number]

/** The documents of a collection, loaded in windows as they are looked at. */
export interface Documents {
  /** Undefined until the first window is there. */
  readonly total: number | undefined
  readonly error: string | undefined
  /** The first ones that are loaded, to choose columns from. */
  readonly samples: readonly StoredDocument[]
  /** Counts the changes of the collection. */
  readonly version: number
  /** The document at an index; undefined until its window is loaded, which this begins. */
  at(index: number): StoredDocument | undefined
  reload(): void
}

const WINDOW = 200
const MOST_WINDOWS = 50
const SAMPLES = 20
const TOPICS = ['state'] as const

export function useDocuments(name: string): Documents {
  const client = control.value
  const windows = useRef(new Map<number, readonly StoredDocument[]>())
  const loading = useRef(new Set<number>())
  const run = useRef(0)
  const [state, setState] = useState<{ total?: number; error?: string; version: number }>({ version: 0 })

  const load = useCallback(
    (window: number) => {
      if (loading.current.has(window)) return
      loading.current.add(window)
      const mine = run.current
      client.listDocuments(name, { offset: window * WINDOW, limit: WINDOW }).then(
        ({ total, documents }) => {
          if (mine !== run.current) return
          loading.current.delete(window)
          keep(windows.current, window, documents)
          setState(({ version }) => ({ total, version: version + 1 }))
        },
        (error: unknown) => {
          // It stays among those that are loading, so that each window is tried once until a reload.
          if (mine === run.current) setState((held) => ({ ...held, error: messageOf(error) }))
        },
      )
    },
    [client, name],
  )

  const reload = useCallback(() => {
    run.current++
    loading.current.clear()
    const latest = [...windows.current.keys()].slice(-3)
    for (const window of windows.current.keys()) if (!latest.includes(window)) windows.current.delete(window)
    for (const window of latest.length === 0 ? [0] : latest) load(window)
  }, [load])

  useEffect(() => {
    windows.current.clear()
    setState({ version: 0 })
    reload()
    return () => {
      run.current++
    }
  }, [reload])

  useReloadOn(TOPICS, reload)

  return {
    total: state.total,
    error: state.error,
    samples: (windows.current.get(0) ?? [...windows.current.values()][0] ?? []).slice(0, SAMPLES),
    version: state.version,
    at(index) {
      const window = Math.floor(index / WINDOW)
      const held = windows.current.get(window)
      if (!held) load(window)
      return held?.[index % WINDOW]
    },
    reload,
  }
}

/** The window that was looked at last is the last of the map; the first one is kept for the columns. */
function keep(
  windows: Map<number, readonly StoredDocument[]>,
  window: number,
  documents: readonly StoredDocument[],
): void {
  windows.delete(window)
  windows.set(window, documents)
  for (const key of windows.keys()) {
    if (windows.size <= MOST_WINDOWS) return
    if (key !== 0) windows.delete(key)
  }
}
