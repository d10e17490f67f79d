/** Loads the reader of YAML with the first text in it: the documents of the package are JSON once built. `scripts/build.ts` puts it beside the bundle. */
export function loadYaml() {
  const { createRequire } = process.getBuiltinModule('node:module')
  return createRequire(import.meta.url)('yaml') as typeof import('yaml')
}
