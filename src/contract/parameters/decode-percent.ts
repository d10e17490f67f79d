/** A text without its percent escapes. One that has a percent sign that begins no escape stands for itself. */
export function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
