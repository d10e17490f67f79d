import { type Override, parseOverride } from '../behaviours/behaviours.ts'
import {
  type FolderSetting,
  isMailServer,
  type KeySetting,
  readFolderSettings,
  readKeys,
  withoutPassword,
} from './setting-values.ts'
import type { SourceFile } from '../formats/source-file.ts'
import { nearest } from '../errors/wording.ts'
import { allOrRefused, shown, StartupError } from '../errors/problem.ts'
import { MOST_FILES } from '../resources/file-sets/read-files.ts'
import { FIRST_INSTANT, LAST_INSTANT } from '../engine/clock.ts'
import { parseInstant } from '../engine/instant.ts'

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
  /** The token that callers of the control API send; without one, all callers on this machine are allowed. */
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
  /** Whether changed files are reloaded while the server runs. */
  readonly watch: boolean
  /** What settings that are not the default ones, or parts of them by JSON pointer, are called in messages: `standin.yaml:3: profile`. */
  readonly names: Names
}

export type Setting = Exclude<keyof Config, 'names'>
type Names = Readonly<Partial<Record<Setting, (pointer: string) => string>>>

/** What a file of handlers exports, or `createStandin` was given; not looked at yet. */
export interface HandlersSetting {
  /** For messages. */
  readonly from: string
  readonly definitions: unknown
}

export type LogMode = 'pretty' | 'json' | 'silent'

/** Settings from one place, not checked yet. */
export interface Source {
  /** For messages: `--port`, `STANDIN_PORT`, `standin.yaml:3`. */
  nameOf(setting: string, pointer?: string): string
  /** Whether that is a place, so that messages must say besides which setting it is. */
  readonly tellsPlace?: boolean
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
  names: {},
}

export const SETTINGS = Object.keys(DEFAULTS).filter((name) => name !== 'names') as readonly Setting[]

/** What is wrong in what the settings name, but for those that could not be read. */
type FindMore = (config: Config, unread: ReadonlySet<Setting>) => readonly string[]

/**
 * Merges the sources over the defaults; a later source wins, and behaviours add up.
 *
 * @param findMore called when a setting is wrong, so that later complaints are reported at once
 * @throws StartupError naming the source of each value that is wrong, what was expected, and what came
 */
export function createConfig(sources: readonly Source[], findMore: FindMore = () => []): Config {
  const complaints: string[] = []
  const unread = new Set<Setting>()
  let config = DEFAULTS
  for (const source of sources) {
    for (const [name, value] of Object.entries(source.values)) {
      if (value === undefined) continue
      const setting = SETTINGS.find((one) => one === name)
      const found: string[] = []
      if (setting) config = { ...config, ...readSetting(setting, value, { source, config, complaints: found }) }
      else found.push(`${source.nameOf(name)}: There is no setting \`${name}\`. ${meant(name)}`)
      if (setting && found.length > 0) unread.add(setting)
      complaints.push(...found)
    }
  }
  if (complaints.length > 0) throw new StartupError([...complaints, ...findMore(config, unread)])
  return Object.freeze(config)
}

interface Reading {
  readonly source: Source
  readonly config: Config
  readonly complaints: string[]
}

function readSetting(setting: Setting, value: unknown, { source, config, complaints }: Reading): Partial<Config> {
  const placeOf = (pointer: string) => source.nameOf(setting, pointer)
  const nameOf = (pointer: string) => `${placeOf(pointer)}${source.tellsPlace ? `: ${setting}` : ''}`
  const complain = (complaint: string, name = nameOf('')) => void complaints.push(`${name}: ${complaint}`)
  const names = { ...config.names, [setting]: nameOf }
  try {
    return { names, ...READERS[setting](value, complain, { config: { ...config, names }, placeOf, nameOf }) }
  } catch (error) {
    // Complaints found so far join the others, so that all are reported together.
    if (!(error instanceof StartupError)) throw error
    complaints.push(...error.complaints)
    return {}
  }
}

function meant(setting: string): string {
  const near = nearest(setting, SETTINGS)
  return near === undefined ? `Settings: ${SETTINGS.join(', ')}.` : `Did you mean \`${near}\`?`
}

type Complain = (complaint: string, name?: string) => void
interface Context {
  readonly config: Config
  /** Where the setting, or a part of it, stands: `--seed`, `standin.yaml:3`. */
  placeOf(pointer: string): string
  /** What the setting, or a part of it, is called: `--seed`, `standin.yaml:3: seed`. */
  nameOf(pointer: string): string
}
type ReadSetting = (value: unknown, complain: Complain, context: Context) => Partial<Config>

