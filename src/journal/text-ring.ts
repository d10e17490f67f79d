/**
 * Texts in a bounded number of bytes outside of the engine's heap, the oldest of which make room for new ones. On the heap, things
 * that are kept for a thousand requests and then dropped are what a garbage collector is worst at: they are copied twice and then
 * looked for among all that lives. Here a text is copied once, and forgotten by being written over.
 */
export interface TextRing {
  /** Bytes that are in use. */
  readonly bytes: number
  /** Keeps a text. Answers its place, which is greater than all before. */
  write(text: string): number
  /** The text at a place; undefined when it had to make room. */
  read(place: number): string | undefined
  has(place: number): boolean
}

/** Bytes that are let go at once. A text lies in one segment, so none may be longer. */
const SEGMENT = 2 ** 20

/** Before each text stands its length in bytes. */
const HEAD = 4

/** Of a character of a text in UTF-8. */
const MOST_BYTES = 3

/** @param segments how many, of a mebibyte each; memory is taken as they fill */
export function createTextRing(segments: number): TextRing {
  const buffers: Buffer[] = []
  const used: number[] = []
  /** Counts all segments that were ever begun. */
  let newest = 0
  let offset = 0
  const begin = () => {
    if (buffers.length > 0) newest++
    offset = 0
    buffers[newest % segments] ??= Buffer.allocUnsafeSlow(SEGMENT)
    used[newest % segments] = 0
  }
  const has = (place: number) => {
    const segment = Math.floor(place / SEGMENT)
    return segment <= newest && segment > newest - segments && place % SEGMENT < (used[segment % segments] ?? 0)
  }
  const write = (text: string): number => {
    // Counting the bytes of a text takes as long as writing it, so it is done only where it might not fit.
    if (buffers.length === 0 || offset + HEAD + MOST_BYTES * text.length > SEGMENT) {
      const length = Buffer.byteLength(text)
      if (length + HEAD > SEGMENT) return write(text.slice(0, SEGMENT / (2 * MOST_BYTES)))
      if (buffers.length === 0 || offset + HEAD + length > SEGMENT) begin()
    }
    const buffer = buffers[newest % segments]
    if (!buffer) throw new Error('a segment that was begun is not there')
    const place = newest * SEGMENT + offset
    const length = buffer.write(text, offset + HEAD)
    buffer.writeUInt32LE(length, offset)
    offset += HEAD + length
    used[newest % segments] = offset
    return place
  }
  return {
    get bytes() {
      return used.reduce((sum, one) => sum + one, 0)
    },
    has,
    write,
    read(place) {
      const buffer = buffers[Math.floor(place / SEGMENT) % segments]
      if (!buffer || !has(place)) return undefined
      const at = place % SEGMENT
      return buffer.toString('utf8', at + HEAD, at + HEAD + buffer.readUInt32LE(at))
    },
  }
}
