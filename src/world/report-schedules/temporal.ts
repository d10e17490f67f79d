type TemporalNamespace = typeof globalThis.Temporal

const native = (globalThis as { Temporal?: TemporalNamespace }).Temporal

/**
 * Temporal (ECMA-262): the runtime's own where it has one (Node 26), else the polyfill's (Node 24). Types need no import:
 * `Temporal.PlainDate` in a type position is the global namespace.
 *
 * @example Temporal.PlainDate.from('2026-03-08').dayOfWeek // 7
 */
export const Temporal: TemporalNamespace = native ?? (await import('temporal-polyfill')).Temporal
