import { basename } from 'node:path'
import { type Config, isOwnContract } from '../../config/config.ts'
import { packageVersion, type SourceFile } from '../../formats/source-file.ts'
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

function settingsOf(overrides: Config['behaviours']): Readonly<Record<string, unknown>> {
  return Object.fromEntries(overrides.map(({ id, value }) => [id, value]))
}
