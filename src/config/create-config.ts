import { shown, StartupError } from '../base/errors/problem.ts'
import { nearest } from '../base/errors/wording.ts'
import type { Config, Setting } from './config.ts'
import { type SettingPlace, SETTINGS } from './settings.ts'

/** Settings from one place, not checked yet. */
export interface SettingSource {
  /** For messages: `--port`, `STANDIN_PORT`, `standin.yaml:3`. */
  nameOf(setting: string, pointer?: string): string
  /** Whether that name is a place in a file, so that messages name the setting besides. */
  readonly isFile?: boolean
  readonly values: Readonly<Record<string, unknown>>
}

/** What is wrong in what the settings name, except for the settings that could not be read. */
type FindMore = (config: Config, unread: ReadonlySet<Setting>) => readonly string[]

export const SETTING_NAMES = Object.keys(SETTINGS) as readonly Setting[]

/** A service that handles a part of the operations: only a server forwards to it. */
export const OF_SERVICE: readonly Setting[] = ['upstream', 'mock', 'pass', 'fallback', 'join', 'record']

const DEFAULTS = {
  ...Object.fromEntries(SETTING_NAMES.map((setting) => [setting, SETTINGS[setting].byDefault])),
  names: {},
} as unknown as Config

/**
 * Merges the sources over the defaults: a later source wins, and behaviours add up.
 *
 * @param findMore called when a setting is wrong, so that everything that is wrong is reported at once
 * @throws StartupError naming the source of each wrong value, what was expected and what was received
 */
export function createConfig(sources: readonly SettingSource[], findMore: FindMore = () => []): Config {
  const complaints: string[] = []
  const unread = new Set<Setting>()
  let config = DEFAULTS
  for (const source of sources) {
    for (const [name, value] of Object.entries(source.values)) {
      if (value === undefined) continue
      const setting = SETTING_NAMES.find((one) => one === name)
      const found: string[] = []
      if (setting) config = withSetting(config, { setting, value, source, complaints: found })
      else found.push(`${source.nameOf(name)}: There is no setting \`${name}\`. ${hint(name)}`)
      if (setting && found.length > 0) unread.add(setting)
      complaints.push(...found)
    }
  }
  if (complaints.length > 0) throw new StartupError([...complaints, ...findMore(config, unread)])
  // What such a service does not have would be an invented item, and not one that was created here.
  const isEmpty = (config.fallback.includes(404) || config.join) && config.names.documents === undefined
  return Object.freeze(isEmpty ? { ...config, documents: 0 } : config)
}

interface GivenSetting {
  readonly setting: Setting
  readonly value: unknown
  readonly source: SettingSource
  readonly complaints: string[]
}

/** The configuration with one more setting; without it when the setting is wrong. */
function withSetting(config: Config, { setting, value, source, complaints }: GivenSetting): Config {
  let nameOf = (pointer: string) => `${source.nameOf(setting, pointer)}${source.isFile ? `: ${setting}` : ''}`
  const complain = (complaint: string, name = nameOf('')) => void complaints.push(`${name}: ${complaint}`)
  const place: SettingPlace = {
    before: config[setting],
    placeOf: (pointer) => source.nameOf(setting, pointer),
    nameOf,
    rename: (other) => void (nameOf = other),
    complain,
    expect(expected, received, found) {
      if (found === undefined) complain(`Expected ${expected}; got ${shown(received)}.`)
      return found
    },
  }
  let read: unknown
  try {
    read = SETTINGS[setting].read(value, place)
  } catch (error) {
    if (!(error instanceof StartupError)) throw error
    complaints.push(...error.complaints)
  }
  return {
    ...config,
    ...(read === undefined ? {} : { [setting]: read }),
    names: { ...config.names, [setting]: nameOf },
  }
}

function hint(setting: string): string {
  const near = nearest(setting, SETTING_NAMES)
  return near === undefined ? `Settings: ${SETTING_NAMES.join(', ')}.` : `Did you mean \`${near}\`?`
}
