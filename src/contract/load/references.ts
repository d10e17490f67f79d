import { rememberingAll } from '../../base/cache.ts'
import { basename, dirname, extname, resolve } from 'node:path'
import { isUrl } from './contract-lock.ts'
import { didYouMean, type DocumentErrors } from './document-errors.ts'
import { decodePercent, isReference, LONGEST_CHAIN, pointerIn, pointerOf, valueAt, walkAlong } from '../pointer.ts'
import { referTo, withParents } from '../../base/formats/paths.ts'
import { packagedPath, placeIn, type SourceFile, type readSourceFile } from '../../base/formats/source-file.ts'
import { realPath } from '../../base/formats/read-text.ts'
import { encodePointer, isObject, splitPointer } from '../../base/formats/json.ts'
import { nearest } from '../../base/errors/wording.ts'
import { StartupError } from '../../base/errors/problem.ts'

/** One file of a document. */
interface ReferencedFile {
  readonly document: SourceFile
  /** Absolute. */
  readonly path: string
}

/** A part of a file. */
export interface Location {
  readonly source: ReferencedFile
  readonly pointer: string
}

/** The target of a reference. */
export interface ReferenceTarget extends Location {
  /** A name for `components`: letters, digits, dots, dashes and underscores. */
  readonly name: string
}

/** More files are a mistake, such as a symbolic link that leads through a whole disk. */
const MAX_FILES = 1000

/** How the files are read that a document refers to. */
export interface ReferenceOptions {
  readonly read: typeof readSourceFile
  /** Directories besides that of the document whose files it may refer to: what it refers to is served, and a document may be anyone's. */
  readonly allowed: readonly string[]
  /** Where the document of a URL is kept; undefined for one that is not. @throws StartupError for one that was changed */
  readonly locked: (url: string) => string | undefined
}

