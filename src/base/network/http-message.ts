/** The parameters of a request target. */
export function queryOf(url: string): URLSearchParams {
  const mark = url.indexOf('?')
  return new URLSearchParams(mark < 0 ? '' : url.slice(mark + 1))
}

/** The first header of a name among names and values by turns. */
export function headerOf(headers: readonly string[], name: string): string | undefined {
  return headers.find((_, at) => at % 2 === 1 && headers[at - 1]?.toLowerCase() === name)
}

/** The path of a request target, without its parameters. */
export function pathOf(url: string): string {
  return url.split('?', 1)[0] ?? ''
}
