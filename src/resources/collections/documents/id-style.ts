import { follow, valueAt } from '../../../contract/pointer.ts'
import { shapeOf } from '../../../contract/schemas/shape.ts'
import { isObject, splitPointer } from '../../../base/formats/json.ts'
import { wordsOf } from '../../../base/formats/names.ts'
import { codeLike } from '../../../values/new-values.ts'

interface IdPlace {
  /** Of the items. */
  readonly schema: unknown
  /** The member that holds the id. */
  readonly pointer: string | undefined
  /** The schemas of the member and of the path parameter. */
  readonly own: readonly unknown[]
  /** Pointers of the operations on the items. */
  readonly operations: readonly string[]
}

/**
 * An id as the service has them, which new ids look like: an example of the member, or of the JSON that people write into descriptions and
 * extensions, such as `"id": "ftjob-abc123"`; else, for items that say their kind in `object`, the kind and a code. Undefined where
 * nothing says how ids look.
 */
export function idExample(document: unknown, { schema, pointer, own, operations }: IdPlace): string | undefined {
  const keywords = own.map((one) => shapeOf(document, one).keywords)
  const examples = keywords.flatMap(({ example, examples }) => [example, examples].flat())
  const name = splitPointer(pointer ?? '').at(-1)
  const texts = [schema, ...operations.map((one) => valueAt(document, one))].map((one) => follow(document, one))
  const shown = name === undefined ? [] : texts.flatMap((one) => [...idsIn(one, name)])
  // An example may show other things besides, such as the events of a job.
  const [[usual] = []] = [...Map.groupBy(shown.filter(isCode), prefixOf).values()].toSorted(
    (one, other) => other.length - one.length,
  )
  const example = examples.find((one): one is string => typeof one === 'string' && isCode(one))
  return example ?? usual ?? (name === 'id' ? ofKind(document, schema) : undefined)
}

function isCode(text: string): boolean {
  return codeLike(text, 0) !== undefined
}

function prefixOf(code: string): string {
  return code.replace(/[^_-]+$/, '')
}

/** Longer texts are no examples of one item. */
const LONGEST = 100_000

/** The values of a member in the JSON that texts beside the schemas show. */
function* idsIn(held: unknown, name: string): Generator<string> {
  if (typeof held === 'string') {
    if (held.length > LONGEST || !held.includes(`"${name}"`)) return
    for (const [, member, id] of held.matchAll(/"(\w+)"\s*:\s*"([^"\s]{4,80})"/g))
      if (member === name && id !== undefined) yield id
  } else if (Array.isArray(held)) for (const one of held) yield* idsIn(one, name)
  else if (isObject(held))
    for (const [key, one] of Object.entries(held)) if (!STRUCTURE.has(key)) yield* idsIn(one, name)
}

/** Members of operations and schemas that hold schemas and not examples. */
const STRUCTURE = new Set(['properties', 'items', 'allOf', 'anyOf', 'oneOf', 'parameters', 'callbacks', 'security'])

/** Services whose items have their kind in `object` begin ids with it in short, as in `cus_` and `pi_`. */
function ofKind(document: unknown, schema: unknown): string | undefined {
  const { const: only, enum: values } = shapeOf(
    document,
    shapeOf(document, schema, 'any').properties.get('object'),
  ).keywords
  const [kind = only, ...others] = Array.isArray(values) ? (values as unknown[]) : []
  return typeof kind === 'string' && others.length === 0 ? `${shortened(kind)}_${CODE}` : undefined
}

const CODE = '0'.repeat(24)

/** The initials of several words; a short word whole, and a longer one to the end of its first syllable: `pi`, `price`, `cus`, `prod`. */
function shortened(kind: string): string {
  const words = wordsOf(kind).map((word) => word.toLowerCase())
  if (words.length > 1)
    return words
      .map((word) => word[0])
      .join('')
      .slice(0, 6)
  const [word = ''] = words
  if (word.length <= 5) return word
  const [, start = word, consonants = ''] = /^([^aeiouy]*[aeiouy]+)([^aeiouy]*)/.exec(word) ?? []
  return start + consonants.slice(0, 1)
}
