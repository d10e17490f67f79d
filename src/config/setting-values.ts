import type { Override } from '../behaviours/behaviours.ts'
import { inlineSourceFile, placeIn, type SourceFile, readSourceFile } from '../base/formats/source-file.ts'
import { asObject, encodePointer, isObject } from '../base/formats/json.ts'
import { shown } from '../base/errors/problem.ts'

export interface KeySetting {
  readonly key: string
  /** Positive; 1 when absent. */
  readonly userId?: number
  /** The operations that the key may use, by operationId; all when absent. */
  readonly rights?: readonly string[]
  /** By file set: the directories that the key sees where `search.visible` is `listed`. */
  readonly directories?: Readonly<Record<string, readonly string[]>>
}

/** The known keys, and what a part of them is called in messages. */
interface ReadKeys {
  readonly keys: readonly KeySetting[]
  nameOf(pointer: string): string
}

/** Where a setting that may be in a file of its own was given. */
interface GivenPlace {
  /** Gets each complaint with the name of what it is about. */
  complain(complaint: string, name?: string): void
  /** What the setting, or a part of it, is called. */
  nameOf(pointer: string): string
}

/** Reads a list, or the file that holds one, alone or under `keys`. @throws StartupError for a file that cannot be read */
export function readKeys(value: unknown, { complain, nameOf }: GivenPlace): ReadKeys {
  if (typeof value !== 'string')
    return { keys: checkKeys(value, (complaint, pointer) => complain(complaint, nameOf(pointer))), nameOf }
  const document = readSourceFile(value, { namedBy: nameOf('') })
  const { list, prefix } = listIn(document)
  const inFile = (pointer: string) => `${nameOf('')}: ${value}:${document.lineOf(prefix + pointer)}`
  return { keys: checkKeys(list, (complaint, pointer) => complain(complaint, inFile(pointer))), nameOf: inFile }
}

function listIn({ value }: SourceFile): { readonly list: unknown; readonly prefix: string } {
  return isObject(value) ? { list: value.keys, prefix: '/keys' } : { list: value, prefix: '' }
}

/** What a value is, for messages that must not show what may be a key. */
function kindOf(value: unknown): string {
  if (value === undefined || value === null) return 'nothing'
  return Array.isArray(value) ? 'a list' : typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

function checkKeys(value: unknown, complain: (complaint: string, pointer: string) => void): KeySetting[] {
  if (!Array.isArray(value)) {
    complain(`Expected a list of { key, userId, rights, directories }; got ${kindOf(value)}.`, '')
    return []
  }
  const seen = new Set<unknown>()
  return value.flatMap((one: unknown, index) => {
    const fields = typeof one === 'object' && one !== null ? (one as Record<string, unknown>) : {}
    const complaints = keyComplaints(fields)
    if (typeof fields.key === 'string' && seen.has(fields.key)) complaints.push('Its key is there twice. Remove one.')
    seen.add(fields.key)
    for (const complaint of complaints) complain(`Key ${index + 1}: ${complaint}`, `/${index}`)
    return complaints.length > 0 ? [] : [fields as unknown as KeySetting]
  })
}

function keyComplaints({ key, userId, rights, directories, ...rest }: Readonly<Record<string, unknown>>): string[] {
  const isKey = typeof key === 'string' && key.trim() !== ''
  const isUser = userId === undefined || (Number.isSafeInteger(userId) && Number(userId) > 0)
  const areRights = rights === undefined || areTexts(rights)
  const areListed = directories === undefined || (isObject(directories) && Object.values(directories).every(areTexts))
  return [
    ...Object.keys(rest).map((name) => `There is no field \`${name}\`. Fields: key, userId, rights, directories.`),
    ...(isKey
      ? []
      : [`\`key\` must be a text that is not blank; it is ${typeof key === 'string' ? shown(key) : kindOf(key)}.`]),
    ...(isUser ? [] : [`\`userId\` must be a positive integer; it is ${shown(userId)}.`]),
    ...(areRights ? [] : [`\`rights\` must be a list of operation ids; it is ${shown(rights)}.`]),
    ...(areListed
      ? []
      : [
          `\`directories\` must hold a list of directory paths for each file set, such as { demo: [reports] }; it is ${shown(directories)}.`,
        ]),
  ]
}

/** A profile that `standin calibrate` or `standin learn` wrote. */
export interface ProfileSetting {
  /** Undefined for what was given itself. */
  readonly file: string | undefined
  readonly behaviours: readonly Override[]
  /** All that it holds. */
  readonly source: SourceFile
}

/**
 * Reads the name of a profile, the path of a file, or what such a file holds: settings of behaviours under `behaviours`.
 *
 * @throws StartupError for a file that cannot be read
 */
export function readProfile(value: unknown, { complain, nameOf }: GivenPlace): string | ProfileSetting | undefined {
  const isFile = typeof value === 'string' && /[\\/]|\.(ya?ml|json)$/i.test(value)
  const document = isFile ? readSourceFile(value, { namedBy: nameOf('') }) : undefined
  const content = document ? document.value : value
  if (!document && typeof content === 'string' && content !== '') return content
  const isProfile = isObject(content) && ['behaviours', 'learned', 'fixture'].some((part) => isObject(content[part]))
  if (!isProfile || (content.behaviours !== undefined && !isObject(content.behaviours))) {
    const place = document ? `${nameOf('')}: ${placeIn(document, '')}` : nameOf('')
    const expected =
      'Expected the name of a profile, or a file of `standin calibrate` or `standin learn` with `behaviours`, `learned` or `fixture`'
    complain(`${expected}; got ${shown(content)}.`, place)
    return undefined
  }
  const placeOf = (id: string) => {
    const pointer = `/behaviours/${encodePointer(id)}`
    return document ? `${nameOf('')}: ${placeIn(document, pointer)}` : nameOf(pointer)
  }
  return {
    source: document ?? inlineSourceFile(content, nameOf('')),
    file: isFile ? value : undefined,
    behaviours: Object.entries(asObject(content.behaviours)).map(([id, one]) => ({
      id,
      value: one,
      setBy: placeOf(id),
    })),
  }
}

function areTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((one) => typeof one === 'string')
}

