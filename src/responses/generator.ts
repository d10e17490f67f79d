import type { Contract, Operation } from '../contract/contract.ts'
import type { Lookup } from '../contract/pointer.ts'
import { isObject } from '../formats/json.ts'
import type { Outcome } from '../resources/handler.ts'
import type { GeneratedRequest } from './responder.ts'

/** Responds for an operation without a handler: with examples of the document or generated values. */
export interface Generator {
  /** The statuses, ranges and `default` that the contract documents. */
  readonly statuses: readonly string[]
  /** Whether the contract documents a response with this status. */
  documents(status: number): boolean
  /** @throws Problem 404 for an unknown example, 406 for media types that are not documented */
  generate(request: GeneratedRequest): Promise<Outcome>
}

/** Its libraries take half a second to load. They are loaded by `warmUp` or the first request. */
export function createGenerator(contract: Contract, operation: Operation, lookup: Lookup): Generator {
  const statuses = statusesOf(operation, lookup)
  let responder: Promise<(request: GeneratedRequest) => Promise<Outcome>> | undefined
  return {
    statuses,
    documents: (status) => statuses.some((one) => isStatus(one, status)),
    async generate(request) {
      responder ??= warmUp().then(({ createResponder }) => createResponder(contract, operation))
      return (await responder)(request)
    },
  }
}

/** Loads what generated operations need, once in a process. */
export function warmUp() {
  return import('./responder.ts')
}

/** The statuses, ranges and `default` that the contract documents. */
export function statusesOf({ pointer }: Operation, lookup: Lookup): string[] {
  const responses = lookup.at(`${pointer}/responses`)
  return isObject(responses) ? Object.keys(responses).filter((code) => !code.startsWith('x-')) : []
}

function isStatus(documented: string, status: number): boolean {
  return (
    documented === 'default' ||
    documented === String(status) ||
    documented.toUpperCase() === `${Math.floor(status / 100)}XX`
  )
}
