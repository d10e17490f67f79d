import * as inferred from './inferred.ts'

/**
 * What only contracts with collections need: inference, the handlers of inferred operations, first documents, and the control API's
 * handlers. `scripts/build.ts` replaces this file by one that reads them when they are first asked for.
 */
export const loadInferred = (): typeof inferred => inferred
