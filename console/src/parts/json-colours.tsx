import type { ComponentChildren } from 'preact'

/** The tokens of JSON that have a colour: names, texts, numbers, and words. */
const TOKENS = /("(?:[^"\\]|\\.)*")(?=(\s*:)?)|-?\d[\d.eE+-]*|\b(?:true|false|null)\b/g

/** The most characters that are coloured: a longer text would have tens of thousands of elements. */
const MOST = 30_000

/** A formatted JSON text with its tokens coloured. */
export function coloured(text: string): ComponentChildren {
  if (text.length > MOST) return text
  const parts: ComponentChildren[] = []
  let end = 0
  for (const match of text.matchAll(TOKENS)) {
    const [token, quoted, colon] = match
    const kind = quoted === undefined ? 'value' : colon === undefined ? 'text' : 'name'
    parts.push(text.slice(end, match.index), <span class={`json-${kind}`}>{token}</span>)
    end = match.index + token.length
  }
  return [...parts, text.slice(end)]
}
