import { encodePointer } from '../formats/json.ts'
import { shown } from '../errors/problem.ts'

/** A real folder that becomes a file set. */
export interface FolderSetting {
  /** Of the file set. */
  readonly id: string
  readonly directory: string
}

/**
 * Reads `{ name: directory }` as in a configuration file, or `name=directory` texts as on a command line; one text may hold
 * several with commas, as in the environment.
 */
export function readFolderSettings(
  value: unknown,
  complain: (complaint: string, pointer: string) => void,
): FolderSetting[] {
  const folders = new Map<string, string>()
  for (const { id, directory, from, pointer } of pairsOf(value)) {
    if (id === '' || typeof directory !== 'string' || directory === '')
      complain(
        `Expected the name of a file set and a directory, as in documents=./documents; got ${shown(from)}.`,
        pointer,
      )
    else if (folders.has(id)) complain(`The file set ${shown(id)} is there twice. Rename one.`, pointer)
    else folders.set(id, directory)
  }
  return [...folders].map(([id, directory]) => ({ id, directory }))
}

interface Pair {
  readonly id: string
  readonly directory: unknown
  /** What it was read from. */
  readonly from: unknown
  /** Where that stands in the setting. */
  readonly pointer: string
}

function pairsOf(value: unknown): Pair[] {
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return Object.entries(value).map(([id, directory]: [string, unknown]) => ({
      id,
      directory,
      from: { [id]: directory },
      pointer: `/${encodePointer(id)}`,
    }))
  const texts: readonly unknown[] =
    typeof value === 'string' ? value.split(',') : Array.isArray(value) ? value : [value]
  return texts.map((text, index) => {
    const whole = typeof text === 'string' ? text : ''
    const mark = whole.indexOf('=')
    return { id: whole.slice(0, Math.max(0, mark)), directory: whole.slice(mark + 1), from: text, pointer: `/${index}` }
  })
}
