import { isObject } from '../json.ts'
import { type Members } from './soften.ts'
import type { Leaning } from '../behaviours/leaning.ts'
import type { Violation } from '../problem.ts'

/** One part of a request being read: what was found wrong goes to `violations`, and reading goes on. */
export interface Reader {
  readonly leaning: Leaning
  readonly violations: Violation[]
}

/** Reads the elements that are objects; the others the contract has refused. */
export function readEach<T>(
  list: readonly unknown[],
  pointer: string,
  reader: Reader,
  read: (element: Members, at: string, reader: Reader) => T | undefined,
): T[] {
  const values: T[] = []
  for (const [index, element] of list.entries()) {
    const value = isObject(element) ? read(element, `${pointer}/${index}`, reader) : undefined
    if (value !== undefined) values.push(value)
  }
  return values
}
