import { type Shape, shapeOf } from '../../../contract/schemas/shape.ts'
import { encodePointer } from '../../../base/formats/json.ts'
import { plainName } from '../../../base/formats/names.ts'

/** Members that name a thing by themselves, most likely first. */
const NAMING = ['name', 'slug', 'key', 'login', 'username', 'code', 'number', 'id', 'uuid']

/**
 * The parts of a path that name one thing together, by the pointers of the members that hold them: `/repos/{owner}/{repo}` is
 * `{"owner": {"login": …}, "name": …}`. A part without such a member is not shown.
 *
 * @param last the part that names the thing itself; undefined where the parts name its owner
 */
export function* keyMembers(
  document: unknown,
  schema: unknown,
  keys: ReadonlyMap<string, string>,
  last: string | undefined,
): Generator<readonly [string, unknown]> {
  const { properties } = shapeOf(document, schema, 'any')
  for (const [parameter, text] of keys) {
    const thing = plainName(parameter).replace(/(?<=..)(id|name|slug|key|number|code)$/, '')
    const own = [plainName(parameter), thing, ...NAMING.map((name) => `${thing}${name}`)]
    const found = findHolder(document, properties, { names: parameter === last ? [...own, ...NAMING] : own, text })
    if (found) yield found
  }
}

interface Wanted {
  readonly names: readonly string[]
  readonly text: string
}

function findHolder(
  document: unknown,
  properties: Shape['properties'],
  { names, text }: Wanted,
): readonly [string, unknown] | undefined {
  for (const wanted of names) {
    const [name, member] = [...properties].find(([one]) => plainName(one) === wanted) ?? []
    if (name === undefined) continue
    const { types, properties: inner, keywords } = shapeOf(document, member, 'any')
    // A path may have `guides` where the item has `guide`.
    if (Array.isArray(keywords.enum) && !keywords.enum.includes(text)) continue
    const inside = inner.size > 0 ? findHolder(document, inner, { names: NAMING, text }) : undefined
    if (inside) return [`/${encodePointer(name)}${inside[0]}`, inside[1]]
    if (types.has('string')) return [`/${encodePointer(name)}`, text]
    if ((types.has('integer') || types.has('number')) && /^\d{1,15}$/.test(text))
      return [`/${encodePointer(name)}`, Number(text)]
  }
  return undefined
}
