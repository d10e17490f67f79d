import type { Contract } from '../../contract/contract.ts'
import { createRedactor } from '../../journal/redact.ts'
import { isSecretParameter, REDACTED, SCHEME_VALUE } from '../../journal/secrets.ts'
import { isSecretHeader, isSecretName } from '../../base/secret-names.ts'
import { type Header, headerOf, type RecordedExchange } from './recorded-exchange.ts'

/** Shorter ones are words of texts. */
const SHORTEST = 8
/** Secrets of one exchange that are looked for elsewhere in it, since each takes a reading of its texts. */
const MOST_FOUND = 100

/**
 * Makes a function that removes secrets from an exchange: keys by the contract, `Authorization`, cookies, credentials that can be
 * recognised, and what has the name of a secret (`password`, `access_token`) in headers, in the query, in JSON, in forms, in links and
 * in prose. The same texts are removed wherever else they stand in it.
 *
 * @param keys known ones, removed wherever they stand
 */
export function createSecretRemover(
  contract: Pick<Contract, 'credentialLocations' | 'operations'>,
  keys: readonly string[] = [],
): <Exchange extends RecordedExchange>(exchange: Exchange) => Exchange {
  const listed = new Map(keys.map((key) => [key, true]))
  const redactor = createRedactor(contract, { listed, isListed: (key) => listed.has(key) })
  const documented = new Set(contract.operations.flatMap(({ queryNames }) => [...queryNames]))
  const isHidden = (name: string) => isSecretParameter(name, (one) => documented.has(one))
  return (exchange) => {
    const { request, response } = exchange
    const requestHeaders = request.headers.flatMap(({ name, value }) => [name, value])
    const found = new Set(redactor.keysOf({ requestHeaders, url: request.url }))
    for (const { name, value } of [...request.headers, ...response.headers]) addCredentials(name, value, found)
    const hide = createHider(isHidden, found)
    // The names first: what they hide is then looked for in the rest.
    const url = hide(redactor.url(request.url), undefined)
    const [sent, received] = [request, response].map(({ headers, body }) =>
      hide(body, headerOf(headers, 'content-type')),
    )
    const clean = (text: string) => redactor.text(text, [...found])
    const cleanHeaders = (headers: readonly Header[]) =>
      headers.map(({ name, value }) => {
        const shown = clean(hide(redactor.header(name, value), undefined) ?? '')
        // How a caller is known is no secret, and a contract says it.
        const [scheme] = shown === REDACTED ? (AUTH_SCHEME.exec(value) ?? []) : []
        return { name, value: scheme === undefined ? shown : `${scheme}${REDACTED}` }
      })
    return {
      ...exchange,
      request: {
        ...request,
        url: clean(url ?? ''),
        headers: cleanHeaders(request.headers),
        body: sent === undefined ? undefined : clean(sent),
      },
      response: {
        ...response,
        headers: cleanHeaders(response.headers),
        body: received === undefined ? undefined : clean(received),
      },
    }
  }
}

const AUTH_SCHEME = /^(?:Basic|Bearer|Token) (?=\S)/i

/** The credentials of `Authorization: Bearer …`, and the values of cookies (RFC 9110, 11.4; RFC 6265). */
function addCredentials(name: string, value: string, found: Set<string>): void {
  const lower = name.toLowerCase()
  const ofScheme = SCHEME_VALUE.exec(value)?.[2]
  const parts =
    lower === 'authorization' || lower === 'proxy-authorization'
      ? [value.replace(/^\S+\s+/, '')]
      : lower === 'cookie'
        ? value.split(';').map(valueOfCookie)
        : lower === 'set-cookie'
          ? [valueOfCookie(value.split(';')[0] ?? '')]
          : isSecretHeader(name)
            ? [value]
            : ofScheme === undefined
              ? []
              : [ofScheme]
  for (const part of parts) if (part.length >= SHORTEST) found.add(part)
}

function valueOfCookie(pair: string): string {
  return pair.slice(pair.indexOf('=') + 1).trim()
}

/** A string or a number of a JSON object: its name, what is between, and its value. */
const MEMBER = /"((?:[^"\\]|\\.){1,60})"(\s*:\s*)("(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*)/g
/** A parameter of a link. JSON may write its ampersand as an escape. */
const PARAMETER = /([?&]|&amp;|\\u0026)([\w.~%-]{1,60})=([^&\s"'<>#\\]+)/g
/** A secret in a sentence: `Your API key is 4cc35e70b2`, `Authorization: Bearer 4cc35e70b2`. The tokens of pages are none. */
const IN_PROSE =
  /\b((?<!\b(?:page|next|previous|continuation|sync)[ _-])(?:token|password|passphrase|secret|api[ _-]?key|access[ _-]key|bearer|basic)\b["']?(?:\s{0,3}(?::|=|is\b|was\b)|(?=\s))\s{0,3}["'`]?)([\w.~+/=-]{8,512})/gi

/** Replaces what has the name of a secret in a text, and adds it to those found. */
function createHider(isHidden: (name: string) => boolean, found: Set<string>) {
  const add = (secret: string) => {
    if (secret.length >= SHORTEST && secret !== REDACTED && found.size < MOST_FOUND) found.add(secret)
  }
  return (text: string | undefined, contentType = ''): string | undefined => {
    if (text === undefined) return undefined
    const type = contentType.toLowerCase()
    const inForm = type.startsWith('application/x-www-form-urlencoded')
    const shown = (inForm ? `&${text}` : type.startsWith('multipart/') ? hideParts(text, contentType, add) : text)
      .replaceAll(PARAMETER, (whole, mark: string, name: string, value: string) => {
        if (!isHidden(name)) return whole
        add(value)
        return `${mark}${name}=${REDACTED}`
      })
      .replaceAll(MEMBER, (whole, name: string, between: string, value: string) => {
        if (!isSecretName(name)) return whole
        if (value.startsWith('"')) add(value.slice(1, -1))
        return `"${name}"${between}"${REDACTED}"`
      })
      .replaceAll(IN_PROSE, (whole, before: string, value: string) => {
        if (!isRandom(value)) return whole
        add(value)
        return before + REDACTED
      })
    return inForm ? shown.slice(1) : shown
  }
}

/** No word of a language has digits, or capitals after small letters. */
function isRandom(value: string): boolean {
  return (/\d/.test(value) && /[a-z]/i.test(value)) || /[a-z][A-Z]/.test(value)
}

/** The fields of a multipart form (RFC 7578). */
function hideParts(text: string, contentType: string, add: (secret: string) => void): string {
  const [, boundary] = /boundary="?([^";]{1,70})/i.exec(contentType) ?? []
  if (boundary === undefined) return text
  const parts = text.split(`--${boundary}`).map((part) => {
    const [head = ''] = part.split(/\r?\n\r?\n/, 1)
    const [, name = ''] = /[;\s]name="?([^";\r\n]{1,60})/i.exec(head) ?? []
    if (!isSecretName(name)) return part
    const [whole, blank = '', value = '', end = ''] = /^(\r?\n\r?\n)(.*?)(\r?\n)?$/s.exec(part.slice(head.length)) ?? []
    if (whole === undefined) return part
    add(value)
    return head + blank + REDACTED + end
  })
  return parts.join(`--${boundary}`)
}
