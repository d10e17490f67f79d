import { shown } from '../problem.ts'

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
export function readFolderSettings(value: unknown, complain: (complaint: string) => void): FolderSetting[] {
  const folders = new Map<string, string>()
  for (const [id, directory] of pairsOf(value)) {
    if (id === '' || typeof directory !== 'string' || directory === '')
      complain(`Expected the name of a file set and a directory, as in documents=./documents; got ${shown(value)}.`)
    else if (folders.has(id)) complain(`The file set ${shown(id)} is there twice. Rename one.`)
    else folders.set(id, directory)
  }
  return [...folders].map(([id, directory]) => ({ id, directory }))
}

function pairsOf(value: unknown): (readonly [string, unknown])[] {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return Object.entries(value)
  const texts: readonly unknown[] =
    typeof value === 'string' ? value.split(',') : Array.isArray(value) ? value : [value]
  return texts.map((text) => {
    const whole = typeof text === 'string' ? text : ''
    const mark = whole.indexOf('=')
    return [whole.slice(0, Math.max(0, mark)), whole.slice(mark + 1)]
  })
}
