import assert from 'node:assert/strict'
import type { Response } from './connection.ts'
import type { Entry } from '../../test/resources/file-sets/naive-search.ts'

export interface Page {
  /** `size` and `createdBy` as decimal texts, so that no digit is lost. */
  readonly files: readonly Entry[]
  readonly next: string | undefined
}

/** @throws Error unless the response is a page */
export function readPage({ status, text }: Response): Page {
  assert.equal(status, 200, text)
  // Within a JSON string every quote is escaped, so this pattern finds members only.
  const exact = text.replaceAll(/"(size|createdBy)":(-?\d+)/g, '"$1":"$2"')
  const { files, pageContext } = JSON.parse(exact) as { files: Entry[]; pageContext: { next?: string } }
  return { files, next: pageContext.next }
}
