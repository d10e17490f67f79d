import { type Override, parseOverride } from '../behaviours/behaviours.ts'
import { allOrRefused, shown } from '../base/errors/problem.ts'
import { parseTtl, TTL_EXPECTED } from '../base/formats/duration.ts'
import { isObject } from '../base/formats/json.ts'
import { realPath } from '../base/formats/read-text.ts'
import { FIRST_INSTANT, LAST_INSTANT, parseInstant } from '../base/formats/instant.ts'
import type { Config, FallbackReason, Setting } from './config.ts'
import { isMailServer, readFolderSettings, readKeys, readProfile, withoutPassword } from './setting-values.ts'

/** One setting: its flag, its default, and how it is read. */
export interface SettingEntry<Value> {
  /** The flag as commander takes it; `STANDIN_…` and the name in a file come from the name of the setting. */
  readonly flag: string
  /** What `--help` says, and behind it the default, unless that is undefined, false or empty. */
  readonly help: string
  /** Whether the flag may be repeated. */
  readonly isList?: true
  /** The values that it may have. */
  readonly choices?: readonly string[]
  readonly byDefault: Value
  /** The value from a flag, the environment, a file or the library; undefined after a complaint. */
  readonly read: (value: unknown, place: SettingPlace) => Value | undefined
}

/** Where a setting was given. */
export interface SettingPlace {
  /** The value of the setting so far. */
  readonly before: unknown
  /** Where the setting, or a part of it, stands: `--seed`, `standin.yaml:3`. */
  placeOf(pointer: string): string
  /** What messages call the setting, or a part of it: `--seed`, `standin.yaml:3: seed`. */
  nameOf(pointer: string): string
  /** Changes what later messages call it. */
  rename(nameOf: (pointer: string) => string): void
  complain(complaint: string, name?: string): void
  /** Passes on a value, or complains where there is none. */
  expect<Value>(expected: string, received: unknown, value: Value | undefined): Value | undefined
}

type ReadSetting<Value> = SettingEntry<Value>['read']

