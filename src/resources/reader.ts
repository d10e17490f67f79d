import { isObject } from '../formats/json.ts'
import { type Members } from './normalize-body.ts'
import type { BehaviourTracker } from '../behaviours/tracker.ts'
import type { Violation } from '../errors/problem.ts'

/** Reads one part of a request and collects its violations. */
export interface Reader {
  readonly tracker: BehaviourTracker
  readonly violations: Violation[]
}

/** Reads the elements that are objects; the contract has refused the others. */
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
