import { type FillSource, valueOf } from '../../../app/learned/fill.ts'
import {
  type Form,
  formNames,
  KINDS,
  type LearnedStatus,
  statusOf,
  type ValueRule,
} from '../../../app/learned/learned.ts'
import { isObject, mapMembers } from '../../../base/formats/json.ts'
import type { Contract } from '../../../contract/contract.ts'
import { valueAt } from '../../../contract/pointer.ts'
import { readDocumented } from '../../../contract/schemas/documented.ts'
import { hasParts } from '../../../app/learned/reshape.ts'
import { applied, findRule, isConstant, isSame, scoreOf } from './find-rule.ts'
import { isSchema, observeBody, type Observation, type Observations, type RequestPlaces } from './observe.ts'
import type { ComparedExchange } from '../compared-exchange.ts'
import { createWritableNames } from './writable-names.ts'

interface FormParts {
  readonly contract: Pick<Contract, 'document' | 'operations'>
  readonly statuses: readonly LearnedStatus[]
  /** Whether an operation shows what is kept, by its operationId. */
  readonly isStateful: (operationId: string) => boolean
}

/** How the bodies of the service differ from those that follow from the contract. */
export function learnForms(compared: readonly ComparedExchange[], parts: FormParts): Record<string, Form> {
  const { contract, statuses, isStateful } = parts
  const { document } = contract
  const writableIn = createWritableNames(contract, compared)
  const observations: Observations = new Map()
  for (const one of compared) {
    const { operation, theirs, ours, outcome, method, violations } = one
    const { operationId } = operation ?? {}
    const status = statusOf(statuses, { operationId, method, outcome, status: ours.status }) ?? ours.status
    // A text that is no JSON has no form.
    if (status !== theirs.status || (theirs.json === undefined && theirs.hasBody)) continue
    const writable = writableIn(operation)
    const documented = operation && readDocumented(document, operation)
    // The response to a deletion shows no state that later requests could read.
    const isKept = status < 400 && method !== 'DELETE'
    const isState = isKept && operationId !== undefined && isStateful(operationId)
    observeBody(
      {
        document,
        sent: sentBy(one),
        into: observations,
        isState,
        wasSent: (name) => writable.sent.has(name),
        isWritable: (name) => isKept && (writable.sent.has(name) || (isState && writable.documented.has(name))),
      },
      theirs.json,
      ours.json,
      {
        schema: documented?.response(status)?.schema ?? documented?.response(ours.status)?.schema,
        names: formNames(operation, status, { outcome, violations }),
      },
    )
  }
  return rulesOf(observations)
}

function sentBy({
  path,
  url,
  sent,
  method,
  at,
  operation,
  violations: [violation],
  problem,
}: ComparedExchange): RequestPlaces {
  const query = new URLSearchParams(url.split('?')[1] ?? '')
  const source: FillSource = {
    method,
    url: () => url,
    status: undefined,
    header: () => undefined,
    query: (name) => query.get(name) ?? undefined,
    path: (name) => path[name],
    requestBody: sent,
    responseBody: undefined,
    template: operation?.path,
    now: at,
    violation,
    problem,
  }
  return { source, pathNames: Object.keys(path), queryNames: [...new Set(query.keys())] }
}

const RANK_OF_OPERATION = 4

/** What more responses share comes first: those of one operation need no rule where they are as the others. */
function rankOf(name: string): number {
  if (isSchema(name)) return 0
  if (isKind(name)) return 1
  if (name.startsWith('items of ')) return 2
  if (!isError(name)) return RANK_OF_OPERATION
  const [, , outcome, code] = name.split(' ')
  return code !== undefined ? 3 : outcome !== undefined ? 2 : 1
}

function rulesOf(observations: Observations): Record<string, Form> {
  const forms: Record<string, Form> = {}
  const names = [...observations.keys()].toSorted((a, b) => rankOf(a) - rankOf(b))
  for (const name of names) {
    const seen = observations.get(name) ?? new Map<string, Observation[]>()
    // What several kinds of errors share holds for others too.
    if (isError(name) && rankOf(name) === 1 && kindsIn([...seen.values()].flat()) < 2) continue
    const form = formOf(name, seen, { known: forms, observations })
    if (Object.keys(form).length > 0) forms[name] = form
  }
  return forms
}

