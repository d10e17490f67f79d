import { type Violation, violation } from '../errors/problem.ts'
import { requestInvalid } from '../errors/request-errors.ts'

/**
 * Refuses ids that are there twice, or that are not below the next one.
 *
 * @param name of the member that holds the list
 * @throws Problem 400
 */
export function refuseRepeatedIds(
  list: readonly { readonly id: number | string }[],
  name: string,
  next?: { readonly name: string; readonly id: number },
): void {
  const violations: Violation[] = []
  const ids = new Set<number | string>()
  for (const [index, { id }] of list.entries()) {
    const pointer = `/${name}/${index}/id`
    if (ids.has(id)) violations.push(violation({ pointer }, 'repeated', 'each id once', id))
    if (next && Number(id) >= next.id)
      violations.push(violation({ pointer }, next.name, `an id below ${next.name}`, id))
    ids.add(id)
  }
  if (violations.length > 0) throw requestInvalid(violations)
}
