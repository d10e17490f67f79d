/** Takes keys and other secrets out of what is shown of an exchange: in the journal, in exports, in the stream and in the log. */
export interface Redactor {
  /** Whether the values of a header are secret. Any case. */
  isSecret(header: string): boolean
  /** Whether a header is the one that bears the key. Any case. */
  isKey(header: string): boolean
  /** The value of a header as it may be shown. */
  header(name: string, value: string): string
  /** A text of a request that bore a key, without that key. */
  text(text: string, key: string): string
  /** The key of a request, by its headers as names and values by turns; the empty string when there is none. */
  keyOf(headers: readonly string[]): string
}

const REDACTED = '[redacted]'

/** Other headers that bear secrets (RFC 9110, 11; RFC 6265). */
const SECRET_HEADERS = ['authorization', 'proxy-authorization', 'cookie', 'set-cookie']

/** A shorter key is no secret, and might be a word of the text. */
const SHORTEST_KEY = 8

export function createRedactor(keyHeader: string): Redactor {
  const key = keyHeader.toLowerCase()
  const secret = new Set([key, ...SECRET_HEADERS])
  const isSecret = (header: string) => secret.has(header.toLowerCase())
  return {
    isSecret,
    isKey: (header) => header.toLowerCase() === key,
    header: (name, value) => (isSecret(name) ? REDACTED : value),
    text(text, value) {
      if (value.length < SHORTEST_KEY) return text
      const plain = text.includes(value) ? text.replaceAll(value, REDACTED) : text
      // Somebody who puts the key into the address by mistake encodes it.
      const encoded = encodeURIComponent(value.toWellFormed())
      return encoded !== value && plain.includes(encoded) ? plain.replaceAll(encoded, REDACTED) : plain
    },
    keyOf(headers) {
      for (let at = 0; at < headers.length; at += 2) {
        const name = headers[at] ?? ''
        if (name.length === key.length && name.toLowerCase() === key) return headers[at + 1] ?? ''
      }
      return ''
    },
  }
}
