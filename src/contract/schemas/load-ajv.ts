import * as ajv from './ajv.ts'

/** What compiles schemas. `scripts/build.ts` replaces this file by one that reads ajv with the first schema. */
export const loadAjv = (): typeof ajv => ajv
