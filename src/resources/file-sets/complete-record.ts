import { createHash } from 'node:crypto'
import { lookup } from 'mime-types'
import {
  chooseDownloadUrl,
  chooseFileType,
  chooseHash,
  chooseIndexState,
  USUAL_CHOICES,
  type EntryRecord,
  type FileChoices,
  type FileRecord,
  nameOf,
} from './store/file-record.ts'
import type { Violation } from '../../errors/problem.ts'
import { parseInstant } from '../../engine/instant.ts'
import { entryId, fileSetNamespace } from '../../engine/uuid.ts'
import { isUsualField } from './store/columns.ts'

/** A record of which only the path must be known; the other fields may be anything, and the contract has the last word. */
export type GivenRecord = Readonly<Record<string, unknown>> & { readonly path: string }

/** How files from outside are completed and checked. */
export interface FileRules {
  /** Epoch ms; the date of files that have none. */
  readonly firstMoment: number
  /** Defaults of files; `USUAL_CHOICES` when absent. */
  readonly choices?: FileChoices | undefined
  /** Whether a contract of the user's own names a member beyond those of the interface. */
  isAdded(of: 'file', name: string): boolean
  /** Checks a completed record against the contract. */
  checkRecord(record: EntryRecord): readonly Violation[]
}

interface CompletionRules extends Pick<FileRules, 'firstMoment' | 'isAdded' | 'choices'> {
  /** Whether an entry of the set has the id already. */
  readonly isTaken: (id: string) => boolean
}

/** Fills in what a fixture leaves out, from the path as far as it goes. */
export function completeRecord(
  fileSetId: string,
  given: GivenRecord,
  { firstMoment, isAdded, isTaken, choices = USUAL_CHOICES }: CompletionRules,
): EntryRecord {
  const { path } = given
  const name = nameOf(path)
  const id = entryId(fileSetNamespace(fileSetId), path, isTaken)
  const created = new Date(firstMoment).toISOString()
  const createdBy = 1
  const dated = { ...given, created: inUtc(given.created) }
  if (given.fileType === 'DIRECTORY')
    return complete({ id, path, name, fileType: 'DIRECTORY', size: null, created, createdBy }, dated, isAdded)
  const contentType = lookup(name) || 'application/octet-stream'
  const digest = createHash('sha256').update(`${fileSetId}/${path}`).digest('hex')
  const at = Number.parseInt(digest.slice(0, 8), 16)
  const defaults: FileRecord = {
    id,
    path,
    name,
    fileType: chooseFileType(
      choices,
      fileTypeOf(typeof given.contentType === 'string' ? given.contentType : contentType),
    ),
    contentType,
    size: 0,
    ...chooseHash(choices, at, digest),
    downloadUrl: chooseDownloadUrl(choices, fileSetId, id),
    created,
    createdBy,
    ...chooseIndexState(choices, at),
  }
  return complete(defaults, dated, isAdded)
}

/** The order of the fields is that of interface.md 2.1, whatever the order in the fixture; those that a contract adds come last. */
function complete(
  defaults: EntryRecord,
  given: Readonly<Record<string, unknown>>,
  isAdded: FileRules['isAdded'],
): EntryRecord {
  const usual = Object.entries(defaults).map(([field, value]: [string, unknown]) => [field, given[field] ?? value])
  const added = Object.entries(given).filter(([field]) => !isUsualField(field) && isAdded('file', field))
  return Object.fromEntries([...usual, ...added]) as EntryRecord
}

/** A timestamp with another offset, or without milliseconds, in the form that the service shows; anything else is unchanged. */
function inUtc(created: unknown): unknown {
  const instant = typeof created === 'string' ? parseInstant(created) : undefined
  if (!instant || /\.\d{3,9}Z$/.test(String(created))) return created
  return instant.nanos === 0 ? new Date(instant.ms).toISOString() : created
}

/** The category of a media type, as seen in public. */
function fileTypeOf(contentType: string): string {
  const [major = '', minor = ''] = contentType.toLowerCase().split(/[/;]/)
  if (major === 'image' || major === 'audio' || major === 'video') return major.toUpperCase()
  if (major === 'text' || minor === 'json' || minor === 'xml') return 'TEXT'
  return /pdf|msword|officedocument|opendocument|ms-excel|ms-powerpoint|rtf/.test(minor) ? 'DOCUMENT' : 'OTHER'
}
