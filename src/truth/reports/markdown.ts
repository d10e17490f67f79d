/** A text as code. Backticks in it need a longer fence (CommonMark, 6.1). */
export function code(text: string): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length))
  const fence = '`'.repeat(longest + 1)
  return longest === 0 ? `\`${text}\`` : `${fence} ${text} ${fence}`
}

/** A text without a meaning of its own. */
export function escapeMarkdown(text: string): string {
  return text.replaceAll(/[\\`*_|[\]#]/g, String.raw`\$&`).replaceAll('<', '&lt;')
}

/** The heading of a column. Numbers are aligned at the right. */
type TableColumn = string | { readonly number: string }

/** The lines of a table. What would end a cell is escaped, also in code (GitHub Flavored Markdown, 4.10). */
export function markdownTable(
  columns: readonly TableColumn[],
  rows: readonly (readonly (string | number)[])[],
): string[] {
  const line = (cells: readonly (string | number)[]) =>
    `| ${cells
      .map((cell) =>
        String(cell)
          .replaceAll('|', String.raw`\|`)
          .replaceAll('\n', ' '),
      )
      .join(' | ')} |`
  return [
    line(columns.map((one) => (typeof one === 'string' ? one : one.number))),
    `|${columns.map((one) => (typeof one === 'string' ? '---' : '--:')).join('|')}|`,
    ...rows.map(line),
  ]
}
