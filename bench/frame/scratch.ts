import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A directory for the files of servers. It goes when the bench ends, however it ends. */
export function createScratch(): string {
  const folder = mkdtempSync(join(tmpdir(), 'standin-bench-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }))
  return folder
}
