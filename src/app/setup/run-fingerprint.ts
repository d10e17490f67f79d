import { basename } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { type Config, isOwnContract } from '../../config/config.ts'
import { SETTINGS } from '../../config/settings.ts'
import { packageVersion, type SourceFile } from '../../base/formats/source-file.ts'
import { type InitialState, OF_THE_PACKAGE } from './initial-state.ts'
import { type RunFingerprint, digestOf } from '../../engine/log/fingerprint.ts'

/**
 * Digests of everything that the initial state depends on.
 *
 * @param contract the whole document
 */
export function fingerprintOf(
  { seed, files, documents, clock }: Config,
  { rules, fixtures, generatedBy }: InitialState,
  contract: unknown,
): RunFingerprint {
  return {
    standin: packageVersion(),
    seed,
    files,
    documents,
    clock: clock === undefined ? 'machine' : new Date(clock).toISOString(),
    firstMoment: new Date(rules.firstMoment).toISOString(),
    contract: digestOf(contract),
    fixtures: fixtures.map(({ file, value }) => ({ name: basename(file), digest: digestOf(value) })),
    behaviours: generatedBy,
  }
}

/**
 * The settings that responses depend on, with contract and fixtures inlined.
 *
 * @param rename replaces each key in the replay file
 * @param contract the whole document
 */
export function replaySettings(
  config: Config,
  fixtures: readonly SourceFile[],
  rename: (key: string) => string,
  contract: unknown,
): Readonly<Record<string, unknown>> {
  const { seed, files, documents, clock, profile, behaviours, keys, origins, hosts, host } = config
  return {
    seed,
    files,
    documents,
    ...(clock === undefined ? {} : { clock: new Date(clock).toISOString() }),
    fixtures: fixtures.slice(OF_THE_PACKAGE).map(({ value }) => value),
    ...(isOwnContract(config) ? { contract } : {}),
    profile: typeof profile === 'string' ? profile : { behaviours: settingsOf(profile.behaviours) },
    behaviours: settingsOf(behaviours),
    keys: keys.map((one) => ({ ...one, key: rename(one.key) })),
    origins,
    hosts,
    host,
  }
}

const STARTING = ['contract', 'overlay', 'handlers', 'fixtures', 'folders', 'seed', 'files', 'documents'] as const

/** The options of a stand-in that begins and responds as this one, with files as they were named. */
export function optionsOf(config: Config, { rules }: InitialState): Readonly<Record<string, unknown>> {
  const { profile, behaviours, clock = rules.firstMoment } = config
  const given = STARTING.flatMap((name) => {
    const value = config[name]
    // Handlers that were given as code have no file.
    const isShown = typeof value !== 'object' || name !== 'handlers'
    return isShown && !isDeepStrictEqual(value, SETTINGS[name].byDefault) ? [[name, value] as const] : []
  })
  const own = { ...(typeof profile === 'string' ? {} : settingsOf(profile.behaviours)), ...settingsOf(behaviours) }
  return {
    ...Object.fromEntries(given),
    ...(typeof profile !== 'string' || profile === SETTINGS.profile.byDefault ? {} : { profile }),
    ...(Object.keys(own).length === 0 ? {} : { behaviours: own }),
    clock: new Date(clock).toISOString(),
  }
}

function settingsOf(overrides: Config['behaviours']): Readonly<Record<string, unknown>> {
  return Object.fromEntries(overrides.map(({ id, value }) => [id, value]))
}
