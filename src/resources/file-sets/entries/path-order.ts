import type { Base } from './base.ts'
import { compareCodePoints, codeOf, reader } from './columns.ts'
import { pieceDigits, identity, sortInSteps, rankInSteps } from './rank.ts'
import type { Steps } from '../../../engine/steps.ts'

/**
 * All slots by path, in code point order, made without putting a full path together. In one directory a file or directory
 * is placed by its name, and the contents of a directory `s` all together where `s/` sorts; so it is enough to
 * sort the names of each directory for themselves. `a.txt` comes before `a/b`, and `a-b` before both.
 */
export function* pathOrder(base: Base): Steps<Uint32Array> {
  const { files } = base
  const byName = yield* sortInSteps(yield* filesByName(base), files.directoryOf)
  const nameAt = reader(files.text('name').pieces)
  const slots = new Uint32Array(base.count)
  let filled = 0
  const take = (from: number, to: number) => {
    slots.set(byName.subarray(from, to), filled)
    filled += to - from
  }
  const visit = function* (directory: number): Steps<void> {
    yield
    const [from = 0, to = 0] = [files.before[directory], files.before[directory + 1]]
    const places = placesOf(base, directory)
    if (places.length === 0) {
      take(from, to)
      return
    }
    const names = Array.from(byName.subarray(from, to), (file) => nameAt(file) ?? '')
    let taken = 0
    for (const place of places) {
      const before = taken
      while (taken < names.length && compareCodePoints(names[taken] ?? '', place.text) < 0) taken++
      take(from + before, from + taken)
      if (place.inside === undefined) slots[filled++] = place.slot
      else yield* visit(place.inside)
    }
    take(from + taken, to)
  }
  yield* visit(0)
  return slots
}

type Place = { text: string; slot: number; inside?: never } | { text: string; inside: number }

/** The places of the immediate subdirectories among the files: each once for itself and once for its contents. */
function placesOf(base: Base, directory: number): Place[] {
  const { end, name: names } = base.directories
  const places: Place[] = []
  for (let child = directory + 1; child < (end[directory] ?? 0); child = end[child] ?? 0) {
    const name = names.text(codeOf(names, child))
    places.push({ text: name, slot: base.slotOf(child) }, { text: `${name}/`, inside: child })
  }
  return places.sort((a, b) => compareCodePoints(a.text, b.text))
}

function* filesByName({ files }: Base): Steps<Uint32Array> {
  const { pieces } = files.text('name')
  const all = identity(files.count)
  const nameAt = reader(pieces)
  const digits = (yield* pieceDigits(pieces, files.count, [], files.count, (text) => text)) ?? [
    yield* rankInSteps(Array.from(all, (file) => nameAt(file) ?? '')),
  ]
  let sorted = all
  for (const one of digits) sorted = yield* sortInSteps(sorted, one)
  return sorted
}
