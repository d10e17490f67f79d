/** A path template: `/items/{itemId}`, `/files/{name}.{extension}`, `/jobs/{id}:cancel`. */
export interface Template {
  /** Matches the paths that it stands for, a group for each parameter. */
  readonly pattern: string
  /** Names of the parameters, in the order of the groups. */
  readonly parameters: readonly string[]
}

const PARAMETER = /\{([^{}]*)\}/g

export function readTemplate(path: string): Template {
  // Texts and names by turns.
  const parts = path.split(PARAMETER)
  return {
    pattern: parts
      .map((part, index) => (index % 2 === 1 ? groupAfter(parts[index - 1] ?? '/') : escaped(part)))
      .join(''),
    parameters: parts.filter((_, index) => index % 2 === 1),
  }
}

/** The path without the names of its parameters: two of the same shape cannot be told apart. */
export function templateShape(path: string): string {
  return path.replaceAll(PARAMETER, '{}')
}

/** Whether a segment of a path is one parameter and nothing else. */
export function isParameter(segment: string): boolean {
  return /^\{[^{}]*\}$/.test(segment)
}

/**
 * A parameter is not empty and ends with its segment at the latest. The second of a segment does not hold what parts it from the
 * first: `{name}.{extension}` reads `a.b.txt` as `a.b` and `txt`, and no path is gone over again and again.
 */
function groupAfter(text: string): string {
  const [first] = text
  return first === undefined || text.includes('/') ? '([^/]+)' : `([^/${classEscaped(first)}]+)`
}

function classEscaped(character: string): string {
  return /[\\\]^-]/.test(character) ? `\\${character}` : character
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)
}
