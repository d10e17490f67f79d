import { isSecretName } from '../base/secret-names.ts'

export const REDACTED = '[redacted]'

/** Words that are no secrets elsewhere. */
const IN_QUERY = new Set(['key', 'sig', 'auth', 'code', 'sid'])

/** The same for a parameter of a query. `code` may be a secret of OAuth, or, if the contract has it, that of a product. */
export function isSecretParameter(name: string, isDocumented: (name: string) => boolean): boolean {
  return isSecretName(name) || (IN_QUERY.has(name.toLowerCase()) && !isDocumented(name))
}

/** A word that begins a credential, and what follows it. */
const CREDENTIALS: readonly (readonly [start: string, rest: string])[] = [
  // JSON Web Tokens begin with `{"` in Base64.
  ['eyJ', String.raw`[\w-]{5,}\.[\w-]{5,}\.[\w-]*`],
  ['(?:(?:gh[pousr]|github_pat|npm|whsec)_|(?:glpat|xapp|xox[a-z])-)', String.raw`[\w-]{16,512}`],
  ['[rs]k_(?:live|test)_', String.raw`[A-Za-z\d]{10,512}`],
  ['(?:AKIA|ASIA)', String.raw`[A-Z\d]{16}(?![A-Z\d])`],
  ['AIza', String.raw`[\w-]{35}`],
  ['-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----', '(?:[^-]|-(?!----)){0,20000}(?:-----END [A-Z ]{0,40}PRIVATE KEY-----)?'],
]

/** Before a credential there may be an escape of JSON or of a URL: `\neyJ…`, `%3DeyJ…`. */
const BEFORE = String.raw`(?:^|[^\w-]|%[\dA-Fa-f]{2}|\\[bfnrt]|\\u[\dA-Fa-f]{4})`

/**
 * Credentials that can be recognised by themselves, because their issuers gave them prefixes for scanners of secrets, or by a standard
 * (RFC 7519, RFC 7468). What comes before is checked after the prefix, so that texts are searched quickly; a credential begins only
 * where a word does, so that no part of a text is read twice.
 */
const CREDENTIAL = new RegExp(
  CREDENTIALS.map(([start, rest]) => `${start}(?<=${BEFORE}${start})${rest}`).join('|'),
  'gm',
)

/** Replaces the credentials of a text. */
export function replaceCredentials(text: string, other: (credential: string) => string): string {
  return text.replaceAll(CREDENTIAL, other)
}

/** The credentials of a text; those of JSON as they are without its escapes. */
export function credentialsIn(text: string): string[] {
  return [...text.matchAll(CREDENTIAL)].map(([credential]) =>
    credential.replaceAll('\\n', '\n').replaceAll('\\r', '\r'),
  )
}

/** A value with the scheme of an authentication, in whatever header: `Basic dXNlcjpwYXNz`. A challenge has parameters instead. */
export const SCHEME_VALUE = /^(Basic|Bearer|Token)\s+([\w.~+/-]{6,}=*)$/i
