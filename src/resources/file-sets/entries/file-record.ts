import { FILTER_FIELDS } from '../../../behaviours/file-fields.ts'
import { createHash } from 'node:crypto'
import { lookup } from 'mime-types'
import { parseInstant } from '../../../base/formats/instant.ts'
import { isUuid, nameUuid } from '../../../engine/random.ts'
import type { Violation } from '../../../base/errors/problem.ts'
import type { Integer, Json } from '../../../base/formats/json.ts'

/** A file of a file set. */
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
export interface DirectoryRecord extends Pick<FileRecord, 'id' | 'path' | 'name' | 'created' | 'createdBy'> {
  readonly fileType: 'DIRECTORY'
  readonly size: null
}

/**
 * An entry may have more members, if the user's contract names them: they are stored and shown with the others, but not searched.
 */
export type EntryRecord = FileRecord | DirectoryRecord

export const FIELDS = FILTER_FIELDS

export type Field = (typeof FIELDS)[number]
export type IntegerField = 'size' | 'createdBy'
export type TextField = Exclude<Field, IntegerField>

/** Members that may be any JSON. */
export type JsonField = 'connectorKey' | 'indexStatus' | 'indexReason'

/** What is made for each of them. */
export function forJsonFields<Made>(make: (field: JsonField) => Made): Readonly<Record<JsonField, Made>> {
  return { connectorKey: make('connectorKey'), indexStatus: make('indexStatus'), indexReason: make('indexReason') }
}

export const USUAL_FIELDS: ReadonlySet<string> = new Set(FIELDS)

/** Whether the interface names a member of an entry. */
export function isUsualField(name: string): boolean {
  return USUAL_FIELDS.has(name)
}

/** The members of an entry beyond those of the interface; undefined for most, which have none. */
export function addedMembers(record: EntryRecord): Readonly<Record<string, Json>> | undefined {
  for (const name in record) {
    if (USUAL_FIELDS.has(name)) continue
    const members = Object.entries(record as unknown as Readonly<Record<string, Json>>)
    return Object.fromEntries(members.filter(([one]) => !USUAL_FIELDS.has(one)))
  }
  return undefined
}

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
  /** Of the names of generated files; English when absent. */
  readonly locale?: string | undefined
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

/** A record of which only the path must be known; the other fields may be anything, and the contract has the last word. */
export type GivenRecord = Readonly<Record<string, unknown>> & { readonly path: string }

/** How files from outside are completed and checked. */
export interface FileRules {
  /** Epoch ms; the date of files without one: the first moment for initial files, the present for added ones. */
  readonly firstMoment: number
  /** Defaults of files; `USUAL_CHOICES` when absent. */
  readonly choices?: FileChoices | undefined
  /** Whether a contract of the user's own names a member beyond those of the interface. */
  isAdded(name: string): boolean
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

/** The fields come in the order of `FIELDS`, whatever the order in the fixture; those that a contract adds come last. */
function complete(
  defaults: EntryRecord,
  given: Readonly<Record<string, unknown>>,
  isAdded: FileRules['isAdded'],
): EntryRecord {
  const usual = Object.entries(defaults).map(([field, value]: [string, unknown]) => [field, given[field] ?? value])
  const added = Object.entries(given).filter(([field]) => !isUsualField(field) && isAdded(field))
  return Object.fromEntries([...usual, ...added]) as EntryRecord
}

/** A timestamp with another offset, or without milliseconds, in the form that the service shows; anything else is unchanged. */
function inUtc(created: unknown): unknown {
  const instant = typeof created === 'string' ? parseInstant(created) : undefined
  if (!instant || /\.\d{3,9}Z$/.test(String(created))) return created
  return instant.nanos === 0 ? new Date(instant.ms).toISOString() : created
}

/** The category of a media type, as seen in public. */
export function fileTypeOf(contentType: string): string {
  const [major = '', minor = ''] = contentType.toLowerCase().split(/[/;]/)
  if (major === 'image' || major === 'audio' || major === 'video') return major.toUpperCase()
  if (major === 'text' || minor === 'json' || minor === 'xml') return 'TEXT'
  return /pdf|msword|officedocument|opendocument|ms-excel|ms-powerpoint|rtf/.test(minor) ? 'DOCUMENT' : 'OTHER'
}

/**
 * The id of an entry at a path. A file that was moved keeps its id, so a new entry at its first path gets another one.
 *
 * @param isTaken whether another entry of the set has an id
 */
export function entryId(namespace: string, path: string, isTaken: (id: string) => boolean): string {
  let id = nameUuid(namespace, path)
  // No path contains a NUL character.
  for (let attempt = 2; isTaken(id); attempt++) id = nameUuid(namespace, `${path}\0${attempt}`)
  return id
}

/** The namespace of a file set's ids. A file set id may be any string; one that is a UUID is its own namespace. */
export function fileSetNamespace(fileSetId: string): string {
  return isUuid(fileSetId) ? fileSetId : nameUuid(ROOT_NAMESPACE, fileSetId)
}

/** The root namespace: UUIDv5 of the URL namespace and `https://standin.example`. */
const ROOT_NAMESPACE = 'b49b7516-ec12-5aa5-adc8-1b1bcd501816'
