import { keyName, plainName, wordsOf } from '../../base/formats/names.ts'
import { singular } from '../../base/formats/plurals.ts'
import { isParameter } from '../../contract/template.ts'
import type { Violation } from '../../base/errors/problem.ts'

/** The words for what a path names, each with its name in a template. */
const WORDS = {
  /** As the path has it, in the singular: `work_pool` of `/work_pools/{id}`. */
  noun: singular,
  /** As the path has it: `work_pools`. */
  nouns: (segment: string) => segment,
  /** As types are named: `WorkPool`. */
  Noun: (segment: string) => wordsOf(singular(segment)).map(capitalised).join(''),
  /** As in a sentence: `work pool`. */
  words: (segment: string) => wordsOf(singular(segment)).join(' '),
  /** As at its beginning: `Work pool`. */
  Words: (segment: string) => capitalised(wordsOf(singular(segment)).join(' ')),
} as const

/** The parts of the path that operations have in common, whatever their parameters are called. `key` is the id. */
export const PATH_PLACES: readonly string[] = ['key', ...Object.keys(WORDS)].map((name) => `$path.${name}`)

interface PathSource {
  readonly template: string | undefined
  readonly violation?: Violation | undefined
  path(name: string): unknown
}

/**
 * A part of the path: its last parameter, or the one that names what is not there, and what is called so.
 *
 * @param place one of `PATH_PLACES`
 * @returns undefined where the path has none
 */
export function pathPart(place: string, { template, violation, path }: PathSource): unknown {
  const segments = template?.split('/') ?? []
  const missing = segments.indexOf(`{${violation?.parameter ?? ''}}`)
  const at = missing >= 0 ? missing : segments.findLastIndex(isParameter)
  const part = place.slice('$path.'.length)
  if (part === 'key') return at < 0 ? undefined : path((segments[at] ?? '').slice(1, -1))
  const before = at < 0 ? segments : segments.slice(0, isKey(segments, at) ? at - 1 : at)
  const segment = before.findLast((one) => one !== '' && !isParameter(one))
  return segment === undefined ? undefined : WORDS[part as keyof typeof WORDS](segment)
}

/** Whether the word before a parameter is the member by which it names a thing: `/flows/name/{name}`, `/posts/by-slug/{slug}`. */
function isKey(segments: readonly string[], at: number): boolean {
  const [thing = '', word = '', parameter = ''] = segments.slice(at - 2, at + 1)
  return thing !== '' && !isParameter(thing) && keyName(word) === plainName(parameter)
}

function capitalised(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}
