import { defineError } from './problem.ts'

// Errors of sandboxes (names, checkpoints, clock, state, log) and of the control API itself.

export const sandboxNameInvalid = defineError('sandbox-name-invalid', 400, 'The name of the sandbox is not valid')
export const sandboxTtlInvalid = defineError('sandbox-ttl-invalid', 400, 'The time to live is not valid')
export const sandboxNotFound = defineError('sandbox-not-found', 404, 'There is no such sandbox')
export const sandboxExists = defineError('sandbox-exists', 409, 'The sandbox already exists')
export const sandboxNeeded = defineError('sandbox-needed', 409, 'The default sandbox cannot be deleted')
export const tooManySandboxes = defineError('too-many-sandboxes', 409, 'There are too many sandboxes')
export const sandboxBusy = defineError('sandbox-busy', 503, 'The sandbox is busy')
export const sandboxOvertaken = defineError('sandbox-overtaken', 503, 'Other replicas are faster')
export const storeAway = defineError('store-away', 503, 'The store cannot be reached')
export const clockInterrupted = defineError('clock-interrupted', 409, 'The clock was not fully advanced')
export const eventNotFound = defineError('event-not-found', 404, 'There is no such event')
export const eventNotKept = defineError('event-not-kept', 409, 'The event is no longer kept')
export const checkpointNotFound = defineError('checkpoint-not-found', 404, 'There is no such checkpoint')
export const tooManyCheckpoints = defineError('too-many-checkpoints', 409, 'There are too many checkpoints')
export const stateTooLarge = defineError('state-too-large', 409, 'The state is too large for one document')
export const stateTooNew = defineError('state-too-new', 409, 'The state is of a newer version')
export const logNotWritten = defineError('log-not-written', 507, 'The log cannot be written')
export const pageRefused = defineError('page-refused', 403, 'Pages of other sites may not use the control API')
export const controlLocalOnly = defineError(
  'control-local-only',
  403,
  'The control API is only available on this machine',
)
export const tokenMissing = defineError('token-missing', 401, 'The control API requires a token')
export const tokenWrong = defineError('token-wrong', 401, 'The control API requires a token')
export const exchangeNotFound = defineError('exchange-not-found', 404, 'The exchange is not in the journal')
export const journalPartial = defineError('journal-partial', 409, 'The journal has not all exchanges')
export const tooManyListeners = defineError('too-many-listeners', 409, 'There are too many open streams')
export const faultExists = defineError('fault-exists', 409, 'The fault already exists')
export const faultNotFound = defineError('fault-not-found', 404, 'There is no such fault')
export const tooManyFaults = defineError('too-many-faults', 409, 'There are too many faults')
export const stubNotFound = defineError('stub-not-found', 404, 'There is no such stub')
export const tooManyStubs = defineError('too-many-stubs', 409, 'There are too many stubs')
