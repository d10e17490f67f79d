import { isObject } from '../../src/base/formats/json.ts'
import { plain, singular } from './schemas.ts'

/** The id of an item of the collection that a noun such as `customer` names; undefined where there is none. */
export type Linked = (noun: string) => string | undefined

/** A value with ids of things that exist in its members such as `customer_id`, `tag_ids` and `customer: { id }`. */
export function linkMembers(value: unknown, linked: Linked, name = ''): unknown {
  if (Array.isArray(value)) return value.map((one) => linkMembers(one, linked, singular(name)))
  if (isObject(value)) {
    const inner = Object.entries(value).map(([key, one]) => [
      key,
      linkMembers(one, linked, plain(key) === 'id' ? `${name}Id` : key),
    ])
    return Object.fromEntries(inner) as unknown
  }
  const noun = /^(.+?)(?:id|sid|uuid)$/.exec(plain(name))?.[1]
  const id = noun === undefined ? undefined : linked(singular(noun))
  if (id === undefined) return value
  return typeof value === 'number' ? Number(id) : id
}
