/**
 * Builds `dist/browser/`: the library and the handlers for MSW as bundlers for browsers import them. It is the same engine: what it
 * uses of Node is replaced by `src/app/browser/node/`, and the files of the package are part of the bundle.
 */
import { existsSync, readFileSync } from 'node:fs'
import { STATUS_CODES } from 'node:http'
import { isBuiltin } from 'node:module'
import { resolve } from 'node:path'
import { type Plugin, rolldown } from 'rolldown'
import { compiledPath, linesPath } from '../src/base/formats/source-file.ts'
import { SHARED } from './bundle/chunks.ts'
import { lightLibraries } from './bundle/light-libraries.ts'

/** Modules of the engine that a page has in another form. */
const REPLACED: readonly (readonly [string, string])[] = [
  ['/src/http/in-process-socket.ts', 'src/app/browser/page-request.ts'],
  ['/src/app/pages/console.ts', 'src/app/browser/pages.ts'],
  ['/src/app/pages/docs.ts', 'src/app/browser/pages.ts'],
]

/** Packages that take a built-in module's place. */
const PACKAGES: Readonly<Record<string, string>> = {
  events: 'events/',
  path: 'path-browserify',
  stream: 'readable-stream',
  'stream/promises': 'readable-stream',
}

/** The option `smtp` is refused in a page. */
const NO_MAIL = '\0no-mail'
const PACKAGED = '\0packaged'
/** The members of a built-in module that its replacement lacks. */
const REST = '\0rest:'

/** Documents of the package, which are compiled into JSON. */
export const DOCUMENTS = [
  'spec/openapi.yaml',
  'spec/behaviours.yaml',
  'spec/control.openapi.yaml',
  'spec/errors.yaml',
  'fixtures/awkward.yaml',
  'fixtures/report-schedules.yaml',
]

/**
 * How a bundler makes the engine run in a page. The documents must be compiled before.
 *
 * @param isBesideNode whether the files of libraries that Node's bundle has lie in the folder above, and are imported from there
 */
export function engineInPages(isBesideNode = false) {
  const compiled = DOCUMENTS.flatMap((path) => [compiledPath(path), linesPath(path)])
  return {
    resolve: { mainFields: ['browser', 'module', 'main'] },
    transform: {
      define: {
        'import.meta.url': JSON.stringify('file:///standin/dist/standin.js'),
        'process.env.NODE_ENV': '"production"',
        global: 'globalThis',
      },
      inject: {
        Buffer: [resolve('src/app/browser/node/buffer.ts'), 'Buffer'],
        process: [resolve('src/app/browser/node/process.ts'), 'process'],
        setImmediate: [resolve('src/app/browser/node/timers.ts'), 'setImmediate'],
        setInterval: [resolve('src/app/browser/node/timers.ts'), 'setInterval'],
      } as Record<string, [string, string]>,
    },
    plugins: [lightLibraries(), bundledLibraries(), withoutNode(compiled, isBesideNode)],
  }
}

/** @returns the modules that are bundled */
export async function buildBrowser(): Promise<readonly string[]> {
  const bundle = await rolldown({
    input: { standin: 'src/app/browser/index.ts', msw: 'src/testing/msw.ts' },
    external: ['msw'],
    platform: 'browser',
    logLevel: 'warn',
    ...engineInPages(true),
  })
  const { output } = await bundle.write({
    dir: 'dist/browser',
    format: 'esm',
    chunkFileNames: '[name].js',
    minify: true,
  })
  return output.flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds : []))
}

function withoutNode(files: readonly string[], isBesideNode: boolean): Plugin {
  return {
    name: 'without-node',
    async resolveId(source, importer, options) {
      if (source === 'standin:packaged') return PACKAGED
      if (source === 'express' && importer?.includes('/src/')) return resolve('src/app/browser/express.ts')
      if (source.startsWith(REST)) return source
      if (source === 'nodemailer') return NO_MAIL
      const [shared] = Object.entries(SHARED).find(([, library]) => library === source) ?? []
      if (shared !== undefined && isBesideNode) return { id: `../${shared}.js`, external: true }
      if (importer === PACKAGED)
        return isBesideNode ? { id: source.replace(/^dist/, '..'), external: true } : resolve(source)
      if (isBuiltin(source) && !importer?.startsWith(resolve('src/app/browser/node/buffer'))) {
        const name = source.replace(/^node:/, '')
        const known = PACKAGES[name]
        return known ? this.resolve(known, resolve('package.json'), { skipSelf: true }) : builtin(name)
      }
      const resolved = await this.resolve(source, importer, { ...options, skipSelf: true })
      const found = REPLACED.find(([path]) => resolved?.id.endsWith(path))
      return found ? resolve(found[1]) : resolved
    },
    async load(id) {
      if (id === NO_MAIL) return 'export const createTransport = undefined'
      if (id === PACKAGED) return packaged(files)
      if (id.startsWith(REST)) return restOf(id.slice(REST.length))
      return null
    },
    transform(code, id) {
      const name = /\/src\/app\/browser\/node\/(\w+)\.ts$/.exec(id)?.[1]
      return name && name !== 'process' ? { code: `${code}\nexport * from '${REST}${name}'`, map: null } : null
    },
  }
}

function builtin(name: string): string {
  const own = resolve(`src/app/browser/node/${name}.ts`)
  if (existsSync(own)) return own
  return `${REST}${name}`
}

async function restOf(name: string): Promise<string> {
  const members = Object.keys((await import(/* @vite-ignore */ `node:${name}`)) as object).filter(
    (one) => /^\w+$/.test(one) && one !== 'default',
  )
  const refused = members.map(
    (one) => `export function ${one}() { throw new Error('node:${name} has no ${one} in a page.') }`,
  )
  return refused.join('\n')
}

/** The compiled documents lie beside the bundle, for Node reads them too. */
function packaged(files: readonly string[]): string {
  const imports = files.map((path, index) => `import text${index} from '${path}'`)
  // As Node reads them: with the marks of the module.
  const texts = files.map((path, index) => `'${path}': \`\\\`\${text${index}}\\\`\``)
  return `${imports.join('\n')}
export const FILES = {
  'package.json': ${JSON.stringify(readFileSync('package.json', 'utf8'))},
  ${texts.join(',\n  ')},
}
export const STATUS_CODES = ${JSON.stringify(STATUS_CODES)}`
}

/** The libraries that Node loads with the first use are part of the bundle. */
function bundledLibraries(): Plugin {
  return {
    name: 'bundled-libraries',
    transform(code, id) {
      if (!id.includes('/src/') || !code.includes('createRequire')) return null
      const found = /(?:createRequire\(import\.meta\.url\)|load)\('([^']+)'\)/.exec(code)
      if (!found) return null
      return {
        code: `import * as bundledLibrary from '${found[1]}'\n${code
          .replace(found[0], 'bundledLibrary')
          .replace(/const \{ createRequire \} = .*/, '')
          .replace(/const load = createRequire.*/, '')}`,
        map: null,
      }
    },
  }
}
