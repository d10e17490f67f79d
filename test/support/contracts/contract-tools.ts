import { fileURLToPath } from 'node:url'

/** The packages of `scripts/contract-tools`, which are installed before the tests. Ends with a slash. */
export const CONTRACT_TOOLS = fileURLToPath(new URL('../../../scripts/contract-tools/node_modules/', import.meta.url))
