import { isDeepStrictEqual } from 'node:util'
import { checkOverrides } from './sandbox-behaviours.ts'
import type { BehaviourSettings } from '../../../types/behaviour-settings.d.ts'
import type { Behaviours } from '../../behaviours/behaviours.ts'
import type { Bindings } from '../binding/binding.ts'
import type { Config } from '../../config/config.ts'
import { findMissingLists, type GivenLists } from './needed-lists.ts'
import type { Contract } from '../../contract/contract.ts'
import { type SourceFile, inlineSourceFile, readPackaged } from '../../formats/source-file.ts'
import type { ContractAdapter } from '../adapter/contract-adapter.ts'
import { type Integer, isObject, stringifyJson, withNumbers } from '../../formats/json.ts'
import {
  createGivenReportSchedules,
  type GivenReportSchedules,
} from '../../resources/report-schedules/given-report-schedules.ts'
import { type FixtureRules, type Fixtures, readFixtures, type Spare } from '../../seed/fixtures.ts'
import { createModel } from '../resources.ts'
import type { Resource } from '../../resources/resource.ts'
import { StartupError } from '../../errors/problem.ts'
import { MACHINE_CLOCK } from '../../engine/clock.ts'
import { type FileChoices, USUAL_CHOICES, type EntryRecord } from '../../resources/file-sets/entries/file-record.ts'
import type { KnownIds } from '../../engine/known-ids.ts'
import type { State } from '../../engine/state.ts'

// Here and not beside these types, which belong to the library's: a published file of types cannot augment a module that is not published.
declare module '../../engine/state.ts' {
  interface InitialStateOptions {
    readonly fixtures: Fixtures
  }
  // eslint-disable-next-line @typescript-eslint/no-empty-object-type
  interface StateRules extends FixtureRules {}
}

/** What a state is created from, besides the configuration. */
export interface Parents {
  readonly contract: Contract
  readonly bindings: Bindings
  readonly following: ContractAdapter | undefined
  readonly behaviours: Behaviours
  readonly resources: readonly Resource[]
  /** The user's own. */
  readonly fixtures: readonly SourceFile[]
  readonly ownerId: Integer
  /** The machine's clock, epoch ms. */
  readonly now: () => number
  /** The midnight that it was created at once before, epoch ms; a clock that stands still has its own. */
  readonly firstMoment?: number | undefined
  /** A state that was created before, whose generated file sets may be taken over. */
  readonly known?: State | undefined
}

/** The state at its first moment. */
export interface InitialState {
  readonly state: State
  /** The rules that its files were read by. */
  readonly rules: FixtureRules
  /** How report schedules that come from elsewhere than a request are read. */
  readonly given: GivenReportSchedules
  /** The fixtures that it was made from. */
  readonly fixtures: readonly SourceFile[]
  /** The behaviours that its files were made by. */
  readonly fileBehaviours: Readonly<Record<FileBehaviour, string>>
  readonly knownIds: KnownIds
  /** What people should know of it. */
  readonly notes: readonly string[]
}

/**
 * The state as it is at first.
 *
 * @throws StartupError for what is wrong in a fixture
 */
export function loadInitialState(
  config: Config,
  { contract, bindings, following, behaviours, fixtures: own, resources, ownerId, now, firstMoment, known }: Parents,
): InitialState {
  const create = [...bindings.values()].find(({ handlerKind }) => handlerKind === 'createReportSchedule')?.operation
  const follows = following?.as('createReportSchedule')?.follows
  const given = createGivenReportSchedules(behaviours, create?.checkBody ?? (() => []), follows)
  const moment = config.clock ?? firstMoment ?? now()
  let knownIds: KnownIds = {}
  const listsOf = () => ({ keys: config.keys, knownIds })
  const rules = createRules({ contract, following, behaviours, listsOf }, given, moment)
  const fixtures = allFixtures(config.files, own)
  const cut = fixtures.map((one, at) =>
    at === AWKWARD ? withPrecision(one, behaviours.settings['file.created-precision']) : one,
  )
  const read = readFixtures(cut, rules, following && spareOf(following, cut, rules.firstMoment))
  knownIds = read.knownIds
  const missing = findMissingLists(behaviours.settings, listsOf())
  if (missing.length > 0) throw new StartupError(missing.map(({ complaint }) => complaint))
  const beginning = {
    seed: config.seed,
    firstMoment: rules.firstMoment,
    choices: rules.choices,
    clock: config.clock === undefined ? MACHINE_CLOCK : { mode: 'frozen' as const, at: config.clock },
    fixtures: read,
    firstReportScheduleId: behaviours.settings['create.ids'],
    ownerId,
    readReportSchedule: (info: unknown) => given.complete(info),
  }
  const state = createModel(resources).initial(beginning, known)
  const leftOut = [...read.leftOut].map(
    ([file, { count, first }]) =>
      `${file}: ${count} of its entries and schedules do not fit ${contract.file} and are left out. The first: ${first}`,
  )
  const notes = following ? [...strangeFiles(state, contract, rules), ...leftOut] : []
  return { state, rules, given, fixtures, fileBehaviours: fileBehavioursOf(behaviours.settings), knownIds, notes }
}

