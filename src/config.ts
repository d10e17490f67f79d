import type { Override } from './behaviours/behaviours.ts'
import { parseOverride } from './behaviours/behaviours.ts'
import { isMailServer } from './config/is-mail-server.ts'
import { type FolderSetting, readFolderSettings } from './config/read-folders.ts'
import { type Document, readDocument } from './document.ts'
import { nearest } from './nearest.ts'
import { shown, StartRefused } from './problem.ts'
import { MOST_FILES } from './seed/fixtures.ts'
import { FIRST_INSTANT, LAST_INSTANT } from './world/clock.ts'
import { parseInstant } from './world/instant.ts'

/** Every setting, decided. */
export interface Config {
  readonly host: string
  /** 0 picks a free one. */
  readonly port: number
  readonly seed: number
  /** Size of the file set `demo`. */
  readonly files: number
  /** Epoch ms where the clock stands still; undefined for the machine's clock. */
  readonly clock: number | undefined
  /** Paths, or fixtures themselves. */
  readonly fixtures: readonly unknown[]
  /** Path of an OpenAPI document; undefined for the one that comes with the package. */
  readonly contract: string | undefined
  readonly profile: string
  readonly behaviours: readonly Override[]
  readonly keys: readonly KeySetting[]
  readonly origins: readonly string[]
  readonly hosts: readonly string[]
  readonly log: LogMode
  /** How many sandboxes there may be, the default one included. */
  readonly maxSandboxes: number
  /** Whether there is a control API. */
  readonly control: boolean
  /** What callers of the control API must bear; undefined lets in whoever is on this machine. */
  readonly controlToken: string | undefined
  /** Address of a mail catcher that gets each delivery; undefined sends none. */
  readonly smtp: string | undefined
  /** Real folders that become file sets. */
  readonly folders: readonly FolderSetting[]
  /** Path of a directory that keeps every sandbox's log; undefined for memory alone. */
  readonly data: string | undefined
  /** Whether each change waits until the disk has it. */
  readonly fsync: boolean
  /** The user's own operations; undefined for none. A path is the command line's to import, which cannot be done at once. */
  readonly handlers: HandlersSetting | string | undefined
  /** Whether the answers of the built-in operations too are held against the contract. */
  readonly selfCheck: boolean
  /** Whether files that change are taken up while it runs. */
  readonly watch: boolean
}

/** What a file of handlers exports, or `createStandin` was given; not looked at yet. */
export interface HandlersSetting {
  /** For messages. */
  readonly from: string
  readonly definitions: unknown
}

export type LogMode = 'pretty' | 'json' | 'silent'

export interface KeySetting {
  readonly key: string
  /** Positive; 1 when absent. */
  readonly userId?: number
  /** The operations that the key may use, by operationId; all when absent. */
  readonly rights?: readonly string[]
}

/** Settings from one place, not checked yet. */
export interface Source {
  /** For messages: `--port`, `STANDIN_PORT`, `standin.yaml:3`. */
  nameOf(setting: string, pointer?: string): string
  readonly values: Readonly<Record<string, unknown>>
}

const DEFAULTS: Config = {
  host: '127.0.0.1',
  port: 4010,
  seed: 42,
  files: 1000,
  clock: undefined,
  fixtures: [],
  contract: undefined,
  profile: 'default',
  behaviours: [],
  keys: [],
  origins: [],
  hosts: [],
  log: 'pretty',
  maxSandboxes: 256,
  control: true,
  controlToken: undefined,
  smtp: undefined,
  folders: [],
  data: undefined,
  fsync: false,
  handlers: undefined,
  selfCheck: false,
  watch: false,
}

const SETTINGS = Object.keys(DEFAULTS) as readonly (keyof Config)[]

/**
 * Merges the sources over the defaults; a later source wins, and behaviours add up.
 *
 * @throws StartRefused naming the source of each value that is wrong, what was expected, and what came
 */
export function createConfig(sources: readonly Source[]): Config {
  const complaints: string[] = []
  let config = DEFAULTS
  for (const source of sources) {
    for (const [setting, value] of Object.entries(source.values)) {
      if (value === undefined) continue
      const read = Object.hasOwn(READERS, setting) ? READERS[setting as keyof Config] : undefined
      const complain = (complaint: string, pointer = '') =>
        void complaints.push(`${source.nameOf(setting, pointer)}: ${complaint}`)
      if (!read) complain(`There is no setting \`${setting}\`. ${meant(setting)}`)
      else
        config = {
          ...config,
          ...collect(complaints, () =>
            read(value, complain, { config, nameOf: (pointer) => source.nameOf(setting, pointer) }),
          ),
        }
    }
  }
  if (complaints.length > 0) throw new StartRefused(complaints)
  return Object.freeze(config)
}

/** What is refused at once joins the other complaints, so that all are told together. */
function collect(complaints: string[], read: () => Partial<Config>): Partial<Config> {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof StartRefused)) throw error
    complaints.push(...error.complaints)
    return {}
  }
}

