import { compareCodePoints } from './code-points.ts'
import type { Entries } from './entries.ts'

/**
 * All slots by path, in code point order, made without holding or comparing a full path. Below one directory a file or directory
 * stands where its name sorts, and what lies inside a directory `s` stands where `s/` sorts, all together; so it is enough to
 * sort the names of each directory for themselves. `a.txt` comes before `a/b`, and `a-b` before both.
 */
export function pathOrder(entries: Entries): Uint32Array {
  const { directories, files } = entries
  const { starts, grouped } = groupByDirectory(files.directoryOf, files.count, directories.count)
  const slots = new Uint32Array(entries.count)
  let filled = 0
  const visit = (directory: number) => {
    const places: Place[] = []
    for (let at = starts[directory] ?? 0; at < (starts[directory + 1] ?? 0); at++) {
      const slot = grouped[at] ?? 0
      places.push({ text: entries.name(slot), slot })
    }
    for (let child = directory + 1; child < (directories.end[directory] ?? 0); child = directories.end[child] ?? 0) {
      const slot = entries.slotOfDirectory(child)
      const name = entries.name(slot)
      places.push({ text: name, slot }, { text: `${name}/`, inside: child })
    }
    places.sort((a, b) => compareCodePoints(a.text, b.text))
    for (const place of places) {
      if (place.inside === undefined) slots[filled++] = place.slot
      else visit(place.inside)
    }
  }
  visit(0)
  return slots
}

type Place = { text: string; slot: number; inside?: never } | { text: string; inside: number }

/** The files of each directory: those of `d` are `grouped[starts[d]]` to `grouped[starts[d + 1] - 1]`. A counting sort. */
function groupByDirectory(directoryOf: Uint32Array, fileCount: number, directoryCount: number) {
  const starts = new Uint32Array(directoryCount + 1)
  for (let file = 0; file < fileCount; file++) {
    const next = (directoryOf[file] ?? 0) + 1
    starts[next] = (starts[next] ?? 0) + 1
  }
  for (let directory = 0; directory < directoryCount; directory++) {
    starts[directory + 1] = (starts[directory + 1] ?? 0) + (starts[directory] ?? 0)
  }
  const next = starts.slice()
  const grouped = new Uint32Array(fileCount)
  for (let file = 0; file < fileCount; file++) {
    const directory = directoryOf[file] ?? 0
    const at = next[directory] ?? 0
    grouped[at] = file
    next[directory] = at + 1
  }
  return { starts, grouped }
}
