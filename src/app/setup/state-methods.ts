import type { Assembled } from './assemble.ts'
import type { Sandbox } from '../../engine/sandbox.ts'
import type { State } from '../../engine/state.ts'
import { StartupError } from '../../base/errors/problem.ts'
import type { Entries } from '../../resources/file-sets/entries/entries.ts'
import { readAddedFiles } from '../../resources/file-sets/read-files.ts'
import type { Standin } from './standin.ts'

/** The library's methods that change the default sandbox. */
export function createStateMethods(
  sandbox: Sandbox,
  rules: () => Assembled['rules'],
): Pick<Standin, 'reset' | 'addFiles' | 'removeFiles'> {
  return {
    reset: () => sandbox.reset(),
    addFiles(fileSetId, files) {
      const records = readAddedFiles(fileSetId, files, getEntries(sandbox.state, fileSetId), rules().files)
      sandbox.commit([{ type: 'files.added', fileSetId, files: records }])
    },
    removeFiles(fileSetId, paths) {
      const entries = getEntries(sandbox.state, fileSetId)
      const missing = paths.filter((path) => !entries.storedAt(path))
      if (missing.length > 0)
        throw new StartupError(missing.map((path) => `${fileSetId} has no file ${JSON.stringify(path)}.`))
      sandbox.commit([{ type: 'files.removed', fileSetId, paths }])
    },
  }
}

function getEntries({ fileSets }: State, fileSetId: string): Entries {
  const fileSet = fileSets.get(fileSetId)
  if (!fileSet)
    throw new StartupError([
      `There is no file set ${JSON.stringify(fileSetId)}. File sets: ${[...fileSets.keys()].join(', ')}.`,
    ])
  return fileSet.entries
}
