import type { Contract, Operation } from '../contract/contract.ts'
import type { Lookup } from '../contract/schemas/lookup.ts'
import { isObject } from '../formats/json.ts'
import type { Outcome, ParameterValue } from '../resources/handler.ts'

/** Answers an operation that no handler knows: with an example of the document, or with values that its schemas allow. */
export interface Generator {
  /** The statuses, ranges and `default` that the contract has answers for. */
  readonly statuses: readonly string[]
  /** Whether the contract has an answer of such a status. */
  documents(status: number): boolean
  /** @throws Problem 404 for an example that is not there, 406 for media types that are not to be had */
  generate(request: GeneratedRequest): Promise<Outcome>
}

/** What the answer hangs on, all of it: two equal requests get two equal answers. */
export interface GeneratedRequest {
  readonly seed: number
  /** Epoch ms by the sandbox's clock. Dates lie near its day, so that an answer stays the same for that day. */
  readonly now: number
  /** As it was sent, without the query. */
  readonly path: string
  readonly search: string
  /** The parameters of the path, decoded. */
  readonly parameters: Readonly<Record<string, ParameterValue>>
  /** Undefined when there was none. */
  readonly body: unknown
  /** The request header. */
  readonly accept: string | undefined
  readonly wanted: Wanted
  /** Bodies that tell of a status from 400 on in the words of a refusal, to be tried one after the other. @param schema of the answer */
  wordedBodies(status: number, schema: unknown): readonly unknown[]
}

/** What a request wishes its answer to be, in the words of Prism: `Prefer: code=404, example=none, dynamic=true`. */
export interface Wanted {
  readonly code?: number
  readonly example?: string
  /** Whether to pass over the examples of the document. */
  readonly dynamic?: boolean
}

/** The libraries behind it take half a second to load, so they come with the first request, or when `warmUp` asks for them. */
export function createGenerator(contract: Contract, operation: Operation, lookup: Lookup): Generator {
  const statuses = statusesOf(operation, lookup)
  let answerer: Promise<(request: GeneratedRequest) => Promise<Outcome>> | undefined
  return {
    statuses,
    documents: (status) => statuses.some((one) => isStatus(one, status)),
    async generate(request) {
      answerer ??= warmUp().then(({ createAnswerer }) => createAnswerer(contract, operation))
      return (await answerer)(request)
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
