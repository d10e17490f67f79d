/** What was sent: an incoming request, or one that is remembered. */
interface Sent {
  /** Names and values by turns. */
  readonly rawHeaders: readonly string[]
  readonly url?: string | undefined
}

/** The word that stands before the key in `Authorization`. */
export type Word = 'Bearer' | 'Basic'

/** Where in a request a key is, and how it is written there. */
export interface KeyPlace {
  readonly in: 'header' | 'query' | 'cookie'
  /** As the contract has it. */
  readonly name: string
  /** Of a header, its name in lower case, by which Node knows it. */
  readonly header?: string
  readonly word?: Word
  /** For people: `the header X-Key`. */
  readonly title: string
  /** What a 401 asks for (RFC 9110, 11.6.1). */
  readonly challenge: string
  /** All that was sent there, each by itself. */
  values(sent: Sent): readonly string[]
  /**
   * The key in a value; empty when there is none.
   *
   * @param isListed whether a key is known, which tells whether a pair of user and password is one, or the user alone
   */
  read(value: string, isListed: (key: string) => boolean): string
  /** The value that bears a key. */
  write(key: string): string
}

export function headerPlace(name: string, word?: Word): KeyPlace {
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
    // Node joins repeated headers with a comma; here two keys are not one.
    values: ({ rawHeaders }) => headerValues(rawHeaders, lower),
    ...(word === undefined ? PLAIN : WORDS[word]),
  }
}

export function queryPlace(name: string): KeyPlace {
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

export function cookiePlace(name: string): KeyPlace {
  return {
    in: 'cookie',
    name,
    title: `the cookie ${name}`,
    challenge: `ApiKey realm="service", cookie="${name}"`,
    values: ({ rawHeaders }) => headerValues(rawHeaders, 'cookie').flatMap((header) => cookiesOf(header, name)),
    ...PLAIN,
  }
}

type Form = Pick<KeyPlace, 'read' | 'write'>

const PLAIN: Form = { read: (value) => value, write: (key) => key }

const WORDS: Readonly<Record<Word, Form>> = {
  Bearer: { read: (value) => after('bearer', value), write: (key) => `Bearer ${key}` },
  Basic: {
    read: (value, isListed) => keyOfPair(Buffer.from(after('basic', value), 'base64').toString(), isListed),
    write: (key) => `Basic ${Buffer.from(key.includes(':') ? key : `${key}:`).toString('base64')}`,
  },
}

/** What follows a word, which is of any case (RFC 9110, 11.1). */
function after(word: string, value: string): string {
  const isThere = value.slice(0, word.length).toLowerCase() === word && value[word.length] === ' '
  return isThere ? value.slice(word.length).trim() : ''
}

/**
 * The key in `user:password`: all of it where it is listed, else the user, or the password of nobody. A sandbox may be named behind
 * the user: `alice@checkout:secret` is the listed key `alice:secret` in that sandbox.
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

/** The values of a cookie in the header of that name (RFC 6265, 4.2.1), as they were sent. */
export function cookiesOf(header: string, name: string): string[] {
  return header.split(';').flatMap((pair) => {
    const mark = pair.indexOf('=')
    return mark >= 0 && pair.slice(0, mark).trim() === name ? [pair.slice(mark + 1).trim()] : []
  })
}

/**
 * What was sent under a header's name (in lower case), each time by itself; Node's own `headers` joins them, or drops all but
 * one, and its `headersDistinct` sorts all headers of a request to answer for one.
 *
 * @param rawHeaders names and values by turns
 */
export function headerValues(rawHeaders: readonly string[], name: string): string[] {
  const values: string[] = []
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const sent = rawHeaders[at] ?? ''
    if (sent.length === name.length && sent.toLowerCase() === name) values.push(rawHeaders[at + 1] ?? '')
  }
  return values
}
