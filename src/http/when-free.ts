import type { House } from './house.ts'
import { type Exchange, setHeader } from './underway.ts'

/** Waits while the clock of an exchange's sandbox is advanced, and then sees the time as it is. @throws Problem 503 */
export async function whenFree(ex: Exchange): Promise<void> {
  const { sandbox } = ex
  for (let wait = sandbox.whenFree(); wait; wait = sandbox.whenFree()) await wait
  ex.now = sandbox.now()
  setHeader(ex, 'date', new Date(ex.now).toUTCString())
}

/** Waits while the clock of any of some sandboxes is advanced. @throws Problem 503 */
export async function whenAllFree({ sandboxes }: House, names: readonly string[]): Promise<void> {
  const find = () => names.map((name) => sandboxes.all.get(name)?.whenFree()).find((wait) => wait !== undefined)
  for (let wait = find(); wait; wait = find()) await wait
}
