import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Plugin } from 'rolldown'

/**
 * What libraries load for what they do not do here, by the folder of the library: Prism is no proxy, reads no documents, makes no values and
 * logs nothing, Express parses no bodies, and Commander starts no programs.
 */
const UNUSED: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  [
    '/node_modules/@stoplight/',
    {
      pino: '',
      seedrandom: '',
      '@faker-js/faker': '',
      // Both are called as Prism is loaded, or as it names the parts of an operation. Its values are the marks of `prism.ts`.
      'json-schema-faker': 'exports.JSONSchemaFaker = { extend() {}, option() {} }',
      'fnv-plus': 'exports.fast1a52hex = String',
      // For its log.
      chalk: 'exports.grey = String',
    },
  ],
  ['/node_modules/express/', { 'body-parser': '' }],
  ['/node_modules/commander/', { 'node:child_process': 'export default {}' }],
]

/** Prism's proxy, router and validators, its readers of documents and its callbacks. The two functions of its log are called. */
const UNUSED_FILES =
  /\/@stoplight\/prism-http\/dist\/(?:(?:forwarder|router|validator)\/index|validator\/validators\/(?:body|headers)|mocker\/callback\/callbacks|utils\/(?:operations|logger)|instanceWithSpec)\.js$/
const NO_LOG = 'exports.logRequest = exports.logResponse = () => undefined'

/** It exports a whole module as an object, for which the bundler would load a file of its own that pages cannot load. */
const YAML = '/node_modules/yaml/browser/dist/index.js'

const nothing = '\0nothing:'
/** The bundler may name a file by what follows the slash. */
const later = '\0later/'
const { resolve } = createRequire(import.meta.url)

/**
 * What Express loads and few requests need: media types by name, for files, and nested queries. Putting the types into maps takes a
 * twentieth of a start. Its log, which the variable DEBUG turns on, says nothing that ours does not.
 */
const LATER: Readonly<Record<string, string>> = {
  'mime-types': `const load = () => require('mime-types')
for (const name of ['charset', 'contentType', 'extension', 'lookup']) exports[name] = (type) => load()[name](type)`,
  qs: `exports.parse = (...given) => require('qs').parse(...given)`,
  debug: 'module.exports = () => Object.assign(() => {}, { enabled: false })',
}

/** Libraries without what they do not do here, and with one list of media types. */
export function lightLibraries(): Plugin {
  return {
    name: 'light-libraries',
    resolveId(source, importer) {
      if (source === 'mime-db') return resolve('mime-db')
      if (Object.hasOwn(LATER, source)) return importer?.startsWith(later) ? resolve(source) : `${later}${source}`
      const [, unused] = UNUSED.find(([folder]) => importer?.includes(folder)) ?? []
      const code = unused?.[source]
      return code === undefined ? null : `${nothing}${code || 'module.exports = {}'}`
    },
    load(asked) {
      if (asked.startsWith(nothing)) return asked.slice(nothing.length)
      if (asked.startsWith(later)) return LATER[asked.slice(later.length)]
      if (asked.endsWith(YAML)) return readFileSync(asked, 'utf8').replaceAll(/^.*\bcst\b.*$/gm, '')
      if (asked.endsWith('/mime-db/db.json')) return { code: mediaTypes(asked), moduleType: 'js' }
      return UNUSED_FILES.test(asked) ? NO_LOG : null
    },
    transform: (code, id) =>
      id.includes('/node_modules/@stoplight/') ? { code: withPartsOfLodash(code), map: null } : null,
  }
}

/** Prism takes twenty functions of Lodash, whose main file has all three hundred. */
function withPartsOfLodash(code: string): string {
  return code
    .replaceAll(/const (lodash_\d) = require\("lodash"\)/g, (_all, name: string) => {
      const used = new Set(code.matchAll(new RegExp(`\\b${name}\\.(\\w+)`, 'g')).map(([, part]) => part))
      return `const ${name} = { ${[...used].map((part) => `${part}: require("lodash/${part}")`).join(', ')} }`
    })
    .replaceAll(/import\{([^}]*)\}from"lodash"/g, (_all, names: string) =>
      names.replaceAll(/(\w+) as (\w+),?/g, 'import $2 from"lodash/$1";'),
    )
}

/** The media types that have extensions or a charset, as a text, which takes less memory than the code of an object. */
function mediaTypes(path: string): string {
  const all = JSON.parse(readFileSync(path, 'utf8')) as Record<string, { extensions?: object; charset?: string }>
  const known = Object.entries(all).filter(([, { extensions, charset }]) => extensions ?? charset)
  const text = JSON.stringify(Object.fromEntries(known), (key, value: unknown) =>
    key === 'compressible' ? undefined : value,
  )
  return `module.exports = JSON.parse(${JSON.stringify(text)})`
}