/** How many kinds of errors the values come from: kinds of problems for rank 2, rules that requests break for rank 3. */
function kindsIn(all: readonly Observation[], rank = 2): number {
  return new Set(all.flatMap(({ places }) => places.flatMap(({ form }) => (rankOf(form) === rank ? [form] : [])))).size
}

function formOf(
  name: string,
  seen: ReadonlyMap<string, readonly Observation[]>,
  { known, observations }: { readonly known: Readonly<Record<string, Form>>; readonly observations: Observations },
): Form {
  const form: Record<string, ValueRule> = {}
  /** Where a rule says all that is below. */
  const whole = new Set<string>()
  for (const [pointer, all] of seen) {
    // An object as a whole is a matter of what it is in.
    if (pointer === '' && isSchema(name)) continue
    const parent = pointer.slice(0, pointer.lastIndexOf('/'))
    const holders = pointer === '' ? [] : (seen.get(parent) ?? [])
    if (pointer !== '' && whole.has(parent)) {
      whole.add(pointer)
      continue
    }
    const unseen = Math.max(0, holders.filter(({ theirs }) => isObject(theirs)).length - all.length)
    // Of members with names of their own, those that all have and no client chose.
    const isNamed = holders.some(({ isFree }) => isFree)
    if (isNamed && (unseen > 0 || all.length < 2 || all.some(({ isSent }) => isSent))) continue
    const found = findRule(all, {
      unseen: pointer === '' ? 0 : unseen,
      isSummary: /\/\*(?:\/|$)/.test(pointer) && isSummary(all, observations),
      isOfMany: isError(name) || isKind(name),
      isOfErrors: all.every(isOfError),
    })
    if (found && isKind(name) && !isOfSeveral(found, all, holders)) continue
    const own = found && isOfOne(found, name, all) ? withoutSentences(found) : found
    const rule = isPartOfItem(name, all) ? withoutConstant(own) : own
    const usual = all.reduce((sum, one) => sum + scoreOf(shared(one, name, known), [one]), 0)
    if (scoreOf(rule, all) <= usual + LEAST_GAIN) continue
    form[pointer] = rule ?? {}
    if (rule && isWhole(rule, all)) whole.add(pointer)
  }
  return rankOf(name) === RANK_OF_OPERATION ? { ...withoutAdditions(name, seen, known), ...form } : form
}