/** The most files of a file set (see `read-files.ts`), so the most of `demo`. */
const MAX_FILES = 10_000_000
/** The most documents of a collection (see `limits.ts`). */
const MAX_DOCUMENTS = 100_000
/** Sandboxes are cheap but are never evicted. */
const MAX_SANDBOXES = 10_000
/** RFC 6750, 2.1. A shorter one could be found by trying. */
const TOKEN = /^[A-Za-z0-9._~+/-]{8,256}=*$/
const ORIGIN = /^(null|[a-z][a-z\d+.-]*:\/\/[^\s/?#@*]+)$/
const HOST_NAME = /^([^\s/:*.][^\s/:*]*|\[[\da-f:.]+\])$/

const LOG_MODES = ['pretty', 'verbose', 'json', 'silent'] as const

function setting<Value>(
  flag: string,
  help: string,
  read: ReadSetting<Value>,
  byDefault = undefined as Value,
): SettingEntry<Value> {
  return { flag, help, byDefault, read }
}

/** A setting whose flag may be repeated; what `help` says of that is added. */
function repeatable<Value>(
  flag: string,
  help: string,
  read: ReadSetting<Value>,
  byDefault = [] as Value,
): SettingEntry<Value> {
  return { flag, help: `${help} (repeatable)`, isList: true, byDefault, read }
}

function toggle(flag: string, help: string): SettingEntry<boolean> {
  return setting(flag, help, readBoolean, false)
}

/** Every setting, in the order of `--help`. */
export const SETTINGS: { readonly [Name in Setting]: SettingEntry<Config[Name]> } = {
  port: setting('--port <number>', 'port; 0 picks a free one', integer(0, 65_535), 4010),
  host: setting(
    '--host <address>',
    'address to listen on',
    text('a host name or address such as 127.0.0.1'),
    '127.0.0.1',
  ),
  seed: setting('--seed <number>', 'determines every id, file and cursor', integer(0, Number.MAX_SAFE_INTEGER), 42),
  files: setting('--files <number>', `size of the file set demo, up to ${MAX_FILES}`, integer(0, MAX_FILES), 1000),
  documents: setting(
    '--documents <number>',
    `documents a collection begins with, up to ${MAX_DOCUMENTS}`,
    integer(0, MAX_DOCUMENTS),
    10,
  ),
  locale: setting(
    '--locale <name>',
    'language and country of made-up names and addresses, such as de or pt_BR',
    readLocale,
    'en',
  ),
  values: repeatable(
    '--value <member=generator>',
    'what a member of the contract gets, such as sku={pattern: "[A-Z]{3}-[0-9]{4}"}',
    readValues,
    {},
  ),
  clock: setting(
    '--clock <instant>',
    "freeze the clock, such as at 2026-03-01T09:00:00Z (default: the machine's clock)",
    readClock,
  ),
  fixtures: repeatable(
    '--fixtures <file>',
    'your own file sets, report schedules and documents, YAML or JSON',
    readList,
  ),
  folders: repeatable('--folder <name=directory>', 'a real folder as a file set', (value, { complain, nameOf }) =>
    readFolderSettings(value, (complaint, pointer) => complain(complaint, nameOf(pointer))),
  ),
  contract: setting<Config['contract']>(
    '--contract <file>',
    'another OpenAPI document, 3.0 to 3.2, or Swagger 2.0',
    (value, place) => (isObject(value) ? value : text('the path of an OpenAPI document')(value, place)),
  ),
  overlay: repeatable('--overlay <file>', 'an OpenAPI Overlay that changes the contract, YAML or JSON', readList),
  allowRef: repeatable(
    '--allow-ref <directory>',
    'directory that references of the contract may lead to, besides its own',
    readDirectories,
  ),
  handlers: setting('--handlers <file>', 'your own operations, TypeScript or JavaScript', readHandlers),
  stubs: repeatable('--stubs <file>', 'responses for requests that you describe, YAML or JSON', readList),
  selfCheck: toggle('--self-check', 'validate every response against the contract before it is sent'),
  validation: setting(
    '--validation <refuse|warn>',
    'what becomes of requests that break the contract: 400, or handled without what breaks it',
    oneOf('refuse', 'warn'),
    'refuse',
  ),
  upstream: setting(
    '--upstream <url>',
    'a service that handles operations in place of this server',
    text('the address of a service, such as https://api.example.com'),
  ),
  mock: repeatable(
    '--mock <operations>',
    'operations to handle here, the others by --upstream: createOrder, GET /orders or tag:orders',
    readOperations,
  ),
  pass: repeatable('--pass <operations>', 'operations for --upstream to handle, the others here', readOperations),
  fallback: setting(
    '--fallback <reasons>',
    'handle a request here after all when --upstream responds so, such as 404,501,down',
    readFallback,
    [],
  ),
  join: toggle('--join', 'add what was created here to the lists of --upstream'),
  record: setting(
    '--record <directory>',
    'write what passes to and from --upstream to HAR files there',
    text('the path of a directory'),
  ),
  webhooks: setting(
    '--webhooks <url>',
    'where the webhooks of the contract go, such as http://127.0.0.1:3000/hooks',
    readAddress,
  ),
  webhookSecret: setting('--webhook-secret <secret>', 'what webhooks are signed with', readSecret),
  allowCallback: repeatable(
    '--allow-callback <host>',
    'a host that webhooks and callbacks may be sent to, besides this machine',
    texts('host names such as hooks.example.com', HOST_NAME),
  ),
  profile: {
    ...setting<Config['profile']>(
      '--profile <name>',
      'which values undocumented behaviours begin with: a name, or a file of `standin learn` or `standin calibrate`',
      readProfile,
      'default',
    ),
    choices: ['default', 'document-only', 'observed'],
  },
  behaviours: repeatable('--behaviour <id=value>', 'change a behaviour, such as page.last=null', readBehaviours),
  accept: repeatable(
    '--accept <change=reason>',
    'a change that `standin mutate` need not report, and why',
    readAccepted,
    {},
  ),
  keys: setting('--keys <file>', 'known API keys, with users and rights (default: any key)', readKeySettings, []),
  origins: repeatable(
    '--allow-origin <origin>',
    'origin of web pages that may call, besides local ones',
    texts('origins such as https://app.example.com', ORIGIN),
  ),
  hosts: repeatable(
    '--allow-host <name>',
    'host name that requests may use, besides localhost, such as standin.test',
    texts('host names such as standin.test, without port or wildcard', HOST_NAME),
  ),
  maxSandboxes: setting('--max-sandboxes <number>', 'maximum number of sandboxes', integer(1, MAX_SANDBOXES), 256),
  sandboxTtl: setting(
    '--sandbox-ttl <duration>',
    'delete a sandbox that no request has used for this long, such as 1h',
    (value, { expect }) => expect(TTL_EXPECTED, value, typeof value === 'string' ? parseTtl(value) : undefined),
  ),
  controlToken: setting(
    '--control-token <token>',
    'bearer token of the control API (default: only clients on this machine)',
    readToken,
  ),
  control: setting('--no-control', 'disable the control API', readBoolean, true),
  smtp: setting('--smtp <url>', 'a mail catcher that receives each delivery, such as smtp://127.0.0.1:1025', readSmtp),
  data: setting(
    '--data <directory>',
    'keep all changes there for the next start (default: in memory)',
    text('the path of a directory'),
  ),
  store: setting(
    '--store <url>',
    'share all sandboxes with other replicas through Valkey or Redis: redis://127.0.0.1:6379',
    readStore,
  ),
  storeDurability: setting(
    '--store-durability <server|always>',
    'what the store promises of an acknowledged change: what its server is set to, or that it is never lost',
    oneOf('server', 'always'),
    'server',
  ),
  consistency: setting(
    '--consistency <strong|session>',
    'what a request sees of changes through other replicas: all, or those that its client has seen',
    oneOf('strong', 'session'),
    'strong',
  ),
  fsync: toggle('--fsync', 'wait for the disk at each change (default: wait for the operating system)'),
  artifacts: setting(
    '--artifacts <directory>',
    'write the journal, a HAR and a replay of every sandbox there at a stop',
    text('the path of a directory'),
  ),
  watch: toggle(
    '--watch',
    'reload contract, overlays, fixtures, handlers, stubs, keys, profile and configuration when they change',
  ),
  log: {
    ...setting<Config['log']>('--log <mode>', 'how requests are logged', oneOf(...LOG_MODES), 'pretty'),
    choices: LOG_MODES,
  },
}

/** One of the words: `refuse or warn`. */
function oneOf<const Word extends string>(...words: readonly Word[]): ReadSetting<Word> {
  const expected = `${words.slice(0, -1).join(', ')} or ${words.at(-1) ?? ''}`
  return (value, { expect }) =>
    expect(
      expected,
      value,
      words.find((one) => one === value),
    )
}

function readBoolean(value: unknown, { expect }: SettingPlace): boolean | undefined {
  const isTrue = value === true || value === 'true'
  return expect('true or false', value, isTrue || (value === false || value === 'false' ? false : undefined))
}

function text(expected: string): ReadSetting<string> {
  return (value, { expect }) => expect(expected, value, typeof value === 'string' && value !== '' ? value : undefined)
}

/** Files are read, and values checked, where they are used. */
function readList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value]
}

