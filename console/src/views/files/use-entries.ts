import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import type { EntryRecord } from '../../../../src/control/client/types.ts'
import { control, messageOf } from '../../session.ts'
import { BLOCK, nearestBlocks, partToLoad } from './blocks.ts'

/** Milliseconds that the rows in view must stay the same before they are loaded. */
const PAUSE = 60

interface Held {
  readonly blocks: ReadonlyMap<number, readonly EntryRecord[]>
  readonly total: number | undefined
  readonly error: string | undefined
}

const NOTHING: Held = { blocks: new Map(), total: undefined, error: undefined }

export interface EntryListing {
  readonly fileSetId: string
  /** Only the entries directly in it; the whole file set when undefined. */
  readonly directory: string | undefined
  /** Changes with each change of the file set. */
  readonly version: number | undefined
}

/**
 * The entries of a file set or of a directory, loaded where they are looked at. Rows that are only scrolled past are not asked for, and
 * there is one request at a time.
 */
export function useEntries({ fileSetId, directory, version }: EntryListing) {
  const client = control.value
  const [held, setHeld] = useState<Held>(NOTHING)
  const state = useRef({ held, range: [0, BLOCK] as readonly [number, number], isLoading: false, run: 0, stale: false })
  const timer = useRef<ReturnType<typeof setTimeout>>()
  const show = (next: Held) => setHeld((state.current.held = next))
  const load = useCallback(async () => {
    const { current } = state
    const mine = current.run
    if (current.isLoading) return
    const part = partToLoad(...current.range, (block) => !current.stale && current.held.blocks.has(block))
    if (part === undefined) return
    current.isLoading = true
    try {
      const { total, files } = await client.listFiles(fileSetId, {
        ...(directory === undefined ? {} : { directory }),
        ...part,
      })
      if (mine !== current.run) return
      const blocks = new Map(current.stale ? [] : current.held.blocks)
      for (let at = 0; at < part.limit; at += BLOCK) blocks.set((part.offset + at) / BLOCK, files.slice(at, at + BLOCK))
      current.stale = false
      show({ blocks: nearestBlocks(blocks, current.range[0]), total, error: undefined })
    } catch (error) {
      if (mine === current.run) show({ ...current.held, error: messageOf(error) })
      return
    } finally {
      if (mine === current.run) current.isLoading = false
    }
    void load()
  }, [client, fileSetId, directory])
  useEffect(() => {
    Object.assign(state.current, { run: state.current.run + 1, isLoading: false, range: [0, BLOCK], stale: false })
    show(NOTHING)
    void load()
    return () => {
      state.current.run++
      clearTimeout(timer.current)
    }
  }, [load])
  useEffect(() => {
    if (state.current.held.total === undefined) return
    // What is shown stays until the new entries are there.
    Object.assign(state.current, { run: state.current.run + 1, isLoading: false, stale: true })
    void load()
  }, [version])
  const look = useCallback(
    (first: number, end: number) => {
      state.current.range = [first, Math.max(end, first + 1)]
      clearTimeout(timer.current)
      timer.current = setTimeout(() => void load(), PAUSE)
    },
    [load],
  )
  return {
    total: held.total,
    error: held.error,
    entryAt: (index: number): EntryRecord | undefined => held.blocks.get(Math.floor(index / BLOCK))?.[index % BLOCK],
    look,
    reload: () => void load(),
  }
}
