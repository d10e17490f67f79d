import { remembering } from '../base/cache.ts'
import { isSecretParameter, REDACTED, replaceCredentials, SCHEME_VALUE } from './secrets.ts'
import { isSecretHeader } from '../base/secret-names.ts'

/** Where a request carries a key, and how to read and replace it. */
interface SecretPlace {
  readonly in: 'header' | 'query' | 'cookie'
  readonly name: string
  values(sent: { readonly rawHeaders: readonly string[]; readonly url?: string | undefined }): readonly string[]
  read(value: string, isListed: (key: string) => boolean): string
  write(key: string): string
}

/** The parts of a request that may carry keys. */
interface RequestWithKeys {
  /** Names and values by turns. */
  readonly requestHeaders: readonly string[]
  readonly url: string
}

/** The keys of the configuration. */
interface ListedKeys {
  readonly listed: ReadonlyMap<string, unknown>
  readonly isListed: (key: string) => boolean
}

/** What a redactor reads of a contract. */
interface SecretPlaces {
  readonly credentialLocations: readonly SecretPlace[]
  readonly operations: readonly { readonly queryNames: ReadonlySet<string> }[]
}

/** Removes keys and other secrets from what is shown of an exchange: in the journal, exports, the stream and the log. */
export interface Redactor {
  /** The value of a header as it may be shown. */
  header(name: string, value: string): string
  /** A request target without the keys and secrets of its query. */
  url(url: string): string
  /** A text without credentials, the keys of the configuration, and those of the request that it is about. */
  text(text: string, keys: readonly string[]): string
  /**
   * The same for an error that is returned to the client. Of the request's own keys it removes only those that cannot be ordinary
   * words: where any key is accepted, `production` may be one, and a message without that word would be useless.
   */
  refusal(text: string, keys: readonly string[]): string
  /** The keys of a request. */
  keysOf(request: RequestWithKeys): readonly string[]
  /** The headers of a request with its keys replaced and other secrets removed, as names and values by turns. */
  renameHeaders(headers: readonly string[], rename: (key: string) => string): string[]
  /** The same for a request target. */
  renameUrl(url: string, rename: (key: string) => string): string
}

/** Request targets whose shown form is remembered: clients ask for the same ones again and again. */
const URLS = 200

/** Other headers with secrets (RFC 9110, 11; RFC 6265). */
const SECRET_HEADERS = ['authorization', 'proxy-authorization', 'cookie', 'set-cookie']

/** @param keys those of the configuration */
export function createRedactor(
  { credentialLocations: places, operations }: SecretPlaces,
  { listed, isListed }: ListedKeys,
): Redactor {
  const headerPlaces = places.filter((place) => place.in === 'header')
  const cookies = places.filter((place) => place.in === 'cookie')
  const query = new Set(places.flatMap((place) => (place.in === 'query' ? [place.name] : [])))
  const secret = new Set([...headerPlaces.map(({ name }) => name.toLowerCase()), ...SECRET_HEADERS])
  const withoutKeys = createKeyRemover([...listed.keys()])
  const isDocumented = (name: string) => operations.some(({ queryNames }) => queryNames.has(name))
  const isSecret = (name: string) => query.has(name) || isSecretParameter(name, isDocumented)
  const renameHeader = (name: string, value: string, rename: (key: string) => string): string | undefined => {
    const lower = name.toLowerCase()
    const matching = headerPlaces.filter((place) => place.name.toLowerCase() === lower)
    if (matching.length > 0) return renameValue(matching, value, (place) => rename(place.read(value, isListed)))
    if (lower === 'cookie') return renameCookies(cookies, name, value, rename)
    if (secret.has(lower)) return undefined
    const [, scheme, credential] = SCHEME_VALUE.exec(value) ?? []
    if (credential !== undefined) return `${scheme} ${rename(credential)}`
    return isSecretHeader(lower) ? rename(value) : value
  }
  return {
    header: (name, value) =>
      secret.has(name.toLowerCase()) || isSecretHeader(name) ? REDACTED : value.replace(SCHEME_VALUE, `$1 ${REDACTED}`),
    url: remembering(URLS, (url) => changeQuery(url, isSecret, () => REDACTED)),
    text: (text, keys) => replaceCredentials(withoutKeys(text, keys), () => REDACTED),
    refusal: (refusal, keys) => withoutKeys(refusal, keys.filter(isNoWord)),
    keysOf({ requestHeaders: rawHeaders, url }) {
      const read = places.flatMap((place) => place.values({ rawHeaders, url }).map((value) => place.read(value, ANY)))
      return read.filter((key) => key !== '')
    },
    renameHeaders: (headers, rename) =>
      headers.flatMap((name, at) => {
        const value = at % 2 === 0 ? renameHeader(name, headers[at + 1] ?? '', rename) : undefined
        return value === undefined ? [] : [name, value]
      }),
    renameUrl: (url, rename) => changeQuery(url, isSecret, rename),
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

function createKeyRemover(listed: readonly string[]): (text: string, keys: readonly string[]) => string {
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

/**
 * How secret keys may be written in a text: raw, URL-encoded and as JSON, each also without the sandbox of `anything@name`, and the parts
 * between the separators of headers and queries, since `Prefer: code=KEY` is read, and quoted, up to an equals sign of the key.
 */
export function formsOf(keys: readonly string[]): string[] {
  const secret = keys
    .flatMap((key) => [key, key.replace(/@[^@]*$/s, ''), ...key.split(/[=;,&\s]+/).filter(isNoWord)])
    .filter(isSecret)
  return [
    ...new Set(
      secret.flatMap((key) => [key, encodeURIComponent(key.toWellFormed()), JSON.stringify(key).slice(1, -1)]),
    ),
  ]
}

/** Messages cut long values, and keys with them: `"a-very-sec…" (90 characters)`. */
export function withoutCut(
  text: string,
  forms: readonly string[],
  other: (form: string, length: number) => string = () => REDACTED,
): string {
  let kept = text
  for (let end = kept.indexOf('…'); end >= 0; end = kept.indexOf('…', end + 1)) {
    const cut = findCut(kept, end, forms)
    if (!cut) continue
    const shown = other(cut.form, cut.length)
    kept = kept.slice(0, end - cut.length) + shown + kept.slice(end)
    end += shown.length - cut.length
  }
  return kept
}

/** The key whose beginning stands before a position, and how much of it. */
function findCut(text: string, end: number, forms: readonly string[]): { form: string; length: number } | undefined {
  for (const form of forms) {
    for (let length = Math.min(form.length - 1, end); length >= SHORTEST_KEY; length--)
      if (text.startsWith(form.slice(0, length), end - length)) return { form, length }
  }
  return undefined
}
