/** Loads json-p3, for JSONPath and JSON Patch, with the first overlay or patch: most starts have none. `scripts/build.ts` puts it beside the bundle. */
export function loadJsonP3() {
  const { createRequire } = process.getBuiltinModule('node:module')
  return createRequire(import.meta.url)('json-p3') as typeof import('json-p3')
}
