import { rememberingAll } from '../cache.ts'
import { closeSync, existsSync, mkdirSync, openSync, renameSync, rmSync, writeSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { LineCounter, parseDocument } from 'yaml'
import { encodePointer, findFault, isTooDeep, MAX_DEPTH, parseJson, splitPointer, TOO_DEEP } from './json.ts'
import { parseScanned } from './json-reading.ts'
import { createLinesOfJson } from './json-lines.ts'
import { escapeRegExp } from '../escape-reg-exp.ts'
import { StartupError } from '../errors/problem.ts'
import { type Naming, readText } from './read-text.ts'
import { loadYaml } from './yaml.ts'

/** A YAML or JSON file: its value, and the line of each part of it. */
export interface SourceFile {
  /** As it is named in messages. */
  readonly file: string
  /** Integers beyond 2^53 are bigints. */
  readonly value: unknown
  /** The line, from 1, of what a JSON pointer points at, or of the nearest part above it that exists. */
  lineOf(pointer: string): number
  /** `file:line` of a part, where parts come from several files. */
  placeOf?(pointer: string): string
  /** Whether its value never changes, so that what is made of it can be shared. */
  readonly isConstant?: boolean
}

/** `file:line` of a part of a file. */
export function placeIn(document: SourceFile, pointer: string): string {
  return document.placeOf?.(pointer) ?? `${document.file}:${document.lineOf(pointer)}`
}

/**
 * Reads a document.
 *
 * @throws StartupError naming file and line when it cannot be read or is not YAML (or JSON, by its name)
 */
export function readSourceFile(file: string, naming: Naming = {}): SourceFile {
  return createDocument(naming.shownAs ?? file, readText(file, naming))
}

/** A document that is not a file; everything is on its first line. */
export function inlineSourceFile(value: unknown, file: string): SourceFile {
  return { file, value, lineOf: () => 1 }
}

/**
 * Reads a document of this package, by its path in the package. The build also writes each as JSON, which is read thirty times as
 * fast, and the lines of its parts, which are read when a message first needs one.
 */
export function readPackaged(path: string): SourceFile {
  return packagedDocument(path)
}

/** The version of this package. Each start asks for it, and without lines to name its file is read at once. */
export function packageVersion(): string {
  return versionIn('package.json')
}

const versionIn = rememberingAll((path: string) => {
  const text = readText(packagedPath(path), { shownAs: path })
  return (JSON.parse(text) as { readonly version: string }).version
})

/** The package's own documents do not change, so a process reads each once. */
const packagedDocument = rememberingAll((path: string): SourceFile => ({ ...readPackagedAnew(path), isConstant: true }))

function readPackagedAnew(path: string): SourceFile {
  const source = packagedPath(path)
  const compiled = packagedPath(compiledPath(path))
  if (!import.meta.url.includes('/dist/') || !existsSync(compiled)) return readSourceFile(source, { shownAs: path })
  const text = unwrapped(readText(compiled, { shownAs: path }))
  // Only integers above 2^53 need the exact reader, which takes a quarter of a start.
  const isExact = [...text.matchAll(/[:,[](-?\d{16,})(?=[,}\]])/g)].every(([, digits]) =>
    Number.isSafeInteger(Number(digits)),
  )
  const value: unknown = isExact ? JSON.parse(text) : parseScanned(text)
  const readLines = () =>
    JSON.parse(unwrapped(readText(packagedPath(linesPath(path)), { shownAs: path }))) as readonly number[]
  return { file: path, value, lineOf: createCompiledLineOf(value, readLines) }
}

/** Where the build keeps the value of a document of this package. */
export function compiledPath(path: string): string {
  return `dist/compiled/${path.replace(/\.yaml$/, '.js')}`
}

/** Where the build keeps the lines of a document of this package. */
export function linesPath(path: string): string {
  return `dist/compiled/${path.replace(/\.yaml$/, '.lines.js')}`
}

