import { below, isObject, textOf } from '../changes.ts'

type Schema = Readonly<Record<string, unknown>>

/** What a value is edited with. */
export type FieldKind = 'text' | 'number' | 'choice' | 'date' | 'object' | 'list' | 'json'

/** A field of a form, for one place in a document. */
export interface Field {
  readonly pointer: string
  readonly label: string
  readonly kind: FieldKind
  readonly isRequired: boolean
  /** Whether only the service writes it. */
  readonly isReadOnly: boolean
  readonly mayBeNull: boolean
  readonly description: string | undefined
  /** What values are allowed, in words. */
  readonly hint: string | undefined
  /** The values of a choice. */
  readonly choices: readonly unknown[]
  readonly schema: unknown
}

/** One level of a schema: references followed, `allOf` merged. */
interface Level {
  readonly types: ReadonlySet<string>
  readonly properties: Schema
  readonly required: readonly string[]
  readonly mayBeNull: boolean
  /** Whether a form cannot say what it allows: alternatives, patterns of names, conditions. */
  readonly isWild: boolean
  readonly keywords: Schema
}

const LONGEST_CHAIN = 32
const WILD = ['oneOf', 'anyOf', 'not', 'if', 'patternProperties', 'dependentSchemas', 'prefixItems']
/** Longer lists are edited as JSON. */
const LONGEST_LIST = 100

/** Makes forms for documents of a schema, such as `getCollectionSchema` returns it. */
export function createForm(root: unknown) {
  const levelOf = (schema: unknown) => readLevel(root, schema)

  const fieldOf = (schema: unknown, place: Place): Field => {
    const level = levelOf(schema)
    const { keywords, mayBeNull } = level
    return {
      ...{ pointer: place.pointer, label: place.label, isRequired: place.isRequired, schema, mayBeNull },
      kind: kindOf(level, place.value, levelOf),
      isReadOnly: keywords.readOnly === true,
      description: typeof keywords.description === 'string' ? keywords.description : undefined,
      hint: hintOf(keywords),
      choices: choicesOf(level),
    }
  }

  return {
    /** The fields of an object: its documented members, then others that the value has. */
    fieldsOf(schema: unknown, value: unknown, pointer = ''): readonly Field[] {
      const held = isObject(value) ? value : {}
      const { properties, required } = fittingLevel(levelOf(schema), held, levelOf)
      const names = new Set([...Object.keys(properties), ...required, ...Object.keys(held)])
      return [...names].map((name) =>
        fieldOf(properties[name], {
          ...{ pointer: below(pointer, name), label: name, value: held[name] },
          isRequired: required.includes(name),
        }),
      )
    },
    /** The field of an element of a list. */
    elementOf(schema: unknown, value: unknown, pointer: string): Field {
      const label = pointer.slice(pointer.lastIndexOf('/') + 1)
      const place = { pointer, value, label: String(Number(label) + 1), isRequired: true }
      return fieldOf(levelOf(schema).keywords.items, place)
    },
    /** A value to begin with, for what is added. */
    initialOf(field: Field): unknown {
      if (field.kind === 'object') return initialObject(field.schema, levelOf, 0)
      if (field.kind === 'list') return []
      return field.kind === 'choice'
        ? field.choices[0]
        : field.kind === 'number'
          ? 0
          : field.kind === 'json'
            ? null
            : ''
    },
    /** The value for a new element of a list. */
    initialElementOf(schema: unknown, pointer: string): unknown {
      return this.initialOf(this.elementOf(schema, undefined, below(pointer, 0)))
    },
  }
}

export type Form = ReturnType<typeof createForm>

interface Place {
  readonly pointer: string
  readonly label: string
  readonly value: unknown
  readonly isRequired: boolean
}

/** A level with the members of the alternative that knows most of the members of a value. */
function fittingLevel(level: Level, value: Schema, levelOf: (schema: unknown) => Level): Level {
  const either = level.keywords.anyOf ?? level.keywords.oneOf
  if (!Array.isArray(either)) return level
  const knownIn = ({ properties }: Level) => Object.keys(value).filter((name) => Object.hasOwn(properties, name)).length
  const size = ({ properties }: Level) => Object.keys(properties).length
  const [best] = either.map(levelOf).toSorted((one, other) => knownIn(other) - knownIn(one) || size(other) - size(one))
  if (!best) return level
  return {
    ...level,
    properties: { ...level.properties, ...best.properties },
    required: [...level.required, ...best.required],
  }
}

function kindOf(level: Level, value: unknown, levelOf: (schema: unknown) => Level): FieldKind {
  const { types, isWild, keywords, properties } = level
  if (isWild) return 'json'
  if (choicesOf(level).length > 0) return fits(value, ['string', 'number', 'bigint', 'boolean']) ? 'choice' : 'json'
  const [type, ...others] = types
  if (others.length > 0 && !(others.length === 1 && types.has('integer') && types.has('number'))) return 'json'
  if (type === 'string') {
    if (!fits(value, ['string', 'number', 'bigint'])) return 'json'
    return keywords.format === 'date' ? 'date' : 'text'
  }
  if (type === 'integer' || type === 'number') return fits(value, ['number', 'bigint', 'string']) ? 'number' : 'json'
  const isObjectLike = type === 'object' || (type === undefined && Object.keys(properties).length > 0)
  if (isObjectLike)
    return Object.keys(properties).length > 0 && (value === undefined || value === null || isObject(value))
      ? 'object'
      : 'json'
  if (type === 'array' && isObject(keywords.items)) {
    const isShort = value === undefined || value === null || (Array.isArray(value) && value.length <= LONGEST_LIST)
    return isShort && !levelOf(keywords.items).isWild ? 'list' : 'json'
  }
  // A member without a schema is edited as what it is.
  return type === undefined && typeof value === 'string' ? 'text' : 'json'
}