/** A list, or texts with a comma between two entries. */
function readParts(value: unknown): readonly unknown[] {
  return readList(value).flatMap((one) => (typeof one === 'string' ? one.split(',').map((part) => part.trim()) : [one]))
}

/** `createOrder, GET /orders`, repeated or as a list; the contract says later whether it has them. */
function readOperations(value: unknown, { expect }: SettingPlace): readonly string[] | undefined {
  const names = readParts(value)
  const wrong = names.findIndex((one) => typeof one !== 'string' || one === '')
  return expect(
    'operations such as createOrder, `GET /orders` or tag:orders',
    names[wrong],
    wrong < 0 ? (names as string[]) : undefined,
  )
}

/** `404,501,down`, or a list of them. */
function readFallback(value: unknown, { expect }: SettingPlace): readonly FallbackReason[] | undefined {
  const reasons = readParts(value)
  const read = reasons.map((one) => (one === 'down' ? one : /^[45]\d\d$/.test(String(one)) ? Number(one) : undefined))
  const wrong = read.indexOf(undefined)
  const whole = wrong < 0 ? (read as FallbackReason[]) : undefined
  return expect('statuses of errors, and `down`, such as 404,501,down', reasons[wrong], whole)
}

/** Behind `whsec_` it is base64 (Standard Webhooks). */
function readSecret(value: unknown, { expect }: SettingPlace): string | undefined {
  const isSecret = typeof value === 'string' && /^(?!whsec_).+|^whsec_[A-Za-z0-9+/]{4,}={0,2}$/.test(value)
  return expect('a secret, or whsec_ and base64', value, isSecret ? value : undefined)
}