/** Each is small, yet none goes by itself. */
const MOST_SANDBOXES = 10_000

/** RFC 6750, 2.1. A shorter one could be found by trying. */
const TOKEN = /^[A-Za-z0-9._~+/-]{8,256}=*$/

/** Text from a flag or the environment is read as what the setting holds. */
const READERS: Readonly<Record<Setting, ReadSetting>> = {
  host: text('host', 'a host name or address such as 127.0.0.1'),
  port: integer('port', 0, 65_535),
  seed: integer('seed', 0, Number.MAX_SAFE_INTEGER),
  files: integer('files', 0, MOST_FILES),
  clock: readClockSetting,
  fixtures: (value) => ({ fixtures: Array.isArray(value) ? value : [value] }),
  contract: text('contract', 'the path of an OpenAPI document'),
  profile: text('profile', 'the name of a profile'),
  behaviours: readBehaviours,
  keys: (value, complain, { config, nameOf }) => {
    const read = readKeys(value, (name, complaint) => complain(complaint, name), nameOf)
    return { keys: read.keys, names: { ...config.names, keys: read.nameOf } }
  },
  origins: texts('origins', 'origins such as https://app.example.com', /^(null|[a-z][a-z\d+.-]*:\/\/[^\s/?#@*]+)$/),
  hosts: texts(
    'hosts',
    'host names such as standin.test, without port or wildcard',
    /^([^\s/:*.][^\s/:*]*|\[[\da-f:.]+\])$/,
  ),
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
    const came = typeof value === 'string' ? shown(withoutPassword(value)) : typeof value
    complain(
      `Expected the address of a mail catcher, such as smtp://127.0.0.1:1025 or smtps://user:password@mail.test; got ${came}.`,
    )
    return {}
  },
  folders: (value, complain, { nameOf }) => ({
    folders: readFolderSettings(value, (complaint, pointer) => complain(complaint, nameOf(pointer))),
  }),
  data: text('data', 'the path of a directory'),
  fsync: yesOrNo('fsync'),
  handlers: readHandlersSetting,
  selfCheck: yesOrNo('selfCheck'),
  watch: yesOrNo('watch'),
}

function readHandlersSetting(value: unknown, complain: Complain, { placeOf }: Context): Partial<Config> {
  if (typeof value === 'string' && value !== '') return { handlers: value }
  if (typeof value === 'object' && value !== null) return { handlers: { from: placeOf(''), definitions: value } }
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
    const all: unknown[] = Array.isArray(value) ? value : [value]
    const list = all.flatMap((one) => (typeof one === 'string' ? one.split(',') : [one]))
    const cleaned = list.map((one) => (typeof one === 'string' ? one.trim().toLowerCase().replace(/\/$/, '') : ''))
    for (const [at, one] of cleaned.entries())
      if (!form.test(one)) complain(`Expected ${expected}; got ${shown(list[at])}.`)
    return { [setting]: cleaned }
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
function readBehaviours(value: unknown, complain: Complain, { config, placeOf }: Context): Partial<Config> {
  const texts = typeof value === 'string' ? value.split(/;\s*/).filter((one) => one !== '') : value
  if (Array.isArray(texts)) {
    const read = texts.map((one: unknown, index) => () => parseOverride(String(one), placeOf(`/${index}`)))
    return { behaviours: [...config.behaviours, ...allOrRefused<Override[]>(read)] }
  }
  if (typeof value === 'object' && value !== null) {
    const read = Object.entries(value).map(([id, answer]: [string, unknown]) => ({
      id,
      value: answer,
      from: placeOf(`/${id}`),
    }))
    return { behaviours: [...config.behaviours, ...read] }
  }
  complain(`Expected behaviours as \`id: value\`; got ${shown(value)}.`)
  return {}
}

/** The settings of a configuration file. */
export function fileSource(document: SourceFile): Source {
  const { value, file, lineOf } = document
  if (value !== null && (typeof value !== 'object' || Array.isArray(value)))
    throw new StartupError([`${file}:1: Expected settings as \`name: value\`.`])
  return {
    nameOf: (setting, pointer = '') => `${file}:${lineOf(`/${setting}${pointer}`)}`,
    tellsPlace: true,
    values: (value ?? {}) as Readonly<Record<string, unknown>>,
  }
}
