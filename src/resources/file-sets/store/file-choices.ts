/** What files are made with where nobody says otherwise: the behaviours `file.types`, `file.index` and `file.download-url`. */
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
