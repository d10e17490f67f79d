import { defineError } from './problem.ts'

// Errors of sandboxes: their names, checkpoints, clock, state and log.

export const sandboxNameInvalid = defineError({
  id: 'sandbox-name-invalid',
  status: 400,
  title: 'The name of the sandbox is not valid',
  cause: 'The name has characters that are not allowed, or is too long.',
  remedy: 'Use letters, digits and the characters that the detail names.',
})

export const sandboxNotFound = defineError({
  id: 'sandbox-not-found',
  status: 404,
  title: 'There is no such sandbox',
  cause: 'The request names a sandbox that does not exist.',
  remedy: 'Create it with `POST /__mock/sandboxes`, or use one of `GET /__mock/sandboxes`.',
})

export const sandboxExists = defineError({
  id: 'sandbox-exists',
  status: 409,
  title: 'The sandbox already exists',
  cause: 'There is a sandbox with this name.',
  remedy: 'Use another name, or delete the existing sandbox.',
})

export const sandboxNeeded = defineError({
  id: 'sandbox-needed',
  status: 409,
  title: 'The default sandbox cannot be deleted',
  cause: 'Requests that name no sandbox use the sandbox `default`.',
  remedy: 'Reset it instead.',
})

export const tooManySandboxes = defineError({
  id: 'too-many-sandboxes',
  status: 409,
  title: 'There are too many sandboxes',
  cause: 'There are as many sandboxes as `--max-sandboxes` allows.',
  remedy: 'Delete one, or start with a higher `--max-sandboxes`.',
})

export const sandboxBusy = defineError({
  id: 'sandbox-busy',
  status: 503,
  title: 'The sandbox is busy',
  cause: 'The clock of the sandbox is being advanced, and too many requests wait for that.',
  remedy: 'Try again after `Retry-After`.',
})

export const clockInterrupted = defineError({
  id: 'clock-interrupted',
  status: 409,
  title: 'The clock was not fully advanced',
  cause: 'Another request reset or replaced the sandbox while its clock was being advanced.',
  remedy: 'See `GET /__mock/clock` for how far it came, and advance it again.',
})

export const checkpointNotFound = defineError({
  id: 'checkpoint-not-found',
  status: 404,
  title: 'There is no such checkpoint',
  cause: 'The sandbox has no checkpoint with this name.',
  remedy: 'Create it with `POST /__mock/checkpoints`.',
})

export const tooManyCheckpoints = defineError({
  id: 'too-many-checkpoints',
  status: 409,
  title: 'There are too many checkpoints',
  cause: 'The sandbox has as many checkpoints as it may hold.',
  remedy: 'Delete one, or reuse a name to replace it.',
})

export const stateTooLarge = defineError({
  id: 'state-too-large',
  status: 409,
  title: 'The state is too large for one document',
  cause: 'The file sets that were changed have more entries than one state document may hold.',
  remedy: 'Take a checkpoint instead.',
})

export const stateTooNew = defineError({
  id: 'state-too-new',
  status: 409,
  title: 'The state is of a newer version',
  cause: 'The state document was written by a newer version of Standin.',
  remedy: 'Use the version that wrote it, or a newer one.',
})

export const logNotWritten = defineError({
  id: 'log-not-written',
  status: 507,
  title: 'The log cannot be written',
  cause: 'The data directory cannot be written to; no state changed.',
  remedy: 'Free space or fix the permissions of the directory, then repeat the request.',
})
