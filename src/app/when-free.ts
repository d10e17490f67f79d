import type { Sandboxes } from '../engine/sandboxes.ts'
import type { RequestContext } from './request-context.ts'
import { setHeader } from '../engine/request-context.ts'

/** Waits while the clock of an exchange's sandbox is advanced, and then sees the time as it is. @throws Problem 503 */
export async function whenFree(context: RequestContext): Promise<void> {
  const { sandbox } = context
  for (let wait = sandbox.whenFree(); wait; wait = sandbox.whenFree()) await wait
  context.now = sandbox.now()
  setHeader(context, 'date', new Date(context.now).toUTCString())
}

/** Waits while the clock of any of some sandboxes is advanced. @throws Problem 503 */
export async function whenAllFree(sandboxes: Sandboxes, names: readonly string[]): Promise<void> {
  const find = () => names.map((name) => sandboxes.all.get(name)?.whenFree()).find((wait) => wait !== undefined)
  for (let wait = find(); wait; wait = find()) await wait
}