/** A real folder that becomes a file set. */
export interface FolderSetting {
  /** Of the file set. */
  readonly id: string
  readonly directory: string
}

/**
 * Reads `{ name: directory }` as in a configuration file, or `name=directory` texts as on a command line; one text may hold
 * several with commas, as in the environment.
 */
export function readFolderSettings(
  value: unknown,
  complain: (complaint: string, pointer: string) => void,
): FolderSetting[] {
  const folders = new Map<string, string>()
  for (const { id, directory, from, pointer } of pairsOf(value)) {
    if (id === '' || typeof directory !== 'string' || directory === '')
      complain(
        `Expected the name of a file set and a directory, as in documents=./documents; got ${shown(from)}.`,
        pointer,
      )
    else if (folders.has(id)) complain(`The file set ${shown(id)} is there twice. Rename one.`, pointer)
    else folders.set(id, directory)
  }
  return [...folders].map(([id, directory]) => ({ id, directory }))
}

interface FileSetSetting {
  readonly id: string
  readonly directory: unknown
  /** What it was read from. */
  readonly from: unknown
  /** Where that stands in the setting. */
  readonly pointer: string
}

function pairsOf(value: unknown): FileSetSetting[] {
  if (isObject(value))
    return Object.entries(value).map(([id, directory]) => ({
      id,
      directory,
      from: { [id]: directory },
      pointer: `/${encodePointer(id)}`,
    }))
  const texts: readonly unknown[] =
    typeof value === 'string' ? value.split(',') : Array.isArray(value) ? value : [value]
  return texts.map((text, index) => {
    const whole = typeof text === 'string' ? text : ''
    const mark = whole.indexOf('=')
    return { id: whole.slice(0, Math.max(0, mark)), directory: whole.slice(mark + 1), from: text, pointer: `/${index}` }
  })
}

/** Whether a text is the address of a mail server: `smtp://` or `smtps://`, perhaps a user and a password, a host, perhaps a port. */
export function isMailServer(address: string): boolean {
  const url = URL.parse(address)
  if (!url || !/^smtps?:$/.test(url.protocol) || url.hostname === '') return false
  return /^\/?$/.test(url.pathname) && url.search === '' && url.hash === ''
}

/** Such an address, or what was meant as one, as it may be shown: whatever could be a password is left out. */
export function withoutPassword(address: string): string {
  return address
    .replace(/[?#].*$/s, '?…')
    .replace(/^([^/]*\/\/)?.*@/s, '$1…@')
    .replaceAll(/:(?!\/\/|\d{1,5}(?:\/|$))[^/]*/g, ':…')
}
