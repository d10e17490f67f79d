import { rememberingAll, rememberingEach } from '../base/cache.ts'
import { deepFreeze } from '../base/formats/deep-freeze.ts'
import { isDeepStrictEqual } from 'node:util'
import { loadYaml } from '../base/formats/yaml.ts'
import { nearest } from '../base/errors/wording.ts'
import { StartupError } from '../base/errors/problem.ts'
import type { BehaviourSettings } from '../../types/behaviour-settings.d.ts'
import type { BehaviourCatalog, Behaviour } from './catalog.ts'
import { type SettingReading, readSetting, refusalOf } from './options.ts'

/** The settings of a sandbox: frozen, plain data. */
export interface Behaviours {
  readonly profile: string
  readonly settings: BehaviourSettings
  readonly catalog: BehaviourCatalog
  /** By id. Index in the catalogue, or -1 when never listed: a documented behaviour with its default. */
  readonly indexes: Readonly<Record<string, number>>
}

/** Settings of behaviours by id, laid over others. */
export type Overrides = Readonly<Record<string, unknown>>

/** A setting that replaces the profile's. */
export interface Override {
  readonly id: string
  readonly value: unknown
  /** Where it was set, for messages: `standin.yaml`, `--behaviour`. */
  readonly setBy: string
}

export interface BehavioursChoice {
  /** `default` when absent. */
  readonly profile?: string
  /** Where it was set, for messages: `--profile`. */
  readonly profileFrom?: string | undefined
  /** What the profile is called from then on, where overrides make another of it. */
  readonly shownAs?: string | undefined
  /** In order: a later one wins; an object is merged into the earlier value. */
  readonly overrides?: readonly Override[]
}

/**
 * Settings for every behaviour: the default, then the profile, then the overrides.
 *
 * @throws StartupError naming every unknown profile, id and value, with the nearest one that exists and all that are allowed
 * @example chooseBehaviours(catalog, { overrides: [parseOverride('limit.max=clamp:500')] }).settings['limit.max'] // 'clamp:500'
 */
export function chooseBehaviours(catalog: BehaviourCatalog, choice: BehavioursChoice = {}): Behaviours {
  const { profile = 'default', profileFrom, overrides = [], shownAs = profile } = choice
  // One that the catalogue does not name has the defaults.
  const base = profilesOf(catalog)(Object.hasOwn(catalog.profiles, profile) ? profile : 'default')
  const changed = applyOverrides(base.settings, overrides, catalog)
  const complaints = changed.complaints.map(({ setBy, complaint }) => `${setBy}: ${complaint}`)
  if (!Object.hasOwn(catalog.profiles, profile)) {
    const names = Object.keys(catalog.profiles)
    const unknown = `There is no profile \`${profile}\`${didYouMean(profile, names)} Profiles: ${names.join(', ')}.`
    complaints.unshift(profileFrom === undefined ? unknown : `${profileFrom}: ${unknown}`)
  }
  if (complaints.length > 0) throw new StartupError(complaints)
  return overrides.length === 0 && shownAs === base.profile ? base : withSettings(base, changed.settings, shownAs)
}

/** The settings with overrides applied, or what is wrong with the overrides. */
function changeBehaviours(before: Behaviours, overrides: readonly Override[]): Behaviours | readonly OverrideError[] {
  const changed = applyOverrides(before.settings, overrides, before.catalog)
  return changed.complaints.length > 0 ? changed.complaints : withSettings(before, changed.settings)
}

/** What is wrong with an override. */
export interface OverrideError extends Override {
  readonly complaint: string
}

function applyOverrides(before: BehaviourSettings, overrides: readonly Override[], catalog: BehaviourCatalog) {
  const known = new Map(catalog.behaviours.map((behaviour) => [behaviour.id, behaviour]))
  const settings: Record<string, unknown> = { ...before }
  const complaints: OverrideError[] = []
  for (const override of overrides) {
    const { id, value } = override
    const behaviour = known.get(id)
    const reading = behaviour ? readOverride(behaviour, value, settings[id]) : unknownId(id, [...known.keys()])
    if ('setting' in reading) settings[id] = reading.setting
    else complaints.push({ ...override, complaint: reading.complaint })
  }
  return { settings, complaints }
}

function readOverride(
  { id, options, default: defaultValue }: Behaviour,
  value: unknown,
  before: unknown,
): SettingReading {
  if (options === undefined && isDeepStrictEqual(value, defaultValue)) return { setting: value }
  const reading = options
    ? readSetting(options, value, before)
    : { complaint: `${refusalOf(value)} It has no other setting than \`${String(defaultValue)}\`.` }
  return 'setting' in reading ? reading : { complaint: `${id}: ${reading.complaint}` }
}

