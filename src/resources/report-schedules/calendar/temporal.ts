type TemporalNamespace = typeof globalThis.Temporal

const native = (globalThis as { Temporal?: TemporalNamespace }).Temporal

/**
 * Temporal (ECMA-262): the runtime's own where it has one (Node 26), else the polyfill's (Node 24). Types need no import:
 * `Temporal.PlainDate` in a type position is the global namespace.
 *
 * @example Temporal.PlainDate.from('2026-03-08').dayOfWeek // 7
 */
export const Temporal: TemporalNamespace = native ?? loadPolyfill()

/** Without a top-level await, which would keep CommonJS from requiring the library. `scripts/build.ts` puts the polyfill beside the bundle. */
function loadPolyfill(): TemporalNamespace {
  const { createRequire } = process.getBuiltinModule('node:module')
  const load = createRequire(import.meta.url)
  return (load('temporal-polyfill') as { readonly Temporal: TemporalNamespace }).Temporal
}
