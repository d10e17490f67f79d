import type { Contract } from '../contract/contract.ts'
import { createRedactor } from '../journal/redact.ts'
import { isSecretName, isSecretParameter } from '../journal/secret-names.ts'
import { type Header, headerOf, type RecordedExchange } from './recorded-exchange.ts'

const REDACTED = '[redacted]'

/** Shorter ones are words of texts. */
const SHORTEST = 8

/**
 * Makes a function that removes secrets from an exchange: keys by the contract, `Authorization`, cookies, and what has the name of a
 * secret (`password`, `access_token`) in headers, in the query, in JSON, in forms and in links. The same texts are removed wherever
 * else they stand in it.
 *
 * @param keys known ones, removed wherever they stand
 */
export function createSecretRemover(
  { credentialLocations, operations }: Pick<Contract, 'credentialLocations' | 'operations'>,
  keys: readonly string[] = [],
): <Exchange extends RecordedExchange>(exchange: Exchange) => Exchange {
  const listed = new Map(keys.map((key) => [key, true]))
  const redactor = createRedactor(credentialLocations, { listed, isListed: (key) => listed.has(key) })
  const documented = new Set(operations.flatMap(({ queryNames }) => [...queryNames]))
  // `code` may be a secret of OAuth, or of a product.
  const isHidden = (name: string) => isSecretName(name) || (isSecretParameter(name) && !documented.has(name))
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
      headers.map(({ name, value }) => ({ name, value: clean(hide(redactor.header(name, value), undefined) ?? '') }))
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

/** The credentials of `Authorization: Bearer …`, and the values of cookies (RFC 9110, 11.4; RFC 6265). */
function addCredentials(name: string, value: string, found: Set<string>): void {
  const lower = name.toLowerCase()
  const parts =
    lower === 'authorization' || lower === 'proxy-authorization'
      ? [value.replace(/^\S+\s+/, '')]
      : lower === 'cookie'
        ? value.split(';').map(valueOfCookie)
        : lower === 'set-cookie'
          ? [valueOfCookie(value.split(';')[0] ?? '')]
          : isSecretName(name)
            ? [value]
            : []
  for (const part of parts) if (part.length >= SHORTEST) found.add(part)
}

function valueOfCookie(pair: string): string {
  return pair.slice(pair.indexOf('=') + 1).trim()
}

/** A string or a number of a JSON object: its name, what is between, and its value. */
const MEMBER = /"((?:[^"\\]|\\.){1,60})"(\s*:\s*)("(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*)/g
/** A parameter of a link. JSON may write its ampersand as an escape. */
const PARAMETER = /([?&]|&amp;|\\u0026)([\w.~%-]{1,60})=([^&\s"'<>#\\]+)/g

/** Replaces what has the name of a secret in a text, and adds it to those found. */
function createHider(isHidden: (name: string) => boolean, found: Set<string>) {
  const add = (secret: string) => {
    if (secret.length >= SHORTEST && secret !== REDACTED) found.add(secret)
  }
  return (text: string | undefined, contentType: string | undefined): string | undefined => {
    if (text === undefined) return undefined
    const inForm = contentType?.toLowerCase().startsWith('application/x-www-form-urlencoded') === true
    const shown = (inForm ? `&${text}` : text)
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
    return inForm ? shown.slice(1) : shown
  }
}
