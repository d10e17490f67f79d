import { defineError } from './problem.ts'

// Errors of the built-in resources: file sets, report schedules and collections.

export const fileSetNotFound = defineError('file-set-not-found', 404, {
  otherStatuses: [400, 403],
  title: 'The file set does not exist',
  cause: 'The sandbox has no file set with this id.',
  remedy: 'Use an id of `GET /__mock/file-sets`, or create the file set.',
})

export const directoryNotFound = defineError('directory-not-found', 404, {
  title: 'The directory does not exist',
  cause: 'The file set has no such directory, and the behaviour `dir.missing` or `dir.file` refuses the search.',
  remedy: 'Search an existing directory, or change the behaviour.',
})

export const cursorInvalid = defineError('cursor-invalid', 400, {
  otherStatuses: [422],
  title: 'The pagination token is not valid',
  cause: 'The token of a page was altered, is too old, or belongs to another search or list.',
  remedy: 'Start again without the token, and repeat the same search for each page.',
})

export const fileNotFound = defineError('file-not-found', 404, {
  title: 'The file does not exist',
  cause: 'The file set has no entry with this id.',
  remedy: 'Find the entry by path: `GET /__mock/file-sets/{id}/files?path=`.',
})

export const directoryHeld = defineError('directory-held', 409, {
  title: 'The directory is not empty',
  cause: 'The directory has entries, so it cannot be removed or become a file.',
  remedy: 'Move or delete its entries first.',
})

export const fileSetExists = defineError('file-set-exists', 409, {
  title: 'The file set already exists',
  cause: 'The sandbox has a file set with this id.',
  remedy: 'Use another id, or delete the existing file set.',
})

export const tooManyFileSets = defineError('too-many-file-sets', 409, {
  title: 'There are too many file sets',
  cause: 'The sandbox has as many file sets as it may hold.',
  remedy: 'Delete a file set.',
})

export const tooManyFiles = defineError('too-many-files', 409, {
  title: 'There are too many files',
  cause: 'The file sets of the sandbox would hold more entries than allowed.',
  remedy: 'Delete a file set, or generate fewer files.',
})

export const reportScheduleNotFound = defineError('report-schedule-not-found', 404, {
  otherStatuses: [400, 403],
  title: 'The report schedule does not exist',
  cause: 'The sandbox has no report schedule with this id, or none for the user of this key.',
  remedy: 'Create one and use the id of the response.',
})

export const deliveryNotFound = defineError('delivery-not-found', 404, {
  title: 'The delivery does not exist',
  cause: 'The sandbox never had this delivery, or has dropped or deleted it.',
  remedy: 'List what it keeps with `GET /__mock/deliveries`.',
})

export const reportScheduleForbidden = defineError('report-schedule-forbidden', 403, {
  title: 'The report schedule belongs to another user',
  cause: 'The behaviour `schedule.owner` lets only the owner update a report schedule.',
  remedy: 'Use the key of its owner.',
})

export const reportScheduleConflict = defineError('report-schedule-conflict', 409, {
  title: 'The report schedule already exists',
  cause: 'The behaviour `create.duplicate` refuses a second report schedule like this one.',
  remedy: 'Change the title, or update the existing one.',
})

export const tooManyReportSchedules = defineError('too-many-report-schedules', 409, {
  title: 'There are too many report schedules',
  cause: 'The sandbox holds as many report schedules as it may, or the next id would exceed 2^53.',
  remedy: 'Reset the sandbox.',
})

export const linkNotFound = defineError('link-not-found', 404, {
  otherStatuses: [403],
  title: 'The page or view does not exist',
  cause: 'The behaviour `links.exist` refuses a `pageId` or `viewId` that no fixture lists.',
  remedy: 'Use an id that a fixture lists, or list it there.',
})

export const preconditionFailed = defineError('precondition-failed', 412, {
  title: 'Precondition Failed',
  cause: 'The `If-Match` header names a version that is not the current one, or `If-None-Match` one that is.',
  remedy: 'Read the report schedule or the item again and repeat the write.',
})

export const noRunToCome = defineError('no-run-to-come', 409, {
  title: 'No run is scheduled',
  cause: 'No report schedule of the sandbox will run.',
  remedy: 'Create a report schedule that is enabled, or advance the clock by a duration.',
})

