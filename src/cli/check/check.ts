import { createFront } from '../../truth/proxy/create-front.ts'
import { loadSettings } from '../settings.ts'
import { SILENT } from '../../journal/server-log.ts'
import { stringifyJson } from '../../base/formats/json.ts'
import { linesOf } from './lines.ts'
import { createReloadableStandin, type ReloadableStandin } from '../../app/setup/create-standin.ts'

/** `standin check`: everything that `serve` loads, without listening, and without creating or changing a file. */
export async function check({ strict, format, ...flags }: Readonly<Record<string, unknown>>): Promise<void> {
  const config = { ...(await loadSettings(flags)), record: undefined }
  const front = createFront(config, SILENT)
  const standin = createReloadableStandin(config, { isDryRun: true, front })
  await standin.stop()
  const lines = format === 'json' ? [documentOf(standin)] : linesOf(standin, strict === true)
  process.stdout.write(lines.map((line) => `${line}\n`).join(''))
  if (strict === true && standin.notes.length > 0) process.exitCode = 1
}

function documentOf({ summary, overlays, notes, listOperations }: ReloadableStandin): string {
  return stringifyJson({ summary, operations: listOperations(), overlays, notes })
}
