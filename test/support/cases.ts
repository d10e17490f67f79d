import { test } from 'vitest'

/** `npm run test:campaigns`, a step of CI, takes every case. `npm test` takes some of them, so that it ends in minutes. */
export const takesAll = process.env.TEST_CASES === 'all'

/** How many random cases a test takes: `few` of them in `npm test`. */
export function cases(all: number, few = Math.ceil(all / 5)): number {
  return takesAll ? all : few
}

/** The rows of a long table: in `npm test` one in `every` of them, another one for another `turn`. */
export function sample<Row>(rows: readonly Row[], every: number, turn = 0): readonly Row[] {
  return takesAll ? rows : rows.filter((_, index) => index % every === turn % every)
}

/** A test that takes seconds, such as one that fills a bound. It runs in `npm run test:campaigns` only. */
export const longTest = test.runIf(takesAll)