function fits(value: unknown, types: readonly string[]): boolean {
  return value === undefined || value === null || types.includes(typeof value)
}

function choicesOf({ types, keywords }: Level): readonly unknown[] {
  if (Array.isArray(keywords.enum)) return keywords.enum.filter((one) => one !== null && typeof one !== 'object')
  if (keywords.const !== undefined && typeof keywords.const !== 'object') return [keywords.const]
  return types.size === 1 && types.has('boolean') ? [true, false] : []
}

function initialObject(schema: unknown, levelOf: (schema: unknown) => Level, depth: number): unknown {
  const { properties, required } = levelOf(schema)
  const made = required.flatMap((name) => {
    const level = levelOf(properties[name])
    if (level.keywords.default !== undefined) return [[name, level.keywords.default] as const]
    if (kindOf(level, undefined, levelOf) !== 'object' || depth > 3) return []
    return [[name, initialObject(properties[name], levelOf, depth + 1)] as const]
  })
  return Object.fromEntries(made)
}

function readLevel(root: unknown, schema: unknown): Level {
  const parts = partsOf(root, schema, LONGEST_CHAIN)
  const keywords: Record<string, unknown> = {}
  const properties: Record<string, unknown> = {}
  const required = new Set<string>()
  let mayBeNull = false
  for (const part of parts) {
    const { properties: members, required: names, ...rest } = part
    Object.assign(keywords, rest)
    if (isObject(members)) Object.assign(properties, members)
    if (Array.isArray(names)) for (const name of names) required.add(String(name))
    mayBeNull ||= part.nullable === true || [part.type].flat().includes('null')
    mayBeNull ||= Array.isArray(part.enum) && part.enum.includes(null)
  }
  const types = [keywords.type].flat().filter((type): type is string => typeof type === 'string' && type !== 'null')
  const isWild = WILD.some((name) => keywords[name] !== undefined)
  return { types: new Set(types), properties, required: [...required], mayBeNull, isWild, keywords }
}

/** A schema as a list of plain ones that all apply: the nearest last. An alternative to null alone is no alternative. */
function partsOf(root: unknown, schema: unknown, left: number): Schema[] {
  if (!isObject(schema) || left === 0) return []
  const { $ref, allOf, ...own } = schema
  const target = typeof $ref === 'string' ? definitionOf(root, $ref) : undefined
  const either = Array.isArray(own.anyOf) ? 'anyOf' : 'oneOf'
  const alternatives = own[either]
  const isNullable = Array.isArray(alternatives) && alternatives.some(isNull)
  const others = isNullable ? alternatives.filter((one) => !isNull(one)) : []
  const rest = isNullable && others.length === 1 ? { ...own, [either]: undefined, nullable: true } : own
  return [
    ...partsOf(root, target, left - 1),
    ...(Array.isArray(allOf) ? allOf.flatMap((one) => partsOf(root, one, left - 1)) : []),
    ...(others.length === 1 ? partsOf(root, others[0], left - 1) : []),
    rest,
  ]
}

function isNull(schema: unknown): boolean {
  return isObject(schema) && (schema.type === 'null' || (Array.isArray(schema.enum) && schema.enum.join() === ''))
}

function definitionOf(root: unknown, reference: string): unknown {
  const { $defs } = isObject(root) ? root : {}
  return isObject($defs) ? $defs[reference.replace('#/$defs/', '')] : undefined
}

/** What a value must be beyond its type, in a few words. */
function hintOf(keywords: Schema): string | undefined {
  const { format, minimum, maximum, minLength, maxLength, pattern, default: usual } = keywords
  const range = rangeOf(minimum, maximum)
  const length = rangeOf(minLength, maxLength)
  const parts = [
    typeof format === 'string' && !/^(?:int|float|double|date$)/.test(format) ? format : undefined,
    range,
    length === undefined ? undefined : `${length} characters`,
    typeof pattern === 'string' && pattern.length < 40 ? `matches ${pattern}` : undefined,
    usual === undefined || typeof usual === 'object' ? undefined : `default ${textOf(usual)}`,
  ].filter((part) => part !== undefined)
  return parts.length === 0 ? undefined : parts.join(', ')
}

function rangeOf(least: unknown, most: unknown): string | undefined {
  const has = (bound: unknown) => typeof bound === 'number' && Math.abs(bound) < 2 ** 31
  if (has(least) && has(most)) return least === most ? String(least) : `${String(least)} to ${String(most)}`
  if (has(least) && least !== 0) return `at least ${String(least)}`
  return has(most) ? `at most ${String(most)}` : undefined
}
