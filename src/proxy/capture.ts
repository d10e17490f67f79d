import { isUtf8 } from 'node:buffer'
import { brotliDecompressSync, gunzipSync, inflateSync, zstdDecompressSync } from 'node:zlib'

/** Bytes of one body that are kept to be checked and recorded. */
const LONGEST = 8 * 2 ** 20
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

type Decoder = (bytes: Buffer, options: { readonly maxOutputLength: number }) => Buffer

const DECODERS: Readonly<Record<string, Decoder>> = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
  zstd: zstdDecompressSync,
}

/** A body without its compression; undefined where that is unknown, damaged, or would make more than may be kept. */
export function decompress(bytes: Buffer, coding = 'identity'): Buffer | undefined {
  const codings = coding
    .toLowerCase()
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '' && one !== 'identity')
  if (bytes.length === 0) return bytes
  try {
    return codings.reduceRight((left, one) => {
      const decoder = DECODERS[one]
      if (!decoder) throw new Error(`unknown coding ${one}`)
      return decoder(left, { maxOutputLength: 2 * LONGEST })
    }, bytes)
  } catch {
    return undefined
  }
}

/** A body as text; undefined for one that is none. */
export function textOf(bytes: Buffer | undefined): string | undefined {
  return bytes && isUtf8(bytes) ? bytes.toString() : undefined
}
