import { refusal } from '../../../behaviours/refusal.ts'
import { transitionRefused } from '../../../base/errors/resource-errors.ts'
import type { Json, Members } from '../../../base/formats/json.ts'
import { plainName } from '../../../base/formats/names.ts'
import { valueAt } from '../../../contract/pointer.ts'
import { readDocumented } from '../../../contract/schemas/documented.ts'
import type { Call } from '../../handler.ts'
import type { OperationPlan } from '../infer/plan.ts'
import { isTooLate } from '../../../values/consistency/events.ts'
import { type OperationEffect, wordOf } from './effect.ts'
import { isStatus, type StatusMember, statusMembers } from './status-words.ts'

/** The statuses of an item in which an operation is possible, by what the document says of its 409. */
export interface StatusRule {
  readonly pointer: string
  readonly allows: (status: string) => boolean
  /** For people. */
  readonly expected: string
}

/**
 * "Only pending transfers can be cancelled". Where the description of the 409 names no status, an action is ruled out by those after which
 * the one that it sets comes too late. Undefined where nothing is ruled out.
 */
export function readStatusRule(
  document: unknown,
  { operation, collection, role }: OperationPlan,
  effect: OperationEffect | undefined,
): StatusRule | undefined {
  const documented = readDocumented(document, operation)
  const [member] = documented.statuses.includes('409') ? statusMembers(document, collection.schema) : []
  if (!member || !isStatus(member.pointer)) return undefined
  const { only, never } = saidStatuses(documented.described(409), member.values)
  if (only.length + never.length === 0) {
    const to = role === 'action' && operation.method !== 'DELETE' ? valueAt(effect?.set, member.pointer) : undefined
    const isBack = effect?.restores === true || BACK.test(wordOf(operation.path))
    return typeof to === 'string' && !isBack ? ruleOf(member, (status) => !isTooLate(status, to)) : undefined
  }
  return {
    pointer: member.pointer,
    allows: (status) => (only.length === 0 || only.includes(status)) && !never.includes(status),
    expected: only.length > 0 ? only.join(' or ') : `another value than ${never.join(' or ')}`,
  }
}

/** Actions that lead back: `reopen`, `retry`, `unarchive`. */
const BACK =
  /^(re(?:open|store|activate|sume|try|start|submit|send|new|cover|set|instate|run|do|peat|queue)|un(?=[a-z]))/i

function ruleOf({ pointer, values }: StatusMember, allows: (status: string) => boolean): StatusRule | undefined {
  const allowed = values.filter((one): one is string => typeof one === 'string' && allows(one))
  return allowed.length < values.length ? { pointer, allows, expected: allowed.join(' or ') } : undefined
}

/** @throws Problem 409 `collections.repeated-action` */
export function refuseByStatus(rule: StatusRule | undefined, noun: string, before: Members, { tracker }: Call): void {
  const status = rule && valueAt(before, rule.pointer)
  if (typeof status !== 'string' || rule?.allows(status) !== false) return
  if (tracker.ask('collections.repeated-action') === 'accept') return
  throw transitionRefused({
    detail: `The ${noun} is ${status}.`,
    violations: [refusal('collections.repeated-action', { pointer: rule.pointer }, rule.expected, status)],
  })
}

/** The statuses that a sentence asks for, and those that it rules out. */
function saidStatuses(said: string, values: readonly Json[]): Record<'only' | 'never', readonly string[]> {
  const only = new Set<string>()
  const never = new Set<string>()
  for (const sentence of said.toLowerCase().split(/[.;!\n]/)) {
    const asked = ASKED.map((pattern) => named(pattern.exec(sentence)?.[1], values)).find((some) => some.length > 0)
    for (const status of asked ?? []) only.add(status)
    const [, done, forbidden = done] = FORBIDDEN.exec(sentence) ?? []
    if (!asked) for (const status of named(forbidden, values)) never.add(status)
  }
  return { only: [...only], never: [...never] }
}

/** What a status is asked for by: the last words of each, up to the verb that speaks of the operation. */
const ASKED = [
  /\bonly\b.*?\b(?:while|when|if|from|in)\b(.*)/,
  /\bonly\b(.*?)(?:\b(?:can|may|could)\b.*)?$/,
  /\bmust(?: still)? be\b(.*)/,
  /\b(?:is|are|was|were|has|have)(?: not|n't)(?: yet)?(?: been)?(?: in)?\b(.*?)(?:\b(?:and|so|cannot|can't|can)\b.*)?$/,
  /(?<!must )\bnot (?:yet |in )?(?:an? |the )?(.*?)(?:\b(?:and|so|cannot|can't|can)\b.*)?$/,
]
/** `already frozen or closed`, `must not be shipped`, `a published post cannot be deleted` */
const FORBIDDEN = /\balready(?: been)?\b(.*)|^(?=.*\b(?:cannot|can't|can not|must not|may not)\b)(.*)/

/** The statuses that a text names, in one word or in two: `in progress`. */
function named(text: string | undefined, values: readonly Json[]): readonly string[] {
  const words = (text ?? '').split(/[^\w-]+/).filter((word) => word !== '')
  const spoken = new Set([...words, ...words.map((word, at) => word + (words[at + 1] ?? ''))].map(plainName))
  return values.filter((value) => typeof value === 'string').filter((value) => spoken.has(plainName(value)))
}
