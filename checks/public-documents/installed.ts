import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Listed {
  readonly vendor: string
  readonly name: string
  readonly file: string
}

interface Installed {
  readonly documents: readonly Listed[]
  /** The names of documents of Python packages where these are not installed. */
  readonly missing: readonly string[]
}

/**
 * The documents of `documents.json` whose names match. Without Python those of its packages are left out; whatever else is missing
 * counts as a document, so that the check fails.
 *
 * @param directory that holds `documents.json` and the packages
 */
export function installed(directory: string, only: string): Installed {
  const listed = JSON.parse(readFileSync(join(directory, 'documents.json'), 'utf8')) as Listed[]
  const wanted = listed.filter(({ name }) => new RegExp(only).test(name))
  const hasPython = existsSync(join(directory, 'python'))
  const isThere = ({ file }: Listed) => hasPython || !file.startsWith('python/')
  return {
    documents: wanted.filter(isThere),
    missing: wanted.filter((one) => !isThere(one)).map(({ name }) => name),
  }
}
