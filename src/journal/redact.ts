import { isSecretName } from './secret-names.ts'

/** Where a request carries a key, and how to read and replace it. */
export interface SecretPlace {
  readonly in: 'header' | 'query' | 'cookie'
  readonly name: string
  values(sent: { readonly rawHeaders: readonly string[]; readonly url?: string | undefined }): readonly string[]
  read(value: string, isListed: (key: string) => boolean): string
  write(key: string): string
}

/** The parts of a request that may carry keys. */
interface SentRequest {
  /** Names and values by turns. */
  readonly requestHeaders: readonly string[]
  readonly url: string
}

/** The keys of the configuration. */
interface ListedKeys {
  readonly listed: ReadonlyMap<string, unknown>
  readonly isListed: (key: string) => boolean
}

/** Removes keys and other secrets from what is shown of an exchange: in the journal, exports, the stream and the log. */
export interface Redactor {
  /** The value of a header as it may be shown. */
  header(name: string, value: string): string
  /** A request target without the keys of its query. */
  url(url: string): string
  /** A text without the keys of the configuration, and without those of the request that it is about. */
  text(text: string, keys: readonly string[]): string
  /**
   * The same for an error that is returned to the client. Of the request's own keys it removes only those that cannot be ordinary
   * words: where any key is accepted, `production` may be one, and a message without that word would be useless.
   */
  refusal(text: string, keys: readonly string[]): string
  /** The keys of a request. */
  keysOf(request: SentRequest): readonly string[]
  /** The headers of a request with its keys replaced and other secrets removed, as names and values by turns. */
  renameHeaders(headers: readonly string[], rename: (key: string) => string): string[]
  /** The same for a request target. */
  renameUrl(url: string, rename: (key: string) => string): string
}

const REDACTED = '[redacted]'

/** Other headers with secrets (RFC 9110, 11; RFC 6265). */
const SECRET_HEADERS = ['authorization', 'proxy-authorization', 'cookie', 'set-cookie']

/** @param keys those of the configuration */
export function createRedactor(places: readonly SecretPlace[], { listed, isListed }: ListedKeys): Redactor {
  const headerPlaces = places.filter((place) => place.in === 'header')
  const cookies = places.filter((place) => place.in === 'cookie')
  const query = new Set(places.flatMap((place) => (place.in === 'query' ? [place.name] : [])))
  const secret = new Set([...headerPlaces.map(({ name }) => name.toLowerCase()), ...SECRET_HEADERS])
  const text = createTextRedactor([...listed.keys()])
  const renameHeader = (name: string, value: string, rename: (key: string) => string): string | undefined => {
    const lower = name.toLowerCase()
    const matching = headerPlaces.filter((place) => place.name.toLowerCase() === lower)
    if (matching.length > 0) return renameValue(matching, value, (place) => rename(place.read(value, isListed)))
    if (lower === 'cookie') return renameCookies(cookies, name, value, rename)
    return secret.has(lower) ? undefined : value
  }
  return {
    header: (name, value) => (secret.has(name.toLowerCase()) || isSecretName(name) ? REDACTED : value),
    url: (url) =>
      changeQuery(
        url,
        (name) => query.has(name) || isSecretName(name),
        () => REDACTED,
      ),
    text,
    refusal: (refusal, keys) => text(refusal, keys.filter(isNoWord)),
    keysOf({ requestHeaders: rawHeaders, url }) {
      const read = places.flatMap((place) => place.values({ rawHeaders, url }).map((value) => place.read(value, ANY)))
      return read.filter((key) => key !== '')
    },
    renameHeaders: (headers, rename) =>
      headers.flatMap((name, at) => {
        const value = at % 2 === 0 ? renameHeader(name, headers[at + 1] ?? '', rename) : undefined
        return value === undefined ? [] : [name, value]
      }),
    renameUrl: (url, rename) => changeQuery(url, (name) => query.has(name), rename),
  }
}

/** Of Basic credentials, user and password together are the secret. */
const ANY = () => true

