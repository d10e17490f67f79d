import { loadSettings } from './settings.ts'
import { counted } from '../errors/wording.ts'
import { createReloadableStandin } from '../app/setup/create-standin.ts'

/** `standin check`: everything that `serve` loads, without listening, and without creating or changing a file. */
export async function check({ strict, ...flags }: Readonly<Record<string, unknown>>): Promise<void> {
  const standin = createReloadableStandin(await loadSettings(flags), { isDryRun: true })
  await standin.stop()
  const { summary, report, overlays, notes } = standin
  const applied = overlays.map((one) => `overlay ${one}`)
  const lines = [...report, ...applied, ...notes.map((note) => `note: ${note}`), `${summary}: ${verdictOn(notes)}`]
  process.stdout.write(lines.map((line) => `${line}\n`).join(''))
  if (strict === true && notes.length > 0) process.exitCode = 1
}

function verdictOn(notes: readonly string[]): string {
  return notes.length === 0 ? 'all is well' : `it can start, with ${counted(notes.length, 'note')}`
}
