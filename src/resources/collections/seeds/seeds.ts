import type { Documents } from '../documents/documents.ts'

/** The documents that collections begin with. They are made when they are first asked for, and are the same for the same seed. */
export interface Seeds {
  /** Of an instance such as `customers/1/orders`; undefined for one that no collection of the contract has. */
  get(seed: number, name: string): Documents | undefined
  /** Makes them before they are needed, and lets other requests be handled meanwhile; undefined when there is nothing to make. */
  prepare(seed: number, name: string): Promise<void> | undefined
  /** Examples of the contract that are no documents, since they break its schemas, each as a sentence. Checks all of them. */
  notes(): readonly string[]
}

export const NO_SEEDS: Seeds = { get: () => undefined, prepare: () => undefined, notes: () => [] }
