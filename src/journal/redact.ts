import { createSecrets, REDACTED } from './secrets.ts'

/** A place of a key, as far as it must be told from what is no secret. */
export interface SecretPlace {
  readonly in: 'header' | 'query' | 'cookie'
  readonly name: string
  values(sent: { readonly rawHeaders: readonly string[]; readonly url?: string | undefined }): readonly string[]
  read(value: string, isListed: (key: string) => boolean): string
  write(key: string): string
}

/** The parts of a request that may bear keys. */
interface Bearing {
  /** Names and values by turns. */
  readonly requestHeaders: readonly string[]
  readonly url: string
}

/** The keys of the configuration. */
interface ListedKeys {
  readonly listed: ReadonlyMap<string, unknown>
  readonly isListed: (key: string) => boolean
}

/** Takes keys and other secrets out of what is shown of an exchange: in the journal, in exports, in the stream and in the log. */
export interface Redactor {
  /** The value of a header as it may be shown. */
  header(name: string, value: string): string
  /** A request target without the keys that belong there. */
  url(url: string): string
  /** A text without the keys of the configuration, and without those of the request that it is about. */
  text(text: string, keys: readonly string[]): string
  /** The same for responses to the client that sent the keys; there ordinary words stay. */
  refusal(text: string, keys: readonly string[]): string
  /** The keys of a request. */
  keysOf(request: Bearing): readonly string[]
  /** The headers of a request with other keys in the place of its own, and without other secrets, as names and values by turns. */
  renameHeaders(headers: readonly string[], rename: (key: string) => string): string[]
  /** The same for a request target. */
  renameUrl(url: string, rename: (key: string) => string): string
}

/** Other headers that bear secrets (RFC 9110, 11; RFC 6265). */
const SECRET_HEADERS = ['authorization', 'proxy-authorization', 'cookie', 'set-cookie']

/** @param keys those of the configuration */
export function createRedactor(places: readonly SecretPlace[], { listed, isListed }: ListedKeys): Redactor {
  const secrets = createSecrets(listed.keys())
  const headerPlaces = places.filter((place) => place.in === 'header')
  const cookies = places.filter((place) => place.in === 'cookie')
  const query = new Set(places.flatMap((place) => (place.in === 'query' ? [place.name] : [])))
  const secret = new Set([...headerPlaces.map(({ name }) => name.toLowerCase()), ...SECRET_HEADERS])
  const isSecret = (header: string) => secret.has(header.toLowerCase())
  const header = (name: string, value: string) => (isSecret(name) ? REDACTED : value)
  const renamed = (name: string, value: string, rename: (key: string) => string): string | undefined => {
    const lower = name.toLowerCase()
    const bearing = headerPlaces.filter((place) => place.name.toLowerCase() === lower)
    if (bearing.length > 0) return renameValue(bearing, value, (place) => rename(place.read(value, isListed)))
    if (lower === 'cookie') return renameCookies(cookies, name, value, rename)
    return isSecret(name) ? undefined : value
  }
  return {
    header,
    url: (url) => changeQuery(url, query, () => REDACTED),
    text: secrets.redact,
    refusal: secrets.redactRefusal,
    keysOf({ requestHeaders: rawHeaders, url }) {
      const read = places.flatMap((place) => place.values({ rawHeaders, url }).map((value) => place.read(value, ALL)))
      return read.filter((key) => key !== '')
    },
    renameHeaders(headers, rename) {
      const shown: string[] = []
      for (let at = 0; at < headers.length; at += 2) {
        const [name = '', value = ''] = headers.slice(at, at + 2)
        const other = renamed(name, value, rename)
        if (other !== undefined) shown.push(name, other)
      }
      return shown
    },
    renameUrl: (url, rename) => changeQuery(url, query, rename),
  }
}

/** Of a user and a password the pair is the secret. */
const ALL = () => true

/** A value without a key has none after redaction either. */
function renameValue(places: readonly SecretPlace[], value: string, renamed: (place: SecretPlace) => string): string {
  const place = places.find((one) => one.read(value, ALL) !== '')
  if (place) return place.write(renamed(place))
  return value.trim() === '' ? value : REDACTED
}

/** Cookies that are not keys stay as they are. */
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

/** A request target with other values in the place of some of its query's; all else stays as it was written. */
function changeQuery(url: string, names: ReadonlySet<string>, change: (value: string) => string): string {
  const mark = url.indexOf('?')
  if (names.size === 0 || mark < 0) return url
  const pairs = url.slice(mark + 1).split('&')
  const changed = pairs.map((pair) => {
    const [first] = [...new URLSearchParams(pair)]
    if (!first || !names.has(first[0])) return pair
    const other = change(first[1])
    return `${pair.split('=', 1)[0] ?? ''}=${other === REDACTED ? other : encodeURIComponent(other)}`
  })
  return `${url.slice(0, mark + 1)}${changed.join('&')}`
}
