/**
 * Builds `dist/`: the command line and the library, each dependency bundled in, since a start that reads three files takes half
 * the time of one that reads three hundred; the console, which browsers load; the library for browsers; the package's YAML documents
 * as JSON; and the licences and a bill of what is bundled.
 */
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { type Plugin, rolldown } from 'rolldown'
import { build } from 'vite'
import { stringifyJson } from '../src/base/formats/json.ts'
import {
  compiledPath,
  linesOf,
  linesPath,
  packageVersion,
  readPackaged,
  wrapped,
} from '../src/base/formats/source-file.ts'
import { billOf, licencesOf, readBundled } from './bundle/bundled-packages.ts'
import { buildBrowser, DOCUMENTS } from './build-browser.ts'
import { CHUNK_FILE_NAMES, CODE_SPLITTING, SHARED, smallChunks } from './bundle/chunks.ts'
import { readLocale } from '../src/values/locale/locale-data.ts'
import { parentOf, SHIPPED } from '../src/values/locale/locales.ts'
import { validatorsMade, wordsMade } from './bundle/made-ahead.ts'
import { lightLibraries } from './bundle/light-libraries.ts'

/** Files that load what they import when it is first asked for. Like the polyfill it is required, because callers do not wait. */
const LATER = [
  ['/src/contract/schemas/load-ajv.ts', 'loadAjv', './ajv.js'],
  ['/src/resources/collections/load-inferred.ts', 'loadInferred', './inferred.js'],
  ['/src/truth/proxy/load-partial.ts', 'loadPartial', './partial.js'],
] as const

/** What is loaded by `require`, which the bundler does not follow, and the file that each becomes. */
const REQUIRED = [
  ['/src/base/formats/yaml.ts', 'yaml', './yaml.js'],
  ['/src/contract/schemas/patterns.ts', 're2js', './re2.js'],
  ['/src/contract/json-p3.ts', 'json-p3', './json-p3.js'],
  ['/src/values/load-faker.ts', '@faker-js/faker/locale/en', './faker.js'],
  ['/src/resources/report-schedules/time-zone.ts', 'temporal-polyfill', './temporal-polyfill.js'],
] as const

/** The names and places of all locales but English. */
const LOCALES = 'locales.br'

rmSync('dist', { recursive: true, force: true })
const bundle = await rolldown({
  input: {
    cli: 'src/cli.ts',
    // Before what it guards, as in the source.
    'refuse-old-node': 'src/base/node-version/refuse-old-node.ts',
    index: 'src/index.ts',
    ajv: 'src/contract/schemas/ajv.ts',
    inferred: 'src/resources/collections/inferred.ts',
    partial: 'src/truth/proxy/partial.ts',
    vitest: 'src/testing/vitest.ts',
    playwright: 'src/testing/playwright.ts',
    'node-test': 'src/testing/node-test.ts',
    msw: 'src/testing/msw.ts',
    ...SHARED,
  },
  // What users have installed where they import these entries.
  external: ['vitest', '@playwright/test', 'msw'],
  platform: 'node',
  logLevel: 'warn',
  // jsonc-parser's main entry is UMD, which no bundler can follow.
  // What yaml's main entry has besides its entry for browsers is CommonJS, and Node and pages import one file.
  resolve: {
    mainFields: ['module', 'main'],
    alias: { yaml: join(import.meta.dirname, '../node_modules/yaml/browser/dist/index.js') },
  },
  plugins: [
    lightLibraries(),
    builtinsAlone(),
    requiredBeside(),
    loadedLater(),
    localesBeside(),
    wordsMade(),
    validatorsMade(),
  ],
})
const { output } = await bundle.write({
  dir: 'dist',
  format: 'esm',
  chunkFileNames: CHUNK_FILE_NAMES,
  codeSplitting: CODE_SPLITTING,
  comments: false,
  minify: false,
  plugins: [smallChunks()],
})
write(`dist/${LOCALES}`, packedLocales())
for (const path of DOCUMENTS) {
  const document = readPackaged(path)
  write(compiledPath(path), wrapped(stringifyJson(document.value)))
  write(linesPath(path), wrapped(JSON.stringify(linesOf(document))))
}
const inBrowsers = await buildBrowser()
const pages = [
  await build({ configFile: 'console/vite.config.ts', logLevel: 'warn' }),
  await build({ configFile: 'console/docs/vite.config.ts', logLevel: 'warn' }),
]
// A browser unpacks it, and Swagger UI takes a quarter of the room.
for (const name of globSync('dist/docs/docs/*.{js,css}')) {
  write(`${name}.gz`, gzipSync(readFileSync(name), { level: 9 }))
  rmSync(name)
}
const chunks = [...output, ...pages.flat().flatMap((one) => ('output' in one ? one.output : []))]
const modules = [...inBrowsers, ...chunks.flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds : []))]
const packages = readBundled(modules, join(import.meta.dirname, '..'))
// Swagger UI comes as one file: what it bundles is named in another.
const bundled = 'node_modules/swagger-ui-dist/swagger-ui-es-bundle.js.LICENSE.txt'
write('dist/THIRD-PARTY-LICENSES.txt', `${licencesOf(packages)}\n\n${readFileSync(bundled, 'utf8')}`)
write('dist/sbom.cdx.json', `${JSON.stringify(billOf(packages, packageVersion()), undefined, 1)}\n`)

