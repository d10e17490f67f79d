import { findPackageJSON } from 'node:module'
import { basename, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { readSourceFile } from '../formats/source-file.ts'

/** Why a file of handlers cannot be imported: with the line where the engine tells it, and the remedy where there is one. */
export function complaintOf(error: unknown, file: string, path: string): string {
  const place = placeOf(isError(error) ? (error.stack ?? '') : '')
  const isOwn = place?.path === path
  const line = isOwn ? `:${place.line}` : ''
  // What it imports may be what is wrong.
  const elsewhere = place && !isOwn && !place.path.startsWith(HERE) ? ` (${place.path}:${place.line})` : ''
  const remedy = isModuleMisread(error) ? remedyOfCommonJs(place?.path ?? path) : ''
  return `${file}${line}: it cannot be imported: ${reasonOf(error)}${elsewhere}${remedy}`
}

/** What the engine says of a module that it reads as CommonJS; it may be another mistake too. */
function isModuleMisread(error: unknown): boolean {
  return error instanceof SyntaxError && /outside a module|^Unexpected token 'export'/.test(error.message)
}

/** `npm init` writes "commonjs" unasked, and the engine does not say that this is why. */
function remedyOfCommonJs(path: string): string {
  const renamed = `call the file ${basename(path).replace(/\.c?([jt]s)$/, '.m$1')}`
  if (/\.c[jt]s$/.test(path)) return ` By its name it is read as CommonJS: ${renamed}.`
  const owner = findPackageJSON(pathToFileURL(path))
  const { type } = owner === undefined ? {} : (readSourceFile(owner).value as { readonly type?: unknown })
  if (owner === undefined || type !== 'commonjs') return ''
  return ` ${relative('', owner)} has it read as CommonJS: write "type": "module" there, or ${renamed}.`
}

export function isError(error: unknown): error is Error & { readonly code?: string } {
  return error instanceof Error
}

const HERE = fileURLToPath(new URL('.', import.meta.url))

/** The first place in a file that a stack names; of what cannot be parsed it stands before the message. */
export function placeOf(stack: string): { readonly path: string; readonly line: string } | undefined {
  const [, path, line] = /(?:^|[\s(]|file:\/\/)(\/[^\s():?]+)(?:\?[^\s:]*)?:(\d+)/m.exec(stack) ?? []
  return path === undefined || line === undefined ? undefined : { path, line }
}

function reasonOf(error: unknown): string {
  const text = isError(error) ? `${error.name}: ${error.message}` : String(error)
  const [first = ''] = text.trim().split('\n')
  return /[.!?]$/.test(first) ? first : `${first}.`
}
