/**
 * A bounded number of bytes that things take in the order of their coming. It is a queue from which things may also leave in the
 * middle: those are passed over when their turn comes, and swept out once they are the larger part.
 */
export interface Room<Thing> {
  readonly bytes: number
  /** Takes a thing in. While there is too little room, the oldest thing has to make some: it must leave. */
  add(thing: Thing): void
  /** To be told once of each thing that is gone. */
  leave(thing: Thing): void
}

export interface RoomRules<Thing> {
  /** Bytes. */
  readonly most: number
  sizeOf(thing: Thing): number
  /** Whether a thing has not left. */
  isIn(thing: Thing): boolean
  /** Lets go of a thing, and calls `leave`. */
  makeRoom(thing: Thing): void
}

/** A queue as short as this is not worth sweeping. */
const SHORT = 1024

export function createRoom<Thing>({ most, sizeOf, isIn, makeRoom }: RoomRules<Thing>): Room<Thing> {
  let queue: Thing[] = []
  let first = 0
  let held = 0
  let bytes = 0
  return {
    get bytes() {
      return bytes
    },
    add(thing) {
      queue.push(thing)
      held++
      bytes += sizeOf(thing)
      while (bytes > most && first < queue.length) {
        const oldest = queue[first++]
        if (oldest !== undefined && isIn(oldest)) makeRoom(oldest)
      }
      if (queue.length < SHORT + 2 * held) return
      queue = queue.slice(first).filter(isIn)
      first = 0
    },
    leave(thing) {
      held--
      bytes -= sizeOf(thing)
    },
  }
}
