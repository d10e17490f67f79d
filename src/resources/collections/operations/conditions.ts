import { hash } from 'node:crypto'
import { stringifyJson } from '../../../base/formats/json.ts'
import { preconditionFailed, preconditionRequired } from '../../../base/errors/resource-errors.ts'
import type { Call } from '../../handler.ts'
import type { StoredDocument } from '../documents/stored-document.ts'
import type { OperationWork } from './work.ts'

/** The entity tag of an item (RFC 9110, 8.8.3): its own member where it has one, else of its content. */
function tagOf({ value }: StoredDocument): string {
  const { etag } = value
  if (typeof etag === 'string' && /^(W\/)?"[^"]*"$/.test(etag)) return etag
  return `"${typeof etag === 'string' && /^[\w-]+$/.test(etag) ? etag : hash('sha1', stringifyJson(value), 'base64url').slice(0, 16)}"`
}

/** @returns the header of a response that shows an item */
export function tagHeader({ headers }: OperationWork, stored: StoredDocument): Record<string, string> {
  return headers().showsTag ? { etag: tagOf(stored) } : {}
}

/** @throws Problem 412 for a write whose condition is not met, 428 for one without a condition where one is required */
export function refuseUnmet({ headers, plan }: OperationWork, call: Call, stored: StoredDocument | undefined): void {
  const { isConditional, needsCondition } = headers()
  if (!isConditional) return
  const [match, noneMatch] = [call.header('if-match'), call.header('if-none-match')]
  const { noun } = plan.collection
  if (match === undefined && noneMatch === undefined && needsCondition && stored)
    throw preconditionRequired({ detail: `Send If-Match with the ETag of the ${noun} that is to be changed.` })
  if (match !== undefined && (!stored || !listsTag(match, tagOf(stored))))
    throw preconditionFailed({
      detail: stored
        ? `The ${noun} was changed: its ETag is ${tagOf(stored)}, not ${match}.`
        : `There is no such ${noun}, so If-Match is not met.`,
    })
  if (noneMatch !== undefined && stored && listsTag(noneMatch, tagOf(stored)))
    throw preconditionFailed({ detail: `There is such a ${noun} already, so If-None-Match is not met.` })
}

/** Whether the client has the item as it is, so that a read needs no body. */
export function isUnchanged({ headers }: OperationWork, call: Call, stored: StoredDocument): boolean {
  const { isConditional, hasNotModified } = headers()
  const known = isConditional && hasNotModified ? call.header('if-none-match') : undefined
  return known !== undefined && listsTag(known, tagOf(stored))
}

function listsTag(header: string, tag: string): boolean {
  const plain = (one: string) => one.trim().replace(/^W\//, '')
  return header.trim() === '*' || header.split(',').some((one) => plain(one) === plain(tag))
}
