import { isUtf8 } from 'node:buffer'
import { brotliDecompressSync, gunzipSync, inflateSync, zstdDecompressSync } from 'node:zlib'

type Decoder = (bytes: Buffer, options: { readonly maxOutputLength: number }) => Buffer

const DECODERS: Readonly<Record<string, Decoder>> = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
  zstd: zstdDecompressSync,
}

/** A body without its compression; undefined where that is unknown, damaged, or would make more bytes than allowed. */
export function decompress(bytes: Buffer, coding: string | undefined, maxOutputLength: number): Buffer | undefined {
  const codings = (coding ?? '')
    .toLowerCase()
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '' && one !== 'identity')
  if (bytes.length === 0) return bytes
  try {
    return codings.reduceRight((left, one) => {
      const decoder = DECODERS[one]
      if (!decoder) throw new Error(`unknown coding ${one}`)
      return decoder(left, { maxOutputLength })
    }, bytes)
  } catch {
    return undefined
  }
}

/** A body as text; undefined for one that is none. */
export function textOf(bytes: Buffer | undefined): string | undefined {
  return bytes && isUtf8(bytes) ? bytes.toString() : undefined
}
