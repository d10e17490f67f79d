import { hash } from 'node:crypto'
import { join } from 'node:path'
import { readText } from '../../base/formats/read-text.ts'
import { shown, StartupError } from '../../base/errors/problem.ts'
import { isObject, tryParseJson } from '../../base/formats/json.ts'
import { isThere } from '../../base/formats/source-file.ts'

/** The folder of documents that `standin lock` fetched: a start reads them from there, needs no network and is the same each time. */
export const LOCK = 'standin.lock'
export const LOCK_INDEX = join(LOCK, 'index.json')

/** By contract, as `--contract` names it: its documents, each with the SHA-256 of its text in hex. */
export type ContractLock = Readonly<Record<string, Readonly<Record<string, string>>>>

export function isUrl(text: string): boolean {
  return /^https?:\/\//i.test(text)
}

/** Git may write other ends of lines. */
export function digestOf(text: string): string {
  return hash('sha256', text.replaceAll('\r\n', '\n'))
}

/** @returns an empty one where nothing is locked @throws StartupError for a file that is none */
export function readLock(): ContractLock {
  if (!isThere(LOCK_INDEX)) return {}
  const lock = tryParseJson(readText(LOCK_INDEX, {}))
  if (isObject(lock) && Object.values(lock).every(isObject)) return lock as ContractLock
  throw new StartupError([`${LOCK_INDEX}: It is no lock of Standin. Remove ${LOCK} and run \`standin lock\` again.`])
}

/**
 * Where the document of a URL is kept: its folders are those of its path, so that references from one document to another lead there.
 *
 * @example lockedPath('https://api.example.com/v2/openapi.yaml') // 'standin.lock/api.example.com/v2/openapi.yaml'
 */
export function lockedPath(url: string, folder = LOCK): string {
  const { host, pathname, search } = new URL(url)
  const parts = [host, ...pathname.split('/').filter((part) => part !== '')]
  if (pathname.endsWith('/')) parts.push('index')
  // Only the path has folders: a query with slashes would lead out of this one.
  const names = [...parts.slice(0, -1), `${parts.at(-1) ?? ''}${search}`]
  return join(folder, ...names.map((part) => part.replaceAll(/[^\w.%@~+=,-]|^\.+$/g, encodeAll)))
}

/** Also dots, which alone would be the name of a folder above. */
function encodeAll(text: string): string {
  return encodeURIComponent(text).replaceAll('.', '%2E')
}

/**
 * The file of a locked document; undefined for one that is not locked. With a contract, all of its documents are as they were fetched:
 * references lead from one file to the next.
 *
 * @throws StartupError for a file that is another
 */
export function findLocked(url: string): string | undefined {
  const lock = readLock()
  const documents = lock[url] ?? Object.values(lock).find((held) => url in held)
  const digest = documents?.[url]
  if (digest === undefined) return undefined
  for (const [one, expected] of Object.entries(lock[url] ?? { [url]: digest })) verify(one, expected)
  return lockedPath(url)
}

function verify(url: string, digest: string): void {
  const path = lockedPath(url)
  if (digestOf(readText(path, {})) === digest) return
  throw new StartupError([
    `${path}: It is not the document that was fetched from ${shown(url)}. Run \`standin lock\` again, or undo the change.`,
  ])
}
