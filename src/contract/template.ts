import { escapeRegExp } from '../base/escape-reg-exp.ts'

/** A path template: `/items/{itemId}`, `/files/{name}.{extension}`, `/jobs/{id}:cancel`. */
export interface Template {
  /** A regular expression for the matching paths, with a group for each parameter. */
  readonly pattern: string
  /** Names of the parameters, in the order of the groups. */
  readonly parameters: readonly string[]
}

const PARAMETER = /\{([^{}]*)\}/g

/** What a key of `paths` is made of: `/messages?beta=true` and `/#X-Amz-Target=Scan` are no paths alone. */
export interface KeyParts {
  readonly template: string
  readonly query: readonly (readonly [string, string])[]
  readonly fragment: string | undefined
}

export function keyParts(key: string): KeyParts {
  const [, template = '', search = '', fragment] = /^([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s.exec(key) ?? []
  return { template, query: search === '' ? [] : [...new URLSearchParams(search)], fragment }
}

/** @param key of `paths` @param isDeep whether a parameter may have slashes */
export function readTemplate(key: string, isDeep: (name: string) => boolean = () => false): Template {
  // Texts and names alternate.
  const parts = keyParts(key).template.split(PARAMETER)
  const isWhole = (index: number) => isDeep(parts[index] ?? '') && parts[index - 1]?.endsWith('/') === true
  // The path of the root: `/contents` for `/contents/{path}`.
  const isLast = (index: number) => index === parts.length - 2 && parts.at(-1) === '' && isWhole(index)
  return {
    pattern: parts
      .map((part, index) => {
        if (index % 2 === 0) return escapeRegExp(isLast(index + 1) ? part.slice(0, -1) : part)
        if (!isWhole(index)) return groupAfter(parts[index - 1] ?? '/')
        return isLast(index) ? '(?:/(.*))?' : '(.+)'
      })
      .join(''),
    parameters: parts.filter((_, index) => index % 2 === 1),
  }
}

/**
 * How exactly a path says what it matches: for each segment 0 for a text, 1 for a text with parameters, 2 for a parameter. Compared as
 * texts, the more exact path comes first.
 */
export function exactness(path: string): string {
  return path
    .split('/')
    .map((segment) => (isParameter(segment) ? '2' : segment.includes('{') ? '1' : '0'))
    .join('')
}

/** The path without the names of its parameters: two of the same shape match the same paths. */
export function templateShape(path: string): string {
  return path.replaceAll(PARAMETER, '{}')
}

/** The thing and the method that a path ends in, as `/channels.info` does; undefined for others, as `/statuses/show.json` with a kind of file. */
export function methodWords(path: string): readonly string[] | undefined {
  const last = path.slice(path.lastIndexOf('/') + 1)
  const isMethod = /^[\w-]+(\.(?!(json|xml|ya?ml|csv|txt|html?|php|aspx?|do)$)[a-z][\w-]*)+$/i.test(last)
  return isMethod ? last.split('.') : undefined
}

/** Whether a segment of a path is one parameter and nothing else. */
export function isParameter(segment: string): boolean {
  return /^\{[^{}]*\}$/.test(segment)
}

/**
 * A parameter is not empty and ends with its segment at the latest. The second of a segment does not hold what parts it from the
 * first: `{name}.{extension}` reads `a.b.txt` as `a.b` and `txt`, and matching needs no backtracking.
 */
function groupAfter(text: string): string {
  const [first] = text
  return first === undefined || text.includes('/') ? '([^/]+)' : `([^/${classEscaped(first)}]+)`
}

function classEscaped(character: string): string {
  return /[\\\]^-]/.test(character) ? `\\${character}` : character
}
