import { isObject } from '../../../base/formats/json.ts'
import type { DocumentSortKey } from '../documents/selection.ts'
import type { ItemMember, ItemMembers } from './item-members.ts'
import { directionOf } from './parameter-names.ts'
import { wordsOf } from '../../../base/formats/names.ts'

interface SortKeys {
  readonly keys: readonly DocumentSortKey[]
  /** Parts of the value that are not members of the items. */
  readonly unknown: readonly string[]
}

/**
 * The members that the value of a sort parameter names: `name`, `-created`, `name:desc`, `created desc, id`, `price_asc`, `newest`, or
 * objects such as `{ field, direction }` in a body.
 *
 * @param usual the direction of keys that name none
 */
export function readSortKeys(value: unknown, usual: string | undefined, items: ItemMembers): SortKeys {
  const texts = [value].flat().flatMap(textsOf)
  const keys: DocumentSortKey[] = []
  const unknown: string[] = []
  for (const text of texts) {
    const key = readKey(text, directionOf(usual ?? '') === 'desc', items)
    if (key) keys.push(key)
    else unknown.push(text)
  }
  return { keys, unknown }
}

/** Each key as a text. */
function textsOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return value.split(',').filter((text) => text.trim() !== '')
  if (!isObject(value)) return []
  const find = (pattern: RegExp) => Object.entries(value).find(([name]) => pattern.test(name))?.[1]
  const [field, direction] = [find(/field|property|name|key|column|by|attribute/i), find(/order|dir|sort$/i)]
  if (typeof field === 'string') return [typeof direction === 'string' ? `${field} ${direction}` : field]
  // { created: 'desc' }
  return Object.entries(value).map(([name, order]) => `${name} ${String(order)}`)
}

function readKey(text: string, isDescending: boolean, items: ItemMembers): DocumentSortKey | undefined {
  const [, sign = '', name = ''] = /^\s*([-+!]?)(.*)$/s.exec(text) ?? []
  const words = wordsOf(name)
  const whole = memberOf(words, { find: items.find, findDate: items.findDate })
  if (whole) return { pointer: whole.pointer, descending: sign === '' ? isDescending : sign !== '+' }
  const directed = directedWords(words)
  const any = directed ? undefined : memberOf(words, items)
  if (any) return { pointer: any.pointer, descending: sign === '' ? isDescending : sign !== '+' }
  const member = directed && (directed.rest.length === 0 ? items.findDate([]) : memberOf(directed.rest, items))
  return member && { pointer: member.pointer, descending: directed.direction === 'desc' }
}

function directedWords(words: readonly string[]): { direction: 'asc' | 'desc'; rest: readonly string[] } | undefined {
  const last = directionOf(words.at(-1) ?? '')
  if (last) return { direction: last, rest: words.slice(0, -1) }
  const first = directionOf(words[0] ?? '')
  return first && { direction: first, rest: words.slice(1) }
}

function memberOf(words: readonly string[], items: Omit<ItemMembers, 'all'>): ItemMember | undefined {
  if (words.length === 0) return undefined
  const member = items.find(words) ?? items.findDate(words) ?? items.any?.(words)
  return member?.kind === 'other' || member?.isInList ? undefined : member
}
