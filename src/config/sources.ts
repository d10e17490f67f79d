import { StartupError } from '../base/errors/problem.ts'
import { nearest } from '../base/errors/wording.ts'
import { isObject } from '../base/formats/json.ts'
import { readSourceFile, type SourceFile } from '../base/formats/source-file.ts'
import type { Setting } from './config.ts'
import { SETTING_NAMES, type SettingSource } from './create-config.ts'
import { SETTINGS } from './settings.ts'

type EnvironmentVariables = Readonly<Record<string, string | undefined>>

/** The configuration file, the environment and the flags: a later one overrides those before it. */
export function sourcesOf(
  flags: Readonly<Record<string, unknown>>,
  environment: EnvironmentVariables,
): SettingSource[] {
  const { config = environment.STANDIN_CONFIG } = flags
  const namedBy = flags.config === undefined ? 'STANDIN_CONFIG' : '--config'
  const isNamed = typeof config === 'string' && config !== ''
  const file = isNamed ? [fileSource(readSourceFile(config, { namedBy }))] : []
  return [...file, environmentSource(environment), flagSource(flags)]
}

/** The settings of a configuration file. */
function fileSource({ value, file, lineOf }: SourceFile): SettingSource {
  if (value !== null && !isObject(value)) throw new StartupError([`${file}:1: Expected settings as \`name: value\`.`])
  // JSON files name their schema so, for editors.
  const { $schema: _schema, ...values } = value ?? {}
  return {
    nameOf: (setting, pointer = '') => `${file}:${lineOf(`/${setting}${pointer}`)}`,
    isFile: true,
    values,
  }
}

/** The settings that the command line was given. @param flags as commander parses them */
function flagSource(flags: Readonly<Record<string, unknown>>): SettingSource {
  const valueOf = (setting: Setting) => {
    const words = flagOf(setting).replace(/^--(no-)?/, '')
    const value = flags[words.replaceAll(/-[a-z]/g, (part) => part.charAt(1).toUpperCase())]
    // There is only a flag for no control API; without it the parser says true.
    return setting === 'control' && value === true ? undefined : value
  }
  return {
    nameOf: (setting) => flagOf(setting as Setting),
    values: Object.fromEntries(SETTING_NAMES.map((setting) => [setting, valueOf(setting)])),
  }
}

/** `--allow-origin` of `origins`. */
function flagOf(setting: Setting): string {
  return SETTINGS[setting].flag.split(' ')[0] ?? ''
}

/**
 * The settings of the environment: `STANDIN_PORT`, `STANDIN_BEHAVIOURS`. Lists have commas, behaviours semicolons. Kubernetes
 * sets `STANDIN_PORT` to an address such as `tcp://10.0.0.1:4010` wherever a service is called `standin`: such a value is ignored.
 */
export function environmentSource(environment: EnvironmentVariables): SettingSource {
  const values = Object.fromEntries(
    SETTING_NAMES.flatMap((setting) => {
      const value = environment[variable(setting)] ?? ''
      if (value === '' || (setting === 'port' && isAddress(value))) return []
      return [[setting, ['fixtures', 'overlay', 'allowRef', 'stubs'].includes(setting) ? value.split(',') : value]]
    }),
  )
  return { nameOf: variable, values }
}

/**
 * A sentence for each variable that has no effect but resembles a known one. Names that resemble none are ignored, and so are those that
 * Kubernetes sets for services whose names begin with `standin`.
 */
export function unknownVariables(environment: EnvironmentVariables): string[] {
  // A flag can have another name than its setting, and people derive the variable from it.
  const byFlag = SETTING_NAMES.map((setting) => [variable(flagOf(setting).slice(2)), variable(setting)] as const)
  const byName = [...SETTING_NAMES, 'config'].map((setting) => [variable(setting), variable(setting)] as const)
  const known = new Map([...byName, ...byFlag])
  return Object.entries(environment).flatMap(([name, value = '']) => {
    if (!name.startsWith(PREFIX) || value === '' || isOfKubernetes(name, value)) return []
    const near = nearest(
      name.slice(PREFIX.length),
      [...known.keys()].map((one) => one.slice(PREFIX.length)),
    )
    const meant = near === undefined ? undefined : known.get(PREFIX + near)
    if (meant === undefined || name === meant) return []
    return [`${name}: There is no such setting. Did you mean ${meant}?`]
  })
}

const PREFIX = 'STANDIN_'

/** `STANDIN_MAX_SANDBOXES` of `maxSandboxes` or `max-sandboxes`. */
export function variable(name: string): string {
  return `${PREFIX}${name.replaceAll(/[A-Z]/g, '_$&').replaceAll('-', '_').toUpperCase()}`
}

function isAddress(value: string): boolean {
  return /^[a-z]+:\/\//.test(value)
}

/** `STANDIN_SERVICE_HOST`, `STANDIN_PORT_80_TCP_ADDR`, and those of a service `standin-web`: `STANDIN_WEB_PORT=tcp://…`. */
function isOfKubernetes(name: string, value: string): boolean {
  return (
    /_SERVICE_(HOST|PORT)(_|$)/.test(name) ||
    /_PORT_\d+_(TCP|UDP|SCTP)(_|$)/.test(name) ||
    (name.endsWith('_PORT') && isAddress(value))
  )
}
