import { isDeepStrictEqual } from 'node:util'
import { parse } from 'yaml'
import { nearest } from '../errors/nearest.ts'
import { StartupError } from '../errors/problem.ts'
import type { BehaviourSettings } from './settings.ts'
import type { BehaviourCatalog, Row } from './catalog.ts'
import { notAnAnswer, readAnswer } from './read-setting.ts'
import type { Reading } from './read-setting.ts'

/** The answers that a state lives by: frozen, plain data. */
export interface Behaviours {
  readonly profile: string
  readonly answers: BehaviourSettings
  readonly ledger: BehaviourCatalog
  /** For each id the index of its row, or -1 when it is never named: a documented behaviour that has its default. */
  readonly places: Readonly<Record<string, number>>
}

/** One answer that somebody wants otherwise. */
export interface Override {
  readonly id: string
  readonly value: unknown
  /** Who says so, for messages: `standin.yaml`, `--behaviour`. */
  readonly from: string
}

export interface BehavioursChoice {
  /** `default` when absent. */
  readonly profile?: string
  /** Who says so, for messages: `--profile`. */
  readonly profileFrom?: string | undefined
  /** In order: a later one wins; an object is laid over what the answer is by then. */
  readonly overrides?: readonly Override[]
}

/**
 * Answers every behaviours: the default, then the profile, then the overrides.
 *
 * @throws StartupError naming every unknown profile, id and value, with the nearest one that exists and all that are allowed
 * @example chooseBehaviours(catalogue, { overrides: [parseOverride('limit.max=clamp:500')] }).answers['limit.max'] // 'clamp:500'
 */
export function chooseBehaviours(ledger: BehaviourCatalog, choice: BehavioursChoice = {}): Behaviours {
  const { profile = 'default', profileFrom, overrides = [] } = choice
  const answers = Object.fromEntries(
    ledger.rows.map((row) => [row.id, Object.hasOwn(row.profiles, profile) ? row.profiles[profile] : row.default]),
  )
  const laid = layOver(answers, overrides, ledger)
  const complaints = [
    ...(Object.hasOwn(ledger.profiles, profile)
      ? []
      : [`${profileFrom === undefined ? '' : `${profileFrom}: `}${unknownProfile(profile, ledger)}`]),
    ...laid.complaints.map(({ from, complaint }) => `${from}: ${complaint}`),
  ]
  if (complaints.length > 0) throw new StartupError(complaints)
  return freeze(profile, laid.answers, ledger)
}

/**
 * Some answers laid over others.
 *
 * @returns the complaints, or else the answers
 */
export function changeBehaviours(
  { profile, answers, ledger }: Behaviours,
  overrides: readonly Override[],
): Behaviours | readonly Complaint[] {
  const laid = layOver({ ...answers }, overrides, ledger)
  return laid.complaints.length > 0 ? laid.complaints : freeze(profile, laid.answers, ledger)
}

/** What is wrong with an override. */
export interface Complaint extends Override {
  readonly complaint: string
}

function layOver(answers: Readonly<Record<string, unknown>>, overrides: readonly Override[], ledger: BehaviourCatalog) {
  const rows = new Map(ledger.rows.map((row) => [row.id, row]))
  const laid = { ...answers }
  const complaints: Complaint[] = []
  for (const override of overrides) {
    const { id, value } = override
    const row = rows.get(id)
    const reading = row === undefined ? unknownId(id, [...rows.keys()]) : readOverride(row, value, laid[id])
    if ('answer' in reading) laid[id] = reading.answer
    else complaints.push({ ...override, complaint: reading.complaint })
  }
  return { answers: laid, complaints }
}

function freeze(profile: string, answers: Readonly<Record<string, unknown>>, ledger: BehaviourCatalog): Behaviours {
  const isNamed = ({ id, basis, default: usual }: Row) =>
    basis !== 'documented' || !isDeepStrictEqual(answers[id], usual)
  const places = ledger.rows.map((row, index) => [row.id, isNamed(row) ? index : -1] as const)
  return deepFreeze({
    profile,
    // The type of the answers is generated from the behaviour catalogue, and every answer has passed its switch.
    answers: tableOf(Object.entries(structuredClone(answers))) as unknown as BehaviourSettings,
    ledger,
    places: tableOf(places),
  })
}

/**
 * Reads an override as it stands on a command line: `id=value`. A value that begins with `{` or `[` is YAML (so JSON too); any
 * other is text, which the switch of the row reads as a word, a number, or a list with commas.
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

function readOverride(row: Row, value: unknown, soFar: unknown): Reading {
  if (row.switch === undefined) {
    if (isDeepStrictEqual(value, row.default)) return { answer: value }
    return { complaint: `${row.id}: ${notAnAnswer(value)} It has no switch: the answer is \`${String(row.default)}\`.` }
  }
  const reading = readAnswer(row.switch, value, soFar)
  return 'answer' in reading ? reading : { complaint: `${row.id}: ${reading.complaint}` }
}

function unknownProfile(profile: string, ledger: BehaviourCatalog): string {
  const names = Object.keys(ledger.profiles)
  return `There is no profile \`${profile}\`${didYouMean(profile, names)} Profiles: ${names.join(', ')}.`
}

/** The whole catalogue would be a page, so only the nearest row is named. */
function unknownId(id: string, ids: readonly string[]): { complaint: string } {
  const list = `GET /__mock/behaviours lists all ${ids.length}, and spec/behaviours.yaml tells of each.`
  return { complaint: `There is no behaviour \`${id}\`${didYouMean(id, ids)} ${list}` }
}

function didYouMean(word: string, known: readonly string[]): string {
  const meant = nearest(word, known)
  return meant === undefined ? '.' : `: did you mean \`${meant}\`?`
}

/** An object without a prototype, which engines keep as a hash table: the quickest to look up in by ever other ids. */
function tableOf<Value>(entries: Iterable<readonly [string, Value]>): Record<string, Value> {
  return Object.assign(Object.create(null) as Record<string, Value>, Object.fromEntries(entries))
}

function deepFreeze<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  for (const inner of Object.values(value)) deepFreeze(inner)
  return Object.freeze(value)
}
