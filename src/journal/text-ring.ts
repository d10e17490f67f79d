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

/** @param segments how many, of one MiB each, allocated as they fill */
export function createTextRing(segments: number): TextRing {
  const buffers: Buffer[] = []
  const used: number[] = []
  /** Counts all segments so far. */
  let newest = 0
  let offset = 0
  const shared: { readonly text: string; readonly position: number }[] = []
  const begin = () => {
    if (buffers.length > 0) newest++
    offset = 0
    buffers[newest % segments] ??= Buffer.allocUnsafeSlow(SEGMENT)
    used[newest % segments] = 0
  }
  const has = (position: number) => {
    const segment = Math.floor(position / SEGMENT)
    return segment <= newest && segment > newest - segments && position % SEGMENT < (used[segment % segments] ?? 0)
  }
  const write = (text: string): number => {
    // Counting bytes takes as long as writing them, so count only when the text might not fit.
    if (buffers.length === 0 || offset + HEAD + MAX_BYTES * text.length > SEGMENT) {
      const length = Buffer.byteLength(text)
      if (length + HEAD > SEGMENT) return write(text.slice(0, SEGMENT / (2 * MAX_BYTES)))
      if (buffers.length === 0 || offset + HEAD + length > SEGMENT) begin()
    }
    const buffer = buffers[newest % segments]
    if (!buffer) throw new Error('a started segment is missing')
    const position = newest * SEGMENT + offset
    const length = buffer.write(text, offset + HEAD)
    buffer.writeUInt32LE(length, offset)
    offset += HEAD + length
    used[newest % segments] = offset
    return position
  }
  return {
    get bytes() {
      return used.reduce((sum, one) => sum + one, 0)
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
      const buffer = buffers[Math.floor(position / SEGMENT) % segments]
      if (!buffer || !has(position)) return undefined
      const at = position % SEGMENT
      return buffer.toString('utf8', at + HEAD, at + HEAD + buffer.readUInt32LE(at))
    },
  }
}
