import { bareType } from '../contract/media-type.ts'

/** One part of a multipart body whose parts have no names (RFC 2046, 5.1). */
export interface MultipartPart {
  /** `text/plain` where it says none. */
  readonly contentType: string
  readonly bytes: Buffer
}

const MAX_PARTS = 1000

/** Whether the parts of a media type have an order and no names: `multipart/mixed`. */
export function isMixed(mediaType: string): boolean {
  const type = bareType(mediaType)
  return type.startsWith('multipart/') && type !== 'multipart/form-data'
}

/**
 * Reads a body of parts.
 *
 * @param mediaType with its boundary
 * @throws SyntaxError for a body that is none
 */
export function readMixed(bytes: Buffer, mediaType: string): readonly MultipartPart[] {
  const [, quoted, plain = quoted] = /;\s*boundary=(?:"([^"]*)"|([^\s;]+))/i.exec(mediaType) ?? []
  if (plain === undefined || plain === '') throw new SyntaxError('its Content-Type names no boundary')
  // Each byte is one character, so the parts keep their bytes.
  const text = `\r\n${bytes.toString('latin1')}`
  const [, ...pieces] = text.split(`\r\n--${Buffer.from(plain).toString('latin1')}`)
  const end = pieces.findIndex((piece) => piece.startsWith('--'))
  if (end < 0) throw new SyntaxError(`it does not end with --${plain}--`)
  if (end > MAX_PARTS) throw new SyntaxError(`it has more than ${MAX_PARTS} parts`)
  return pieces.slice(0, end).map((piece, index) => {
    const [head = '', ...content] = piece.replace(/^[ \t]*/, '').split('\r\n\r\n')
    if (content.length === 0) throw new SyntaxError(`part ${index + 1} has no empty line after its headers`)
    const [, type = 'text/plain'] = /\r\ncontent-type:[ \t]*([^\r\n]+)/i.exec(head) ?? []
    return { contentType: type, bytes: Buffer.from(content.join('\r\n\r\n'), 'latin1') }
  })
}

/** A body of parts, and its media type with a boundary that no part has. */
export function writeMixed(parts: readonly MultipartPart[], mediaType: string) {
  const contents = parts.map(({ contentType, bytes }) =>
    Buffer.concat([Buffer.from(`Content-Type: ${contentType}\r\n\r\n`), bytes, Buffer.from('\r\n')]),
  )
  let boundary = 'part'
  while (contents.some((content) => content.includes(`--${boundary}`))) boundary += '-0'
  const between = Buffer.from(`--${boundary}\r\n`)
  const content = Buffer.concat([...contents.flatMap((one) => [between, one]), Buffer.from(`--${boundary}--\r\n`)])
  return { content, contentType: `${bareType(mediaType)}; boundary=${boundary}` }
}

/** The media type that OpenAPI 3.2 has for a part: by its place, or that of all further ones; undefined for none. */
export function partType(
  { prefixEncoding, itemEncoding }: { readonly prefixEncoding?: unknown; readonly itemEncoding?: unknown },
  index: number,
): string | undefined {
  const before = Array.isArray(prefixEncoding) ? (prefixEncoding[index] as unknown) : undefined
  const encoding = (before ?? itemEncoding) as { readonly contentType?: unknown } | undefined
  return typeof encoding?.contentType === 'string' ? encoding.contentType : undefined
}
