import { createRequire } from 'node:module'
import type { Plugin } from 'rolldown'

/** What Prism loads to be a proxy, to read documents, to make values or to print a log, which it does not do here. */
const UNUSED: Readonly<Record<string, string>> = {
  pino: '',
  seedrandom: '',
  '@faker-js/faker': '',
  // Both are called as Prism is loaded, or as it names the parts of an operation. Its values are the marks of `prism.ts`.
  'json-schema-faker': 'exports.JSONSchemaFaker = { extend() {}, option() {} }',
  'fnv-plus': 'exports.fast1a52hex = String',
}

/** Its proxy, router and validators, its readers of documents and its callbacks. The two functions of its log are called. */
const UNUSED_FILES =
  /\/@stoplight\/prism-http\/dist\/(?:forwarder|router|validator)\/index\.js$|\/dist\/(?:validator\/validators\/(?:body|headers)|mocker\/callback\/callbacks|utils\/(?:operations|logger)|instanceWithSpec)\.js$/
const NO_LOG = 'exports.logRequest = exports.logResponse = () => undefined'

/** Prism without what it does not do here, and with the one list of media types that the rest of the bundle has. */
export function lightPrism(): Plugin {
  const nothing = '\0nothing:'
  return {
    name: 'light-prism',
    resolveId(source, importer) {
      if (source === 'mime-db') return createRequire(import.meta.url).resolve('mime-db')
      return importer?.includes('/node_modules/@stoplight/') && source in UNUSED ? `${nothing}${source}` : null
    },
    load(asked) {
      if (asked.startsWith(nothing)) return UNUSED[asked.slice(nothing.length)] || 'module.exports = {}'
      return UNUSED_FILES.test(asked) ? NO_LOG : null
    },
  }
}
