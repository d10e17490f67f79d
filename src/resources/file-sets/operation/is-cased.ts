/** Whether a text has letters that could be in another case. */
export function isCased(text: string): boolean {
  return text.toLowerCase() !== text || text.toUpperCase() !== text
}
