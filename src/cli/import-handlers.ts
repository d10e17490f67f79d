import { createRequire, findPackageJSON, registerHooks, type ResolveFnOutput } from 'node:module'
import { basename, relative, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { HandlersSetting } from '../config/config.ts'
import { pathRemedy } from '../base/formats/read-text.ts'
import { readSourceFile } from '../base/formats/source-file.ts'
import { shown, StartupError } from '../base/errors/problem.ts'

/**
 * Imports a file of handlers, TypeScript or JavaScript. Its `import 'standin'` resolves to the running Standin, wherever the file is.
 *
 * @param imports a new edition for a file that was imported before
 * @param namedBy the setting that names the file, for messages
 * @throws StartupError with the reason, and the line where there is one
 */
export async function importHandlers(
  file: string,
  imports: Imports = { files: new Set() },
  namedBy?: string,
): Promise<HandlersSetting> {
  if (!/\.[cm]?[jt]s$/.test(file)) throw notOfHandlers(file, namedBy)
  const url = pathToFileURL(resolve(file)).href
  resolveStandin()
  const following = followImports(url, new URL('.', ENTRY).href, imports)
  const module = await importModule({ file, url, namedBy }).finally(() => following.end())
  if (!('default' in module))
    throw new StartupError([`${file}: it has no default export. Write \`export default [defineOperation(…), …]\`.`])
  return { from: file, definitions: module.default }
}

interface ImportedHandlers {
  readonly file: string
  readonly url: string
  readonly namedBy: string | undefined
}

async function importModule({ file, url, namedBy }: ImportedHandlers): Promise<object> {
  try {
    return (await import(url)) as object
  } catch (error) {
    const path = fileURLToPath(url)
    const missing = missingFile(error)
    if (missing === path) throw fileNotFound(file, namedBy)
    if (missing !== undefined)
      throw new StartupError([
        `${file}: it imports ${relative('', missing)}, and there is no such file. Create it, or remove the import.`,
      ])
    const located =
      error instanceof SyntaxError && !locationIn(error.stack ?? '') ? await withLocation(error, url) : error
    throw new StartupError([importFailure(located, file, path)])
  }
}

/** The path of a file that an import did not find, or not any more. */
function missingFile(error: unknown): string | undefined {
  if (!isError(error)) return undefined
  const { code, message } = error
  const pattern = { ERR_MODULE_NOT_FOUND: /^Cannot find module '([^'?]+)/, ENOENT: /, open '([^'?]+)/ }[code ?? '']
  return pattern?.exec(message)?.[1]
}

/** Node hides the line of a syntax error in a JavaScript module. Loaded again as TypeScript, the error has one. */
async function withLocation(error: SyntaxError, url: string): Promise<unknown> {
  const again = `${url}?as-typescript`
  const hooks = registerHooks({
    load: (one, context, next) => next(one, one === again ? { ...context, format: 'module-typescript' } : context),
  })
  try {
    await import(again)
    return error
  } catch (found) {
    return found instanceof SyntaxError ? Object.assign(error, { stack: found.stack }) : error
  } finally {
    hooks.deregister()
  }
}

let isResolved = false

/** The entry of the library, which the built package has elsewhere than the sources. */
const ENTRY = new URL(import.meta.url.includes('/dist/') ? './index.js' : '../index.ts', import.meta.url).href

function resolveStandin(): void {
  if (isResolved) return
  isResolved = true
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === 'standin' ? { url: ENTRY, shortCircuit: true } : next(specifier, context),
  })
}

function notOfHandlers(file: string, namedBy = '--handlers'): StartupError {
  const remedy = /\.(ya?ml|json)$/.test(file) ? ' Name a fixture with --fixtures, and a contract with --contract.' : ''
  return new StartupError([
    `${namedBy}: Expected a file in TypeScript or JavaScript, such as handlers.ts; got ${shown(file)}.${remedy}`,
  ])
}

function fileNotFound(file: string, namedBy: string | undefined): StartupError {
  const where = namedBy === undefined ? file : `${namedBy}: ${file}`
  return new StartupError([`${where}: there is no such file. ${pathRemedy(file)}`])
}

