import type { Contract } from '../../../contract/contract.ts'

/** Reads what a stub is made of. */
export interface StubReader {
  /** @param pointer in the file of the stub */
  complain(pointer: string, text: string): void
  readonly contract: Pick<Contract, 'document'>
  /** The parameters in the path of its operation. */
  readonly pathNames: readonly string[]
  /** Compiles a JSON Schema, which may refer to the schemas of the contract. */
  addSchema(schema: unknown, pointer: string): (value: unknown) => boolean
}
