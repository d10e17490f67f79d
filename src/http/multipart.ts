/** One field of a form in parts (RFC 7578). */
export interface Part {
  readonly name: string
  /** Of a file; undefined for a plain field. */
  readonly fileName: string | undefined
  readonly contentType: string
  readonly bytes: Uint8Array
}

/** More fields than that are no form. */
const MOST_PARTS = 1000

/**
 * Takes a form apart.
 *
 * @param mediaType with its boundary
 * @throws SyntaxError when it is none
 */
export function readParts(bytes: Buffer, mediaType: string): Part[] {
  const boundary = /;\s*boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(mediaType)
  const name = boundary?.[1] ?? boundary?.[2]
  if (name === undefined) throw new SyntaxError('its media type names no boundary')
  const mark = Buffer.from(`--${name}`)
  const parts: Part[] = []
  let at = bytes.indexOf(mark)
  if (at < 0) throw new SyntaxError('it does not hold its boundary')
  for (;;) {
    const from = at + mark.length
    // Two dashes end the form.
    if (bytes.subarray(from, from + 2).equals(DASHES)) return parts
    const next = bytes.indexOf(mark, from)
    if (next < 0) throw new SyntaxError('it ends within a part')
    if (parts.length >= MOST_PARTS) throw new SyntaxError(`it has more than ${MOST_PARTS} parts`)
    // Line breaks stand after the boundary and before the next one.
    parts.push(readPart(bytes.subarray(from + 2, next - 2)))
    at = next
  }
}

const DASHES = Buffer.from('--')
const BLANK_LINE = Buffer.from('\r\n\r\n')

function readPart(bytes: Buffer): Part {
  const end = bytes.indexOf(BLANK_LINE)
  if (end < 0) throw new SyntaxError('a part has no blank line after its headers')
  const headers = new Map(
    bytes
      .subarray(0, end)
      .toString()
      .split('\r\n')
      .map((line) => {
        const mark = line.indexOf(':')
        return [line.slice(0, mark).trim().toLowerCase(), line.slice(mark + 1).trim()] as const
      }),
  )
  const disposition = headers.get('content-disposition') ?? ''
  const name = valueIn(disposition, 'name')
  if (name === undefined) throw new SyntaxError('a part has no name')
  return {
    name,
    fileName: valueIn(disposition, 'filename'),
    contentType: headers.get('content-type') ?? 'text/plain',
    bytes: bytes.subarray(end + BLANK_LINE.length),
  }
}

/** `form-data; name="photo"; filename="a.png"`. */
function valueIn(disposition: string, parameter: string): string | undefined {
  const found = new RegExp(`;\\s*${parameter}=(?:"([^"]*)"|([^;\\s]+))`, 'i').exec(disposition)
  return found?.[1] ?? found?.[2]
}