/** A value without a key has none after redaction either. */
function renameValue(places: readonly SecretPlace[], value: string, renamed: (place: SecretPlace) => string): string {
  const place = places.find((one) => one.read(value, ANY) !== '')
  if (place) return place.write(renamed(place))
  return value.trim() === '' ? value : REDACTED
}

/** Of the cookies only those that carry keys are kept, with the names of the keys. */
function renameCookies(
  places: readonly SecretPlace[],
  header: string,
  value: string,
  rename: (key: string) => string,
): string | undefined {
  const kept = places.flatMap((place) =>
    place.values({ rawHeaders: [header, value] }).map((key) => `${place.name}=${rename(key)}`),
  )
  return kept.length === 0 ? undefined : kept.join('; ')
}

/** Changes the values of some query parameters; everything else stays as it was written. */
function changeQuery(url: string, isSecret: (name: string) => boolean, change: (value: string) => string): string {
  const mark = url.indexOf('?')
  if (mark < 0) return url
  const pairs = url.slice(mark + 1).split('&')
  const changed = pairs.map((pair) => {
    const [first] = [...new URLSearchParams(pair)]
    if (!first || !isSecret(first[0])) return pair
    const other = change(first[1])
    return `${pair.split('=', 1)[0] ?? ''}=${other === REDACTED ? other : encodeURIComponent(other)}`
  })
  return `${url.slice(0, mark + 1)}${changed.join('&')}`
}

/** Shorter keys are not treated as secrets, since they may be words of the text. */
const SHORTEST_KEY = 8
/** Longer texts and those with a digit are not ordinary words. */
const LONGEST_WORD = 16

/** Whether a key is removed from texts. */
export function isSecret(key: string): boolean {
  return key.length >= SHORTEST_KEY
}

function isNoWord(key: string): boolean {
  return key.length >= LONGEST_WORD || /\d/.test(key)
}

function createTextRedactor(listed: readonly string[]): Redactor['text'] {
  const listedForms = formsOf(listed)
  const listedPattern = patternOf(listedForms)
  return (text, keys) => {
    let kept = listedPattern ? withoutCut(text.replace(listedPattern, REDACTED), listedForms) : text
    if (keys.length === 0) return kept
    const forms = formsOf(keys)
    for (const form of forms) kept = kept.replaceAll(form, REDACTED)
    return withoutCut(kept, forms)
  }
}

/** A pattern that finds any of some texts, the longest first; undefined for none. */
export function patternOf(texts: readonly string[]): RegExp | undefined {
  if (texts.length === 0) return undefined
  const longestFirst = texts.toSorted((a, b) => b.length - a.length)
  return new RegExp(longestFirst.map((text) => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')).join('|'), 'g')
}

/** How secret keys may be written in a text: raw, URL-encoded and as JSON, each also without the sandbox of `anything@name`. */
export function formsOf(keys: readonly string[]): string[] {
  const secret = keys.flatMap((key) => [key, key.replace(/@[^@]*$/s, '')]).filter(isSecret)
  return [
    ...new Set(
      secret.flatMap((key) => [key, encodeURIComponent(key.toWellFormed()), JSON.stringify(key).slice(1, -1)]),
    ),
  ]
}

/** Messages cut long values, and keys with them: `"a-very-sec…" (90 characters)`. */
function withoutCut(text: string, forms: readonly string[]): string {
  let kept = text
  for (let end = kept.indexOf('…'); end >= 0; end = kept.indexOf('…', end + 1)) {
    const length = cutLength(kept, end, forms)
    if (length === 0) continue
    kept = kept.slice(0, end - length) + REDACTED + kept.slice(end)
    end += REDACTED.length - length
  }
  return kept
}

/** How many characters before a position are the beginning of a key. */
function cutLength(text: string, end: number, forms: readonly string[]): number {
  for (const form of forms) {
    for (let length = Math.min(form.length - 1, end); length >= SHORTEST_KEY; length--)
      if (text.startsWith(form.slice(0, length), end - length)) return length
  }
  return 0
}