function meant(setting: string): string {
  const near = nearest(setting, SETTINGS)
  return near === undefined ? `Settings: ${SETTINGS.join(', ')}.` : `Did you mean \`${near}\`?`
}

type Complain = (complaint: string, pointer?: string) => void
interface Context {
  readonly config: Config
  /** What the setting, or a part of it, is called in messages. */
  nameOf(pointer: string): string
}
type ReadSetting = (value: unknown, complain: Complain, context: Context) => Partial<Config>

/** Each is small, yet none goes by itself. */
const MOST_SANDBOXES = 10_000

/** RFC 6750, 2.1. A shorter one could be found by trying. */
const TOKEN = /^[A-Za-z0-9._~+/-]{8,256}=*$/

/** Text from a flag or the environment is read as what the setting holds. */
const READERS: Readonly<Record<keyof Config, ReadSetting>> = {
  host: text('host', 'a host name or address such as 127.0.0.1'),
  port: integer('port', 0, 65_535),
  seed: integer('seed', 0, Number.MAX_SAFE_INTEGER),
  files: integer('files', 0, MOST_FILES),
  clock: readClockSetting,
  fixtures: (value) => ({ fixtures: Array.isArray(value) ? value : [value] }),
  contract: text('contract', 'the path of an OpenAPI document'),
  profile: text('profile', 'the name of a profile'),
  behaviours: readBehaviours,
  keys: readKeys,
  origins: texts('origins', 'origins such as https://app.example.com', /^(null|[a-z][a-z\d+.-]*:\/\/[^\s/?#@]+)$/),
  hosts: texts('hosts', 'host names such as standin.test, without port', /^([^\s/:]+|\[[\da-f:.]+\])$/),
  log: (value, complain) => {
    if (value === 'pretty' || value === 'json' || value === 'silent') return { log: value }
    complain(`Expected pretty, json or silent; got ${shown(value)}.`)
    return {}
  },
  maxSandboxes: integer('maxSandboxes', 1, MOST_SANDBOXES),
  control: yesOrNo('control'),
  controlToken: (value, complain) => {
    if (typeof value === 'string' && TOKEN.test(value)) return { controlToken: value }
    complain('Expected a token of 8 to 256 letters, digits and -._~+/=; it is not shown here.')
    return {}
  },
  smtp: (value, complain) => {
    if (typeof value === 'string' && isMailServer(value)) return { smtp: value }
    // It may hold a password, so it is not shown.
    complain(
      'Expected the address of a mail catcher, such as smtp://127.0.0.1:1025 or smtps://user:password@mail.test.',
    )
    return {}
  },
  folders: (value, complain) => ({ folders: readFolderSettings(value, complain) }),
  data: text('data', 'the path of a directory'),
  fsync: yesOrNo('fsync'),
  handlers: readHandlersSetting,
  selfCheck: yesOrNo('selfCheck'),
  watch: yesOrNo('watch'),
}

function readHandlersSetting(value: unknown, complain: Complain, { nameOf }: Context): Partial<Config> {
  if (typeof value === 'string' && value !== '') return { handlers: value }
  if (typeof value === 'object' && value !== null) return { handlers: { from: nameOf(''), definitions: value } }
  complain(`Expected the path of a file, or operations made with defineOperation; got ${typeof value}.`)
  return {}
}

function yesOrNo(setting: 'control' | 'fsync' | 'selfCheck' | 'watch'): ReadSetting {
  return (value, complain) => {
    if (value === true || value === 'true') return { [setting]: true }
    if (value === false || value === 'false') return { [setting]: false }
    complain(`Expected true or false; got ${shown(value)}.`)
    return {}
  }
}

function text(setting: 'host' | 'contract' | 'profile' | 'data', expected: string): ReadSetting {
  return (value, complain) => {
    if (typeof value === 'string' && value !== '') return { [setting]: value }
    complain(`Expected ${expected}; got ${shown(value)}.`)
    return {}
  }
}

function integer(setting: 'port' | 'seed' | 'files' | 'maxSandboxes', least: number, most: number): ReadSetting {
  return (value, complain) => {
    const number = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value
    if (typeof number === 'number' && Number.isInteger(number) && number >= least && number <= most)
      return { [setting]: number }
    complain(`Expected an integer from ${least} to ${most}; got ${shown(value)}.`)
    return {}
  }
}

/** In small letters, as browsers write them. An origin has no slash at its end, yet is easily pasted with one. */
function texts(setting: 'origins' | 'hosts', expected: string, form: RegExp): ReadSetting {
  return (value, complain) => {
    const list: unknown[] = typeof value === 'string' ? value.split(',') : Array.isArray(value) ? value : [value]
    const clean = list
      .map((one) => (typeof one === 'string' ? one.trim().toLowerCase().replace(/\/$/, '') : ''))
      .filter((one) => form.test(one))
    if (clean.length < list.length) complain(`Expected ${expected}; got ${shown(value)}.`)
    return { [setting]: clean }
  }
}

function readClockSetting(value: unknown, complain: Complain): Partial<Config> {
  const time = value instanceof Date ? value.getTime() : typeof value === 'string' ? parseInstant(value)?.ms : value
  if (typeof time === 'number' && time >= FIRST_INSTANT && time <= LAST_INSTANT) return { clock: time }
  complain(
    `Expected an instant with its zone, such as 2026-03-01T09:00:00Z; got ${shown(value)}. Leave it out for the machine's clock.`,
  )
  return {}
}

/** `{id: value}` as in a file, or `id=value` texts as on a command line. */
function readBehaviours(value: unknown, complain: Complain, { config, nameOf }: Context): Partial<Config> {
  const texts = typeof value === 'string' ? value.split(/;\s*/).filter((one) => one !== '') : value
  if (Array.isArray(texts))
    return {
      behaviours: [
        ...config.behaviours,
        ...texts.map((one: unknown, index) => parseOverride(String(one), nameOf(`/${index}`))),
      ],
    }
  if (typeof value === 'object' && value !== null) {
    return {
      behaviours: [
        ...config.behaviours,
        ...Object.entries(value).map(([id, answer]: [string, unknown]) => ({
          id,
          value: answer,
          from: nameOf(`/${id}`),
        })),
      ],
    }
  }
  complain(`Expected behaviours as \`id: value\`; got ${shown(value)}.`)
  return {}
}

/** A list, or the path of a file that holds one, alone or under `keys`. */
function readKeys(value: unknown, complain: Complain): Partial<Config> {
  if (typeof value !== 'string') return { keys: checkKeys(value, complain) }
  const document = readDocument(value)
  const isAlone = typeof document.value !== 'object' || document.value === null || Array.isArray(document.value)
  const held = isAlone ? document.value : (document.value as { readonly keys?: unknown }).keys
  const prefix = isAlone ? '' : '/keys'
  return {
    keys: checkKeys(held, (complaint, pointer = '') =>
      complain(`${value}:${document.lineOf(prefix + pointer)}: ${complaint}`),
    ),
  }
}

function checkKeys(value: unknown, complain: Complain): KeySetting[] {
  if (!Array.isArray(value)) {
    complain(`Expected a list of { key, userId, rights }; got ${shown(value)}.`)
    return []
  }
  const seen = new Set<unknown>()
  return value.flatMap((one: unknown, index) => {
    const { key, userId, rights, ...rest } =
      typeof one === 'object' && one !== null ? (one as Record<string, unknown>) : {}
    const say = (complaint: string) => complain(`Key ${index + 1}: ${complaint}`, `/${index}`)
    for (const name of Object.keys(rest)) say(`There is no field \`${name}\`. Fields: key, userId, rights.`)
    const isKey = typeof key === 'string' && key.trim() !== ''
    if (!isKey) say(`\`key\` must be a text that is not blank; it is ${shown(key)}.`)
    else if (seen.has(key)) say(`The key ${shown(key)} is there twice. Remove one.`)
    seen.add(key)
    const isUser = userId === undefined || (typeof userId === 'number' && Number.isSafeInteger(userId) && userId > 0)
    if (!isUser) say(`\`userId\` must be a positive integer; it is ${shown(userId)}.`)
    const areRights =
      rights === undefined || (Array.isArray(rights) && rights.every((right) => typeof right === 'string'))
    if (!areRights) say(`\`rights\` must be a list of operation ids; it is ${shown(rights)}.`)
    if (!isKey || !isUser || !areRights) return []
    return [
      {
        key,
        ...(userId === undefined ? {} : { userId }),
        ...(rights === undefined ? {} : { rights: rights }),
      },
    ]
  })
}

/** The settings of a configuration file. */
export function fileSource(document: Document): Source {
  const { value, file, lineOf } = document
  if (value !== null && (typeof value !== 'object' || Array.isArray(value)))
    throw new StartRefused([`${file}:1: Expected settings as \`name: value\`.`])
  return {
    nameOf: (setting, pointer = '') => `${file}:${lineOf(`/${setting}${pointer}`)}`,
    values: (value ?? {}) as Readonly<Record<string, unknown>>,
  }
}

/**
 * The settings of the environment: `STANDIN_PORT`, `STANDIN_BEHAVIOURS`. Lists have commas, behaviours semicolons. Kubernetes
 * sets `STANDIN_PORT` to an address such as `tcp://10.0.0.1:4010` wherever a service is called `standin`: that is not meant for us.
 */
export function environmentSource(environment: Readonly<Record<string, string | undefined>>): Source {
  const entries = SETTINGS.map((setting) => [setting, environment[variable(setting)]] as const)
  const isMeant = ([setting, value]: readonly [string, string | undefined]) =>
    value !== undefined && value !== '' && !(setting === 'port' && /^[a-z]+:\/\//.test(value))
  const values = Object.fromEntries(entries.filter(isMeant))
  if (typeof values.fixtures === 'string')
    return {
      nameOf: variable,
      values: { ...values, fixtures: values.fixtures.split(',') },
    }
  return { nameOf: variable, values }
}

function variable(setting: string): string {
  return `STANDIN_${setting.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`
}