/** The files of a document, each read with the first reference to it. */
export class Sources {
  readonly root: ReferencedFile
  readonly #errors: DocumentErrors
  readonly #read: typeof readSourceFile
  readonly #locked: ReferenceOptions['locked']
  /** By absolute path; undefined for a file that cannot be used. */
  readonly #files = new Map<string, ReferencedFile | undefined>()
  readonly #anchorsOf = rememberingAll((source: ReferencedFile) => new Map(anchorsIn(source.document.value, '')))
  /** By address, the pointers of the document and the schemas that give themselves one. */
  readonly #addressesOf = rememberingAll(
    (source: ReferencedFile) => new Map(addressesIn(source.document.value, { pointer: '', base: undefined })),
  )
  /** Directories, without symbolic links. */
  readonly #allowed: ReadonlySet<string | undefined>

  constructor(document: SourceFile, errors: DocumentErrors, { read, allowed, locked }: ReferenceOptions) {
    this.#read = read
    this.#locked = locked
    // Documents of this package are public, and examples refer to them.
    this.#allowed = new Set([dirname(resolve(document.file)), packagedPath('spec'), ...allowed].map(realPath))
    this.root = { document, path: resolve(document.file) }
    this.#errors = errors
    this.#files.set(this.root.path, this.root)
  }

  /** Finds the target of a reference; undefined, with an error, if there is none. */
  find(reference: string, from: Location): ReferenceTarget | undefined {
    const found = this.#locate(reference, from)
    return found && { ...found, name: nameOf(found.pointer, found.source) }
  }

  #locate(reference: string, from: Location, steps = 0): Location | undefined {
    const report = (message: string) => this.#errors.add(showLocation(from), message, consequenceOf(from))
    const { file, fragment } = partsOfReference(reference)
    const named = file === '' ? undefined : this.#named(file, from)
    const locked = named || !isUrl(file) ? undefined : this.#locked(file)
    if (!named && locked === undefined && /^[a-z][a-z0-9+.-]*:|^\/\//i.test(file)) {
      report(
        `${JSON.stringify(reference)} refers to ${/^file:/i.test(file) ? 'a file by its URL' : 'another machine, and a stand-in must start without one'}. ${isUrl(file) ? `Fetch it once: standin lock ${this.root.document.file}.` : 'Save it to a file beside this one and refer to that.'}`,
      )
      return undefined
    }
    const { path, shownAs } =
      locked === undefined ? fileOf(file, from.source) : { path: resolve(locked), shownAs: locked }
    const source = named?.source ?? (file === '' ? from.source : this.#open(path, shownAs, report))
    if (!source) return undefined
    const pointer = pointerOfFragment(fragment, () => this.#anchorsOf(source))
    const within = named && /^(?:\/|$)/.test(fragment) ? named.pointer : ''
    const found = pointer === undefined ? undefined : this.#walk(source, `${within}${pointer}`, steps)
    if (!found)
      report(`${JSON.stringify(reference)} refers to something that is not there. ${remedyFor(fragment, source)}`)
    return found
  }

  /** The document or schema of the address, as `$self` or `$id` gives it (OpenAPI 3.2, 4.1.2.2). */
  #named(file: string, { source, pointer }: Location): Location | undefined {
    const own = [...this.#addressesOf(source)].filter(([, at]) => `${pointer}/`.startsWith(`${at}/`))
    const [base] = own.toSorted(([, one], [, other]) => other.length - one.length)[0] ?? []
    const address = addressOf(file, base)
    for (const known of new Set([source, this.root])) {
      const found = address === undefined ? undefined : this.#addressesOf(known).get(address)
      if (found !== undefined) return { source: known, pointer: found }
    }
    return undefined
  }

  #open(path: string, shownAs: string, report: (message: string) => void): ReferencedFile | undefined {
    if (this.#files.has(path)) return this.#files.get(path)
    if (this.#files.size >= MAX_FILES) {
      report(`it refers to more than ${MAX_FILES} files. Bundle them into fewer.`)
      return undefined
    }
    const real = realPath(path)
    if (real !== undefined && !withParents(real).some((folder) => this.#allowed.has(folder))) {
      const allow = `If it may be read and served, pass --allow-ref ${dirname(real)}.`
      report(`${JSON.stringify(shownAs)} is not below the folder of the contract. ${allow}`)
      return undefined
    }
    let source: ReferencedFile | undefined
    try {
      const remedy = 'Check the reference; it is read from the folder of its own file.'
      source = { document: this.#read(path, { shownAs, remedy, isFile: true }), path }
    } catch (error) {
      if (!(error instanceof StartupError)) throw error
      for (const one of error.complaints) report(`the file of this reference cannot be taken. ${one}`)
    }
    this.#files.set(path, source)
    return source
  }

  /** Follows a pointer in a file, and the references on its way. */
  #walk(source: ReferencedFile, pointer: string, steps: number): Location | undefined {
    const { value, pointer: at, rest } = walkAlong(source.document.value, pointer)
    if (rest === '') return value === undefined ? undefined : { source, pointer: at }
    if (!isReference(value) || steps >= LONGEST_CHAIN) return undefined
    const next = this.#locate(value.$ref, { source, pointer: at }, steps + 1)
    return next && this.#walk(next.source, `${next.pointer}${rest}`, steps + 1)
  }
}

/** What it means to a client that a reference leads nowhere; undefined where that is not said. */
function consequenceOf({ source, pointer }: Location): string | undefined {
  const [, at] = /^(\/paths\/[^/]+\/[a-z]+)\/requestBody(?:\/content\/[^/]+(?:\/schema)?)?$/.exec(pointer) ?? []
  const operation = at === undefined ? undefined : valueAt(source.document.value, at)
  if (!isObject(operation) || at === undefined) return undefined
  const [, path = '', method = ''] = splitPointer(at)
  const name = typeof operation.operationId === 'string' ? operation.operationId : `${method.toUpperCase()} ${path}`
  return `It is left out, so bodies of ${name} are not checked.`
}

function partsOfReference(reference: string): { readonly file: string; readonly fragment: string } {
  const mark = reference.indexOf('#')
  return mark < 0
    ? { file: reference, fragment: '' }
    : { file: reference.slice(0, mark), fragment: reference.slice(mark + 1) }
}

/** `file:line`. */
export function showLocation({ source: { document }, pointer }: Location): string {
  return placeIn(document, pointer)
}

function fileOf(file: string, from: ReferencedFile): { readonly path: string; readonly shownAs: string } {
  const relative = decodePercent(file)
  return {
    path: resolve(dirname(from.path), relative),
    shownAs: referTo(relative, dirname(from.document.file)),
  }
}

/** A fragment is empty, a JSON pointer, or the name of an anchor. */
function pointerOfFragment(fragment: string, anchors: () => ReadonlyMap<string, string>): string | undefined {
  if (fragment === '' || fragment === '/') return ''
  if (fragment.startsWith('/')) return pointerIn(fragment)
  return anchors().get(fragment)
}

/** The pointers of the anchors of a value, by name. */
function anchorsIn(value: unknown, pointer: string): [string, string][] {
  if (typeof value !== 'object' || value === null) return []
  const named = isObject(value) ? [value.$anchor, value.$dynamicAnchor] : []
  return [
    ...named.flatMap((name): [string, string][] => (typeof name === 'string' ? [[name, pointer]] : [])),
    ...Object.entries(value).flatMap(([name, inner]) => anchorsIn(inner, `${pointer}/${encodePointer(name)}`)),
  ]
}

interface Addressed {
  readonly pointer: string
  readonly base: string | undefined
}

/** `$self` of a document, and each `$id` below it, as whole addresses with their pointers. */
function addressesIn(value: unknown, { pointer, base }: Addressed): [string, string][] {
  if (typeof value !== 'object' || value === null) return []
  const own = isObject(value) ? (pointer === '' ? value.$self : value.$id) : undefined
  const address = typeof own === 'string' ? addressOf(own, base) : undefined
  return [
    ...(address === undefined ? [] : [[address, pointer] as [string, string]]),
    ...Object.entries(value).flatMap(([name, inner]) =>
      addressesIn(inner, { pointer: `${pointer}/${encodePointer(name)}`, base: address ?? base }),
    ),
  ]
}

/** A document may say where it lies on any host. */
function addressOf(written: string, base = 'http://any.invalid/'): string | undefined {
  return URL.parse(written, base)?.href
}

/** The last part of the pointer, or the name of the file. */
function nameOf(pointer: string, { path }: ReferencedFile): string {
  const name = splitPointer(pointer).at(-1) ?? basename(path, extname(path))
  return name.replaceAll(/[^A-Za-z0-9._-]/g, '_') || '_'
}

/** Suggests a name that exists in place of a missing one. */
function remedyFor(fragment: string, { document }: ReferencedFile): string {
  const parts = fragment.startsWith('/') ? splitPointer(pointerIn(fragment)) : []
  const last = parts.pop()
  const beside = valueAt(document.value, pointerOf(parts))
  const meant = last !== undefined && isObject(beside) ? nearest(last, Object.keys(beside)) : undefined
  return didYouMean(meant) ?? 'Correct it, or add what it names.'
}
