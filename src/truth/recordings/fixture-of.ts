import { type Members, stringifyJson } from '../../base/formats/json.ts'
import { flowYaml } from '../../base/formats/flow-yaml.ts'
import type { SeenCollection, SeenData } from './collect.ts'

/** The value of a fixture file. */
export interface Fixture {
  readonly fileSets: readonly { readonly id: string; readonly files: readonly Members[] }[]
  readonly reportSchedules: readonly Members[]
  readonly collections: Readonly<Record<string, readonly Members[] | Readonly<Record<string, Members>>>>
}

/**
 * What a service showed, as a fixture. A list of documents says that there are no others; documents without an id of their own are
 * added to those that the collection begins with.
 *
 * @param isField whether a file set keeps a member of its entries
 */
export function fixtureOf(
  { fileSets, reportSchedules, collections }: SeenData,
  isField: (name: string) => boolean,
): Fixture {
  return {
    fileSets: [...fileSets].map(([id, files]) => ({
      id,
      files: [...files.values()].map((one) => fileOf(one, isField)),
    })),
    reportSchedules: [...reportSchedules.values()].map(scheduleOf),
    collections: Object.fromEntries([...collections].map(([name, held]) => [name, documentsOf(held)])),
  }
}

/** Of a directory, what a response shows as null is not there. */
function fileOf(entry: Members, isField: (name: string) => boolean): Members {
  const isDirectory = entry.fileType === 'DIRECTORY'
  return Object.fromEntries(
    Object.entries(entry).filter(
      ([name, value]) => name !== 'name' && isField(name) && !(isDirectory && value === null),
    ),
  )
}

/** When a schedule runs next follows from the clock. */
function scheduleOf({ schedule, ...rest }: Members): Members {
  if (typeof schedule !== 'object' || schedule === null) return rest
  const { nextRunDate: _next, ...timing } = schedule as Members
  return { ...rest, schedule: timing }
}

function documentsOf({ documents, hasIds }: SeenCollection): Fixture['collections'][string] {
  return hasIds ? [...documents.values()] : Object.fromEntries(documents)
}

/** With a line for each file, schedule and document. */
export function* fixtureYaml({ fileSets, reportSchedules, collections }: Fixture): Generator<string> {
  if (fileSets.length > 0) yield 'fileSets:\n'
  for (const { id, files } of fileSets) {
    yield `  - id: ${flowYaml(id)}\n    files:${files.length === 0 ? ' []' : ''}\n`
    for (const file of files) yield `      - ${flowYaml(file)}\n`
  }
  if (reportSchedules.length > 0) yield 'reportSchedules:\n'
  for (const schedule of reportSchedules) yield `  - ${flowYaml(schedule)}\n`
  const named = Object.entries(collections)
  if (named.length > 0) yield 'collections:\n'
  for (const [name, documents] of named) {
    const isList = Array.isArray(documents)
    const entries = Object.entries(documents as Readonly<Record<string, unknown>>)
    yield `  ${flowYaml(name)}:${entries.length > 0 ? '' : isList ? ' []' : ' {}'}\n`
    for (const [key, document] of entries)
      yield isList ? `    - ${flowYaml(document)}\n` : `    ${flowYaml(key)}: ${flowYaml(document)}\n`
  }
}

export function* fixtureJson(fixture: Fixture): Generator<string> {
  yield `${stringifyJson(fixture)}\n`
}