export const tooManyRuns = defineError('too-many-runs', 409, {
  title: 'There would be too many runs',
  cause: 'Moving the clock that far would create more runs or deliveries than one step may.',
  remedy: 'Move the clock in smaller steps, or disable schedules first.',
})

export const documentTooLarge = defineError('document-too-large', 409, {
  title: 'The document is too large',
  cause: 'A document of a collection has more characters of JSON than allowed.',
  remedy: 'Store a smaller document.',
})

export const tooManyDocuments = defineError('too-many-documents', 409, {
  title: 'There are too many documents',
  cause: 'The collection holds as many documents as it may.',
  remedy: 'Delete documents, or reset the sandbox.',
})

export const tooManyCollections = defineError('too-many-collections', 409, {
  title: 'There are too many collections',
  cause: 'The sandbox holds as many collections as it may.',
  remedy: 'Reset the sandbox.',
})

export const documentsTooLarge = defineError('documents-too-large', 409, {
  title: 'The documents are too large',
  cause: 'The documents of all collections of the sandbox together have more characters of JSON than allowed.',
  remedy: 'Delete documents, or reset the sandbox.',
})

export const documentInvalid = defineError('document-invalid', 500, {
  title: 'A stored document does not fit the contract',
  cause:
    'The response would show a document that breaks its schema: the contract was changed since, or a handler, a fixture or an imported state stored it.',
  remedy: 'Change or delete the document with the control API, or reset the sandbox.',
})

export const itemNotFound = defineError('item-not-found', 404, {
  otherStatuses: [410],
  title: 'The item does not exist',
  cause: 'The collection has no item with the id of the path, or a parent in the path does not exist.',
  remedy: 'Create the item, or use an id that the list of the collection shows.',
})

export const pageNotFound = defineError('page-not-found', 404, {
  title: 'The list has no such page',
  cause: 'The request asks for a page beyond the end, and `collections.page-beyond` refuses that.',
  remedy: 'Stop at the last page, which the total or the missing link to a next page shows.',
})

export const itemExists = defineError('item-exists', 409, {
  title: 'The item already exists',
  cause: 'The collection has an item with the id of the body.',
  remedy: 'Use another id, or change the existing item.',
})

export const collectionNotFound = defineError('collection-not-found', 404, {
  title: 'The collection does not exist',
  cause:
    'Neither the contract nor a fixture has a collection with this name, and no handler made one; or its parent does not exist.',
  remedy: 'Use a name of `GET /__mock/collections`; that of a nested collection has ids instead of parameters.',
})

export const documentRequired = defineError('document-required', 409, {
  title: 'The document cannot be deleted',
  cause: 'The collection is one document that always exists, such as settings.',
  remedy: 'Replace or change the document, or reset the sandbox.',
})

export const transitionRefused = defineError('transition-refused', 409, {
  otherStatuses: [422],
  title: 'The status does not allow this',
  cause: 'The lifecycle that `x-standin` declares has no such change of status.',
  remedy: 'Change the status to one that may follow it, or declare the change in `transitions`.',
})

export const tooManyTransitions = defineError('too-many-transitions', 409, {
  title: 'There would be too many changes',
  cause: 'Moving the clock that far would change the status of more documents than one step may.',
  remedy: 'Move the clock in smaller steps.',
})

export const itemHeld = defineError('item-held', 409, {
  title: 'The item has others below it',
  cause: 'The behaviour `collections.cascade` refuses to delete an item while there are others that belong to it.',
  remedy: 'Delete those first, or change the behaviour.',
})

export const preconditionRequired = defineError('precondition-required', 428, {
  title: 'Precondition Required',
  cause: 'The contract documents 428 for a write without `If-Match`.',
  remedy: 'Send the `ETag` of the item in `If-Match`.',
})

export const patchTestFailed = defineError('patch-test-failed', 409, {
  title: 'A test of the patch failed',
  cause: 'The JSON Patch has a `test` that the item does not pass (RFC 6902, 4.6).',
  remedy: 'Read the item again and repeat the patch.',
})

export const idempotencyKeyReused = defineError('idempotency-key-reused', 409, {
  otherStatuses: [422],
  title: 'The idempotency key was used before',
  cause: 'Another request with the same idempotency key had another body or path.',
  remedy: 'Send a new key with each new request.',
})
