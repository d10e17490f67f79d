import { useEffect, useState } from 'preact/hooks'
import { isEqual } from '../changes.ts'

export type Members = Readonly<Record<string, unknown>>

interface Held {
  /** The document that was changed. */
  readonly base: Members
  readonly draft: Members
}

/** What was typed and not saved yet, by sandbox and document: kept while other documents are looked at. */
const unsaved = new Map<string, Held>()

export interface Draft {
  readonly base: Members | undefined
  readonly draft: Members | undefined
  readonly isChanged: boolean
  /** Whether the document was changed elsewhere since. */
  readonly isOutdated: boolean
  /** Counts what replaced all that was typed, so that fields begin anew. */
  readonly revision: number
  set(draft: Members): void
  /** Drops what was typed. @param saved what is shown until the document is loaded again */
  drop(saved?: Members): void
}

/** What is edited of a document: follows the loaded one until something is typed. */
export function useDraft(key: string, loaded: Members | undefined): Draft {
  const [held, setHeld] = useState(() => unsaved.get(key))
  const [revision, setRevision] = useState(0)
  const isChanged = held !== undefined && !isEqual(held.base, held.draft)
  useEffect(() => {
    setHeld((known) => (known && isEqual(known.base, known.draft) ? undefined : known))
  }, [loaded])
  const base = held?.base ?? loaded
  return {
    base,
    draft: held?.draft ?? loaded,
    isChanged,
    isOutdated: isChanged && loaded !== undefined && !isEqual(held.base, loaded),
    revision,
    set(draft) {
      const next = { base: base ?? {}, draft }
      unsaved.set(key, next)
      setHeld(next)
    },
    drop(saved) {
      unsaved.delete(key)
      setHeld(saved && { base: saved, draft: saved })
      setRevision((count) => count + 1)
    },
  }
}
