/** Characters of a link. Chat tools and mail programs cut longer ones. */
const LONGEST_LINK = 32_000
/** Characters of a document, so that a link cannot unpack into more memory than it says. */
const LONGEST_SHARED = 2_000_000

const NAME = 'document='

/** A link to a page that shows a document, which is compressed in the fragment: browsers send none to a server. @throws Error */
export async function linkTo(document: string, page: string): Promise<string> {
  const packed = new Blob([document]).stream().pipeThrough(new CompressionStream('deflate-raw'))
  const bytes = new Uint8Array(await new Response(packed).arrayBuffer())
  const link = `${page.replace(/#.*/, '')}#${NAME}${encodeBase64Url(bytes)}`
  if (link.length <= LONGEST_LINK) return link
  throw new Error(
    `The link would have ${link.length.toLocaleString('en')} characters, and ${LONGEST_LINK.toLocaleString('en')} is the most that chat tools take. Download the project instead.`,
  )
}

/** The document of a link; undefined for a fragment that has none. @throws Error for one that cannot be read */
export async function documentOf(fragment: string): Promise<string | undefined> {
  const [, encoded] = fragment.split(NAME)
  if (encoded === undefined) return undefined
  try {
    return await unpack(decodeBase64Url(encoded))
  } catch (error) {
    if (error instanceof RangeError) throw error
    throw new Error('The document of this link cannot be read: a part of the link is missing. Copy all of it.', {
      cause: error,
    })
  }
}

async function unpack(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const stream = new Blob([bytes])
    .stream()
    .pipeThrough(new DecompressionStream('deflate-raw'))
    .pipeThrough(new TextDecoderStream())
  let text = ''
  // Safari cannot iterate over streams.
  const reader = stream.getReader()
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    text += next.value
    if (text.length > LONGEST_SHARED)
      throw new RangeError(
        `The document of this link has more than ${LONGEST_SHARED.toLocaleString('en')} characters. It is not opened.`,
      )
  }
  return text
}

function encodeBase64Url(bytes: Uint8Array): string {
  const characters = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
  return btoa(characters).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

function decodeBase64Url(text: string): Uint8Array<ArrayBuffer> {
  const characters = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(characters, (character) => character.charCodeAt(0))
}