/** Empty rules for one operation: members that a shared form adds, and that no response of this operation has. */
function withoutAdditions(
  name: string,
  seen: ReadonlyMap<string, readonly Observation[]>,
  known: Readonly<Record<string, Form>>,
): Form {
  const form: Record<string, ValueRule> = {}
  for (const [pointer, holders] of seen) {
    const shown = holders.filter(({ theirs }) => isObject(theirs))
    for (const { form: other, pointer: at } of shown.flatMap(({ places }) => places)) {
      if (other === name) continue
      for (const [place, { add }] of Object.entries(known[other] ?? {})) {
        const member = place.slice(at.length)
        if (add === undefined || !place.startsWith(at) || !/^\/[^/*]+$/.test(member)) continue
        const all = seen.get(pointer + member) ?? []
        if (all.every(({ theirs, ours }) => theirs === undefined && ours === undefined)) form[pointer + member] = {}
      }
    }
  }
  return form
}

const LEAST_GAIN = 0.04

/** The rule of a form that more responses share, for a value of one of them. */
function shared({ places }: Observation, name: string, known: Readonly<Record<string, Form>>): ValueRule | undefined {
  const others = places
    .filter(({ form }) => rankOf(form) < rankOf(name))
    .toSorted((a, b) => rankOf(b.form) - rankOf(a.form))
  return others.map(({ form, pointer }) => ruleAt(known[form] ?? {}, pointer)).find((rule) => rule !== undefined)
}

/** The rule of a form for a place, which may be a part of one that gives what is around it. */
function ruleAt(form: Form, pointer: string): ValueRule | undefined {
  const own = form[pointer]
  if (own || pointer === '') return own
  const end = pointer.lastIndexOf('/')
  const { set, add = set } = ruleAt(form, pointer.slice(0, end)) ?? {}
  if (!hasParts(add)) return undefined
  const part = valueAt(add, pointer.slice(end))
  return part === undefined ? { drop: true } : { set: part, add: part }
}

/** Whether other responses show a member that none of these does: lists may show a part of each item. */
function isSummary(all: readonly Observation[], observations: Observations): boolean {
  if (all.some(({ theirs }) => theirs !== undefined)) return false
  return all.some(({ places }) =>
    places.some(({ form, pointer }) =>
      observations
        .get(form)
        ?.get(pointer)
        ?.some(({ theirs }) => theirs !== undefined),
    ),
  )
}

/** Whether a rule says all that is below: it gives objects and lists with what is in them, or what was sent. */
function isWhole({ add, set }: ValueRule, all: readonly Observation[]): boolean {
  const template = set ?? add
  const isGiven = typeof template === 'string' || hasParts(template)
  return isGiven && all.every(({ theirs }) => typeof theirs === 'object' && theirs !== null)
}

/** What is refused before it matters which operation it is for. */
const OF_ALL = /^error \d{3} (?:key-|path-unknown|method-not-allowed|not-acceptable|media-type)/

/** Whether only one operation was seen to say so, in the form of several. What is wrong with a request in the same way is said alike. */
function isOfOne(rule: ValueRule, name: string, all: readonly Observation[]): boolean {
  if (OF_ALL.test(name) || isKind(name)) return false
  const saying = all.filter((one) => isSame(applied(rule, one), one.theirs))
  // Errors that share a schema say different things in it.
  if (isSchema(name)) return saying.length < all.length && all.some(isOfError)
  if (!isError(name) || rankOf(name) > 2) return false
  // The sentence of one kind of error says nothing of the others.
  if (kindsIn(saying, rankOf(name) + 1) === 1) return true
  return new Set(saying.map(operationOf)).size < 2
}

/** The form of its operation alone. */
function operationOf({ places }: Observation): string | undefined {
  return places.find(({ form }) => rankOf(form) === RANK_OF_OPERATION)?.form
}

function isKind(name: string): boolean {
  return KINDS.some((one) => one === name)
}

function isError(name: string): boolean {
  return name.startsWith('error ')
}

/** A rule has to improve more than this many operations for each one that it makes worse. */
const LEAST_SHARE = 2

/**
 * Whether operations on different things agree in a rule, so that it may hold for others too.
 *
 * @param holders the objects that the values are in
 */
function isOfSeveral(rule: ValueRule, all: readonly Observation[], holders: readonly Observation[]): boolean {
  const held = Map.groupBy(holders, operationOf)
  const subjects = new Set<unknown>()
  let [better, worse] = [0, 0]
  for (const [operation, seen] of Map.groupBy(all, operationOf)) {
    const lacking = rule.add === undefined ? 0 : Math.max(0, (held.get(operation)?.length ?? 0) - seen.length)
    const gain = scoreOf(rule, seen) - scoreOf(undefined, seen) - lacking
    if (gain >= LEAST_GAIN) {
      better++
      for (const { sent, item } of seen) subjects.add(valueOf('$path.nouns', sent.source, { item, pointer: '' }))
    } else if (gain < 0) worse++
    held.delete(operation)
  }
  if (rule.add !== undefined)
    worse += [...held.values()].filter((one) => one.some(({ theirs }) => isObject(theirs))).length
  return subjects.size > 1 && better > worse * LEAST_SHARE
}

function isOfError({ places }: Observation): boolean {
  return places.some(({ form }) => isError(form))
}

/** Whether it is the form of one operation, for a member of an item that others show too: what one says, all say. */
function isPartOfItem(name: string, all: readonly Observation[]): boolean {
  return (
    rankOf(name) === RANK_OF_OPERATION &&
    all.some((one) => !isOfError(one) && one.places.some(({ form }) => isSchema(form)))
  )
}

function withoutConstant(rule: ValueRule | undefined): ValueRule | undefined {
  if (rule?.set === undefined || !isConstant(rule.set)) return rule
  const { set: _set, ...rest } = rule
  return Object.keys(rest).length === 0 ? undefined : rest
}

/** With what a stand-in says itself in place of the sentences. */
function withoutSentences({ add, set, ...rest }: ValueRule): ValueRule {
  return {
    ...rest,
    ...(add !== undefined && { add: withOwnWords(add) }),
    ...(set !== undefined && { set: withOwnWords(set) }),
  }
}

function withOwnWords(template: unknown): unknown {
  if (typeof template === 'string') return /\S\s+\S/.test(template) ? '{$problem}' : template
  if (Array.isArray(template)) return template.map(withOwnWords)
  return isObject(template) ? mapMembers(template, withOwnWords) : template
}
