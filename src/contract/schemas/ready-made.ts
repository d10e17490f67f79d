/** By the pointer of the schema of a request's body: whether a value is valid. What is wrong with one that is not, ajv says. */
export type ReadyMade = Readonly<Record<string, ((value: unknown) => boolean) | undefined>>

/** The integer formats of OpenAPI, for ajv. */
export const INTEGERS = {
  int32: {
    type: 'number',
    validate: (value: number) => Math.abs(value) <= 2 ** 31 - 1 || value === -(2 ** 31),
  },
  // A double cannot tell 2^63 from 2^63 - 1; where digits count, the exact value is checked after this.
  int64: { type: 'number', validate: (value: number) => Math.abs(value) <= 2 ** 63 },
} as const

/** Of documents of the package, by their file. `scripts/build.ts` writes them here: a start that loads ajv takes a fifth more time. */
export const READY_MADE: Readonly<Record<string, ReadyMade | undefined>> = {}
