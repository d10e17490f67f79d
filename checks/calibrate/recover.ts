import { isDeepStrictEqual } from 'node:util'
import { MACHINE } from '../../src/app/setup/machine.ts'
import { type BehaviourCatalog, readCatalog } from '../../src/behaviours/catalog.ts'
import { calibrate, calibrateFrom, type Calibration, type Result } from '../../src/truth/calibrate/calibrate.ts'
import type { Givens } from '../../src/truth/calibrate/probe.ts'
import { readPackaged } from '../../src/base/formats/source-file.ts'
import { createStandin } from '../../src/index.ts'
import { createTarget, type Target } from '../../src/truth/recordings/target.ts'
import { createChance, drawSettings } from './random-settings.ts'
import { recordSession } from './session.ts'

export const CATALOG: BehaviourCatalog = readCatalog(readPackaged('spec/behaviours.yaml').value)

const KEY_HEADER = 'X-SERVICE-Developer-Token'

/** A calibration of a stand-in with random settings. */
export interface Recovery {
  readonly seed: number
  readonly settings: Readonly<Record<string, unknown>>
  readonly calibration: Calibration
  /** Settled, but not as the stand-in was set. */
  readonly wrong: readonly Result[]
  /** Not settled, though the catalogue does not say that this may happen. */
  readonly undeclared: readonly Result[]
}

export interface RecoverOptions {
  /** The behaviours whose settings are random; all when absent. */
  readonly only?: ReadonlySet<string> | undefined
  /** Instead of a random one. */
  readonly settings?: Readonly<Record<string, unknown>>
  /** The probes that are run; all when absent. */
  readonly probes?: ReadonlySet<string>
}

/** Starts a stand-in with a random setting of every behaviour, and calibrates against it. */
export async function recover(seed: number, options: RecoverOptions = {}): Promise<Recovery> {
  return withService(seed, options, async ({ send }, settings) => {
    const allowWrites = true
    const calibration = await calibrate({ catalog: CATALOG, givens: GIVENS, send, allowWrites, only: options.probes })
    return { seed, settings, calibration, ...judge(calibration, settings) }
  })
}

/** Starts one, and concludes from what a browser would have recorded of a client of it. */
export async function recoverFromSession(seed: number, options: RecoverOptions & { readonly requests: number }) {
  return withService(seed, options, async (target, settings): Promise<Recovery> => {
    const { keyHeader, key, fileSet } = GIVENS
    const { requests } = options
    const chance = createChance(seed + 1_000_000)
    const recorded = await recordSession({ target, chance, fileSet, key, keyHeader, requests })
    const calibration = calibrateFrom(recorded, { catalog: CATALOG, keyHeader })
    return { seed, settings, calibration, ...judge(calibration, settings) }
  })
}

async function withService<Result>(
  seed: number,
  { only, settings: given }: RecoverOptions,
  use: (target: Target, settings: Recovery['settings']) => Promise<Result>,
): Promise<Result> {
  const chance = createChance(seed)
  const settings = given ?? drawSettings(CATALOG, chance, only)
  // Calendars differ with the time of the year.
  const hours = Math.floor(chance() * 365 * 24)
  const standin = createStandin({
    seed,
    files: 10,
    fixtures: [chance() < 0.75 ? witnesses(chance) : plain(chance)],
    keys: [
      { key: 'first-key-1', userId: 1, directories: { [FILE_SET]: ['/'], [OTHER_FILE_SET]: ['/'] } },
      { key: 'second-key-2', userId: 2, directories: { [FILE_SET]: ['reports'] } },
    ],
    // Listed keys would otherwise have no others accepted.
    behaviours: { 'auth.keys': 'any', ...settings },
    now: () => MACHINE.realNow() + hours * 3_600_000,
  })
  const url = await standin.start()
  try {
    const { signal } = new AbortController()
    const target = createTarget({ url, rate: Infinity, timeout: 10_000, machine: MACHINE, signal })
    return await use(target, settings)
  } finally {
    await standin.stop()
  }
}

