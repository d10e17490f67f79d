import { join } from 'node:path'
import type { OutputOptions, Plugin } from 'rolldown'
import { minifySync } from 'rolldown/utils'

/** Files of `dist/` with one library each, which are loaded when they are needed; those for browsers import them too. */
export const SHARED: Readonly<Record<string, string>> = {
  faker: '@faker-js/faker/locale/en',
  'json-p3': 'json-p3',
  re2: 're2js',
  'temporal-polyfill': 'temporal-polyfill',
  yaml: 'yaml',
}

const LIBRARY = 'library'
const isLibrary = (id: string) => id.includes('/node_modules/')
const isShared = (id: string) =>
  /\/node_modules\/(?:@faker-js\/faker|json-p3|re2js|temporal-polyfill|temporal-utils|yaml)\//.test(id)
const isGrouped = (id: string) => isLibrary(id) && !isShared(id)

/** What a start reads is in few files, since finding each takes longer than reading it. Commands without a server read the first alone. */
const STARTS = { command: 'src/cli/run.ts', server: 'src/cli/serve/serve.ts' }

/** Our code and that of libraries never share a file. A group takes what its modules import, so those of libraries come first. */
export const CODE_SPLITTING: Exclude<OutputOptions['codeSplitting'], boolean | undefined> = {
  groups: [
    { name: LIBRARY, test: isShared, entriesAware: true },
    ...Object.entries(STARTS).flatMap(([start, entry]) => [
      { name: loadedBy(entry, `${start}-${LIBRARY}`), test: isGrouped, debugName: `${start}-${LIBRARY}` },
      { name: loadedBy(entry, start), debugName: start },
    ]),
    { name: LIBRARY, test: isGrouped, entriesAware: true },
  ],
}

/** Names the modules that an entry imports. */
function loadedBy(entry: string, name: string) {
  const loaded = new Set<string>()
  return (id: string, modules: Modules) => {
    if (loaded.size === 0) addLoaded(loaded, join(import.meta.dirname, '../..', entry), modules)
    return loaded.has(id) && !isShared(id) ? name : null
  }
}

interface Modules {
  getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null
}

function addLoaded(loaded: Set<string>, id: string, modules: Modules): void {
  if (loaded.has(id)) return
  loaded.add(id)
  for (const imported of modules.getModuleInfo(id)?.importedIds ?? []) addLoaded(loaded, imported, modules)
}

/** The bundler names the files of libraries by all that load them. */
export const CHUNK_FILE_NAMES = ({ name }: { readonly name: string }) => `${name.replace(/~.*/, '')}.js`

/**
 * Lines and names of our code stay, so that the stack of a defect can be read. Libraries keep the names of their functions and classes, which
 * stacks and errors show, and those by which a test finds what they load. Without other characters than ASCII, the engine keeps a text in
 * half the memory.
 */
export function smallChunks(): Plugin {
  return {
    name: 'small-chunks',
    renderChunk(code, { fileName, moduleIds }) {
      // A module that the build made stands in for a part of a library.
      const isOfLibraries = moduleIds.every((id) => isLibrary(id) || id.startsWith('\0'))
      const codegen = { asciiOnly: true, removeWhitespace: isOfLibraries }
      const mangle = { keepNames: true, reserved: ['require', '__require', 'createRequire'] }
      const options = isOfLibraries ? { compress: true, mangle } : { compress: false, mangle: false }
      const { code: small, errors } = minifySync(fileName, code, { module: true, ...options, codegen })
      if (errors.length > 0) throw new Error(`${fileName}: ${errors[0]?.message}`)
      return { code: small, map: null }
    },
  }
}
