import { defineError } from './problem.ts'

// Errors of operations for which there is no response.

export const operationRefused = defineError({
  id: 'operation-refused',
  status: 501,
  title: 'The mock cannot respond to this operation',
  cause: 'The contract documents no response that Standin can give: no example and no value fits the schema.',
  remedy: 'Give the response an example, or write a handler for the operation.',
})

export const operationMissing = defineError({
  id: 'operation-missing',
  status: 409,
  title: 'The contract has no such operation',
  cause: 'The contract has no operation that the built-in one is bound to.',
  remedy: 'Bind an operation with `x-standin`; `standin check` lists the bindings.',
})

export const preferenceInvalid = defineError({
  id: 'preference-invalid',
  status: 400,
  title: 'The preference is not valid',
  cause: 'The `Prefer` header has a preference that cannot be read.',
  remedy: 'Write it as the detail shows, for instance `Prefer: code=404`.',
})

export const preferenceUnknown = defineError({
  id: 'preference-unknown',
  status: 404,
  title: 'The preference cannot be met',
  cause: 'The contract documents no such status or example for this operation.',
  remedy: 'Ask for a documented one; the detail names what is missing.',
})

export const mockDefect = defineError({
  id: 'mock-defect',
  status: 500,
  title: 'The mock has a defect',
  cause: 'Standin or one of your handlers failed. The response has the header `X-Mock-Defect`, and no state changed.',
  remedy: 'Look for the request id in the log, which has the stack.',
})
