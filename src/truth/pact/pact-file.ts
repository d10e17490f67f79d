import type { Rules } from './matching-rules.ts'

/** A Pact file, version 4 of the specification, with the members that are written here. */
export interface PactFile {
  readonly consumer: { readonly name: string }
  readonly provider: { readonly name: string }
  readonly interactions: readonly Interaction[]
  readonly metadata: {
    readonly pactSpecification: { readonly version: '4.0' }
    readonly client: { readonly name: 'standin'; readonly version: string }
  }
}

/** A request that the provider is sent, and what its response has to look like. */
export interface Interaction {
  readonly type: 'Synchronous/HTTP'
  readonly description: string
  readonly pending: false
  readonly providerStates: readonly ProviderState[]
  readonly request: {
    readonly method: string
    readonly path: string
    readonly query?: Lists
    readonly headers?: Lists
    readonly body?: PactBody
    readonly generators?: Generators
  }
  readonly response: {
    readonly status: number
    readonly headers?: Lists
    readonly body?: PactBody
    readonly matchingRules?: { readonly body?: Rules; readonly header?: Rules }
  }
}

/** What the provider has to prepare: `fileSetId exists`, with `fileSetId` among the parameters. */
export interface ProviderState {
  readonly name: string
  readonly params: Readonly<Record<string, unknown>>
}

export type Lists = Readonly<Record<string, readonly string[]>>

export interface PactBody {
  readonly content: unknown
  readonly contentType: string
  readonly encoded: false
}

/** Takes a value from what the provider's state returned, where it returned one. */
interface ProviderStateGenerator {
  readonly type: 'ProviderState'
  readonly expression: string
  readonly dataType: 'STRING'
}

export interface Generators {
  readonly path?: ProviderStateGenerator
  readonly query?: Readonly<Record<string, ProviderStateGenerator>>
}

export function fromState(expression: string): ProviderStateGenerator {
  return { type: 'ProviderState', expression, dataType: 'STRING' }
}
