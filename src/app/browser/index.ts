/** Standin as a library in a page: what `import … from 'standin'` is where a bundler builds for browsers. */
export { createStandin } from './create-standin.ts'
export type { Standin, StandinOptions } from '../standin.ts'
export { StartupError } from '../../base/errors/problem.ts'
export { defineOperation, operationsOf, problem } from '../../resources/user-operations/define-operation.ts'
export { events } from '../../resources/user-operations/events.ts'
export { ControlError, createControlClient } from '../../control/client/client.ts'
