import type { RE2JS } from 're2js'

/** The engine is loaded with the first pattern that needs it, for most contracts have none. `scripts/build.ts` puts it beside the bundle. */
export function loadRe2(): typeof RE2JS {
  const { createRequire } = process.getBuiltinModule('node:module')
  return (createRequire(import.meta.url)('re2js') as { readonly RE2JS: typeof RE2JS }).RE2JS
}
