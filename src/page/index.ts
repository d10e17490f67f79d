/** Standin as a library in a page: what `import … from 'standin'` is where a bundler builds for browsers. */
export { createStandin } from './create-standin.ts'
export type { Standin, StandinOptions } from '../app/setup/standin.ts'
export { StartupError } from '../errors/problem.ts'
export { defineOperation, operationsOf, problem } from '../handlers/define-operation.ts'
export { events } from '../handlers/events.ts'
export { ControlError, createControlClient } from '../control/client/client.ts'