function readAddress(value: unknown, { expect }: SettingPlace): string | undefined {
  const isAddress = typeof value === 'string' && URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)
  return expect('an http or https address such as http://127.0.0.1:3000/hooks', value, isAddress ? value : undefined)
}

/** Standin reads them when it loads the contract. */
function readDirectories(value: unknown, { expect }: SettingPlace): readonly string[] | undefined {
  const all = readList(value)
  const wrong = all.find((one) => typeof one !== 'string' || realPath(one) === undefined)
  return expect('directories that are there', wrong, wrong === undefined ? (all as string[]) : undefined)
}

function integer(least: number, most: number): ReadSetting<number> {
  return (value, { expect }) => {
    const number = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value
    const fits = typeof number === 'number' && Number.isInteger(number) && number >= least && number <= most
    return expect(`an integer from ${least} to ${most}`, value, fits ? number : undefined)
  }
}

/** Lower case, as browsers write them. An origin has no slash at its end but is easily pasted with one. */
function texts(expected: string, form: RegExp): ReadSetting<readonly string[]> {
  return (value, { expect }) => {
    const list = readParts(value)
    const cleaned = list.map((one) => (typeof one === 'string' ? one.toLowerCase().replace(/\/$/, '') : ''))
    for (const [at, one] of cleaned.entries()) if (!form.test(one)) expect(expected, list[at], undefined)
    return cleaned
  }
}

function readClock(value: unknown, { complain }: SettingPlace): number | undefined {
  const time = value instanceof Date ? value.getTime() : typeof value === 'string' ? parseInstant(value)?.ms : value
  if (typeof time === 'number' && time >= FIRST_INSTANT && time <= LAST_INSTANT) return time
  const why = typeof value === 'string' && LIKE_AN_INSTANT.test(value) ? ', which no calendar or clock has' : ''
  complain(
    `Expected an instant with its zone, such as 2026-03-01T09:00:00Z; got ${shown(value)}${why}. Leave it out for the machine's clock.`,
  )
  return undefined
}

/** `2026-02-30T25:00:00Z` */
const LIKE_AN_INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/i

function readHandlers(value: unknown, { complain, placeOf }: SettingPlace): Config['handlers'] {
  if (typeof value === 'string' && value !== '') return value
  if (typeof value === 'object' && value !== null) return { from: placeOf(''), definitions: value }
  complain(`Expected the path of a file, or operations made with defineOperation; got ${typeof value}.`)
  return undefined
}

/** `{ id: value }` as in a file, or `id=value` texts as on the command line. */
function readBehaviours(value: unknown, place: SettingPlace): readonly Override[] | undefined {
  const before = place.before as readonly Override[]
  const list = typeof value === 'string' ? value.split(/;\s*/).filter((one) => one !== '') : value
  if (Array.isArray(list)) {
    const read = list.map((one: unknown, index) => () => parseOverride(String(one), place.placeOf(`/${index}`)))
    return [...before, ...allOrRefused<Override[]>(read)]
  }
  if (typeof value !== 'object' || value === null) {
    place.expect('behaviours as `id: value`', value, undefined)
    return undefined
  }
  const entries = Object.entries(value) as [string, unknown][]
  return [...before, ...entries.map(([id, setting]) => ({ id, value: setting, setBy: place.placeOf(`/${id}`) }))]
}

