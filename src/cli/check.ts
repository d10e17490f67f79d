import { loadSettings } from './settings.ts'
import { assemble } from '../standin.ts'

/** `standin check`: everything that `serve` loads, without listening. */
export async function check(flags: Readonly<Record<string, unknown>>): Promise<void> {
  const standin = assemble(await loadSettings(flags))
  await standin.stop()
  const { summary, operations, notes } = standin
  const verdict = notes.length === 0 ? 'all is well' : 'it can start; see the notes'
  const lines = [`${summary}: ${verdict}`, ...operations, ...notes.map((note) => `note: ${note}`)]
  process.stdout.write(lines.map((line) => `${line}\n`).join(''))
}
