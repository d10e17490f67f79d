import { createRequire, registerHooks, type ResolveFnOutput } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'

/** What an import meets, and whether it is to be anew. */
export interface Imports {
  /** A word that no import before had: what the engine knows under another, or under none, it reads again. */
  readonly edition?: string | undefined
  /** Filled with the paths of the user's own files: the one that is imported, and what it imports itself, found or not. */
  readonly files: Set<string>
}

/**
 * Follows what the user's files import of each other until it is ended. Packages are not followed.
 *
 * @param entry the URL of the file that is imported
 * @param ours where what is Standin's own lies, as a URL
 */
export function followImports(entry: string, ours: string, { edition, files }: Imports): { end(): void } {
  const isOwn = (url: string) => url.startsWith('file:') && !url.includes('/node_modules/') && !url.startsWith(ours)
  // CommonJS is kept by its path, and what is kept is not even looked for.
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
      return edition === undefined || context.conditions.includes('require')
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
