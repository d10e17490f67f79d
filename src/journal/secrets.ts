/** Takes keys out of texts. */
export interface Secrets {
  /** A text without the keys of the configuration, and without those of its request. */
  redact(text: string, keys: readonly string[]): string
  /**
   * The same for a refusal that goes back to the client. Of the request's own keys only those are taken out that can be no words of
   * the text: where any key is known, `production` may be one, and a message without it would tell nothing.
   */
  redactRefusal(text: string, keys: readonly string[]): string
}

export const REDACTED = '[redacted]'

/** A shorter key is no secret, and might be a word of the text. */
const SHORTEST_KEY = 8
/** What is as long as this, or has a digit, is no word of a language. */
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

/** What finds any of some texts, the longest first; undefined for none. */
export function patternOf(texts: readonly string[]): RegExp | undefined {
  if (texts.length === 0) return undefined
  const longestFirst = texts.toSorted((a, b) => b.length - a.length)
  return new RegExp(longestFirst.map((text) => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')).join('|'), 'g')
}

/** Whether a key is taken out of texts. */
export function isSecret(key: string): boolean {
  return key.length >= SHORTEST_KEY
}

function isNoWord(key: string): boolean {
  return key.length >= LONGEST_WORD || /\d/.test(key)
}

/** How the keys that are secret may be written in a text: as they are, as in a URL, and as in JSON. */
export function formsOf(keys: readonly string[]): string[] {
  const secret = keys.flatMap((key) => [key, beforeSandbox(key)]).filter(isSecret)
  return [
    ...new Set(
      secret.flatMap((key) => [key, encodeURIComponent(key.toWellFormed()), JSON.stringify(key).slice(1, -1)]),
    ),
  ]
}

/** Of a key such as `anything@name` the part that is the key. */
function beforeSandbox(key: string): string {
  const at = key.lastIndexOf('@')
  return at < 0 ? key : key.slice(0, at)
}

/** Long values are cut in messages, and a key with them: `"a-very-sec…" (90 characters)`. */
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

/** How many characters before a place are the beginning of a key. */
function cutLength(text: string, end: number, forms: readonly string[]): number {
  for (const form of forms) {
    for (let length = Math.min(form.length - 1, end); length >= SHORTEST_KEY; length--)
      if (text.startsWith(form.slice(0, length), end - length)) return length
  }
  return 0
}
