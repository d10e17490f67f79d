import { isObject } from '../../../base/formats/json.ts'
import type { Entry } from '../case.ts'

/** An entry of a file set as a search shows it. */
export interface Listed extends Entry {
  readonly name: string
  readonly isDirectory: boolean
  readonly fields: Readonly<Record<string, unknown>>
}

/** The entries of a response of a search; none for any other response. */
export function entriesOf(json: unknown): Listed[] {
  const files = isObject(json) ? json.files : undefined
  if (!Array.isArray(files)) return []
  return files.flatMap((one: unknown) => {
    if (!isObject(one) || typeof one.path !== 'string') return []
    const { id, path, name, created, fileType } = one
    return [
      {
        id: String(id),
        path,
        name: typeof name === 'string' ? name : (path.split('/').at(-1) ?? ''),
        created: String(created),
        isDirectory: fileType === 'DIRECTORY',
        fields: one,
      },
    ]
  })
}

/** The token of the next page, undefined on the last one. */
export function tokenOf(json: unknown): string | undefined {
  const context = isObject(json) ? json.pageContext : undefined
  const next = isObject(context) ? context.next : undefined
  return typeof next === 'string' && next !== '' ? next : undefined
}

/** What the requests of a search are made with: files that show the difference between two ways to respond. */
export interface Facts {
  readonly fileSet: string
  /** Another file set, where one is known. */
  readonly otherFileSet: string | undefined
  /** How many entries were seen. */
  readonly count: number
  /** A directory at the top that holds files below others. */
  readonly directory: string
  /** A directory with two to twenty files and no directory, and how many. */
  readonly leaf: { readonly path: string; readonly count: number }
  /** Some way down the file set, with a name that has letters. */
  readonly file: Listed
  /** A file whose name shares no word with that of `file`. */
  readonly otherFile: Listed
  /** A directory whose path another Unicode form has too, with the set that has it. */
  readonly composed: { readonly fileSet: string; readonly path: string } | undefined
}

/** @param sets the entries of each file set, the first one first */
export function findFacts(sets: ReadonlyMap<string, readonly Listed[]>): Facts | undefined {
  const [first, second] = [...sets]
  if (!first) return undefined
  const [fileSet, entries] = first
  const files = entries.filter((one) => !one.isDirectory).toSorted((a, b) => (a.path < b.path ? -1 : 1))
  const deep = files.filter(({ path }) => path.includes('/'))
  const named = deep.filter(({ name }) => /^[A-Za-z]{3,}.*[a-z]{2}.*\.\w+$/.test(name))
  const file = named[Math.floor(named.length / 2)] ?? deep[0] ?? files[0]
  if (!file) return undefined
  return {
    fileSet,
    otherFileSet: second?.[0],
    count: entries.length,
    directory: findDirectory(deep),
    leaf: findLeaf(deep),
    file,
    otherFile: files.find((one) => isUnlike(one.name, file.name)) ?? files.find((one) => one !== file) ?? file,
    composed: findComposed(sets),
  }
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}

function findDirectory(deep: readonly Listed[]): string {
  const nested = deep.find(({ path }) => path.split('/').length > 2) ?? deep[0]
  return nested?.path.split('/', 1)[0] ?? ''
}

function findLeaf(deep: readonly Listed[]): Facts['leaf'] {
  const byParent = Map.groupBy(deep, ({ path }) => parentOf(path))
  const parents = [...byParent.keys()]
  const [path, inside] = [...byParent].find(
    ([one, { length }]) => length >= 2 && length <= 20 && !parents.some((other) => other.startsWith(`${one}/`)),
  ) ?? ['', []]
  return { path, count: inside.length }
}

function isUnlike(a: string, b: string): boolean {
  const words = new Set(wordsOf(a))
  return wordsOf(b).every((word) => !words.has(word))
}

function wordsOf(name: string): string[] {
  return name.toLowerCase().split(/[^a-z]+/)
}

function findComposed(sets: ReadonlyMap<string, readonly Listed[]>): Facts['composed'] {
  for (const [fileSet, entries] of sets) {
    const found = entries.find(({ path }) => otherForm(parentOf(path)) !== undefined)
    if (found) return { fileSet, path: parentOf(found.path) }
  }
  return undefined
}

/** The same text in the other Unicode form; undefined when there is none. */
export function otherForm(text: string): string | undefined {
  return [text.normalize('NFD'), text.normalize('NFC')].find((form) => form !== text)
}