/** The same from what another run sent, as if it had been recorded. */
export function recoverFrom({
  calibration: { exchanges },
  settings,
}: Recovery): Pick<Recovery, 'wrong' | 'undeclared'> {
  return judge(calibrateFrom(exchanges, { catalog: CATALOG, keyHeader: KEY_HEADER }), settings)
}

const [FILE_SET, OTHER_FILE_SET] = ['6f1f6a0e-2f0b-4c52-9d5b-4f3e1c2a7b10', '0b9a51c4-6d53-4a5e-8f3a-1d2c3b4a5f60']

const GIVENS: Givens = {
  keyHeader: KEY_HEADER,
  key: 'first-key-1',
  otherKey: 'second-key-2',
  fileSet: FILE_SET,
  otherFileSet: OTHER_FILE_SET,
  pageId: 1,
  viewId: 2,
  groupId: 7,
}

function judge({ results }: Calibration, settings: Readonly<Record<string, unknown>>) {
  const byId = new Map(CATALOG.behaviours.map((behaviour) => [behaviour.id, behaviour]))
  return {
    wrong: results.filter(({ id, finding }) => {
      const expected = id in settings ? settings[id] : byId.get(id)?.default
      return finding.kind === 'settled' && !isDeepStrictEqual(sorted(finding.value), sorted(expected))
    }),
    undeclared: results.filter(({ id, finding }) => finding.kind === 'open' && byId.get(id)?.unsettled === undefined),
  }
}

/** The order of a list of words says nothing. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(String).toSorted()
  return typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, sorted(inner)]))
    : value
}

const OTHER = { id: OTHER_FILE_SET, files: [{ path: 'else/where.txt' }, { path: 'there.txt' }] }

/** What fixtures list besides file sets. */
const KNOWN = { pages: [1], views: [2, 3], users: [1, 2], groups: [7] }

/** A file set as most are: nothing in it was made for a question. */
function plain(chance: () => number) {
  const files = Array.from({ length: 30 + Math.floor(chance() * 200) }, (_, at) => ({
    path: `${['invoices', 'contracts', 'photos/2025', ''][at % 4] ?? ''}/document ${at}.pdf`.replace(/^\//, ''),
    size: Math.floor(chance() * 1e6),
    created: createdAt(at),
    createdBy: 1 + (at % 2),
  }))
  return { ...KNOWN, fileSets: [{ id: FILE_SET, files }, OTHER] }
}

/** A file set that has an entry for each question: names that differ by case only, with wildcards, of the same size and date. */
function witnesses(chance: () => number) {
  const names = [
    'Report.csv',
    'report.CSV',
    'report.csv',
    'a_c.txt',
    'abc.txt',
    '100%.csv',
    '100 percent.csv',
    'zeta.bin',
  ]
  const files = ['reports', 'reports/2026', 'Reports', 'rep', 'deep/a/b/c', 'archive'].flatMap((directory, d) =>
    names.map((name, n) => ({
      path: `${directory}/${name}`,
      size: [0, 9, 10, 100, 2048][(d + n) % 5],
      created: createdAt((d * names.length + n) % 50),
      createdBy: 1 + ((d + n) % 3),
      ...(n % 4 === 0 ? { connectorKey: 'drive', indexStatus: 'INDEXED' } : {}),
    })),
  )
  const more = Array.from({ length: 60 + Math.floor(chance() * 200) }, (_, at) => ({
    path: `bulk/${at % 7}/file ${at}.txt`,
    size: at * 37,
    created: createdAt(at % 60),
    createdBy: 1 + (at % 2),
  }))
  return { ...KNOWN, fileSets: [{ id: FILE_SET, files: [...files, ...more, ...ODD] }, OTHER] }
}

/** Files of each category, a directory with an accent, and directories that have entries of their own. */
const ODD = [
  ...['photo.png', 'song.mp3', 'clip.mp4', 'paper.pdf'].map((name) => ({ path: `caf\u00e9/${name}` })),
  { path: 'archive', fileType: 'DIRECTORY', created: createdAt(1), createdBy: 1 },
  { path: 'empty', fileType: 'DIRECTORY', created: createdAt(2), createdBy: 1 },
]

function createdAt(minute: number): string {
  return new Date(Date.UTC(2026, 0, 15, 10, minute, 30, 250)).toISOString()
}
