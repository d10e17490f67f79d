import { SETTINGS, type Source } from './config.ts'
import { nearest } from '../errors/wording.ts'

type Environment = Readonly<Record<string, string | undefined>>

/**
 * The settings of the environment: `STANDIN_PORT`, `STANDIN_BEHAVIOURS`. Lists have commas, behaviours semicolons. Kubernetes
 * sets `STANDIN_PORT` to an address such as `tcp://10.0.0.1:4010` wherever a service is called `standin`: such a value is ignored.
 */
export function environmentSource(environment: Environment): Source {
  const entries = SETTINGS.map((setting) => [setting, environment[variable(setting)]] as const)
  const isMeant = ([setting, value]: readonly [string, string | undefined]) =>
    value !== undefined && value !== '' && !(setting === 'port' && isAddress(value))
  const values = Object.fromEntries(entries.filter(isMeant))
  if (typeof values.fixtures === 'string')
    return { nameOf: variable, values: { ...values, fixtures: values.fixtures.split(',') } }
  return { nameOf: variable, values }
}

function variable(setting: string): string {
  return `${PREFIX}${inCapitals(setting.replaceAll(/[A-Z]/g, (letter) => `-${letter}`))}`
}

function inCapitals(name: string): string {
  return name.replaceAll('-', '_').toUpperCase()
}

function isAddress(value: string): boolean {
  return /^[a-z]+:\/\//.test(value)
}

const PREFIX = 'STANDIN_'

/**
 * A sentence for each variable that has no effect but resembles a known one. Names that resemble none are ignored, and so are those that
 * Kubernetes sets for services whose names begin with `standin`.
 *
 * @param flags by setting, the flag that has another name than it, such as `--allow-origin`; people derive the variable from it
 */
export function unknownVariables(environment: Environment, flags: Readonly<Record<string, string>>): string[] {
  const known = new Map([...SETTINGS, 'config'].map((setting) => [variable(setting).slice(PREFIX.length), setting]))
  for (const [setting, flag] of Object.entries(flags)) {
    const name = inCapitals(flag.slice('--'.length))
    if (!known.has(name)) known.set(name, setting)
  }
  return Object.entries(environment).flatMap(([name, value = '']) => {
    const rest = name.slice(PREFIX.length)
    if (!name.startsWith(PREFIX) || value === '' || isOfKubernetes(rest, value)) return []
    const setting = known.get(nearest(rest, known.keys()) ?? '')
    if (setting === undefined || name === variable(setting)) return []
    return [`${name}: There is no such setting. Did you mean ${variable(setting)}?`]
  })
}

/** `STANDIN_SERVICE_HOST`, `STANDIN_PORT_80_TCP_ADDR`, and those of a service `standin-web`: `STANDIN_WEB_PORT=tcp://…`. */
function isOfKubernetes(rest: string, value: string): boolean {
  return (
    /(^|_)SERVICE_(HOST|PORT)(_|$)/.test(rest) ||
    /(^|_)PORT_\d+_(TCP|UDP|SCTP)(_|$)/.test(rest) ||
    (/(^|_)PORT$/.test(rest) && isAddress(value))
  )
}
