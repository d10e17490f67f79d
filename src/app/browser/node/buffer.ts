/** Buffer in a page: that of the package `buffer`, with the encoding that it lacks. */
import { Buffer as PageBuffer } from 'buffer/index.js'

type Bytes = InstanceType<typeof PageBuffer>
type FromText = (text: string, encoding?: string) => Bytes

const from = PageBuffer.from.bind(PageBuffer) as FromText
const toText = PageBuffer.prototype.toString

// Its decoder of base64 takes the letters of both alphabets.
PageBuffer.from = ((data: string, encoding?: string) =>
  from(data, encoding === 'base64url' ? 'base64' : encoding)) as typeof PageBuffer.from
PageBuffer.prototype.toString = function (this: Bytes, encoding?: string, start?: number, end?: number) {
  if (encoding !== 'base64url') return toText.call(this, encoding, start, end)
  return toText.call(this, 'base64', start, end).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

/** What multipart forms are read with. */
for (const encoding of ['utf8', 'latin1', 'ucs2', 'base64'])
  Object.assign(PageBuffer.prototype, {
    [`${encoding}Slice`](this: Bytes, start?: number, end?: number) {
      return toText.call(this, encoding, start, end)
    },
  })

const UTF_8 = new TextDecoder('utf-8', { fatal: true })

export function isUtf8(bytes: Uint8Array): boolean {
  try {
    UTF_8.decode(bytes)
    return true
  } catch {
    return false
  }
}

export { PageBuffer as Buffer }
