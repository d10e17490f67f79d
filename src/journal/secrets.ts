/** Removes keys from texts. */
export interface Secrets {
  /** A text without the keys of the configuration, and without those of its request. */
  redact(text: string, keys: readonly string[]): string
  /**
   * The same for an error that is returned to the client. Of the request's own keys it removes only those that cannot be ordinary
   * words: where any key is accepted, `production` may be one, and a message without that word would be useless.
   */
  redactRefusal(text: string, keys: readonly string[]): string
}

export const REDACTED = '[redacted]'

/** Shorter keys are not treated as secrets, since they may be words of the text. */
const SHORTEST_KEY = 8
/** Longer texts and those with a digit are not ordinary words. */
const LONGEST_WORD = 16

/** @param listed the keys of the configuration */
export function createSecrets(listed: Iterable<string>): Secrets {
  const forms = formsOf([...listed])
  const pattern = patternOf(forms)
  const redact = (text: string, keys: readonly string[]) => {
    const withoutListed = pattern ? withoutCut(text.replace(pattern, REDACTED), forms) : text
    return keys.length === 0 ? withoutListed : withoutKeys(withoutListed, formsOf(keys))
  }
  return { redact, redactRefusal: (text, keys) => redact(text, keys.filter(isNoWord)) }
}

function withoutKeys(text: string, forms: readonly string[]): string {
  let kept = text
  for (const form of forms) if (kept.includes(form)) kept = kept.replaceAll(form, REDACTED)
  return withoutCut(kept, forms)
}

/** A pattern that finds any of some texts, the longest first; undefined for none. */
export function patternOf(texts: readonly string[]): RegExp | undefined {
  if (texts.length === 0) return undefined
  const longestFirst = texts.toSorted((a, b) => b.length - a.length)
  return new RegExp(longestFirst.map((text) => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')).join('|'), 'g')
}

/** Whether a key is removed from texts. */
export function isSecret(key: string): boolean {
  return key.length >= SHORTEST_KEY
}

function isNoWord(key: string): boolean {
  return key.length >= LONGEST_WORD || /\d/.test(key)
}

/** How secret keys may be written in a text: raw, URL-encoded and as JSON. */
export function formsOf(keys: readonly string[]): string[] {
  const secret = keys.flatMap((key) => [key, beforeSandbox(key)]).filter(isSecret)
  return [
    ...new Set(
      secret.flatMap((key) => [key, encodeURIComponent(key.toWellFormed()), JSON.stringify(key).slice(1, -1)]),
    ),
  ]
}

/** The part before `@` of a key such as `anything@name`. */
function beforeSandbox(key: string): string {
  const at = key.lastIndexOf('@')
  return at < 0 ? key : key.slice(0, at)
}

/** Long values are cut in messages, and keys in them too: `"a-very-sec…" (90 characters)`. */
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
