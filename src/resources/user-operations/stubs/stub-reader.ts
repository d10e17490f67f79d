/** Reads what a stub is made of. */
export interface StubReader {
  /** @param pointer in the file of the stub */
  complain(pointer: string, text: string): void
  /** Compiles a JSON Schema, which may refer to the schemas of the contract. */
  addSchema(schema: unknown, pointer: string): (value: unknown) => boolean
}
