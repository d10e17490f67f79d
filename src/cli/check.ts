import { loadSettings } from './settings.ts'
import { assemble } from '../standin.ts'

/** `standin check`: everything that `serve` loads, without listening. */
export async function check(flags: Readonly<Record<string, unknown>>): Promise<void> {
  const standin = assemble(await loadSettings(flags))
  await standin.stop()
  process.stdout.write(`${standin.summary}: all is well\n${standin.operations.map((line) => `${line}\n`).join('')}`)
}
