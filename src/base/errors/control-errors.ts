import { defineError } from './problem.ts'

// Errors of sandboxes (names, checkpoints, clock, state, log) and of the control API itself.

export const sandboxNameInvalid = defineError('sandbox-name-invalid', 400, {
  title: 'The name of the sandbox is not valid',
  cause: 'The name has characters that are not allowed, or is too long.',
  remedy: 'Use letters, digits and the characters that the detail names.',
})

export const sandboxTtlInvalid = defineError('sandbox-ttl-invalid', 400, {
  title: 'The time to live is not valid',
  cause: 'The header `X-Mock-Sandbox-TTL`, or `ttl` of a new sandbox, is not a duration from 1 second to 365 days.',
  remedy: 'Send a duration such as `90s`, `15m`, `1h` or `PT1H30M`; `"ttl": null` for a sandbox that does not expire.',
})

export const sandboxNotFound = defineError('sandbox-not-found', 404, {
  title: 'There is no such sandbox',
  cause: 'The request names a sandbox that does not exist.',
  remedy: 'Create it with `POST /__mock/sandboxes`, or use one of `GET /__mock/sandboxes`.',
})

export const sandboxExists = defineError('sandbox-exists', 409, {
  title: 'The sandbox already exists',
  cause: 'There is a sandbox with this name.',
  remedy: 'Use another name, or delete the existing sandbox.',
})

export const sandboxNeeded = defineError('sandbox-needed', 409, {
  title: 'The default sandbox cannot be deleted',
  cause: 'Requests that name no sandbox use the sandbox `default`.',
  remedy: 'Reset it instead.',
})

export const tooManySandboxes = defineError('too-many-sandboxes', 409, {
  title: 'There are too many sandboxes',
  cause: 'There are as many sandboxes as `--max-sandboxes` allows.',
  remedy: 'Delete one, or start with a higher `--max-sandboxes`.',
})

export const sandboxBusy = defineError('sandbox-busy', 503, {
  title: 'The sandbox is busy',
  cause: 'The clock of the sandbox is being advanced, and too many requests wait for that.',
  remedy: 'Try again after `Retry-After`.',
})

export const clockInterrupted = defineError('clock-interrupted', 409, {
  title: 'The clock was not fully advanced',
  cause: 'Another request reset or replaced the sandbox while its clock was being advanced.',
  remedy: 'See `GET /__mock/clock` for how far it came, and advance it again.',
})

export const eventNotFound = defineError('event-not-found', 404, {
  title: 'There is no such event',
  cause: 'The history of the sandbox has no event with this number yet.',
  remedy: 'Use a number that `GET /__mock/history` lists.',
})

export const eventNotKept = defineError('event-not-kept', 409, {
  title: 'The event is no longer kept',
  cause: 'The history keeps the latest events only, and those since the configuration was reloaded.',
  remedy: 'Use a later event of `GET /__mock/history`. Take a checkpoint of a state that you need for longer.',
})

export const checkpointNotFound = defineError('checkpoint-not-found', 404, {
  title: 'There is no such checkpoint',
  cause: 'The sandbox has no checkpoint with this name.',
  remedy: 'Create it with `POST /__mock/checkpoints`.',
})

export const tooManyCheckpoints = defineError('too-many-checkpoints', 409, {
  title: 'There are too many checkpoints',
  cause: 'The sandbox has as many checkpoints as it may hold.',
  remedy: 'Delete one, or reuse a name to replace it.',
})

export const stateTooLarge = defineError('state-too-large', 409, {
  title: 'The state is too large for one document',
  cause: 'The file sets that were changed have more entries than one state document may hold.',
  remedy: 'Take a checkpoint instead.',
})

export const stateTooNew = defineError('state-too-new', 409, {
  title: 'The state is of a newer version',
  cause: 'The state document was written by a newer version of Standin.',
  remedy: 'Use the version that wrote it, or a newer one.',
})

export const logNotWritten = defineError('log-not-written', 507, {
  title: 'The log cannot be written',
  cause: 'The data directory cannot be written to; no state changed.',
  remedy: 'Free space or fix the permissions of the directory, then repeat the request.',
})

export const pageRefused = defineError('page-refused', 403, {
  title: 'Pages of other sites may not use the control API',
  cause: 'The request came from a web page of another origin.',
  remedy: 'Use a page of localhost, or start with `--control-token` and `--allow-origin`.',
})

export const controlLocalOnly = defineError('control-local-only', 403, {
  title: 'The control API is only available on this machine',
  cause: 'The request came from another machine or through a proxy, and no token is configured.',
  remedy: 'Start with `--control-token` and send the token.',
})

export const tokenMissing = defineError('token-missing', 401, {
  title: 'The control API requires a token',
  cause: 'The server was started with `--control-token`, and the request carries no token.',
  remedy: 'Send `Authorization: Bearer` with the token.',
})

export const tokenWrong = defineError('token-wrong', 401, {
  title: 'The control API requires a token',
  cause: 'The request carries another token than that of `--control-token`.',
  remedy: 'Send `Authorization: Bearer` with the right token.',
})

export const exchangeNotFound = defineError('exchange-not-found', 404, {
  title: 'The exchange is not in the journal',
  cause: 'The journal never had this exchange, or has dropped it for newer ones.',
  remedy: 'List what it keeps with `GET /__mock/journal`.',
})

export const tooManyListeners = defineError('too-many-listeners', 409, {
  title: 'There are too many open streams',
  cause: 'As many event streams are open as allowed.',
  remedy: 'Close one first.',
})

export const faultExists = defineError('fault-exists', 409, {
  title: 'The fault already exists',
  cause: 'A fault with this id is armed.',
  remedy: 'Use another id, or delete the existing fault.',
})

export const faultNotFound = defineError('fault-not-found', 404, {
  title: 'There is no such fault',
  cause: 'The sandbox has no fault with this id.',
  remedy: 'List the faults with `GET /__mock/faults`.',
})

export const tooManyFaults = defineError('too-many-faults', 409, {
  title: 'There are too many faults',
  cause: 'The sandbox has as many faults as it may hold.',
  remedy: 'Delete faults that are used up.',
})
