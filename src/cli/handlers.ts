import { registerHooks } from 'node:module'
import { resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { followImports, type Imports } from './follow-imports.ts'
import { complaintOf, isError, placeOf } from './import-complaint.ts'
import type { HandlersSetting } from '../config/config.ts'
import { StartupError } from '../errors/problem.ts'

/**
 * Imports a file of handlers, TypeScript or JavaScript. In it `standin` is the Standin that runs, wherever the file lies.
 *
 * @param imports of a file that was imported before, an edition; the engine would give the old one again
 * @param namedBy the setting that names the file
 * @throws StartupError with the reason, and the line where there is one
 */
export async function importHandlers(
  file: string,
  imports: Imports = { files: new Set() },
  namedBy?: string,
): Promise<HandlersSetting> {
  const url = pathToFileURL(resolve(file)).href
  resolveStandin()
  const following = followImports(url, new URL('.', DOOR).href, imports)
  const module = await importModule({ file, url, namedBy }).finally(() => following.end())
  if (!('default' in module))
    throw new StartupError([`${file}: it has no default export. Write \`export default [defineOperation(…), …]\`.`])
  return { from: file, definitions: module.default }
}

interface Imported {
  readonly file: string
  readonly url: string
  readonly namedBy: string | undefined
}

async function importModule({ file, url, namedBy }: Imported): Promise<object> {
  try {
    return (await import(url)) as object
  } catch (error) {
    const path = fileURLToPath(url)
    if (isError(error) && error.code === 'ERR_MODULE_NOT_FOUND' && error.message.includes(`module '${path}'`))
      throw notThere(file, namedBy)
    const told = error instanceof SyntaxError && !placeOf(error.stack ?? '') ? await placed(error, url) : error
    throw new StartupError([complaintOf(told, file, path)])
  }
}

/** The engine tells the line of what is wrong in a module of JavaScript to nobody. Read as TypeScript, which it is too, it has one. */
async function placed(error: SyntaxError, url: string): Promise<unknown> {
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

/** The sources and the built package have their door in another place. */
const DOOR = new URL(import.meta.url.includes('/dist/') ? './index.js' : '../index.ts', import.meta.url).href

function resolveStandin(): void {
  if (isResolved) return
  isResolved = true
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === 'standin' ? { url: DOOR, shortCircuit: true } : next(specifier, context),
  })
}

function notThere(file: string, namedBy: string | undefined): StartupError {
  const where = namedBy === undefined ? file : `${namedBy}: ${file}`
  return new StartupError([`${where}: there is no such file. Check the path; it is read from the current directory.`])
}
