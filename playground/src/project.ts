import { strToU8, zipSync } from 'fflate'
import { createPageInstance } from '../../src/app/browser/create-standin.ts'
import { exampleFor } from '../../src/cli/init/example-test.ts'
import { projectFiles } from '../../src/cli/init/project-files.ts'
import { fileNameOf } from './engine.ts'

/** A zip of the document and what `standin init` writes for it. @throws StartupError for a document that is refused */
export async function projectOf(document: string): Promise<Blob> {
  const name = fileNameOf(document)
  // Not the one that runs: the requests that find an example are none of the user's.
  const { standin } = createPageInstance({ contract: `${document}\n` }, { nameOf: () => name })
  const files = { [name]: document, ...projectFiles(await exampleFor(standin), 'vitest', name) }
  await standin.stop()
  const entries = Object.entries(files).map(([path, text]) => [path, strToU8(text)] as const)
  return new Blob([zipSync(Object.fromEntries(entries))], { type: 'application/zip' })
}
