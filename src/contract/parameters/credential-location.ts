import { holdsCredential } from '../../base/secret-names.ts'

/** A request: an incoming one, or one of the journal. */
interface CredentialRequest {
  /** Alternating names and values. */
  readonly rawHeaders: readonly string[]
  readonly url?: string | undefined
}

/** The authentication scheme before the key in `Authorization`. */
export type Word = 'Bearer' | 'Basic'

/** Where a request has its API key, and in which form. */
export interface CredentialLocation {
  readonly in: 'header' | 'query' | 'cookie'
  /** As in the contract. */
  readonly name: string
  /** The name of a header in lower case, as in Node. */
  readonly header?: string
  readonly word?: Word
  /** For messages: `the header X-Key`. */
  readonly title: string
  /** The challenge of a 401 (RFC 9110, 11.6.1). */
  readonly challenge: string
  /** All values that were sent. */
  values(sent: CredentialRequest): readonly string[]
  /**
   * The key in a value; empty if there is none.
   *
   * @param isListed whether a key is configured; decides whether the key is `user:password` or the user alone
   */
  read(value: string, isListed: (key: string) => boolean): string
  /** The value to send for a key. */
  write(key: string): string
}

export function headerCredential(name: string, word?: Word): CredentialLocation {
  const lower = name.toLowerCase()
  const own = word === undefined ? `ApiKey realm="service", header="${name}"` : `${word} realm="service"`
  const form = word === 'Basic' ? 'as `Basic`, USER:PASSWORD in Base64' : 'as `Bearer KEY`'
  return {
    in: 'header',
    name,
    header: lower,
    ...(word === undefined ? {} : { word }),
    title: `the header ${name}${word === undefined ? '' : `, ${form}`}`,
    challenge: own,
    // Node joins repeated headers with commas, which would make one key of two.
    values: ({ rawHeaders }) => headerValues(rawHeaders, lower),
    ...(word === undefined ? PLAIN : WORDS[word]),
  }
}

/**
 * A header that a document lists as a parameter although it has the key of the caller: `xc-auth`, `X-API-Key`. Documents that do that list
 * one of several headers, so that the key may be in one that they do not list.
 *
 * @param listed the names of all headers of keys that the operation lists
 */
export function parameterCredential(name: string, listed: readonly string[]): CredentialLocation {
  const own = headerCredential(name)
  const others = new Set(listed.map((one) => one.toLowerCase()))
  return {
    ...own,
    values(sent) {
      const values = own.values(sent)
      if (values.length > 0) return values
      const isOther = (header: string) => holdsCredential(header) && !others.has(header.toLowerCase())
      return sent.rawHeaders.filter((_, at, all) => at % 2 === 1 && isOther(all[at - 1] ?? '')).slice(0, 1)
    },
  }
}

export function queryCredential(name: string): CredentialLocation {
  return {
    in: 'query',
    name,
    title: `the query parameter ${name}`,
    challenge: `ApiKey realm="service", query="${name}"`,
    values({ url = '' }) {
      const mark = url.indexOf('?')
      return mark < 0 ? [] : new URLSearchParams(url.slice(mark + 1)).getAll(name)
    },
    ...PLAIN,
  }
}

export function cookieCredential(name: string): CredentialLocation {
  return {
    in: 'cookie',
    name,
    title: `the cookie ${name}`,
    challenge: `ApiKey realm="service", cookie="${name}"`,
    values: ({ rawHeaders }) => headerValues(rawHeaders, 'cookie').flatMap((header) => cookiesOf(header, name)),
    ...PLAIN,
  }
}

type CredentialForm = Pick<CredentialLocation, 'read' | 'write'>

const PLAIN: CredentialForm = { read: (value) => value, write: (key) => key }

const WORDS: Readonly<Record<Word, CredentialForm>> = {
  // `Token` is what GitHub and Django REST framework called it before the standard; documents have no scheme for it, and say bearer.
  Bearer: { read: (value) => after('bearer', value) || after('token', value), write: (key) => `Bearer ${key}` },
  Basic: {
    read: (value, isListed) => keyOfPair(Buffer.from(after('basic', value), 'base64').toString(), isListed),
    write: (key) => `Basic ${Buffer.from(key.includes(':') ? key : `${key}:`).toString('base64')}`,
  },
}

/** The text after an authentication scheme, which may have any case (RFC 9110, 11.1). */
function after(word: string, value: string): string {
  const isThere = value.slice(0, word.length).toLowerCase() === word && value[word.length] === ' '
  return isThere ? value.slice(word.length).trim() : ''
}

/**
 * The key in `user:password`: all of it if it is listed, else the user, or the password if there is no user. The user may name a
 * sandbox: `alice@checkout:secret` is the listed key `alice:secret` in the sandbox `checkout`.
 */
function keyOfPair(pair: string, isListed: (key: string) => boolean): string {
  if (isListed(pair)) return pair
  const mark = pair.indexOf(':')
  if (mark < 0) return pair
  const [user, password] = [pair.slice(0, mark), pair.slice(mark + 1)]
  const at = user.lastIndexOf('@')
  const bare = `${user.slice(0, at)}:${password}`
  if (at >= 0 && isListed(bare)) return bare + user.slice(at)
  return user === '' ? password : user
}

/** The values of a cookie in a `Cookie` header (RFC 6265, 4.2.1), as sent. */
export function cookiesOf(header: string, name: string): string[] {
  return header.split(';').flatMap((pair) => {
    const mark = pair.indexOf('=')
    return mark >= 0 && pair.slice(0, mark).trim() === name ? [pair.slice(mark + 1).trim()] : []
  })
}

/**
 * The values of a header (name in lower case). Node's `headers` joins them or drops all but one, and its `headersDistinct` copies all
 * headers of a request for one.
 *
 * @param rawHeaders alternating names and values
 */
export function headerValues(rawHeaders: readonly string[], name: string): string[] {
  const values: string[] = []
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const sent = rawHeaders[at] ?? ''
    if (sent.length === name.length && sent.toLowerCase() === name) values.push(rawHeaders[at + 1] ?? '')
  }
  return values
}
