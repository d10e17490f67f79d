/** The records of interface.md 2.1, and which of their fields a search may name. */

import type { Integer, Json } from '../../../formats/json.ts'

export interface FileRecord {
  readonly id: string
  /** Full path within the file set, its name included; no leading slash. */
  readonly path: string
  readonly name: string
  readonly fileType: string
  readonly contentType: string
  /** Bytes. */
  readonly size: Integer
  readonly hash: string
  readonly hashAlgorithm: string
  readonly downloadUrl: string
  /** RFC 3339 in UTC; milliseconds, except where a fixture asks for up to nine digits. */
  readonly created: string
  readonly createdBy: Integer
  readonly connectorKey: Json
  readonly indexStatus: Json
  readonly indexReason: Json
}

/** An entry for a directory, as `dir.fields` shows it. */
export interface DirectoryRecord {
  readonly id: string
  readonly path: string
  readonly name: string
  readonly fileType: 'DIRECTORY'
  readonly size: null
  readonly created: string
  readonly createdBy: Integer
}

/**
 * An entry may have more members, if the user's contract names them: they are stored and shown with the others, but not searched.
 */
export type EntryRecord = FileRecord | DirectoryRecord

/** The last segment of a path. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** The directory that holds a path; the empty string is the root. */
export function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}

/** Defaults of files, from the behaviours `file.types`, `file.index` and `file.download-url`. */
export interface FileChoices {
  /** Categories; a file of another one gets the last of them. */
  readonly fileTypes: readonly string[]
  /** By turns, by the number of the file or a digit of its hash. */
  readonly hashAlgorithms: readonly string[]
  readonly index: 'null' | 'varied'
  readonly downloadUrl: 'empty' | 'url'
}

export const USUAL_CHOICES: FileChoices = {
  fileTypes: ['IMAGE', 'AUDIO', 'VIDEO', 'TEXT', 'DOCUMENT', 'OTHER'],
  hashAlgorithms: ['SHA_256_HEX'],
  index: 'null',
  downloadUrl: 'empty',
}

export function chooseFileType({ fileTypes }: FileChoices, category: string): string {
  return fileTypes.includes(category) ? category : (fileTypes.at(-1) ?? category)
}

/** Hexadecimal digits of a digest. */
const DIGEST_DIGITS: Readonly<Record<string, number>> = { SHA_1_HEX: 40, MD5_HEX: 32 }

export function chooseHash({ hashAlgorithms }: FileChoices, at: number, digest: string) {
  const hashAlgorithm = hashAlgorithms[at % hashAlgorithms.length] ?? 'SHA_256_HEX'
  return { hash: digest.slice(0, DIGEST_DIGITS[hashAlgorithm] ?? digest.length), hashAlgorithm }
}

const STATES = [
  { connectorKey: null, indexStatus: 'INDEXED', indexReason: null },
  { connectorKey: 'gdrive', indexStatus: 'INDEXED', indexReason: null },
  { connectorKey: null, indexStatus: 'PENDING', indexReason: null },
  { connectorKey: 'gdrive', indexStatus: 'FAILED', indexReason: 'UNSUPPORTED_CONTENT_TYPE' },
  { connectorKey: null, indexStatus: null, indexReason: null },
] as const
const NO_STATE = { connectorKey: null, indexStatus: null, indexReason: null } as const

export function chooseIndexState({ index }: FileChoices, at: number): (typeof STATES)[number] | typeof NO_STATE {
  return index === 'null' ? NO_STATE : (STATES[at % STATES.length] ?? NO_STATE)
}

export function chooseDownloadUrl({ downloadUrl }: FileChoices, fileSetId: string, fileId: string): string {
  return downloadUrl === 'empty'
    ? ''
    : `https://files.example/${encodeURIComponent(fileSetId)}/${encodeURIComponent(fileId)}`
}