/** The whole catalogue would fill a page, so only the nearest id is named. */
function unknownId(id: string, ids: readonly string[]): SettingReading {
  const list = `GET /__mock/behaviours lists all ${ids.length}, and spec/behaviours.yaml describes them.`
  return { complaint: `There is no behaviour \`${id}\`${didYouMean(id, ids)} ${list}` }
}

function didYouMean(word: string, known: readonly string[]): string {
  const meant = nearest(word, known)
  return meant === undefined ? '.' : `: did you mean \`${meant}\`?`
}

/** Each profile as it is, by catalogue: most servers of a process begin with the same. */
const profilesOf = rememberingEach((catalog: BehaviourCatalog) =>
  rememberingAll((name: string): Behaviours => {
    const settings = catalog.behaviours.map(({ id, profiles, default: defaultValue }): [string, unknown] => [
      id,
      Object.hasOwn(profiles, name) ? profiles[name] : defaultValue,
    ])
    const none = { profile: name, settings: {} as BehaviourSettings, catalog: deepFreeze(catalog), indexes: {} }
    return withSettings(none, Object.fromEntries(settings), name)
  }),
)

/** Only what differs is copied and frozen: the rest was before. */
function withSettings(
  { profile, settings: before, catalog, indexes }: Behaviours,
  settings: Readonly<Record<string, unknown>>,
  shownAs = profile,
): Behaviours {
  const earlier = before as unknown as Readonly<Record<string, unknown>>
  const isChanged = (id: string) => !Object.hasOwn(earlier, id) || settings[id] !== earlier[id]
  const isListed = ({ id, basis, default: defaultValue }: Behaviour) =>
    basis !== 'documented' || !isDeepStrictEqual(settings[id], defaultValue)
  const changed: Record<string, unknown> = {}
  const changedIndexes: Record<string, number> = {}
  for (const [index, behaviour] of catalog.behaviours.entries()) {
    const { id } = behaviour
    if (!isChanged(id)) continue
    changed[id] = deepFreeze(structuredClone(settings[id]))
    changedIndexes[id] = isListed(behaviour) ? index : -1
  }
  return Object.freeze({
    profile: shownAs,
    // The type is generated from the catalogue, and every setting has been checked against its options.
    settings: tableOf({ ...earlier, ...changed }) as unknown as BehaviourSettings,
    catalog,
    indexes: tableOf({ ...indexes, ...changedIndexes }),
  })
}

/** An object without a prototype is the fastest for lookups by varying keys. */
function tableOf<Value>(values: Readonly<Record<string, Value>>): Readonly<Record<string, Value>> {
  return Object.freeze(Object.assign(Object.create(null) as Record<string, Value>, values))
}

/**
 * Reads an override as it stands on a command line: `id=value`. A value that begins with `{` or `[` is YAML (so JSON too); any
 * other is text, which the options of the behaviour read as a word, a number, or a list with commas.
 *
 * @throws StartupError when it is not `id=value`, or the value is not the YAML that it begins as
 * @example parseOverride('sort.fields=name,created') // { id: 'sort.fields', value: 'name,created', setBy: '--behaviour' }
 */
export function parseOverride(text: string, setBy = '--behaviour'): Override {
  const [, id, value] = /^\s*([^=\s]+)\s*=\s*(.*?)\s*$/s.exec(text) ?? []
  if (id === undefined || value === undefined)
    throw new StartupError([`${setBy}: \`${text}\` is not \`id=value\`. Write, for instance, \`page.last=null\`.`])
  if (!/^[[{]/.test(value)) return { id, value, setBy }
  try {
    return { id, value: loadYaml().parse(value) as unknown, setBy }
  } catch (error) {
    const why = error instanceof Error ? error.message.split('\n')[0] : ''
    throw new StartupError([`${setBy}: ${id}: \`${value}\` is neither YAML nor JSON. ${why ?? ''}`])
  }
}

/** An override as `parseOverride` reads it, quoted for a shell where it must be. @example "--behaviour 'file.types={…}'" */
export function formatOverride(id: string, value: unknown): string {
  const text = Array.isArray(value) ? value.join(',') : typeof value === 'string' ? value : JSON.stringify(value)
  return `--behaviour ${/^[\w.=,:/-]*$/.test(text) ? `${id}=${text}` : `'${id}=${text}'`}`
}

/** The behaviours of states: those of the configuration, with the overrides of a state. */
export function createBehavioursOf(own: Behaviours): (overrides: Overrides) => Behaviours {
  const change = rememberingEach((overrides: Overrides) => {
    const changed = withOverrides(own, overrides)
    if (!('settings' in changed)) throw new Error(changed.map(({ complaint }) => complaint).join(' '))
    return changed
  })
  return (overrides) => (Object.keys(overrides).length === 0 ? own : change(overrides))
}

export function withOverrides(own: Behaviours, overrides: Overrides): Behaviours | readonly OverrideError[] {
  return changeBehaviours(
    own,
    Object.entries(overrides).map(([id, value]) => ({ id, value, setBy: 'the sandbox' })),
  )
}