const FILE_BEHAVIOURS = ['file.types', 'file.index', 'file.download-url', 'file.created-precision'] as const
type FileBehaviour = (typeof FILE_BEHAVIOURS)[number]

function fileBehavioursOf(settings: BehaviourSettings): Record<FileBehaviour, string> {
  const values = FILE_BEHAVIOURS.map((id) => {
    const value = settings[id]
    return [id, typeof value === 'string' ? value : stringifyJson(value)] as const
  })
  return Object.fromEntries(values) as Record<FileBehaviour, string>
}

/** So many files of a generated set are looked at. */
const SAMPLE = 50

/** Generated files are what they are; where a contract of the user's own does not allow them, that is said. */
function* strangeFiles({ fileSets }: State, { file }: Contract, rules: FixtureRules): Generator<string> {
  for (const { id, entries, generated } of fileSets.values()) {
    const step = Math.ceil(entries.base.files.count / SAMPLE)
    for (let slot = 0; generated && slot < entries.base.files.count; slot += step) {
      const record = entries.record(slot)
      const [first] = rules.checkRecord(record)
      if (!first) continue
      const { pointer = '', expected, received = 'nothing' } = first
      yield `${id}: ${record.path} does not fit ${file}: ${pointer}: expected ${expected}, got ${received}. Give file sets of your own with --fixtures.`
      break
    }
  }
}

const DAY = 86_400_000

/** @param moment epoch ms on the first day */
function createRules(
  {
    contract,
    following,
    behaviours,
    listsOf,
  }: Pick<Parents, 'contract' | 'following' | 'behaviours'> & { readonly listsOf: () => GivenLists },
  given: GivenReportSchedules,
  moment: number,
): FixtureRules {
  return {
    // The day and not the moment: a state that was started twice on one day is the same.
    firstMoment: Math.floor(moment / DAY) * DAY,
    choices: choicesOf(behaviours.settings),
    isAdded: (of, name) =>
      of === 'file'
        ? following?.entries?.fields.has(name) === true
        : following?.as('createReportSchedule')?.follows.added['']?.has(name) === true,
    checkRecord: following
      ? (record) => following.entries?.check(withNumbers(record) as EntryRecord) ?? []
      : (record) =>
          contract.check(record.fileType === 'DIRECTORY' ? 'DirectoryEntry' : 'FileRecord', withNumbers(record)),
    checkReportSchedule: (info) => given.check(info),
    checkOverrides: (overrides) =>
      checkOverrides(behaviours, overrides, (settings) => findMissingLists(settings, listsOf())),
  }
}

/** The package's own fixtures were written for the package's own contract. */
function spareOf(following: ContractAdapter, fixtures: readonly SourceFile[], firstMoment: number): Spare {
  const ofPackage = new Set(fixtures.slice(0, OF_THE_PACKAGE))
  const adapter = following.as('createReportSchedule')
  return {
    has: (document) => ofPackage.has(document),
    completeReportSchedule: (info) => adapter?.completeBody(info, firstMoment) ?? info,
  }
}

/** The fixtures that come with the package, and the set `demo`, stand before the user's own. */
export const OF_THE_PACKAGE = 3

/** The fixtures that come with the package, then the user's own, which may replace file sets of the same name. */
function allFixtures(files: number, own: readonly SourceFile[]): SourceFile[] {
  const demo = inlineSourceFile({ fileSets: [{ id: 'demo', generate: files }] }, 'demo')
  return [demo, readPackaged('fixtures/awkward.yaml'), readPackaged('fixtures/report-schedules.yaml'), ...own]
}

const DIGITS = { millis: 3, micros: 6, nanos: 9 } as const

/** The place of the fixture whose timestamps have nine fraction digits. */
const AWKWARD = 1

/** A fixture whose timestamps have so many fraction digits at most; what is finer is cut off. */
function withPrecision(document: SourceFile, precision: BehaviourSettings['file.created-precision']): SourceFile {
  if (precision === 'nanos') return document
  const cut = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(cut)
    if (!isObject(value)) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [
        name,
        name === 'created' && typeof inner === 'string' ? cutFraction(inner, DIGITS[precision]) : cut(inner),
      ]),
    )
  }
  return { ...document, value: cut(document.value) }
}

function cutFraction(created: string, digits: number): string {
  return created.replace(/\.(\d+)Z$/, (_, fraction: string) => `.${fraction.slice(0, digits)}Z`)
}

/** Undefined for the usual ones. */
function choicesOf(settings: BehaviourSettings): FileChoices | undefined {
  const choices = {
    ...settings['file.types'],
    index: settings['file.index'],
    downloadUrl: settings['file.download-url'],
  }
  return isDeepStrictEqual(choices, USUAL_CHOICES) ? undefined : choices
}
