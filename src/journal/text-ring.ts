/**
 * Texts in a bounded number of bytes outside of the JavaScript heap; new texts overwrite the oldest. On the heap, texts that live for
 * a thousand requests are the worst case for the garbage collector, which copies each twice and then has to find it again.
 */
export interface TextRing {
  /** Bytes in use. */
  readonly bytes: number
  /** Stores a text and returns its position, which is greater than all before. */
  write(text: string): number
  /** The position of an equal text that was just stored, as when clients repeat a request; else stores it. */
  share(text: string): number
  /** The text at a position; undefined when it was overwritten. */
  read(position: number): string | undefined
  has(position: number): boolean
}

/** Bytes that are overwritten at once. A text lies in one segment, so none may be longer. */
const SEGMENT = 2 ** 20

/** Each text follows its length in bytes. */
const HEAD = 4

/** The most bytes of a UTF-16 code unit in UTF-8. */
const MAX_BYTES = 3

/** Texts that `share` compares with, each in the slot of its length. */
const SHARED = 32

/**
 * @param segments how many, of one MiB each, allocated as they fill
 * @param firstNeeded the position of the oldest text that may still be read: a segment before it is filled again, instead of one more
 */
export function createTextRing(segments: number, firstNeeded: () => number): TextRing {
  /** The oldest first. */
  const held: { readonly buffer: Buffer; used: number }[] = []
  /** Counts all segments so far. */
  let newest = -1
  const shared: { readonly text: string; readonly position: number }[] = []
  const oldest = () => newest - held.length + 1
  const begin = () => {
    const isOver = held.length === segments || (held.length > 1 && (oldest() + 1) * SEGMENT <= firstNeeded())
    const buffer = (isOver ? held.shift()?.buffer : undefined) ?? Buffer.allocUnsafeSlow(SEGMENT)
    const segment = { buffer, used: 0 }
    newest++
    held.push(segment)
    return segment
  }
  const segmentOf = (position: number) => held[Math.floor(position / SEGMENT) - oldest()]
  const has = (position: number) => {
    // What another process keeps is there for as long as nothing was overwritten here.
    if (position < 0) return held.length < segments
    return position % SEGMENT < (segmentOf(position)?.used ?? 0)
  }
  const write = (text: string): number => {
    let segment = held.at(-1) ?? begin()
    // Counting bytes takes as long as writing them, so count only when the text might not fit.
    if (segment.used + HEAD + MAX_BYTES * text.length > SEGMENT) {
      const length = Buffer.byteLength(text)
      if (length + HEAD > SEGMENT) return write(text.slice(0, SEGMENT / (2 * MAX_BYTES)))
      if (segment.used + HEAD + length > SEGMENT) segment = begin()
    }
    const { buffer, used } = segment
    const length = buffer.write(text, used + HEAD)
    buffer.writeUInt32LE(length, used)
    segment.used += HEAD + length
    return newest * SEGMENT + used
  }
  return {
    get bytes() {
      return held.reduce((sum, { used }) => sum + used, 0)
    },
    has,
    write,
    share(text) {
      const known = shared[text.length % SHARED]
      // A text of an older segment would be overwritten long before the others of its time.
      if (known?.text === text && known.position >= newest * SEGMENT) return known.position
      const position = write(text)
      shared[text.length % SHARED] = { text, position }
      return position
    },
    read(position) {
      const { buffer } = segmentOf(position) ?? {}
      if (!buffer || !has(position)) return undefined
      const at = position % SEGMENT
      return buffer.toString('utf8', at + HEAD, at + HEAD + buffer.readUInt32LE(at))
    },
  }
}
