import { plainName } from '../../../base/formats/names.ts'
import type { Json } from '../../../base/formats/json.ts'
import type { Condition } from '../documents/selection.ts'
import { isStatus, statusFor } from '../lifecycles/status-words.ts'
import type { ItemMember, ItemMembers } from './item-members.ts'

/** A member, and those of its values that a word means. */
export interface NamedValues {
  readonly member: ItemMember
  readonly values: readonly Json[]
}

/** Statuses of what is over, of what goes on, and of what is to come. */
const TIMES: readonly (readonly [words: string, statuses: string])[] = [
  ['past previous ended finished completed', 'past finished completed complete ended done closed over final'],
  ['running live current ongoing active now', 'running live current ongoing active inprogress started playing open'],
  ['upcoming future next scheduled planned', 'upcoming future scheduled planned notstarted pending'],
]

/**
 * What a word says of items that have it as a status or as a flag: `running` of a status, `featured` of `is_featured`. Undefined where no
 * member has such a value.
 *
 * @example valuesNamed(['upcoming'], items) // { member: { pointer: '/status', … }, values: ['not_started'] }
 */
export function valuesNamed(words: readonly string[], items: ItemMembers): NamedValues | undefined {
  const flag = [['is', ...words], words].map((one) => items.find(one)).find((one) => one?.kind === 'boolean')
  if (flag) return { member: flag, values: [true] }
  const word = words.join('')
  for (const member of items.all) {
    const values = (member.values ?? []) as readonly Json[]
    if (values.length < 2 || member.isList || !isStatus(member.words.join(''))) continue
    const same = statusFor(word, values)
    if (same !== undefined) return { member, values: [same] }
    const [, statuses = ''] = TIMES.find(([times]) => times.split(' ').includes(word)) ?? []
    const meant = values.filter((one) => typeof one === 'string' && statuses.split(' ').includes(plainName(one)))
    if (meant.length > 0) return { member, values: meant }
  }
  return undefined
}

/** The condition that an item has one of the values, or none of them. */
export function conditionOf({ member: { pointer }, values }: NamedValues, isNot = false): Condition {
  const one = { pointer, oneOf: values }
  return isNot ? { anyOf: [[one]], isNot } : one
}