/** JSON as a module that exports its text: pages import the file that Node reads. Its backticks and `${` are escaped, as JSON allows. */
export function wrapped(json: string): string {
  return `export default String.raw\`${json.replaceAll('`', '\\u0060').replaceAll('${', '\\u0024{')}\``
}

function unwrapped(module: string): string {
  return module.slice(module.indexOf('`') + 1, -1)
}

/** The line of each part of a document, for the build to keep. */
export function linesOf({ value, lineOf }: SourceFile): readonly number[] {
  return pointersOf(value).map(lineOf)
}

function createCompiledLineOf(value: unknown, readLines: () => readonly number[]): (pointer: string) => number {
  let known: ReadonlyMap<string, number> | undefined
  return (pointer) => {
    if (!known) {
      const lines = readLines()
      known = new Map(pointersOf(value).map((at, index) => [at, lines[index] ?? 1]))
    }
    let at = pointer
    while (at !== '' && !known.has(at)) at = at.slice(0, Math.max(0, at.lastIndexOf('/')))
    return known.get(at) ?? 1
  }
}

/** JSON pointers of a value and all its parts, in an order that depends on the value alone. */
function pointersOf(value: unknown, pointer = '', into: string[] = []): string[] {
  into.push(pointer)
  if (typeof value === 'object' && value !== null)
    for (const [name, inner] of Object.entries(value)) pointersOf(inner, `${pointer}/${encodePointer(name)}`, into)
  return into
}

/** The path of a file of this package, where it is installed or checked out. */
export function packagedPath(path: string): string {
  return fileURLToPath(new URL(`${import.meta.url.includes('/dist/') ? '../' : '../../../'}${path}`, import.meta.url))
}

/** Whether this package has a file: a checkout that was not built lacks those of `dist/`. */
export function isPackaged(path: string): boolean {
  return existsSync(packagedPath(path))
}

/** Whether there is a file or a directory of that path. */
export function isThere(path: string): boolean {
  return existsSync(path)
}

export function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}

/** Modes of what clients sent: only the user who runs the server may read it, since it may hold secrets of any form. */
export const PRIVATE_FILE = 0o600
export const PRIVATE_DIRECTORY = 0o700

/** Makes a folder, and those above it. */
export function makeFolder(path: string): void {
  mkdirSync(path, { recursive: true })
}

/** Removes a file, if it is there. */
export function removeFile(path: string): void {
  rmSync(path, { force: true })
}

/** Makes a folder that only its owner can read, and those above it. */
export function makePrivateFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: PRIVATE_DIRECTORY })
}

/**
 * Writes a file in parts, so that it can be larger than the longest string. It exists completely or not at all.
 *
 * @param mode who may read it: all that the user's mask allows when absent
 * @throws StartupError when it cannot be written
 */
export function writeText(file: string, parts: Iterable<string>, mode = 0o666): void {
  const unfinished = `${file}.unfinished`
  try {
    const handle = openSync(unfinished, 'w', mode)
    try {
      for (const part of parts) writeSync(handle, part)
    } finally {
      closeSync(handle)
    }
    renameSync(unfinished, file)
  } catch (error) {
    rmSync(unfinished, { force: true })
    throw new StartupError([
      `${file}: it cannot be written: ${error instanceof Error ? error.message : String(error)}.`,
    ])
  }
}

/** @throws StartupError naming file and line when the text is not YAML (or JSON, by the name of the file) */
export function createDocument(file: string, text: string): SourceFile {
  if (!/\.(?:json|har)$/.test(file)) {
    const value = parseYaml(file, text)
    if (isTooDeep(value)) throw tooDeep(file)
    return { file, value, lineOf: createLineOf(() => text) }
  }
  const json = text.replace(/^\uFEFF/, '')
  try {
    const value = parseJson(json)
    const linesOf = createLinesOfJson(json)
    return { file, value, lineOf: (pointer) => linesOf(splitPointer(pointer)) }
  } catch (error) {
    if (error instanceof Error && error.message === TOO_DEEP) throw tooDeep(file)
    const { line, column, reason = 'SyntaxError' } = findFault(json)
    throw new StartupError([`${file}:${line}: it is not valid JSON: ${reason} at column ${column}.`])
  }
}

function tooDeep(file: string): StartupError {
  return new StartupError([`${file}: it nests more than ${MAX_DEPTH} levels deep. Nest it less.`])
}

