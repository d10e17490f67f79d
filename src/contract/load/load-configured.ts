import { rememberingEach } from '../../base/cache.ts'
import { type Config, isOwnContract, isPath } from '../../config/config.ts'
import type { Contract } from '../contract.ts'
import { type ContractChange, loadContract } from './load.ts'
import {
  inlineSourceFile,
  isThere,
  readPackaged,
  readSourceFile,
  type SourceFile,
} from '../../base/formats/source-file.ts'
import { createShared, readShared } from '../../base/formats/shared-source-file.ts'
import { allOrRefused, shown, StartupError } from '../../base/errors/problem.ts'
import { findLocked, isUrl, LOCK, LOCK_INDEX, lockedPath, readLock } from './contract-lock.ts'
import { stringifyJson } from '../../base/formats/json.ts'
import type { Naming } from '../../base/formats/read-text.ts'

/** The files of a setting that also takes values themselves. */
export function readFiles(config: Config, setting: 'fixtures' | 'overlay'): SourceFile[] {
  return allOrRefused<SourceFile[]>(
    config[setting].map((one, index) => () => {
      if (typeof one === 'string') return readShared(one, { namedBy: config.names[setting]?.(`/${index}`) })
      return inlineSourceFile(one, `${setting}[${index}]`)
    }),
  )
}

/**
 * The contract of the settings, compiled.
 *
 * @param given its document, when it is not a file
 * @param change what settings change of it, unless it is that of the package
 */
export function compileContract(config: Config, given?: SourceFile, change?: ContractChange): Contract {
  const { contract: own, names } = config
  const allowed = [...config.allowRef, LOCK]
  if (given) return loadContract(given, { allowed, change })
  const document = own === undefined ? readPackaged('spec/openapi.yaml') : readContract(own, names.contract?.(''))
  if (config.overlay.length > 0) {
    const read = createReader(document, readSourceFile)
    return loadContract(document, { read, overlays: readFiles(config, 'overlay'), allowed, change })
  }
  if (isOwnContract(config)) return loadSharedContract(document, allowed, change)
  return loadTrusted(document)
}

function readContract(own: string | object, namedBy = 'contract'): SourceFile {
  if (typeof own === 'object') return inlineSourceFile(own, namedBy)
  if (isPath(own) && isUrl(own)) return readShared(lockedContract(own, namedBy), { namedBy })
  return isPath(own) ? readShared(own, { namedBy }) : createShared(namedBy, own)
}

/** @throws StartupError for a URL that is not locked */
function lockedContract(url: string, namedBy: string): string {
  const path = findLocked(url)
  if (path !== undefined) return path
  throw new StartupError([
    `${namedBy}: ${shown(url)} is not in ${LOCK}: a start needs no network. Fetch it once: standin lock ${url}`,
  ])
}

interface FurtherFile {
  readonly path: string
  readonly naming: Naming | undefined
  /** Undefined when it could not be read. */
  readonly document?: SourceFile
}

/** The further files that a contract was read from, by the document that `--contract` names, which is another object once its text is another. */
const filesRead = new WeakMap<SourceFile, FurtherFile[]>()

function createReader(root: SourceFile, read: typeof readShared): typeof readShared {
  const files: FurtherFile[] = []
  filesRead.set(root, files)
  return (path, naming) => {
    const at = files.push({ path, naming }) - 1
    const document = read(path, naming)
    files[at] = { path, naming, document }
    return document
  }
}

/** The file of a contract, and those that it leads to, as far as they were read. */
export function filesOfContract(contract: string): readonly string[] {
  const file = isUrl(contract) ? lockedPath(contract) : contract
  try {
    const further = filesRead.get(readShared(file, { namedBy: 'contract' })) ?? []
    return [file, ...further.map(({ path }) => path), ...(isThere(LOCK_INDEX) ? [LOCK_INDEX] : [])]
  } catch {
    return [file]
  }
}

/** A compiled contract has no state, so all instances share that of the package. */
const loadTrusted = rememberingEach((document: SourceFile) => loadContract(document, { isTrusted: true }))

/** With what references were allowed to lead to, and what settings changed. */
const compiled = new WeakMap<SourceFile, { readonly reach: string; readonly contract: Contract }>()

/**
 * Loads a contract of the user. A compiled contract has no state, so instances share it until one of its files changes.
 *
 * @throws StartupError with everything that is wrong, when nothing can be served
 */
function loadSharedContract(root: SourceFile, allowed: readonly string[], change?: ContractChange): Contract {
  const known = compiled.get(root)
  const reach = stringifyJson([allowed, readLock(), change?.key])
  if (known?.reach === reach && filesRead.get(root)?.every(isUnchanged)) return known.contract
  const contract = loadContract(root, { read: createReader(root, readShared), allowed, change })
  compiled.set(root, { reach, contract })
  return contract
}

function isUnchanged({ path, naming, document }: FurtherFile): boolean {
  try {
    return readShared(path, naming) === document
  } catch {
    return false
  }
}
