/** One field of a form in parts (RFC 7578). */
export interface Part {
  readonly name: string
  /** Of a file; undefined for a plain field. */
  readonly fileName: string | undefined
  readonly contentType: string
  readonly bytes: Buffer
}

/** More fields than that are no form. */
const MOST_PARTS = 1000
/** Bytes. */
const LONGEST_NAME = 1000

/**
 * Takes a form apart. What does it is loaded when the first form comes.
 *
 * @param mediaType with its boundary
 * @throws SyntaxError when it is none
 */
export async function readParts(bytes: Buffer, mediaType: string): Promise<readonly Part[]> {
  const { Busboy } = await import('@fastify/busboy')
  return new Promise<readonly Part[]>((resolve, reject) => {
    const refuse = (why: unknown) => reject(new SyntaxError(why instanceof Error ? why.message : String(why)))
    const parts: Part[] = []
    // The whole is as long as a body may be, so no part need be bounded by itself.
    const limits = { fieldNameSize: LONGEST_NAME, fieldSize: bytes.length, parts: MOST_PARTS }
    const reader = new Busboy({ headers: { 'content-type': mediaType }, limits })
    reader.on('field', (name, text) => {
      parts.push({ name, fileName: undefined, contentType: 'text/plain', bytes: Buffer.from(text) })
    })
    reader.on('file', (name, content, fileName, _encoding, contentType) => {
      const chunks: Buffer[] = []
      const place = parts.push({ name, fileName, contentType, bytes: NOTHING }) - 1
      content.on('data', (chunk: Buffer) => void chunks.push(chunk)).on('error', refuse)
      content.on('end', () => void (parts[place] = { name, fileName, contentType, bytes: Buffer.concat(chunks) }))
    })
    reader.on('partsLimit', () => refuse(`it has more than ${MOST_PARTS} parts`))
    reader.on('error', refuse).on('finish', () => resolve(parts))
    reader.end(bytes)
  }).catch((error: unknown) => {
    throw error instanceof SyntaxError ? error : new SyntaxError(error instanceof Error ? error.message : String(error))
  })
}

const NOTHING = Buffer.alloc(0)
