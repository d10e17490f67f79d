import { isDeepStrictEqual } from 'node:util'
import { parse } from 'yaml'
import { nearest } from '../errors/wording.ts'
import { StartupError } from '../errors/problem.ts'
import type { BehaviourSettings } from '../../types/behaviour-settings.d.ts'
import type { BehaviourCatalog, Behaviour } from './catalog.ts'
import { notAnAnswer, readAnswer, type Reading } from './read-setting.ts'

/** The settings of a sandbox: frozen, plain data. */
export interface Behaviours {
  readonly profile: string
  readonly settings: BehaviourSettings
  readonly catalog: BehaviourCatalog
  /** By id, its index in the catalogue, or -1 when `X-Mock-Behaviours` never lists it: a documented behaviour with its default. */
  readonly indexes: Readonly<Record<string, number>>
}

/** A setting that replaces the profile's. */
export interface Override {
  readonly id: string
  readonly value: unknown
  /** Where it was set, for messages: `standin.yaml`, `--behaviour`. */
  readonly from: string
}

export interface BehavioursChoice {
  /** `default` when absent. */
  readonly profile?: string
  /** Where it was set, for messages: `--profile`. */
  readonly profileFrom?: string | undefined
  /** In order: a later one wins; an object is merged into the setting so far. */
  readonly overrides?: readonly Override[]
}

/**
 * Settings for every behaviour: the default, then the profile, then the overrides.
 *
 * @throws StartupError naming every unknown profile, id and value, with the nearest one that exists and all that are allowed
 * @example chooseBehaviours(catalogue, { overrides: [parseOverride('limit.max=clamp:500')] }).answers['limit.max'] // 'clamp:500'
 */
export function chooseBehaviours(catalog: BehaviourCatalog, choice: BehavioursChoice = {}): Behaviours {
  const { profile = 'default', profileFrom, overrides = [] } = choice
  const settings = Object.fromEntries(
    catalog.behaviours.map((behaviour) => [
      behaviour.id,
      Object.hasOwn(behaviour.profiles, profile) ? behaviour.profiles[profile] : behaviour.default,
    ]),
  )
  const changed = applyOverrides(settings, overrides, catalog)
  const complaints = [
    ...(Object.hasOwn(catalog.profiles, profile)
      ? []
      : [`${profileFrom === undefined ? '' : `${profileFrom}: `}${unknownProfile(profile, catalog)}`]),
    ...changed.complaints.map(({ from, complaint }) => `${from}: ${complaint}`),
  ]
  if (complaints.length > 0) throw new StartupError(complaints)
  return freeze(profile, changed.settings, catalog)
}

/** The settings with overrides applied, or what is wrong with the overrides. */
export function changeBehaviours(
  { profile, settings, catalog }: Behaviours,
  overrides: readonly Override[],
): Behaviours | readonly Complaint[] {
  const changed = applyOverrides({ ...settings }, overrides, catalog)
  return changed.complaints.length > 0 ? changed.complaints : freeze(profile, changed.settings, catalog)
}

/** What is wrong with an override. */
export interface Complaint extends Override {
  readonly complaint: string
}

function applyOverrides(
  settings: Readonly<Record<string, unknown>>,
  overrides: readonly Override[],
  catalog: BehaviourCatalog,
) {
  const known = new Map(catalog.behaviours.map((behaviour) => [behaviour.id, behaviour]))
  const changed = { ...settings }
  const complaints: Complaint[] = []
  for (const override of overrides) {
    const { id, value } = override
    const behaviour = known.get(id)
    const reading =
      behaviour === undefined ? unknownId(id, [...known.keys()]) : readOverride(behaviour, value, changed[id])
    if ('answer' in reading) changed[id] = reading.answer
    else complaints.push({ ...override, complaint: reading.complaint })
  }
  return { settings: changed, complaints }
}

function freeze(profile: string, settings: Readonly<Record<string, unknown>>, catalog: BehaviourCatalog): Behaviours {
  const isNamed = ({ id, basis, default: usual }: Behaviour) =>
    basis !== 'documented' || !isDeepStrictEqual(settings[id], usual)
  const indexes = catalog.behaviours.map((behaviour, index) => [behaviour.id, isNamed(behaviour) ? index : -1] as const)
  return deepFreeze({
    profile,
    // The type is generated from the catalogue, and every value has been checked against its switch.
    settings: tableOf(Object.entries(structuredClone(settings))) as unknown as BehaviourSettings,
    catalog,
    indexes: tableOf(indexes),
  })
}

/**
 * Reads an override as it stands on a command line: `id=value`. A value that begins with `{` or `[` is YAML (so JSON too); any
 * other is text, which the behaviour's switch reads as a word, a number, or a list with commas.
 *
 * @throws StartupError when it is not `id=value`, or the value is not the YAML that it begins as
 * @example parseOverride('sort.fields=name,created') // { id: 'sort.fields', value: 'name,created', from: '--behaviour' }
 */
export function parseOverride(text: string, from = '--behaviour'): Override {
  const [, id, value] = /^\s*([^=\s]+)\s*=\s*(.*?)\s*$/s.exec(text) ?? []
  if (id === undefined || value === undefined)
    throw new StartupError([`${from}: \`${text}\` is not \`id=value\`. Write, for instance, \`page.last=null\`.`])
  if (!/^[[{]/.test(value)) return { id, value, from }
  try {
    return { id, value: parse(value) as unknown, from }
  } catch (error) {
    const why = error instanceof Error ? error.message.split('\n')[0] : ''
    throw new StartupError([`${from}: ${id}: \`${value}\` is neither YAML nor JSON. ${why ?? ''}`])
  }
}

function readOverride(behaviour: Behaviour, value: unknown, soFar: unknown): Reading {
  if (behaviour.options === undefined) {
    if (isDeepStrictEqual(value, behaviour.default)) return { answer: value }
    return {
      complaint: `${behaviour.id}: ${notAnAnswer(value)} It has no other setting than \`${String(behaviour.default)}\`.`,
    }
  }
  const reading = readAnswer(behaviour.options, value, soFar)
  return 'answer' in reading ? reading : { complaint: `${behaviour.id}: ${reading.complaint}` }
}

function unknownProfile(profile: string, catalog: BehaviourCatalog): string {
  const names = Object.keys(catalog.profiles)
  return `There is no profile \`${profile}\`${didYouMean(profile, names)} Profiles: ${names.join(', ')}.`
}

/** The whole catalogue would be a page, so only the nearest id is named. */
function unknownId(id: string, ids: readonly string[]): { complaint: string } {
  const list = `GET /__mock/behaviours lists all ${ids.length}, and spec/behaviours.yaml tells of each.`
  return { complaint: `There is no behaviour \`${id}\`${didYouMean(id, ids)} ${list}` }
}

function didYouMean(word: string, known: readonly string[]): string {
  const meant = nearest(word, known)
  return meant === undefined ? '.' : `: did you mean \`${meant}\`?`
}

/** An object without a prototype, which engines keep as a hash table: fastest for lookups by varying keys. */
function tableOf<Value>(entries: Iterable<readonly [string, Value]>): Record<string, Value> {
  return Object.assign(Object.create(null) as Record<string, Value>, Object.fromEntries(entries))
}

function deepFreeze<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  for (const inner of Object.values(value)) deepFreeze(inner)
  return Object.freeze(value)
}
