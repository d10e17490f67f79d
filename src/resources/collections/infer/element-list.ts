import { shapeOf } from '../../../contract/schemas/shape.ts'
import { plainName } from '../../../base/formats/names.ts'
import { singular } from '../../../base/formats/plurals.ts'
import { NAMING } from './id-names.ts'

/** A list that an item has, whose elements have paths: `PUT` and `DELETE /tasks/{id}/labels/{label}`. */
export interface ElementList {
  /** The member that is the list. */
  readonly name: string
  /** The path parameter that names an element. */
  readonly parameter: string
  /** The member of an element that the path has; undefined where the elements are texts or numbers. */
  readonly key: string | undefined
  /** Of that member, or of the element itself. */
  readonly keySchema: unknown
}

/**
 * The list of an item that a word of a path is about: `labels`, `labelIds` or `label_names` for `/labels/{label}`.
 *
 * @param schema of the item
 */
export function findElementList(
  document: unknown,
  schema: unknown,
  { word, parameter }: { readonly word: string; readonly parameter: string },
): ElementList | undefined {
  const one = plainName(singular(word))
  const names = [plainName(word), `${one}ids`, `${one}names`, `${one}list`]
  for (const [name, member] of shapeOf(document, schema, 'any').properties) {
    const { items } = shapeOf(document, member, 'any')
    if (items === undefined || !names.includes(plainName(name))) continue
    const { types, properties } = shapeOf(document, items, 'any')
    if (types.has('string') || types.has('integer')) return { name, parameter, key: undefined, keySchema: items }
    const named = plainName(parameter)
    const keys = [named, named.replace(one, ''), ...NAMING, 'id']
    const byPlain = new Map([...properties.keys()].map((inner) => [plainName(inner), inner]))
    const key = keys.flatMap((inner) => byPlain.get(inner) ?? [])[0]
    if (key !== undefined) return { name, parameter, key, keySchema: properties.get(key) }
  }
  return undefined
}
