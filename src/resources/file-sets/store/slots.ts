import type { Entries } from './entries.ts'

/** The slots of all entries: those of the base that are still there, then those that were added since. */
export function* slotsOf(entries: Entries): Generator<number> {
  for (let slot = 0; slot < entries.base.count; slot++) if (!entries.isGone(slot)) yield slot
  yield* addedSlots(entries)
}

export function* addedSlots(entries: Entries): Generator<number> {
  if (entries.isUnchanged) return
  for (const { slot } of entries.addedIn('as added', (a, b) => a.slot - b.slot).from(() => true)) yield slot
}
