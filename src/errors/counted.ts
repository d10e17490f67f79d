/**
 * A number with the noun that it counts.
 *
 * @param count as it is shown: a text where it has separators
 * @param many for nouns that do not just take an s
 * @example counted(1, 'request') // '1 request'
 * @example counted('1,135', 'file') // '1,135 files'
 */
export function counted(count: number | string, one: string, many = `${one}s`): string {
  return `${count} ${String(count) === '1' ? one : many}`
}
