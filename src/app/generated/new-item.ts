import { isStamp } from '../../resources/collections/items/server-members.ts'
import { pointerOf, valueAt, withValue } from '../../contract/pointer.ts'
import { memberAt, shapeOf } from '../../contract/schemas/shape.ts'
import { isObject, mapMembers, mapTexts, type Members } from '../../base/formats/json.ts'
import { wordsOf } from '../../base/formats/names.ts'
import { writerOf } from '../../values/consistency/events.ts'
import { idLike, isOwnId } from '../../values/new-values.ts'

interface NewlyMade {
  readonly document: unknown
  readonly schema: unknown
  /** Of this one request: the next one makes another item. */
  readonly key: number
  /** Epoch ms. */
  readonly now: number
  /** Whether the request says what a member is. */
  isSent(name: string): boolean
}

/** A response to a create. Its headers may say where the item is. */
interface Created {
  readonly value: Members
  readonly headers: Readonly<Record<string, string>>
}

/** The response with an id that no other item has, also in addresses, and with dates of now. */
export function asNew({ value, headers }: Created, item: NewlyMade): Created {
  const { document, schema, key, isSent } = item
  const path = ownId(value, schema)
  const holder = pointerOf(path.slice(0, -1))
  const dated = withDates(value, item)
  const inner = valueAt(dated, holder)
  const made = path.length > 1 && isObject(inner) ? withValue(dated, holder, withDates(inner, item)) : dated
  const held = valueAt(value, pointerOf(path))
  if ((typeof held !== 'string' && typeof held !== 'number') || isSent(path.at(-1) ?? ''))
    return { value: made, headers }
  const id = newId(held, shapeOf(document, memberAt(document, schema, path)).keywords, key)
  const renamed = (text: string) =>
    text
      .split('/')
      .map((part) => (part === String(held) ? String(id) : part))
      .join('/')
  return {
    value: mapMembers(withValue(made, pointerOf(path), id), (one, name) =>
      isSent(name) ? one : mapTexts(one, renamed),
    ),
    headers: Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, renamed(text)])),
  }
}

/** The path of the id: at the top of a body, or in an object there, as in `{ data: { id } }`. Empty where there is none. */
function ownId(value: Members, schema: unknown): readonly string[] {
  const own = ownIdOf(value, schema)
  if (own !== undefined) return [own]
  for (const [name, inner] of Object.entries(value)) {
    const found = isObject(inner) ? ownIdOf(inner, undefined) : undefined
    if (found !== undefined) return [name, found]
  }
  return []
}

/** What is called as an id of the item, or else the only id that there is, such as the `jobId` of what was begun. */
function ownIdOf(value: Members, schema: unknown): string | undefined {
  const owner = isObject(schema) && typeof schema.$ref === 'string' ? schema.$ref.replace(/^.*\//, '') : ''
  const names = Object.keys(value)
  const ids = names.filter((name) => /^(id|uuid)$/.test(wordsOf(name).at(-1) ?? ''))
  return names.find((name) => isOwnId(name, owner)) ?? (ids.length === 1 ? ids[0] : undefined)
}

/** An id in the style of another one, with room for many. */
function newId(held: string | number, keywords: Members, key: number): unknown {
  const roomy = String(held).replace(/(?<=^[a-z]*[_-]?)\d{1,5}$/i, (digits) => digits.padEnd(6, '0'))
  const id = idLike(typeof held === 'number' ? Number(roomy) : roomy, keywords, key)
  return id === held ? `${held}-${(key >>> 0).toString(36)}` : id
}

function withDates(value: Members, { now, isSent }: NewlyMade): Members {
  return mapMembers(value, (held, name) => {
    // `{ "created": 3, "failed": 0 }` counts.
    const isCount = typeof held === 'number' && held < 1e9
    return isStamp(name) && !isCount && !isSent(name) ? (writerOf(name, held, true)?.(now) ?? held) : held
  })
}
