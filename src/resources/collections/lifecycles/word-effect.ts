import { shapeOf } from '../../../contract/schemas/shape.ts'
import { type Json, type Members, splitPointer } from '../../../base/formats/json.ts'
import { isStamp } from '../items/server-members.ts'
import { singular } from '../../../base/formats/plurals.ts'
import {
  causesOf,
  formsOf,
  isStatus,
  statusFor,
  type StatusMember,
  statusMembers,
  verbsOf,
  verbsTo,
} from './status-words.ts'
import { firstStatus } from '../../../values/new-values.ts'
import { plainName } from '../../../base/formats/names.ts'

/** What an operation sets besides what the request says, by the names of the members. */
export interface MemberChanges {
  readonly set: Readonly<Record<string, unknown>>
  /** The members that get the time of the request: `archived_at`. */
  readonly moments: readonly string[]
  /** The members that lose their value. */
  readonly cleared: readonly string[]
  /** Whether the status that it sets is the one before another action: `active` after `unfreeze`. */
  readonly restores?: true
}

interface WordOfPath {
  readonly word: string
  /** Whether it is undone, as by `DELETE /notes/{id}/star`. */
  readonly isUndone: boolean
  /** The pointers of the statuses to try first. */
  readonly first?: readonly string[]
}

/** What the word in a path means for an item: `/archive` sets a status, `archived: true`, and `archived_at`. Undefined for nothing. */
export function effectOfWord(document: unknown, schema: unknown, path: WordOfPath): MemberChanges | undefined {
  const verbs = verbsOf(path.word)
  const [does, undoes] = [verbs.flatMap(formsOf), verbs.flatMap(undoneBy).flatMap(formsOf)]
  const [becomes, ceases] = path.isUndone ? [undoes, does] : [does, undoes]
  const [statusName, status, restores] = statusOfWord(document, schema, path) ?? []
  const set = new Map<string, unknown>(statusName === undefined ? [] : [[statusName, status]])
  const [moments, cleared]: [string[], string[]] = [[], []]
  for (const [name, member] of shapeOf(document, schema, 'any').properties) {
    const { types } = shapeOf(document, member)
    const plain = plainName(name)
    if (types.has('boolean')) {
      const flag = flagOf(plain, becomes, ceases)
      if (flag !== undefined) set.set(name, flag)
    } else if (isStamp(name)) continue
    else if (isMoment(plain, becomes)) moments.push(name)
    else if (isMoment(plain, ceases) || isReason(plain, ceases) || (path.isUndone && verbs.includes(singular(plain))))
      cleared.push(name)
  }
  const isEmpty = set.size + moments.length + cleared.length === 0
  return isEmpty ? undefined : { set: Object.fromEntries(set), moments, cleared, ...(restores && { restores }) }
}

interface ChangedMembers {
  /** Undefined for a new item. */
  readonly before: Members | undefined
  readonly after: Members
}

/**
 * The moments that a change of a status or a flag sets and clears: `completed_at` for `done`, and `archived_at` for `is_archived`. They
 * lose their value where the item moves back, as do reasons.
 */
export function momentsOfChange(document: unknown, schema: unknown, { before, after }: ChangedMembers): MemberChanges {
  const { properties } = shapeOf(document, schema, 'any')
  const names = [...properties.keys()].filter((name) => !isStamp(name) && before?.[name] === after[name])
  const momentsOf = (forms: readonly string[]) => names.filter((name) => isMoment(plainName(name), forms))
  const reasonsOf = (was: string) => names.filter((name) => tellsWhy(plainName(name), was))
  const changed = [...properties].flatMap(([name, member]) => {
    const [was, is] = [before?.[name], after[name]]
    if (was === is) return []
    if (shapeOf(document, member).types.has('boolean')) {
      const moments = momentsOf([withoutIs(plainName(name))])
      return [{ moments: is === true ? moments : [], cleared: was === true ? moments : [] }]
    }
    if (typeof is !== 'string' || !isStatus(name)) return []
    const isBack = typeof was === 'string' && firstStatus([was, is]) === is
    const cleared = isBack ? [...momentsOf(causesOf(was)), ...reasonsOf(was)] : []
    return [{ moments: momentsOf(causesOf(is)), cleared }]
  })
  const moments = changed.flatMap((one) => one.moments)
  const cleared = changed.flatMap((one) => one.cleared).filter((name) => !moments.includes(name))
  return { set: {}, moments, cleared }
}

