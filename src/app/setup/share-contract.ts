import type { Contract } from '../../contract/contract.ts'
import { loadContract } from '../../contract/load/load.ts'
import { readShared } from '../../formats/shared-source-file.ts'
import type { Naming } from '../../formats/read-text.ts'
import type { SourceFile } from '../../formats/source-file.ts'

interface Compiled {
  readonly allowed: readonly string[]
  readonly contract: Contract
  /** The further files that it was read from; undefined for those that could not be read. */
  readonly files: readonly { readonly path: string; readonly naming: Naming; readonly document?: SourceFile }[]
}

/** By the document that `--contract` names, which is another object once its text is another. */
const compiled = new WeakMap<SourceFile, Compiled>()

/**
 * Loads a contract of the user. A compiled contract has no state, so instances share it until one of its files changes.
 *
 * @throws StartupError with everything that is wrong, when nothing can be served
 */
export function loadSharedContract(root: SourceFile, allowed: readonly string[]): Contract {
  const known = compiled.get(root)
  if (known?.allowed.join('\n') === allowed.join('\n') && known.files.every(isUnchanged)) return known.contract
  const files: Compiled['files'][number][] = []
  const read = (path: string, naming: Naming = {}) => {
    const at = files.push({ path, naming }) - 1
    const document = readShared(path, naming)
    files[at] = { path, naming, document }
    return document
  }
  const contract = loadContract(root, { read, allowed })
  compiled.set(root, { allowed, contract, files })
  return contract
}

function isUnchanged({ path, naming, document }: Compiled['files'][number]): boolean {
  try {
    return readShared(path, naming) === document
  } catch {
    return false
  }
}
