/** A pattern in which `*` stands for any run of characters, none included; all else stands for itself. Nothing is evaluated. */
export type Wildcard = (text: string) => boolean

/** A text that the pattern describes from its beginning to its end. It takes time in proportion to the text for each `*`. */
export function wholeMatch(pattern: string): Wildcard {
  const [first = '', ...rest] = pattern.split('*')
  const last = rest.pop()
  if (last === undefined) return (text) => text === pattern
  return (text) => {
    if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length) return false
    const end = endOf(rest, text, first.length)
    return end !== undefined && end <= text.length - last.length
  }
}

/** A text that has the pattern somewhere in it. */
export function partMatch(pattern: string): Wildcard {
  const parts = pattern.split('*')
  return (text) => endOf(parts, text, 0) !== undefined
}

/** Where the last of some parts ends that follow each other in a text; undefined when they do not. The first fit of each is as good as any. */
function endOf(parts: readonly string[], text: string, from: number): number | undefined {
  let at = from
  for (const part of parts) {
    const found = text.indexOf(part, at)
    if (found < 0) return undefined
    at = found + part.length
  }
  return at
}