function statusOfWord(
  document: unknown,
  schema: unknown,
  path: WordOfPath,
): readonly [name: string, status: Json, restores?: true] | undefined {
  const members = statusMembers(document, schema)
  const declared = (path.first ?? []).flatMap((pointer) => members.filter((one) => one.pointer === pointer))
  const all = [...new Set([...declared, ...members])]
  const verbs = verbsOf(path.word)
  for (const { pointer, values } of path.isUndone ? [] : all) {
    const status = statusFor(path.word, values)
    if (status !== undefined) return [nameAt(pointer), status]
  }
  return restoredBy(all, path.isUndone ? verbs : verbs.flatMap(undoneBy))
}

/** The status of an item that is no longer in the one that a verb left it in: `active` after `unfreeze`, where it began. */
function restoredBy(members: readonly StatusMember[], verbs: readonly string[]) {
  for (const { pointer, values } of members) {
    const ceased = verbs.map((verb) => statusFor(verb, values)).find((one) => one !== undefined)
    const first = ceased === undefined ? undefined : firstStatus(values.filter((one) => one !== ceased))
    if (first !== undefined) return [nameAt(pointer), first, true] as const
  }
  return undefined
}

function nameAt(pointer: string): string {
  return splitPointer(pointer)[0] ?? ''
}

/** The verbs that others undo without being called after them. */
const UNDOES: Readonly<Record<string, readonly string[]>> = {
  disable: ['enable', 'activate'],
  enable: ['disable'],
  hide: ['show'],
  open: ['close'],
  recover: ['delete', 'trash', 'archive'],
  reopen: ['close', 'complete', 'resolve', 'finish'],
  restore: ['delete', 'trash', 'archive'],
  resume: ['pause', 'suspend', 'stop'],
  show: ['hide'],
}

/** `archive` for `unarchive`, `activate` for `deactivate`. */
function undoneBy(verb: string): readonly string[] {
  const [, bare] = /^(?:un|de)(.{3,})$/.exec(verb) ?? []
  return [...(bare === undefined ? [] : [bare]), ...(UNDOES[verb] ?? [])]
}

/** What a flag such as `archived`, `is_archived` or `unread` becomes. */
function flagOf(plain: string, becomes: readonly string[], ceases: readonly string[]): boolean | undefined {
  const names = [plain, withoutIs(plain)]
  if (names.some((name) => becomes.includes(name))) return true
  if (names.some((name) => ceases.includes(name))) return false
  const [, opposite] = /^(?:is)?un(.{3,})$/.exec(plain) ?? []
  if (opposite === undefined) return undefined
  return becomes.includes(opposite) ? false : ceases.includes(opposite) || undefined
}

/** `archived` for `isarchived` */
function withoutIs(plain: string): string {
  return plain.replace(/^(?:is|has|was)(?=.{3})/, '')
}

/** `freeze_reason`, `frozen_by` */
function isReason(plain: string, forms: readonly string[]): boolean {
  return forms.some((form) => [`${form}reason`, `${form}by`, `${form}comment`, `${form}until`].includes(plain))
}

/** `cancel_reason`, `cancelled_by`, `cancellationReason` of `cancelled` */
function tellsWhy(plain: string, status: string): boolean {
  const about = /^(.{4,}?)(?:reason|by|comment)$/.exec(plain)?.[1]
  const stems = [plainName(status).replace(/l?ed$/, ''), ...verbsTo(status).map((verb) => verb.replace(/e$/, ''))]
  return about !== undefined && stems.some((stem) => stem.length >= 4 && about.startsWith(stem))
}

/** `archived_at`, `archivedOn`, `date_archived` */
function isMoment(plain: string, forms: readonly string[]): boolean {
  return forms.some((form) => [`${form}at`, `${form}on`, `${form}date`, `${form}time`, `date${form}`].includes(plain))
}
