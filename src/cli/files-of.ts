import { dirname, relative, resolve } from 'node:path'
import type { Config } from '../config/config.ts'
import { readSourceFile } from '../formats/source-file.ts'
import { isObject } from '../formats/json.ts'

/**
 * The files that a stand-in is made from, as they were named; the package's own are none of them.
 *
 * @param imported paths of what the handlers were imported from
 */
export function filesOf(
  { contract, fixtures, handlers }: Config,
  flags: Readonly<Record<string, unknown>>,
  imported: ReadonlySet<string>,
): string[] {
  const { config = process.env.STANDIN_CONFIG, keys = process.env.STANDIN_KEYS } = flags
  const ofHandlers = typeof handlers === 'object' ? handlers.from : handlers
  const named = [config, keys, ofHandlers, ...fixtures].filter(
    (one): one is string => typeof one === 'string' && one !== '',
  )
  const inConfig = typeof config === 'string' && config !== '' ? keysNamedIn(config) : []
  const all = [...named, ...inConfig, ...(contract === undefined ? [] : withReferences(contract))]
  const known = new Set(all.map((file) => resolve(file)))
  const besides = [...imported].filter((path) => !known.has(path)).map((path) => relative('', path))
  return [...new Set([...all, ...besides])]
}

/** The configuration file may name a file of keys. */
function keysNamedIn(file: string): string[] {
  const { value } = readSourceFile(file)
  return isObject(value) && typeof value.keys === 'string' ? [value.keys] : []
}

/** A contract of more files is watched so far. */
const MOST_FILES = 200

/** A document and the files that its `$ref`s lead to, however many steps away. */
function withReferences(contract: string): string[] {
  const files = [contract]
  const known = new Set([resolve(contract)])
  for (let at = 0; at < files.length && files.length < MOST_FILES; at++) {
    const file = files[at] ?? ''
    for (const reference of referencesIn(valueOf(file))) {
      const path = resolve(dirname(resolve(file)), reference)
      if (known.has(path)) continue
      known.add(path)
      files.push(path)
    }
  }
  return files
}

/** Unreadable files are reported when the contract is loaded. */
function valueOf(file: string): unknown {
  try {
    return readSourceFile(file).value
  } catch {
    return undefined
  }
}

/** References to other files of this machine, without their fragments. */
function* referencesIn(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null) return
  for (const [name, inner] of Object.entries(value)) {
    const file = name === '$ref' && typeof inner === 'string' ? (inner.split('#')[0] ?? '') : ''
    if (file !== '' && !/^[a-z][a-z\d+.-]*:/i.test(file)) yield decodeURI(file)
    else yield* referencesIn(inner)
  }
}
