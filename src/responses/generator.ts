import type { Contract, Operation } from '../contract/contract.ts'
import type { Lookup } from '../contract/schemas/lookup.ts'
import { isObject } from '../formats/json.ts'
import type { Outcome } from '../resources/handler.ts'
import type { GeneratedRequest } from './responder.ts'

/** Answers an operation that no handler knows: with an example of the document, or with values that its schemas allow. */
export interface Generator {
  /** The statuses, ranges and `default` that the contract has answers for. */
  readonly statuses: readonly string[]
  /** Whether the contract has an answer of such a status. */
  documents(status: number): boolean
  /** @throws Problem 404 for an example that is not there, 406 for media types that are not to be had */
  generate(request: GeneratedRequest): Promise<Outcome>
}

/** The libraries behind it take half a second to load, so they come with the first request, or when `warmUp` asks for them. */
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

/** Loads what generated operations need. It takes half a second, once in a process. */
export function warmUp() {
  return import('./responder.ts')
}

/** The statuses, ranges and `default` that the contract has answers for. */
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
