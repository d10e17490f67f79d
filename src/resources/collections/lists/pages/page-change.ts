import type { Fill } from './envelope-fillers.ts'
import { MIDDLE } from './page-facts.ts'

/** Other items of a page of a service. */
export interface PageChange {
  readonly items: readonly unknown[]
  /** How many more items all pages have together. */
  readonly total: number
  /** The ids of the first and the last item. */
  readonly ids: readonly (string | undefined)[]
}

/** No page has so many items, and no id is such, so a fill that returns it shows that fact. */
const PROBE = 987_654_321

/** A member or header of a page, as other items change it. What fills it says what it means; what leads to other pages stays. */
export function changedFact(fill: Fill, value: unknown, { items, total, ids }: PageChange): unknown {
  const shows = (fact: 'total' | 'count' | 'firstId' | 'lastId') => {
    const probe = fact === 'total' || fact === 'count' ? PROBE : String(PROBE)
    return String(fill({ ...MIDDLE, [fact]: probe })) === String(PROBE)
  }
  if (shows('total')) return withNumber(value, (before) => Math.max(0, before + total))
  if (shows('count')) return withNumber(value, () => items.length)
  if (shows('firstId')) return ids[0] ?? value
  if (shows('lastId')) return ids[1] ?? value
  const tellsEmpty = fill({ ...MIDDLE, count: 0 }) === true && fill(MIDDLE) === false
  return tellsEmpty && typeof value === 'boolean' ? items.length === 0 : value
}

/** Numbers may be written as texts. */
function withNumber(value: unknown, change: (before: number) => number): unknown {
  if (typeof value === 'number') return change(value)
  return typeof value === 'string' && /^\d{1,15}$/.test(value) ? String(change(Number(value))) : value
}
