import { styleText } from 'node:util'
import { createFront } from '../front.ts'
import { loadSettings } from '../settings.ts'
import { SILENT } from '../../journal/server-log.ts'
import { counted } from '../../base/errors/wording.ts'
import { stringifyJson } from '../../base/formats/json.ts'
import { createReloadableStandin, type ReloadableStandin } from '../../app/setup/create-standin.ts'

/** `standin check`: everything that `serve` loads, without listening, and without creating or changing a file. */
export async function check({ strict, format, ...flags }: Readonly<Record<string, unknown>>): Promise<void> {
  const config = { ...(await loadSettings(flags)), record: undefined }
  const front = await createFront(config, SILENT)
  const standin = createReloadableStandin(config, { isDryRun: true, front })
  await standin.stop()
  front?.close()
  const lines = format === 'json' ? [documentOf(standin)] : linesOf(standin, strict === true)
  process.stdout.write(lines.map((line) => `${line}\n`).join(''))
  if (strict === true && standin.notes.length > 0) process.exitCode = 1
}

function linesOf(standin: ReloadableStandin, strict: boolean): string[] {
  const { summary, report, overlays, notes } = standin
  const applied = overlays.map((one) => `overlay ${one}`)
  return [
    ...report,
    ...applied,
    ...notes.map((note) => `${styleText('yellow', 'note:')} ${note}`),
    `${summary}: ${verdictOn(standin, strict)}`,
  ]
}

function documentOf({ summary, overlays, notes, listOperations }: ReloadableStandin): string {
  return stringifyJson({ summary, operations: listOperations(), overlays, notes })
}

function verdictOn({ notes, listOperations }: ReloadableStandin, strict: boolean): string {
  const operations = listOperations()
  const generated = operations.filter(({ handledBy }) => handledBy === 'generated').length
  if (notes.length === 0 && generated * 2 > operations.length)
    return 'it can start; generated operations remember nothing, unless x-standin or handlers give them a memory'
  return notes.length === 0
    ? styleText('green', 'all is well')
    : `it can start, with ${counted(notes.length, 'note')} (${strict ? 'refused by --strict' : 'with --strict, notes exit with status 1'})`
}
