/** Endings of names without punctuation, in lower case: `client_secret`, `X-Amz-Security-Token`. */
const SECRET =
  /(?:password|passwd|passphrase|secret|apikey|accesskey|privatekey|credentials?|authorization|signature|jwt|sessionid|sessionkey|otp|pwd|passcode|clientassertion|^(?:card|user)?(?:pin|cvc|cvv))$/
/** Not those of pages, such as `nextPageToken`, which clients and recordings need. */
const TOKEN =
  /^(?:x|my)?(?:auth|access|refresh|id|csrf|xsrf|security|bearer|api|session|user|device|client|amzsecurity)?token$/

/**
 * Whether what has this name is a secret by convention, whatever a contract says: a header, a member, a field of a form.
 *
 * @example isSecretName('X-Api-Key') // true
 */
export function isSecretName(name: string): boolean {
  const bare = name.toLowerCase().replaceAll(/[^a-z\d]/g, '')
  return SECRET.test(bare) || TOKEN.test(bare)
}

/**
 * Whether a header has the key of a caller, by its name: besides secrets, what services call theirs, as `xc-auth`. Tokens of pages and of
 * forms are none.
 */
export function holdsCredential(header: string): boolean {
  return !OTHER_KEYS.test(header) && (isSecretName(header) || /[-_](?:auth|key|token)$/i.test(header))
}

/** Whether the value of a header is a secret, by its name: also one that is not the key of the caller, such as `X-CSRF-Token`. */
export function isSecretHeader(header: string): boolean {
  return isSecretName(header) || holdsCredential(header)
}

const OTHER_KEYS =
  /(?:idempotency|routing|partition|surrogate|websocket|customer|csrf|xsrf|page|next|continuation|sync|cancel)[-_]\w+$/i
