import { MACHINE } from '../../app/setup/machine.ts'
import { createConfig } from '../../config/create-config.ts'
import { sourcesOf } from '../../config/sources.ts'
import { counted } from '../../base/errors/wording.ts'
import { readSourceFile, writeText } from '../../base/formats/source-file.ts'
import { type Fixture, fixtureJson, fixtureYaml } from '../../truth/recordings/fixture-of.ts'
import { type ImportedRecordings, importRecordings } from '../../truth/recordings/import-recordings.ts'

export interface RecordingFlags {
  readonly out?: string
  readonly config?: string
  readonly contract?: string
  readonly overlay?: readonly string[]
  readonly allowRef?: readonly string[]
}

/** `standin import --har`: a fixture of what recordings show, without what tells people apart. */
export function importHars(files: readonly string[], flags: RecordingFlags): void {
  const { out } = flags
  const config = createConfig(sourcesOf({ ...flags }, process.env))
  const archives = files.map((file) => readSourceFile(file, { namedBy: '--har' }))
  const imported = importRecordings(config, archives, MACHINE.realNow)
  const { fixture } = imported
  const parts = out?.endsWith('.json') === true ? fixtureJson(fixture) : fixtureYaml(fixture)
  if (out !== undefined) writeText(out, parts)
  else for (const part of parts) process.stdout.write(part)
  for (const line of describe(imported)) process.stderr.write(`standin: ${line}\n`)
}

/** Things that are named one by one. */
const MAX_NAMED = 10

function* describe({ fixture, service, exchanges, report, leftOut }: ImportedRecordings): Generator<string> {
  const others = service.others === 0 ? '' : `, and ${counted(service.others, 'exchange')} with others left out`
  yield `${counted(exchanges, 'exchange')} with ${service.url}${others}`
  yield `found: ${contentOf(fixture).join(', ')}`
  for (const { kind, values, members } of report.replaced)
    yield `replaced: ${kind} (${values}, in ${members.join(', ')})`
  yield `kept: ${report.kept.join(', ')}`
  for (const why of leftOut.slice(0, MAX_NAMED)) yield `left out: ${why}`
  if (leftOut.length > MAX_NAMED) yield `left out: ${leftOut.length - MAX_NAMED} more`
}

function contentOf({ fileSets, reportSchedules, collections }: Fixture): string[] {
  return [
    ...fileSets.map(({ id, files }) => `${counted(files.length, 'entry', 'entries')} of the file set ${id}`),
    ...(reportSchedules.length === 0 ? [] : [counted(reportSchedules.length, 'report schedule')]),
    ...Object.entries(collections).map(([name, documents]) => `${Object.keys(documents).length} in ${name}`),
  ]
}
