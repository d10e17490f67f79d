import { loadSettings } from './settings.ts'
import { assemble } from '../standin.ts'

/** `standin check`: everything that `serve` loads, without listening. */
export async function check(flags: Readonly<Record<string, unknown>>): Promise<void> {
  const { summary } = assemble(await loadSettings(flags))
  process.stdout.write(`${summary}: all is well\n`)
}
