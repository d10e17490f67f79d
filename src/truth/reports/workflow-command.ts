/** An annotation of GitHub Actions. */
export interface Annotation {
  readonly level: 'error' | 'warning' | 'notice'
  readonly title: string
  readonly message: string
  /** `openapi.yaml:12`, where it belongs to a line. */
  readonly place?: string | undefined
}

/**
 * An annotation as the workflow command that GitHub shows beside the lines of a pull request.
 *
 * @example workflowCommand({ level: 'error', title: 'Coverage', message: 'Too low.' }) // '::error title=Coverage::Too low.'
 */
export function workflowCommand({ level, title, message, place }: Annotation): string {
  const [, file, line] = /^(.*):(\d+)$/.exec(place ?? '') ?? []
  const where = file === undefined ? '' : `file=${property(file)},line=${line ?? '1'},`
  return `::${level} ${where}title=${property(title)}::${data(message)}`
}

/** As workflow commands escape what would end them. */
function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