/** Why a file of handlers cannot be imported, with the line and the remedy where they are known. */
function importFailure(error: unknown, file: string, path: string): string {
  const at = locationIn(isError(error) ? (error.stack ?? '') : '')
  const isOwn = at?.path === path
  const line = isOwn ? `:${at.line}` : ''
  // The error may be in a module that it imports.
  const elsewhere = at && !isOwn && !at.path.startsWith(HERE) ? ` (${at.path}:${at.line})` : ''
  const remedy = isModuleMisread(error) ? remedyOfCommonJs(at?.path ?? path) : ''
  return `${file}${line}: it cannot be imported: ${reasonOf(error)}${elsewhere}${remedy}`
}

/** Whether Node may have read an ES module as CommonJS. */
function isModuleMisread(error: unknown): boolean {
  return error instanceof SyntaxError && /outside a module|^Unexpected token 'export'/.test(error.message)
}

/** `npm init` writes "type": "commonjs" by default, and Node does not name it as the cause. */
function remedyOfCommonJs(path: string): string {
  const renamed = `call the file ${basename(path).replace(/\.c?([jt]s)$/, '.m$1')}`
  if (/\.c[jt]s$/.test(path)) return ` By its name it is read as CommonJS: ${renamed}.`
  const owner = findPackageJSON(pathToFileURL(path))
  const { type } = owner === undefined ? {} : (readSourceFile(owner).value as { readonly type?: unknown })
  if (owner === undefined || type !== 'commonjs') return ''
  return ` ${relative('', owner)} has it read as CommonJS: write "type": "module" there, or ${renamed}.`
}

function isError(error: unknown): error is Error & { readonly code?: string } {
  return error instanceof Error
}

const HERE = fileURLToPath(new URL('.', import.meta.url))

/** The first file and line in a stack; for syntax errors they precede the message. */
function locationIn(stack: string): { readonly path: string; readonly line: string } | undefined {
  const [, path, line] = /(?:^|[\s(]|file:\/\/)(\/[^\s():?]+)(?:\?[^\s:]*)?:(\d+)/m.exec(stack) ?? []
  return path === undefined || line === undefined ? undefined : { path, line }
}

function reasonOf(error: unknown): string {
  const text = isError(error) ? `${error.name}: ${error.message}` : String(error)
  const [first = ''] = text.trim().split('\n')
  return /[.!?]$/.test(first) ? first : `${first}.`
}

/** An import of the user's files. */
export interface Imports {
  /** A word that no import had before, so that Node does not return cached modules. */
  readonly edition?: string | undefined
  /** Filled with the paths of the user's files: the one that is imported and what it imports, found or not. */
  readonly files: Set<string>
}

/**
 * Records what the user's files import of each other, until it is ended. Packages are not followed.
 *
 * @param entry the URL of the file that is imported
 * @param ours the URL of Standin's own files
 */
function followImports(entry: string, ours: string, { edition, files }: Imports): { end(): void } {
  const isOwn = (url: string) => url.startsWith('file:') && !url.includes('/node_modules/') && !url.startsWith(ours)
  // CommonJS modules are cached by path, and cached ones are not resolved.
  if (edition !== undefined)
    for (const path of Object.keys(required))
      if (isOwn(pathToFileURL(path).href)) Reflect.deleteProperty(required, path)
  const hooks = registerHooks({
    resolve(specifier, context, next) {
      const { parentURL = '' } = context
      if (specifier !== entry && !(parentURL.startsWith('file:') && files.has(fileURLToPath(parentURL))))
        return next(specifier, context)
      const found = findOr(
        () => next(specifier, context),
        () => noteMissing(specifier, parentURL, files),
      )
      if (!isOwn(found.url)) return found
      const path = fileURLToPath(found.url)
      files.add(path)
      // Node 22 gives a `require` its conditions as a Set.
      return edition === undefined || new Set(context.conditions).has('require')
        ? found
        : { ...found, url: `${found.url.split('?')[0] ?? ''}?${edition}` }
    },
  })
  return { end: () => hooks.deregister() }
}

const required = createRequire(import.meta.url).cache

function findOr(find: () => ResolveFnOutput, note: () => void): ResolveFnOutput {
  try {
    return find()
  } catch (error) {
    note()
    throw error
  }
}

/** A file that is created later is reloaded too. */
function noteMissing(specifier: string, parentURL: string, files: Set<string>): void {
  if (/^\.{0,2}\//.test(specifier)) files.add(fileURLToPath(new URL(specifier, parentURL)))
}
