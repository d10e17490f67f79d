/** A text as the source of a regular expression that matches it alone. Node 22 has no `RegExp.escape`. */
export function escapeRegExp(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)
}