/** `{ id: reason }` as in a file, or `id=reason` texts as on the command line. An id may have an equals sign, and the last one counts. */
function readAccepted(value: unknown, { before, expect }: SettingPlace): Config['accept'] | undefined {
  const list: unknown = typeof value === 'string' ? value.split(/;\s*/) : value
  const parts = (one: unknown) => /^(.+)=([^=]*)$/s.exec(String(one))?.slice(1) ?? [String(one), '']
  const entries: readonly unknown[][] = Array.isArray(list)
    ? list.map(parts)
    : isObject(list)
      ? Object.entries(list)
      : []
  const isRead = entries.length > 0 && entries.every(([, reason]) => typeof reason === 'string' && reason.trim() !== '')
  const read = { ...(before as Config['accept']), ...(Object.fromEntries(entries) as Config['accept']) }
  return expect(
    'changes as `id: reason`, such as `page.last=null: no list has an end`',
    value,
    isRead ? read : undefined,
  )
}

/** `pt-BR` is `pt_BR`. Whether there is such a locale is known where it is loaded. */
function readLocale(value: unknown, { expect }: SettingPlace): string | undefined {
  const isName = typeof value === 'string' && /^[a-z]{2,3}([-_][a-z]+)*$/i.test(value)
  return expect('the name of a locale such as de or pt_BR', value, isName ? value.replaceAll('-', '_') : undefined)
}

/** `{ member: generator }` as in a file, or `member=generator` texts as on the command line, where an object is YAML. */
function readValues(value: unknown, place: SettingPlace): Config['values'] | undefined {
  const list: unknown = typeof value === 'string' ? value.split(/;\s*/).filter((one) => one !== '') : value
  const before = place.before as Config['values']
  if (isObject(list)) return { ...before, ...list }
  if (!Array.isArray(list)) {
    place.expect('generators as `member: generator`', value, undefined)
    return undefined
  }
  const entries = list.flatMap((one: unknown): (readonly [string, unknown])[] => {
    const [, name = '', generator = ''] = /^\s*([^=\s]+)\s*=\s*(\S.*)$/s.exec(String(one)) ?? []
    if (name === '') place.expect('`member=generator`', one, undefined)
    if (name === '') return []
    // `{{person.firstName}}` is no object.
    return [[name, /^\{[^{]/.test(generator) ? parseOverride(String(one), place.nameOf('')).value : generator]]
  })
  return { ...before, ...Object.fromEntries(entries) }
}

function readKeySettings(value: unknown, place: SettingPlace): Config['keys'] {
  const { keys, nameOf } = readKeys(value, place)
  place.rename(nameOf)
  return keys
}

function readToken(value: unknown, { complain }: SettingPlace): string | undefined {
  if (typeof value === 'string' && TOKEN.test(value)) return value
  complain('Expected a token of 8 to 256 letters, digits and -._~+/=; it is not shown here.')
  return undefined
}

/** User and password may be in it, so it is never shown whole. */
function readStore(value: unknown, { complain }: SettingPlace): string | undefined {
  if (typeof value === 'string' && /^rediss?:\/\/[^/]/.test(value) && URL.canParse(value)) return value
  const received = typeof value === 'string' ? shown(withoutPassword(value)) : typeof value
  complain(
    `Expected the address of a Valkey or Redis, such as redis://127.0.0.1:6379 or rediss://store.test; got ${received}.`,
  )
  return undefined
}

function readSmtp(value: unknown, { complain }: SettingPlace): string | undefined {
  if (typeof value === 'string' && isMailServer(value)) return value
  const received = typeof value === 'string' ? shown(withoutPassword(value)) : typeof value
  complain(
    `Expected the address of a mail catcher, such as smtp://127.0.0.1:1025 or smtps://user:password@mail.test; got ${received}.`,
  )
  return undefined
}
