import { defineError } from './problem.ts'

// Errors of the built-in resources: file sets, report schedules and collections.

export const fileSetNotFound = defineError('file-set-not-found', 404, 'The file set does not exist')
export const directoryNotFound = defineError('directory-not-found', 404, 'The directory does not exist')
export const cursorInvalid = defineError('cursor-invalid', 400, 'The pagination token is not valid')
export const fileNotFound = defineError('file-not-found', 404, 'The file does not exist')
export const directoryHeld = defineError('directory-held', 409, 'The directory is not empty')
export const fileSetExists = defineError('file-set-exists', 409, 'The file set already exists')
export const tooManyFileSets = defineError('too-many-file-sets', 409, 'There are too many file sets')
export const tooManyFiles = defineError('too-many-files', 409, 'There are too many files')
export const reportScheduleNotFound = defineError(
  'report-schedule-not-found',
  404,
  'The report schedule does not exist',
)
export const deliveryNotFound = defineError('delivery-not-found', 404, 'The delivery does not exist')
export const reportScheduleForbidden = defineError(
  'report-schedule-forbidden',
  403,
  'The report schedule belongs to another user',
)
export const reportScheduleConflict = defineError('report-schedule-conflict', 409, 'The report schedule already exists')
export const tooManyReportSchedules = defineError(
  'too-many-report-schedules',
  409,
  'There are too many report schedules',
)
export const linkNotFound = defineError('link-not-found', 404, 'The page or view does not exist')
export const preconditionFailed = defineError('precondition-failed', 412, 'Precondition Failed')
export const noRunToCome = defineError('no-run-to-come', 409, 'No run is scheduled')
export const tooManyRuns = defineError('too-many-runs', 409, 'There would be too many runs')
export const documentTooLarge = defineError('document-too-large', 409, 'The document is too large')
export const tooManyDocuments = defineError('too-many-documents', 409, 'There are too many documents')
export const tooManyCollections = defineError('too-many-collections', 409, 'There are too many collections')
export const documentsTooLarge = defineError('documents-too-large', 409, 'The documents are too large')
export const documentInvalid = defineError('document-invalid', 500, 'A stored document does not fit the contract')
export const itemNotFound = defineError('item-not-found', 404, 'The item does not exist')
export const pageNotFound = defineError('page-not-found', 404, 'The list has no such page')
export const itemExists = defineError('item-exists', 409, 'The item already exists')
export const collectionNotFound = defineError('collection-not-found', 404, 'The collection does not exist')
export const documentRequired = defineError('document-required', 409, 'The document cannot be deleted')
export const transitionRefused = defineError('transition-refused', 409, 'The status does not allow this')
export const tooManyTransitions = defineError('too-many-transitions', 409, 'There would be too many changes')
export const itemHeld = defineError('item-held', 409, 'The item has others below it')
export const preconditionRequired = defineError('precondition-required', 428, 'Precondition Required')
export const patchTestFailed = defineError('patch-test-failed', 409, 'A test of the patch failed')
export const idempotencyKeyReused = defineError('idempotency-key-reused', 409, 'The idempotency key was used before')
export const webhookNotFound = defineError('webhook-not-found', 404, 'The webhook does not exist')
export const webhookNotSent = defineError('webhook-not-sent', 409, 'The webhook cannot be sent')
export const noWebhooks = defineError('no-webhooks', 409, 'The contract has no webhooks')
