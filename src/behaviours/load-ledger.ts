import { readFileSync } from 'node:fs'
import { parseDocument } from 'yaml'
import { StartRefused } from '../problem.ts'
import { checkLedger } from './ledger.ts'
import type { Ledger } from './ledger.ts'

/**
 * Reads the ledger from a YAML file.
 *
 * @throws StartRefused when the file cannot be read, is not YAML, or is not a complete ledger
 */
export function loadLedger(file: string): Ledger {
  const document = parseDocument(read(file))
  if (document.errors.length > 0)
    throw new StartRefused(
      document.errors.map((error) => `${file}:${error.linePos?.[0].line ?? 1}: ${error.message.split('\n')[0] ?? ''}`),
    )
  return checkLedger(document.toJS(), file)
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new StartRefused([
      `${file}: the ledger cannot be read (${error instanceof Error ? error.message : 'no reason'}).`,
    ])
  }
}
