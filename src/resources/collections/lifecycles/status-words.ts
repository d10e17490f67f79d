import { shapeOf } from '../../../contract/schemas/shape.ts'
import { encodePointer, isObject, type Json } from '../../../base/formats/json.ts'
import { follow } from '../../../contract/pointer.ts'
import { plainName } from '../../../base/formats/names.ts'

/** A member that has one of a few texts. */
export interface StatusMember {
  readonly pointer: string
  readonly values: readonly Json[]
}

/** The members of an item that are an enumeration; those that are called after a status first. */
export function statusMembers(document: unknown, schema: unknown): StatusMember[] {
  const found = [...shapeOf(document, schema, 'any').properties].flatMap(([name, member]) => {
    const values = valuesOf(document, member)
    return values.length > 1 ? [{ name, pointer: `/${encodePointer(name)}`, values }] : []
  })
  return found.toSorted((one, other) => Number(isStatus(other.name)) - Number(isStatus(one.name)))
}

/** Whether a member is called after a status. */
export function isStatus(name: string): boolean {
  return /(status|state|phase|stage)$/.test(plainName(name))
}

/** The values that a schema enumerates, by `enum`, or by a `const` for each alternative. */
export function valuesOf(document: unknown, schema: unknown): readonly Json[] {
  const { keywords } = shapeOf(document, schema)
  if (Array.isArray(keywords.enum)) return (keywords.enum as readonly Json[]).filter((value) => value !== null)
  const held = follow(document, schema)
  const alternatives = isObject(held) ? (held.oneOf ?? held.anyOf) : undefined
  if (!Array.isArray(alternatives)) return []
  const values = alternatives.map((one: unknown) => {
    const followed = follow(document, one)
    return isObject(followed) ? (followed.const as Json | undefined) : undefined
  })
  return values.filter((value) => value !== undefined)
}

/** The status that an action sets by its name: `cancelled` for `cancel`, `published` for `publish`. */
export function statusFor(word: string, values: readonly Json[]): Json | undefined {
  const texts = new Map(values.flatMap((value) => (typeof value === 'string' ? [[plainName(value), value]] : [])))
  return verbsOf(word)
    .flatMap(formsOf)
    .map((form) => texts.get(form))
    .find((found) => found !== undefined)
}

/** The verbs that a word may mean: `paid` for `mark-as-paid` and `set_paid`. */
export function verbsOf(word: string): readonly string[] {
  const verb = word.replace(/^(?:mark|set|make)[-_]?(?:as|to)?[-_]?(?=.)/i, '')
  return [...new Set([word, verb].map(plainName))]
}

/** Statuses of actions that are not a form of their verb. */
const RESULTS: Readonly<Record<string, readonly string[]>> = {
  activate: ['active'],
  begin: ['begun', 'inprogress', 'running', 'active'],
  build: ['built'],
  capture: ['succeeded'],
  complete: ['done', 'finished'],
  confirm: ['succeeded', 'accepted'],
  deactivate: ['inactive'],
  disable: ['inactive'],
  draw: ['drawn'],
  enable: ['active'],
  finalize: ['final', 'open'],
  finish: ['done', 'completed', 'complete'],
  freeze: ['frozen'],
  hide: ['hidden'],
  hold: ['held', 'onhold'],
  lose: ['lost'],
  pay: ['paid'],
  reactivate: ['active'],
  reopen: ['open'],
  restart: ['inprogress', 'running', 'active'],
  resume: ['active', 'running', 'inprogress'],
  read: ['seen'],
  send: ['sent'],
  show: ['shown', 'visible'],
  start: ['inprogress', 'running', 'active'],
  unarchive: ['active'],
  unpublish: ['draft'],
  unsuspend: ['active'],
  win: ['won'],
  withdraw: ['withdrawn'],
}

/** What something was done to that has a status, as a plain name: `completed` and `finished` for `done`, and `closed` for itself. */
export function causesOf(status: string): readonly string[] {
  const forms = verbsTo(status).flatMap((verb) => formsOf(verb).filter((form) => form.endsWith('ed')))
  return [plainName(status), ...forms]
}

/** The verbs that lead to a status: `cancel` to `cancelled`. */
export function verbsTo(status: string): readonly string[] {
  const plain = plainName(status)
  return Object.keys(RESULTS).filter((verb) => !/^(re|un)/.test(verb) && RESULTS[verb]?.includes(plain))
}

/** A verb, and what something is after it: `archived`. */
export function formsOf(verb: string): string[] {
  const stem = verb.endsWith('e') ? verb.slice(0, -1) : verb
  const regular = verb.endsWith('y') ? [`${verb.slice(0, -1)}ied`] : []
  // What takes a while is under way at first: `canceling`.
  return [verb, `${stem}ed`, `${verb}${verb.at(-1) ?? ''}ed`, ...regular, ...(RESULTS[verb] ?? []), `${stem}ing`]
}