/** Integers are read as bigints, so that none loses a digit. Merge keys, `<<: *common`, are of YAML 1.1, and documents still have them. */
const YAML_OPTIONS = { intAsBigInt: true, merge: true } as const

/** Integers that fit become numbers. */
function parseYaml(file: string, text: string): unknown {
  try {
    return loadYaml().parse(
      text,
      (_key, value: unknown) => (typeof value === 'bigint' && fits(value) ? Number(value) : value),
      { ...YAML_OPTIONS, logLevel: 'error' },
    ) as unknown
  } catch (error) {
    throw new StartupError([`${file}${yamlFault(error, text)}.`])
  }
}

/** What usually is the reason of a fault, by the code that the parser gives it. */
const YAML_HINTS: Readonly<Record<string, string>> = {
  BLOCK_AS_IMPLICIT_KEY: '. A text with a colon and a space in it needs quotes',
  TAB_AS_INDENT: '. Indent with spaces',
}

/** Aliases are resolved after parsing, where lines are unknown: an alias may be unknown, one of too many, or inside itself. */
function yamlFault(error: unknown, text: string): string {
  const reason = error instanceof Error ? (error.message.split('\n')[0] ?? '').replace(/[.:]$/, '') : String(error)
  // The parser reports most stacks that it exhausts as faults of the text.
  if (error instanceof RangeError || reason.includes('call stack'))
    return ': it nests too deeply, or an alias stands within what it names'
  if (reason.startsWith('Merge sources')) return mergeFault(text)
  if (error instanceof loadYaml().YAMLParseError)
    return `:${error.linePos?.[0].line ?? 1}: it is not valid YAML: ${reason}${YAML_HINTS[error.code] ?? ''}`
  return `: it is not valid YAML: ${reason}`
}

/** The fault of a merge key that names no object: usually the anchor is spelled differently. */
function mergeFault(text: string): string {
  const hasAnchor = (alias = '') => alias !== '' && new RegExp(`&${escapeRegExp(alias)}(?![^\\s,}])`).test(text)
  const merges = text.split('\n').flatMap((line, index) => {
    const [, sent = '', alias] = /<<\s*:\s*((?:\*([^\s,}]+))|[^\s,}]*)/.exec(line) ?? []
    return sent === '' || hasAnchor(alias) ? [] : [{ line: index + 1, sent }]
  })
  const [{ line, sent } = { line: 1, sent: 'none' }] = merges
  return `:${line}: it is not valid YAML: \`<<\` expects the alias of an object that is defined above, or a list of such aliases, got ${sent}`
}

function fits(value: bigint): boolean {
  return Number.isSafeInteger(Number(value))
}

/** Parses the text again, with positions, when a message first needs a line; most documents never need one. */
function createLineOf(read: () => string): (pointer: string) => number {
  let parsed: Positions | undefined
  return (pointer) => {
    parsed ??= parsePositions(read())
    const path = splitPointer(pointer)
    for (let depth = path.length; depth > 0; depth--) {
      const line = lineAt(parsed.document, path.slice(0, depth), parsed.counter)
      if (line !== undefined) return line
    }
    return 1
  }
}

interface Positions {
  readonly document: ReturnType<typeof parseDocument>
  readonly counter: LineCounter
}

function parsePositions(text: string): Positions {
  const { LineCounter, parseDocument } = loadYaml()
  const counter = new LineCounter()
  return { document: parseDocument(text, { ...YAML_OPTIONS, lineCounter: counter }), counter }
}

/** The line of a member is that of its key, not of its value, which may begin further down. */
function lineAt(document: Positions['document'], path: readonly string[], counter: LineCounter): number | undefined {
  const { isScalar } = loadYaml()
  const parent: unknown = document.getIn(path.slice(0, -1), true) ?? document.contents
  const last = path.at(-1)
  if (typeof parent !== 'object' || parent === null || !('items' in parent)) return undefined
  const items = parent.items as readonly { key?: unknown; range?: [number, number, number]; srcToken?: unknown }[]
  const pair = items.find(({ key }) => isScalar(key) && String(key.value) === last)
  const node = pair && isScalar(pair.key) ? pair.key : items[Number(last)]
  const range = node && 'range' in node ? node.range : undefined
  return range ? counter.linePos(range[0]).line : undefined
}
