import { checkOverrides, findMissingLists } from './sandbox-behaviours.ts'
import type { BehaviourSettings } from '../../../types/behaviour-settings.d.ts'
import { isBound } from '../binding/binding.ts'
import type { Config } from '../../config/config.ts'
import { SETTINGS } from '../../config/settings.ts'
import { type SourceFile, inlineSourceFile, readPackaged } from '../../base/formats/source-file.ts'
import { isObject, stringifyJson } from '../../base/formats/json.ts'
import type { LoadedParts } from './load-parts.ts'
import { readFixtures } from '../../resources/fixtures/fixtures.ts'
import { createModel } from '../resources.ts'
import type { Resource, RuleParts } from '../../resources/resource.ts'
import { StartupError } from '../../base/errors/problem.ts'
import { MACHINE_CLOCK } from '../../engine/clock/clock.ts'
import type { State, StateRules } from '../../engine/state.ts'

/** What an initial state is created from, besides the configuration. */
interface Parents extends LoadedParts {
  readonly resources: readonly Resource[]
  /** The machine's clock, epoch ms. */
  readonly realNow: () => number
  /** The midnight that an earlier initial state began at, epoch ms; a frozen clock has its own. */
  readonly firstMoment?: number | undefined
  /** An earlier initial state, whose generated file sets are reused where they are the same. */
  readonly known?: State | undefined
}

export interface InitialState {
  readonly state: State
  /** How its files were read. */
  readonly rules: StateRules
  /** The fixtures that it was created from. */
  readonly fixtures: readonly SourceFile[]
  /** The settings of the behaviours that its things were made by. */
  readonly generatedBy: Readonly<Record<string, string>>
  /** Messages about it. */
  readonly notes: readonly string[]
}

/**
 * Reads the fixtures and creates the initial state.
 *
 * @throws StartupError for what is wrong in a fixture
 */
export function loadInitialState(config: Config, parents: Parents): InitialState {
  const { contract, contractAdapter, behaviours, keys, resources, realNow, firstMoment: before, known } = parents
  const { settings } = behaviours
  const rules = createRules(config, parents, config.clock ?? before ?? realNow())
  const fixtures = allFixtures(config.files, parents)
  const cut = fixtures.map((one, at) => (at === AWKWARD ? withPrecision(one, settings['file.created-precision']) : one))
  const packaged = new Set(cut.slice(0, OF_THE_PACKAGE))
  const sections = resources.flatMap((resource) => resource.fixtures ?? [])
  const isPackagedContract = contractAdapter === undefined
  const read = readFixtures(cut, { rules, sections, packaged, isPackagedContract })
  const missing = findMissingLists(settings, { keys: config.keys, resources })
  if (missing.length > 0) throw new StartupError(missing.map(({ complaint }) => complaint))
  const clock = config.clock === undefined ? MACHINE_CLOCK : { mode: 'frozen' as const, at: config.clock }
  const { firstMoment } = rules
  const options = {
    seed: config.seed,
    firstMoment,
    clock,
    settings,
    rules,
    fixtures: read.fixtures,
    ownerId: keys.anyone.userId,
  }
  const state = createModel(resources).initial(options, known)
  const made = { state, rules, fixtures, generatedBy: settingsOfGenerated(resources, settings) }
  if (isPackagedContract) return { ...made, notes: [] }
  const leftOut = [...read.leftOut].map(
    ([file, { count, first }]) =>
      `${file}: ${count} of its entries and schedules do not fit ${contract.file} and are left out. The first: ${first}`,
  )
  const found = resources.flatMap((resource) => [...(resource.notes?.(state, rules, contract.file) ?? [])])
  return { ...made, notes: [...found, ...leftOut] }
}

function settingsOfGenerated(resources: readonly Resource[], settings: BehaviourSettings): Record<string, string> {
  const ids = resources.flatMap(({ generatedBy = [] }) => generatedBy)
  return Object.fromEntries(
    ids.map((id) => {
      const value = settings[id]
      return [id, typeof value === 'string' ? value : stringifyJson(value)]
    }),
  )
}

const DAY = 86_400_000

/** @param moment epoch ms on the first day */
function createRules({ keys, seed, documents }: Config, parents: Parents, moment: number): StateRules {
  const { contract, bindings, contractAdapter, behaviours, resources } = parents
  // The day, not the moment, so that two starts on one day create the same state.
  const firstMoment = Math.floor(moment / DAY) * DAY
  const parts: RuleParts = {
    contract,
    behaviours,
    firstMoment,
    documents,
    seed,
    hasOwnHandlers: [...bindings.values()].some(({ kind }) => kind === 'own'),
    isPackaged: contractAdapter === undefined,
    operation: (name) => [...bindings.values()].find(({ handlerKind }) => handlerKind === name)?.operation,
    adapter: (name) => contractAdapter?.as(name),
  }
  const rules: Pick<StateRules, 'firstMoment' | 'checkOverrides'> = {
    firstMoment,
    checkOverrides: (overrides) => checkOverrides(behaviours, overrides, { keys, resources }),
  }
  return Object.assign(rules, ...resources.map((resource) => resource.createRules?.(parts))) as StateRules
}

/** How many fixtures come before the user's own: the file set `demo`, and two files of the package. */
export const OF_THE_PACKAGE = 3

/** The user's own come last, and may replace file sets of the same name. */
function allFixtures(files: number, { fixtures: own, resources, bindings }: Parents): SourceFile[] {
  const demo = files === SETTINGS.files.byDefault ? USUAL_DEMO : demoOf(files)
  const packaged = [demo, readPackaged('fixtures/awkward.yaml'), readPackaged('fixtures/report-schedules.yaml')]
  const unbound = resources.filter((resource) => !isBound(resource, bindings))
  const unused = new Set(unbound.flatMap(({ fixtures }) => fixtures?.members ?? []))
  return [...packaged.map((one) => withoutMembers(one, unused)), ...own]
}

function demoOf(files: number): SourceFile {
  return inlineSourceFile({ fileSets: [{ id: 'demo', generate: files }] }, 'demo')
}

/** The servers of a process share this one. */
const USUAL_DEMO: SourceFile = { ...demoOf(SETTINGS.files.byDefault), isConstant: true }

/** A fixture without what no operation of the contract would show. */
function withoutMembers(document: SourceFile, names: ReadonlySet<string>): SourceFile {
  const all = Object.entries(document.value as object)
  const members = all.filter(([name]) => !names.has(name))
  return members.length === all.length ? document : { ...document, value: Object.fromEntries(members) }
}

const DIGITS = { millis: 3, micros: 6, nanos: 9 } as const

/** The index of the fixture whose timestamps have nine fraction digits. */
const AWKWARD = 1

type Precision = BehaviourSettings['file.created-precision']

/** What a packaged fixture was last cut to. */
const cutFixtures = new WeakMap<object, { readonly precision: Precision; readonly value: unknown }>()

/** Cuts the timestamps of a fixture to the precision of `file.created-precision`. */
function withPrecision(document: SourceFile, precision: Precision): SourceFile {
  if (precision === 'nanos') return document
  const given = document.value as object
  const known = cutFixtures.get(given)
  if (known?.precision === precision) return { ...document, value: known.value }
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
  const value = cut(given)
  cutFixtures.set(given, { precision, value })
  return { ...document, value }
}

function cutFraction(created: string, digits: number): string {
  return created.replace(/\.(\d+)Z$/, (_, fraction: string) => `.${fraction.slice(0, digits)}Z`)
}
