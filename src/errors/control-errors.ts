import { defineError } from './problem.ts'

// Errors of the control API that belong to no sandbox: access, journal and faults.

export const pageRefused = defineError({
  id: 'page-refused',
  status: 403,
  title: 'Pages of other sites may not use the control API',
  cause: 'The request came from a web page of another origin.',
  remedy: 'Use a page of localhost, or start with `--control-token` and `--allow-origin`.',
})

export const controlLocalOnly = defineError({
  id: 'control-local-only',
  status: 403,
  title: 'The control API is only available on this machine',
  cause: 'The request came from another machine or through a proxy, and no token is configured.',
  remedy: 'Start with `--control-token` and send the token.',
})

export const tokenMissing = defineError({
  id: 'token-missing',
  status: 401,
  title: 'The control API requires a token',
  cause: 'The server was started with `--control-token`, and the request carries no token.',
  remedy: 'Send `Authorization: Bearer` with the token.',
})

export const tokenWrong = defineError({
  id: 'token-wrong',
  status: 401,
  title: 'The control API requires a token',
  cause: 'The request carries another token than that of `--control-token`.',
  remedy: 'Send `Authorization: Bearer` with the right token.',
})

export const exchangeNotFound = defineError({
  id: 'exchange-not-found',
  status: 404,
  title: 'The exchange is not in the journal',
  cause: 'The journal never had this exchange, or has dropped it for newer ones.',
  remedy: 'List what it keeps with `GET /__mock/journal`.',
})

export const tooManyListeners = defineError({
  id: 'too-many-listeners',
  status: 409,
  title: 'There are too many open streams',
  cause: 'As many event streams are open as allowed.',
  remedy: 'Close one first.',
})

export const faultExists = defineError({
  id: 'fault-exists',
  status: 409,
  title: 'The fault already exists',
  cause: 'A fault with this id is armed.',
  remedy: 'Use another id, or delete the existing fault.',
})

export const faultNotFound = defineError({
  id: 'fault-not-found',
  status: 404,
  title: 'There is no such fault',
  cause: 'The sandbox has no fault with this id.',
  remedy: 'List the faults with `GET /__mock/faults`.',
})

export const tooManyFaults = defineError({
  id: 'too-many-faults',
  status: 409,
  title: 'There are too many faults',
  cause: 'The sandbox has as many faults as it may hold.',
  remedy: 'Delete faults that are used up.',
})
