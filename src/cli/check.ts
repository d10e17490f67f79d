import { readSettings } from './settings.ts'
import { assemble } from '../standin.ts'

/** `standin check`: everything that `serve` loads, without listening. */
export function check(flags: Readonly<Record<string, unknown>>): void {
  const { summary } = assemble(readSettings(flags))
  process.stdout.write(`${summary}: all is well\n`)
}
