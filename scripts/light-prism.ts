import type { Plugin } from 'rolldown'

/** What Prism loads to be a proxy, to read documents or to print a log, which it does not do here. */
const UNUSED = [
  'node-fetch',
  'http-proxy-agent',
  'https-proxy-agent',
  'postman-collection',
  'pino-pretty',
  '@stoplight/json-schema-ref-parser',
]

/** Prism without what it does not do here, and with Faker's words in one language instead of seventy. */
export function lightPrism(): Plugin {
  const nothing = '\0nothing'
  return {
    name: 'light-prism',
    resolveId(source, importer) {
      if (!importer?.includes('/node_modules/@stoplight/')) return null
      if (UNUSED.includes(source)) return nothing
      return source === '@faker-js/faker' ? this.resolve('@faker-js/faker/locale/en', importer) : null
    },
    load: (asked) => (asked === nothing ? 'module.exports = {}' : null),
    // It hangs what it exports on `this`, which a bundle does not have; in Node that is `module.exports`.
    transform: (code, id) =>
      id.includes('/node_modules/uri-template-lite/')
        ? { code: code.replaceAll('this.URI', 'module.exports.URI'), map: null }
        : null,
  }
}
