/** Endings of names without punctuation, in lower case: `client_secret`, `X-Amz-Security-Token`. */
const SECRET =
  /(?:password|passwd|passphrase|secret|apikey|accesskey|privatekey|credentials?|authorization|signature|jwt|sessionid|sessionkey|otp)$/
/** Not those of pages, such as `nextPageToken`, which clients and recordings need. */
const TOKEN =
  /^(?:x|my)?(?:auth|access|refresh|id|csrf|xsrf|security|bearer|api|session|user|device|client|amzsecurity)?token$/
/** Words that are no secrets elsewhere. */
const IN_QUERY = new Set(['key', 'sig', 'pwd', 'auth', 'code', 'sid'])

/**
 * Whether what has this name is a secret by convention, whatever a contract says: a header, a member, a field of a form.
 *
 * @example isSecretName('X-Api-Key') // true
 */
export function isSecretName(name: string): boolean {
  const bare = name.toLowerCase().replaceAll(/[^a-z\d]/g, '')
  return SECRET.test(bare) || TOKEN.test(bare)
}

/** The same for a parameter of a query. */
export function isSecretParameter(name: string): boolean {
  return isSecretName(name) || IN_QUERY.has(name.toLowerCase())
}
