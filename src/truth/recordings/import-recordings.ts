import { type LoadedParts, loadParts, loadInitialState } from '../../app/setup/load.ts'
import type { Config } from '../../config/config.ts'
import { StartupError } from '../../base/errors/problem.ts'
import type { SourceFile } from '../../base/formats/source-file.ts'
import { splitPointer } from '../../base/formats/json.ts'
import { FIELDS } from '../../resources/file-sets/entries/file-record.ts'
import { findService, type ServiceTraffic, readHar } from './read-har.ts'
import { createSecretRemover } from './remove-secrets.ts'
import { collectData, createRouteFinder, type SeenData } from './collect.ts'
import { type Fixture, fixtureOf } from './fixture-of.ts'
import { scrubData, type ScrubReport } from './scrub.ts'

/** A fixture that is made of recordings. */
export interface ImportedRecordings {
  readonly fixture: Fixture
  readonly service: Pick<ServiceTraffic, 'url' | 'others'>
  readonly exchanges: number
  readonly report: ScrubReport
  /** What the stand-in could not show, as sentences. */
  readonly leftOut: readonly string[]
}

/** At most this much is left out; with more, the contract is not that of the service. */
const MAX_LEFT_OUT = 1000

/**
 * Makes a fixture of what a service showed in recordings.
 *
 * @param realNow epoch ms
 * @throws StartupError when the recordings have nothing of the contract's service, or nothing that is data
 */
export function importRecordings(
  config: Config,
  files: readonly SourceFile[],
  realNow: () => number,
): ImportedRecordings {
  const loaded = loadParts({ ...config, fixtures: [] })
  const { contract } = loaded
  const { url, others, exchanges } = findService(files.flatMap(readHar), contract)
  const found = collectData(exchanges.map(createSecretRemover(contract)), createRouteFinder(loaded))
  const made = makeFixture(found, loaded, { url, realNow })
  const { fixture, leftOut } = made
  if (fixture.fileSets.length + fixture.reportSchedules.length + Object.keys(fixture.collections).length === 0)
    throw new StartupError([`${url}: ${leftOut[0] ?? NOTHING}`])
  return { ...made, service: { url, others }, exchanges: exchanges.length }
}

/**
 * A fixture of what a service showed, without what tells people apart.
 *
 * @param url of the service, for messages
 * @throws StartupError when it is not that of the contract
 */
export function makeFixture(
  found: SeenData,
  loaded: LoadedParts,
  { url, realNow }: { readonly url: string; readonly realNow: () => number },
): Pick<ImportedRecordings, 'fixture' | 'report' | 'leftOut'> {
  const { data, report } = scrubData(found, idsOf(found))
  const check = createCheck(loaded, realNow)
  const leftOut: string[] = []
  let fixture = fixtureOf(data, check.isField)
  for (let wrong = check.findWrong(fixture); wrong.length > 0; wrong = check.findWrong(fixture)) {
    leftOut.push(...wrong.map(({ why }) => why))
    fixture = without(fixture, wrong)
    if (leftOut.length > MAX_LEFT_OUT) throw new StartupError([`${url}: ${leftOut[0] ?? ''}`, TOO_MANY])
  }
  return { fixture, report, leftOut }
}

const TOO_MANY = `More than ${MAX_LEFT_OUT} things do not fit the contract. Pass the one of the service with --contract.`
const NOTHING =
  'The recordings show no files, schedules or documents. Record successful searches, lists and reads, with their bodies.'

/** Documents are named by their ids in requests. */
function idsOf({ collections }: SeenData): ReadonlySet<string> {
  return new Set([...collections.values()].flatMap(({ documents }) => [...documents.keys()]))
}

interface Wrong {
  /** Where it is in the fixture, as a JSON pointer. */
  readonly pointer: string
  readonly why: string
}

/** Reads fixtures as a start does. */
function createCheck(loaded: LoadedParts, realNow: () => number) {
  const config = { ...loaded.config, files: 0 }
  const load = (ownFixtures: readonly SourceFile[]) => loadInitialState({ ...loaded, config, ownFixtures }, { realNow })
  const usual: ReadonlySet<string> = new Set(FIELDS)
  const { files } = load([]).rules
  return {
    isField: (name: string) => usual.has(name) || files.isAdded(name),
    findWrong(fixture: Fixture): Wrong[] {
      const pointers: string[] = []
      const lineOf = (pointer: string) => pointers.push(pointer)
      try {
        load([{ file: 'recordings', value: fixture, lineOf }])
        return []
      } catch (error) {
        if (!(error instanceof StartupError)) throw error
        // Each complaint asks for the line of its place, once.
        return error.complaints.map((complaint) => {
          const [, number = '', why = complaint] = /^recordings:(\d+): (.*)$/s.exec(complaint) ?? []
          const pointer = pointers[Number(number) - 1]
          // A limit of all collections together is no matter of one thing.
          if (pointer === undefined || pointer.split('/').length < 3) throw error
          return { pointer, why }
        })
      }
    },
  }
}

/** A fixture without the smallest things that are wrong in it: a file, a schedule, a document, or else a collection. */
function without({ fileSets, reportSchedules, collections }: Fixture, wrong: readonly Wrong[]): Fixture {
  const gone = new Set(wrong.map(({ pointer }) => placeOf(pointer)))
  const isLeft = (...place: readonly (string | number)[]) => !gone.has(JSON.stringify(place.map(String)))
  return {
    fileSets: fileSets
      .map(({ id, files }, at) => ({ id, files: files.filter((_file, index) => isLeft('fileSets', at, index)), at }))
      .filter(({ at }) => isLeft('fileSets', at))
      .map(({ id, files }) => ({ id, files })),
    reportSchedules: reportSchedules.filter((_schedule, at) => isLeft('reportSchedules', at)),
    collections: Object.fromEntries(
      Object.entries(collections)
        .filter(([name]) => isLeft('collections', name))
        .map(([name, documents]) => [
          name,
          Array.isArray(documents)
            ? documents.filter((_document, at) => isLeft('collections', name, at))
            : Object.fromEntries(Object.entries(documents).filter(([key]) => isLeft('collections', name, key))),
        ]),
    ),
  }
}

/** `/fileSets/0/files/3/size` is of the file `fileSets 0 3`. */
function placeOf(pointer: string): string {
  const [section = '', holder = '', ...rest] = splitPointer(pointer)
  const inner = section === 'fileSets' ? rest[1] : section === 'collections' ? rest[0] : undefined
  return JSON.stringify(inner === undefined ? [section, holder] : [section, holder, inner])
}
