import { useEffect, useState } from 'preact/hooks'
import type { DocumentList } from '../../../../src/control/client/types.ts'
import { control, messageOf } from '../../session.ts'
import { stringifyJson } from '../../../../src/base/formats/json.ts'

type StoredDocument = DocumentList['documents'][number]

/** The documents that contain a text. */
export interface Filtered {
  readonly documents: readonly StoredDocument[]
  /** How many were read. */
  readonly read: number
  readonly isDone: boolean
  readonly error?: string
}

const WINDOW = 1_000
/** The most matches that are shown. */
export const MOST_MATCHES = 1_000
const SETTLE = 200

/** Reads a collection window by window for the documents whose JSON contains a text. Undefined without a text. */
export function useFilter(name: string, text: string, version: number): Filtered | undefined {
  const client = control.value
  const [found, setFound] = useState<Filtered>()
  const wanted = text.trim().toLowerCase()
  useEffect(() => {
    if (wanted === '') {
      setFound(undefined)
      return undefined
    }
    let isEnded = false
    const isOver = () => isEnded
    const walk = async () => {
      const documents: StoredDocument[] = []
      for (let read = 0; ;) {
        const page = await client.listDocuments(name, { offset: read, limit: WINDOW })
        if (isOver()) return
        read += page.documents.length
        documents.push(...page.documents.filter((one) => textOf(one).includes(wanted)))
        const isDone = page.documents.length === 0 || read >= page.total || documents.length >= MOST_MATCHES
        setFound({ documents: documents.slice(0, MOST_MATCHES), read, isDone })
        if (isDone) return
      }
    }
    const timer = setTimeout(() => {
      walk().catch((error: unknown) => {
        if (!isOver()) setFound({ documents: [], read: 0, isDone: true, error: messageOf(error) })
      })
    }, SETTLE)
    return () => {
      isEnded = true
      clearTimeout(timer)
    }
  }, [client, name, wanted, version])
  return wanted === '' ? undefined : found
}

function textOf({ id, document }: StoredDocument): string {
  return `${id} ${stringifyJson(Object.values(document))}`.toLowerCase()
}
