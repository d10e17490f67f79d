import { type Config, isOwnContract, isPath } from '../../config/config.ts'
import type { Contract } from '../contract.ts'
import { loadContract } from './load.ts'
import { inlineSourceFile, readPackaged, readSourceFile, type SourceFile } from '../../base/formats/source-file.ts'
import { createShared, readShared } from '../../base/formats/shared-source-file.ts'
import { allOrRefused } from '../../base/errors/problem.ts'
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

/** The contract of the settings, compiled. @param given its document, when it is not a file */
export function compileContract(config: Config, given?: SourceFile): Contract {
  const { contract: own, allowRef: allowed, names } = config
  if (given) return loadContract(given, { allowed })
  const document = own === undefined ? readPackaged('spec/openapi.yaml') : readContract(own, names.contract?.(''))
  const read = createReader(document, readSourceFile)
  if (config.overlay.length > 0)
    return loadContract(document, { read, overlays: readFiles(config, 'overlay'), allowed })
  if (isOwnContract(config)) return loadSharedContract(document, allowed)
  const contract = compiledContracts.get(document) ?? loadContract(document, { isTrusted: true })
  compiledContracts.set(document, contract)
  return contract
}

function readContract(own: string | object, namedBy = 'contract'): SourceFile {
  if (typeof own === 'object') return inlineSourceFile(own, namedBy)
  return isPath(own) ? readShared(own, { namedBy }) : createShared(namedBy, own)
}

/** The further files that a contract was read from, by the document that `--contract` names. */
const filesRead = new WeakMap<SourceFile, string[]>()

function createReader(root: SourceFile, read: typeof readShared): typeof readShared {
  const paths: string[] = []
  filesRead.set(root, paths)
  return (path, naming) => {
    paths.push(path)
    return read(path, naming)
  }
}

/** The file of a contract, and those that it leads to, as far as they were read. */
export function filesOfContract(file: string): readonly string[] {
  try {
    return [file, ...(filesRead.get(readShared(file, { namedBy: 'contract' })) ?? [])]
  } catch {
    return [file]
  }
}

/** A compiled contract has no state, so all instances share that of the package. */
const compiledContracts = new WeakMap<SourceFile, Contract>()

interface CompiledContract {
  readonly allowed: readonly string[]
  readonly contract: Contract
  /** The further files that it was read from; undefined for those that could not be read. */
  readonly files: readonly { readonly path: string; readonly naming: Naming; readonly document?: SourceFile }[]
}

/** By the document that `--contract` names, which is another object once its text is another. */
const compiled = new WeakMap<SourceFile, CompiledContract>()

/**
 * Loads a contract of the user. A compiled contract has no state, so instances share it until one of its files changes.
 *
 * @throws StartupError with everything that is wrong, when nothing can be served
 */
function loadSharedContract(root: SourceFile, allowed: readonly string[]): Contract {
  const known = compiled.get(root)
  if (known?.allowed.join('\n') === allowed.join('\n') && known.files.every(isUnchanged)) return known.contract
  const files: CompiledContract['files'][number][] = []
  const read = (path: string, naming: Naming = {}) => {
    const at = files.push({ path, naming }) - 1
    const document = readShared(path, naming)
    files[at] = { path, naming, document }
    return document
  }
  const contract = loadContract(root, { read: createReader(root, read), allowed })
  compiled.set(root, { allowed, contract, files })
  return contract
}

function isUnchanged({ path, naming, document }: CompiledContract['files'][number]): boolean {
  try {
    return readShared(path, naming) === document
  } catch {
    return false
  }
}