/**
 * An ESM import of a module of Node reads each of its members, and so loads the streams of node:fs, the WebCrypto of node:crypto and the
 * WebSocket of node:http: a fifth of the start. Asking for the module alone does not. Members are those that any file imports by name.
 */
function builtinsAlone(): Plugin {
  const prefix = '\0builtin:'
  const members = new Map<string, Set<string>>()
  for (const path of globSync(['src/**/*.ts', 'node_modules/commander/lib/*.js'])) {
    const code = readFileSync(path, 'utf8')
    for (const [, names = '', module = ''] of code.matchAll(/import \{([^}]+)\} from ['"](node:[\w/]+)['"]/g)) {
      const known = members.get(module) ?? new Set()
      members.set(module, known)
      for (const name of names.split(','))
        if (!/^\s*(?:type\b|$)/.test(name)) known.add(name.trim().replace(/\s+as .*$/, ''))
    }
  }
  return {
    name: 'builtins-alone',
    resolveId: (source, importer, { kind }) =>
      source.startsWith('node:') &&
      kind === 'import-statement' &&
      /\/node_modules\/commander\/|^(?!.*\/node_modules\/).*\/src\//.test(importer ?? '')
        ? `${prefix}${source}`
        : null,
    load(asked) {
      if (!asked.startsWith(prefix)) return null
      const module = asked.slice(prefix.length)
      const names = [...(members.get(module) ?? [])].join(', ')
      if (module === 'node:zlib') return names.replaceAll(/\w+/g, calledLater(module)).replaceAll(', ', '\n')
      return `const builtin = process.getBuiltinModule('${module}')\nexport default builtin\nexport const { ${names} } = builtin`
    },
  }
}

/** What only some requests need, all of it functions. */
function calledLater(module: string) {
  return (name: string) =>
    `export const ${name} = (...given) => process.getBuiltinModule('${module}').${name}(...given)`
}

function requiredBeside(): Plugin {
  return {
    name: 'required-beside',
    transform(code, id) {
      const found = REQUIRED.find(([source]) => id.endsWith(source))
      return found ? { code: code.replace(`('${found[1]}')`, `('${found[2]}')`), map: null } : null
    },
  }
}

function loadedLater(): Plugin {
  return {
    name: 'loaded-later',
    load(id) {
      const [, name, file] = LATER.find(([source]) => id.endsWith(source)) ?? []
      return name === undefined
        ? null
        : `const { createRequire } = process.getBuiltinModule('node:module')
export const ${name} = () => createRequire(import.meta.url)('${file}')`
    },
  }
}

/** One file for all locales: compressed apart they take a quarter more. */
function packedLocales(): Buffer {
  const all = SHIPPED.map((name) => [name, readLocale(name, parentOf(name))] as const)
  const text = JSON.stringify(Object.fromEntries(all))
  return brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_LGWIN]: 24 } })
}

function localesBeside(): Plugin {
  return {
    name: 'locales-beside',
    transform(code, id) {
      if (!id.endsWith('/src/values/locale/locale-data.ts')) return null
      const reader = `
let packed
export function readLocale(name) {
  const { readFileSync } = process.getBuiltinModule('node:fs')
  const { brotliDecompressSync } = process.getBuiltinModule('node:zlib')
  packed ??= JSON.parse(String(brotliDecompressSync(readFileSync(new URL('./${LOCALES}', import.meta.url)))))
  return packed[name]
}`
      return { code: code.replace('export function readLocale', 'function readLibrary') + reader, map: null }
    },
  }
}

function write(path: string, text: string | Buffer): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}
