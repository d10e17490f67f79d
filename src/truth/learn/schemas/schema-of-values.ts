import { LIKE_ID } from '../../../app/learned/schema-names.ts'
import { parseInstant } from '../../../base/formats/instant.ts'
import { isObject, type Members, jsonTypeOf } from '../../../base/formats/json.ts'
import { isUuid } from '../../../engine/random.ts'

/** How deep values are described. */
const DEEPEST = 8

interface SchemaOptions {
  readonly levels?: number
  /** Whether all values that a service shows are known, so that what each has is `required`, and a few words an `enum`. */
  readonly isWhole?: boolean
  /** Of the member that has the values. */
  readonly name?: string
  /** Whether clients send a member, which may then be any other word too. */
  readonly isSent?: (name: string) => boolean
}

/** A JSON schema that describes values: their types, members, elements, and the formats of texts. */
export function schemaOfValues(
  values: readonly unknown[],
  { levels = DEEPEST, isWhole = false, name = '', isSent = () => false }: SchemaOptions = {},
): Members {
  const types = [...new Set(values.map(jsonTypeOf))]
  const known = types.includes('number') ? types.filter((type) => type !== 'integer') : types
  const [only] = known
  return {
    ...(known.length > 0 && { type: known.length === 1 ? only : known }),
    ...formatOf(values.filter((value) => value !== null)),
    ...(isWhole && !isSent(name) && wordsIn(values, name)),
    ...(levels > 0 && describeParts(values, { levels: levels - 1, isWhole, isSent })),
  }
}

function describeParts(values: readonly unknown[], options: SchemaOptions): Members {
  const objects = values.filter(isObject)
  const elements = values.filter(Array.isArray).flat() as readonly unknown[]
  const names = [...new Set(objects.flatMap(Object.keys))]
  const isMap = names.length > 0 && names.every((name) => LIKE_ID.test(name))
  const within = (some: readonly string[]) =>
    schemaOfValues(
      objects.flatMap((one) => some.flatMap((name) => (Object.hasOwn(one, name) ? [one[name]] : []))),
      { ...options, name: isMap ? '' : (some[0] ?? '') },
    )
  const required = names.filter((name) => objects.every((one) => Object.hasOwn(one, name)))
  return {
    ...(isMap && { additionalProperties: within(names) }),
    ...(options.isWhole && !isMap && required.length > 0 && { required }),
    ...(names.length > 0 && !isMap && { properties: Object.fromEntries(names.map((name) => [name, within([name])])) }),
    ...(elements.length > 0 && { items: schemaOfValues(elements, options) }),
  }
}

/** Members that have one of a few words. */
export const OF_KINDS = /(?:^|[a-z_])(?:status|state|type|kind|role|level|phase|method|visibility|priority|severity)$/i
const CONSTANT = /^[A-Z][A-Z\d]*(?:_[A-Z\d]+)*$/
const KIND_WORD = /^[a-z]+(?:[_-][a-z]+)*$/i
const MOST_WORDS = 12
/** Of each word. */
const LEAST_SUPPORT = 3

/** The words that a member is limited to, as far as that can be seen. */
function wordsIn(values: readonly unknown[], name: string): Members {
  const groups = Map.groupBy(values, (value) => value)
  const words = [...groups.keys()]
  const isOne = (word: unknown) =>
    typeof word === 'string' && (CONSTANT.test(word) || (OF_KINDS.test(name) && KIND_WORD.test(word)))
  const isFew = words.length > 1 && words.length <= MOST_WORDS
  return isFew && words.every(isOne) && [...groups.values()].every(({ length }) => length >= LEAST_SUPPORT)
    ? { enum: words }
    : {}
}

/** The formats of texts, the narrowest first. */
const FORMATS: readonly (readonly [string, (text: string) => unknown])[] = [
  ['uuid', isUuid],
  ['date-time', (text) => text.includes('T') && parseInstant(text)],
  ['date', (text) => /^\d{4}-\d\d-\d\d$/.test(text)],
  ['email', (text) => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text)],
  ['uri', (text) => /^https?:\/\//.test(text) && URL.canParse(text)],
]

function formatOf(values: readonly unknown[]): Members {
  if (values.length === 0 || !values.every((value) => typeof value === 'string')) return {}
  const [format] = FORMATS.find(([, isOne]) => values.every(isOne)) ?? []
  return format === undefined ? {} : { format }
}
