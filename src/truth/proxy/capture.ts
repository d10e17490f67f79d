/** Bytes of one body that are kept to be checked and recorded. */
export const LONGEST = 8 * 2 ** 20
/** Bytes of all bodies that are under way. */
const ROOM = 64 * 2 ** 20

/** The beginning of a body that is passed on. */
export interface Capture {
  add(chunk: Buffer): void
  /** Whether all that came so far is kept. */
  readonly isWhole: boolean
  readonly bytes: Buffer
  /** Gives the room back to other bodies. */
  release(): void
}

/** Makes captures that share their room. */
export function createCaptures(): () => Capture {
  let used = 0
  return () => {
    let chunks: Buffer[] = []
    let size = 0
    let isWhole = true
    return {
      add(chunk) {
        if (!isWhole || size + chunk.length > LONGEST || used + chunk.length > ROOM) {
          isWhole = false
          return
        }
        chunks.push(chunk)
        size += chunk.length
        used += chunk.length
      },
      get isWhole() {
        return isWhole
      },
      get bytes() {
        return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)
      },
      release() {
        used -= size
        size = 0
        chunks = []
      },
    }
  }
}
