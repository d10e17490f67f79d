/** A bounded number of bytes, taken by things in the order of their coming; each may leave at any time. */
export interface Room<Thing> {
  readonly bytes: number
  /** Takes a thing in. While there is too little room, the oldest thing has to make some: it must leave. */
  add(thing: Thing, bytes: number): Place<Thing>
  /** Lets the thing at a place go, and nothing of it is left. Once only. */
  leave(place: Place<Thing>): void
}

/** Where a thing is: between the one that came before it and the one that came after. */
export interface Place<Thing> {
  readonly thing: Thing
  readonly bytes: number
  older: Place<Thing> | undefined
  newer: Place<Thing> | undefined
}

/** @param most bytes @param makeRoom lets go of a thing, and calls `leave` */
export function createRoom<Thing>(most: number, makeRoom: (thing: Thing) => void): Room<Thing> {
  let oldest: Place<Thing> | undefined
  let newest: Place<Thing> | undefined
  let taken = 0
  return {
    get bytes() {
      return taken
    },
    add(thing, bytes) {
      const place: Place<Thing> = { thing, bytes, older: newest, newer: undefined }
      if (newest) newest.newer = place
      else oldest = place
      newest = place
      taken += bytes
      while (taken > most && oldest && oldest !== place) makeRoom(oldest.thing)
      return place
    },
    leave({ older, newer, bytes }) {
      if (older) older.newer = newer
      else oldest = newer
      if (newer) newer.older = older
      else newest = older
      taken -= bytes
    },
  }
}
