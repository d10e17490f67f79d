import { basename } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { type Config, isOwnContract } from '../../config/config.ts'
import { SETTINGS } from '../../config/settings.ts'
import { packageVersion } from '../../base/formats/source-file.ts'
import { withoutSandbox } from '../../http/sandbox-name.ts'
import type { Sandbox } from '../../engine/sandbox.ts'
import type { Steps } from '../../engine/slices.ts'
import type { LoadedSetup } from '../setup/load.ts'
import { type ReplayParts, type WholeReplay, writeReplay } from './write-replay.ts'
import { type RunFingerprint, digestOf } from '../../engine/stores/fingerprint.ts'

/** Digests of everything that the initial state depends on. */
export function fingerprintOf({ config, contract, rules, fixtures, generatedBy }: LoadedSetup): RunFingerprint {
  const { seed, files, documents, locale, clock } = config
  return {
    standin: packageVersion(),
    seed,
    files,
    documents,
    ...(locale === 'en' ? {} : { locale }),
    clock: clock === undefined ? 'machine' : new Date(clock).toISOString(),
    firstMoment: new Date(rules.firstMoment).toISOString(),
    contract: digestOf(contract.document),
    fixtures: fixtures.map(({ file, value }) => ({ name: basename(file), digest: digestOf(value) })),
    behaviours: generatedBy,
  }
}

/** What writes replays of an instance. */
export function createReplayWriter(
  loaded: LoadedSetup,
  run: Pick<ReplayParts, 'initialState' | 'redactor'> & { readonly fingerprint: () => RunFingerprint },
): (sandbox: Sandbox) => Steps<WholeReplay> {
  const { keys, resources } = loaded
  const parts = {
    ...run,
    isTiedToKey: (token: string, seed: number) => resources.some((one) => one.isTiedToKey?.(token, seed)),
    settings: (rename: (key: string) => string) => replaySettings(loaded, rename),
    withoutSandbox: (key: string) => (keys.listed.has(key) ? key : withoutSandbox(key)),
  }
  return (sandbox) => writeReplay(sandbox, { ...parts, fingerprint: run.fingerprint() })
}

/** The settings that responses depend on, with contract and fixtures inlined. @param rename replaces each key in the replay file */
function replaySettings(
  { config, contract, ownFixtures, ownOperations, ownStubs }: LoadedSetup,
  rename: (key: string) => string,
): Readonly<Record<string, unknown>> {
  const { seed, files, documents, locale, clock, profile, behaviours, keys, origins, hosts, host } = config
  return {
    seed,
    files,
    documents,
    ...(locale === 'en' ? {} : { locale }),
    ...(clock === undefined ? {} : { clock: new Date(clock).toISOString() }),
    fixtures: ownFixtures.map(({ value }) => value),
    ...(isOwnContract(config) ? { contract: contract.document } : {}),
    profile: typeof profile === 'string' ? profile : { behaviours: settingsOf(profile.behaviours) },
    behaviours: settingsOf(behaviours),
    keys: keys.map((one) => ({ ...one, key: rename(one.key) })),
    origins,
    hosts,
    host,
    ...(config.selfCheck ? { selfCheck: true } : {}),
    ...(config.validation === 'refuse' ? {} : { validation: config.validation }),
    ...(ownStubs.length > 0 ? { stubs: ownStubs.map(({ value }) => value) } : {}),
    ...(ownOperations.length > 0 ? { ownOperations } : {}),
  }
}

const STARTING = [
  'contract',
  'overlay',
  'handlers',
  'stubs',
  'fixtures',
  'folders',
  'seed',
  'files',
  'documents',
  'locale',
  'values',
  'validation',
] as const

/** The options of a stand-in that begins and responds as this one, with files as they were named. */
export function optionsOf({ config, rules }: LoadedSetup): Readonly<Record<string, unknown>> {
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
