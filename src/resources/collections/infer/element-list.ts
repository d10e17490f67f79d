import { type Shape, shapeOf } from '../../../contract/schemas/shape.ts'
import { plainName } from '../../../base/formats/names.ts'
import { singular } from '../../../base/formats/plurals.ts'
import { NAMING } from './id-names.ts'

/** A list that an item has, with a path of its own: `PUT` and `DELETE /tasks/{id}/labels/{label}`, `POST /carts/{id}/items`. */
export interface ElementList {
  /** The member that is the list. */
  readonly name: string
  /** The path parameter that names an element; undefined where the path is that of the list. */
  readonly parameter: string | undefined
  /** The member that tells elements from each other; undefined where they are texts or numbers. */
  readonly key: string | undefined
  /** Of an element. */
  readonly schema: unknown
}

interface ElementPath {
  /** The segment that names the list. */
  readonly word: string
  readonly parameter: string | undefined
  /** The schema of a body that has the key of a new element. */
  readonly body?: unknown
}

/**
 * The list of an item that a word of a path is about: `labels`, `labelIds` or `label_names` for `/labels/{label}`.
 *
 * @param schema of the item
 */
export function findElementList(
  document: unknown,
  schema: unknown,
  { word, parameter, body }: ElementPath,
): ElementList | undefined {
  const one = plainName(singular(word))
  const names = [plainName(word), `${one}ids`, `${one}names`, `${one}list`]
  for (const [name, member] of shapeOf(document, schema, 'any').properties) {
    const { items } = shapeOf(document, member, 'any')
    if (items === undefined || !names.includes(plainName(name))) continue
    const element = shapeOf(document, items, 'any')
    if (isPlain(element)) return { name, parameter, key: undefined, schema: items }
    const key =
      parameter === undefined
        ? keyInBody(element, shapeOf(document, body, 'any'))
        : keyInPath(element, plainName(parameter), one)
    if (key !== undefined) return { name, parameter, key, schema: items }
  }
  return undefined
}

/** Whether values are texts or numbers. */
export function isPlain({ types }: Shape): boolean {
  return types.has('string') || types.has('integer')
}

function keyInPath({ properties }: Shape, parameter: string, one: string): string | undefined {
  const byPlain = new Map([...properties.keys()].map((name) => [plainName(name), name]))
  const keys = [parameter, parameter.replace(one, ''), ...NAMING, 'id']
  return keys.flatMap((plain) => byPlain.get(plain) ?? [])[0]
}

function keyInBody({ properties }: Shape, body: Shape): string | undefined {
  const shared = [...properties.keys()].filter((name) => body.properties.has(name))
  return shared.find((name) => /id$/i.test(name)) ?? shared.find((name) => NAMING.includes(plainName(name)))
}
