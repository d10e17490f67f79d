/** The latest of many things, oldest first. A copy shares all but the last few. */
export interface Latest<Thing> extends Iterable<Thing> {
  readonly size: number
  copy(): OwnedLatest<Thing>
}

/** A list that its owner adds to. */
export interface OwnedLatest<Thing> extends Latest<Thing> {
  /** Adds a thing. The oldest is dropped when there are too many. */
  append(thing: Thing): void
  removeIf(isRemoved: (thing: Thing) => boolean): void
}

/** Full chunks never change again, so they are shared; the open one is copied. */
const CHUNK = 256

/** @param most how many are kept */
export function createLatest<Thing>(most: number, things: Iterable<Thing> = []): OwnedLatest<Thing> {
  const latest = assemble<Thing>(most, [], [], 0)
  for (const thing of things) latest.append(thing)
  return latest
}

/** @param dropped how many of the first full chunk are forgotten */
function assemble<Thing>(
  most: number,
  full: readonly (readonly Thing[])[],
  open: readonly Thing[],
  dropped: number,
): OwnedLatest<Thing> {
  let chunks = [...full]
  let last = [...open]
  let gone = dropped
  const size = () => chunks.length * CHUNK + last.length - gone
  function* things(): Generator<Thing> {
    for (const [number, chunk] of [...chunks, last].entries()) yield* number === 0 ? chunk.slice(gone) : chunk
  }
  return {
    get size() {
      return size()
    },
    copy: () => assemble(most, chunks, last, gone),
    append(thing) {
      last.push(thing)
      if (last.length === CHUNK) {
        chunks.push(last)
        last = []
      }
      if (size() <= most) return
      gone++
      if (gone < CHUNK) return
      chunks.shift()
      gone = 0
    },
    removeIf(isRemoved) {
      const kept = [...things()].filter((thing) => !isRemoved(thing))
      const filled = kept.length - (kept.length % CHUNK)
      chunks = Array.from({ length: filled / CHUNK }, (_, number) => kept.slice(number * CHUNK, (number + 1) * CHUNK))
      last = kept.slice(filled)
      gone = 0
    },
    [Symbol.iterator]: things,
  }
}
