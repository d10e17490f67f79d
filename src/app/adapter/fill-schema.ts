import { linearPattern } from '../../contract/schemas/patterns.ts'
import { allows, type Branch, type Shape, shapeOf } from '../../contract/schemas/shape.ts'
import { isObject } from '../../formats/json.ts'

/** Where the values come from that fill a schema. */
export interface ValueSource {
  /** The value for a member by its name; undefined when there is none. It is used if the schema allows it. */
  member(name: string, shape: Shape): unknown
  /** A source for each element of a list by its name; undefined when there is no such list. */
  elements(name: string, shape: Shape): readonly ValueSource[] | undefined
  /** Whether an optional object of this name describes the same thing as the object that holds it. */
  isSame(name: string): boolean
  /** All of it in one sentence. */
  readonly sentence?: string
  /** A source for each element of a list without a name. */
  readonly all?: readonly ValueSource[]
  /** A string, number or boolean where no value is known; undefined for the least that the schema allows. */
  invent?(position: { readonly pointer: string; readonly name: string }, shape: Shape): unknown
  /** For dates that are not known, epoch ms. */
  readonly now: number
  /** For UUIDs that are not known. */
  readonly uuid: string
}

/** Recursive schemas have no end. */
const DEEPEST = 8

/** Makes a value for a schema: the members that the source knows, and those that the schema requires. */
export function fillSchema(document: unknown, schema: unknown, source: ValueSource, branch: Branch = 0): unknown {
  return make({ document, branch }, schema, source, { pointer: '', name: '', depth: 0, isOwn: true })
}

interface Run {
  readonly document: unknown
  readonly branch: Branch
}

/** Where a value is made. */
interface Position {
  readonly pointer: string
  /** The nearest member's name; empty where there is none. */
  readonly name: string
  readonly depth: number
  /** Whether the source describes this value itself, and not an object around it. */
  readonly isOwn: boolean
}

function make(run: Run, schema: unknown, source: ValueSource, position: Position): unknown {
  const shape = shapeOf(run.document, schema, run.branch)
  if (position.depth >= DEEPEST || !isObjectShape(shape)) return makePlain(run, shape, source, position)
  const made = new Map<string, unknown>()
  for (const [name, inner] of shape.properties) {
    const value = makeMember(run, { name, schema: inner, isRequired: shape.required.has(name) }, source, position)
    if (value !== undefined) made.set(name, value)
  }
  for (const name of shape.required)
    if (!shape.properties.has(name)) made.set(name, source.member(name, ANY) ?? source.sentence ?? null)
  if (!position.isOwn) return Object.fromEntries(made)
  addSentenceToList(run, shape, source, { made, position })
  return addSentence(run, shape, source, made)
}

/** If no member contains the sentence, a list of causes gets it as its one element. */
function addSentenceToList(
  run: Run,
  { properties }: Shape,
  source: ValueSource,
  { made, position }: { readonly made: Map<string, unknown>; readonly position: Position },
): void {
  const { sentence, all = [] } = source
  if (sentence === undefined || all.length === 0 || contains([...made.values()], sentence)) return
  for (const [name, inner] of properties) {
    const shape = shapeOf(run.document, inner, run.branch)
    if (!allows(shape, 'array') || allows(shape, 'string') || !source.elements(name, shape)) continue
    const here = { pointer: `${position.pointer}/${name}`, name, depth: position.depth + 1, isOwn: true }
    const list = here.depth < DEEPEST ? makeList(run, shape, all, here) : undefined
    if (list) made.set(name, list)
    return
  }
}

/** If no member contains the sentence, the first string without a known value gets it. */
function addSentence(run: Run, shape: Shape, source: ValueSource, made: Map<string, unknown>): unknown {
  const { sentence } = source
  if (sentence !== undefined && !contains([...made.values()], sentence)) {
    const free = [...shape.properties].find(([name, inner]) => {
      const member = shapeOf(run.document, inner, run.branch)
      return source.member(name, member) === undefined && isFreeText(member) && fitValue(sentence, member) !== undefined
    })
    if (free) made.set(free[0], fitValue(sentence, shapeOf(run.document, free[1], run.branch)))
  }
  const order = [...shape.properties.keys(), ...made.keys()]
  return Object.fromEntries([...new Set(order)].flatMap((name) => (made.has(name) ? [[name, made.get(name)]] : [])))
}

function isFreeText({ types, keywords }: Shape): boolean {
  return types.has('string') && keywords.format === undefined && keywords.default === undefined
}

/** Whether a value contains the sentence, or its beginning if it was cut. */
function contains(value: unknown, sentence: string): boolean {
  // A pointer at the start of the sentence is not the sentence.
  if (typeof value === 'string') return value.includes(' ') && sentence.startsWith(value)
  return typeof value === 'object' && value !== null && Object.values(value).some((inner) => contains(inner, sentence))
}

interface Member {
  readonly name: string
  readonly schema: unknown
  readonly isRequired: boolean
}

function makeMember(run: Run, { name, schema, isRequired }: Member, source: ValueSource, position: Position): unknown {
  const shape = shapeOf(run.document, schema, run.branch)
  const isOwn = position.isOwn && source.isSame(name)
  const here = { pointer: `${position.pointer}/${name}`, name, depth: position.depth + 1, isOwn }
  const list = allows(shape, 'array') ? source.elements(name, shape) : undefined
  if (list && !allows(shape, 'string') && (list.length > 0 || isRequired)) {
    const filled = makeList(run, shape, list, here)
    if (filled) return filled
  }
  const known = fitValue(source.member(name, shape), shape)
  if (known !== undefined) return known
  if (!isRequired && !(source.isSame(name) && isObjectShape(shape))) return undefined
  const made = make(run, schema, source, here)
  return isRequired || !isObject(made) || Object.keys(made).length > 0 ? made : undefined
}

/** One element for each source; undefined if the schema requires more. */
function makeList(
  run: Run,
  { items, keywords }: Shape,
  list: readonly ValueSource[],
  position: Position,
): unknown[] | undefined {
  const { minItems = 0, maxItems = Infinity } = keywords
  const filled = list
    .slice(0, Number(maxItems))
    .map((one, index) => make(run, items, one, elementOf(position, index, true)))
  return filled.length >= Number(minItems) ? filled : undefined
}

function elementOf({ pointer, name, depth }: Position, index: number, isOwn: boolean): Position {
  return { pointer: `${pointer}/${index}`, name, depth: depth + 1, isOwn }
}

const ANY: Shape = {
  types: new Set(),
  properties: new Map(),
  required: new Set(),
  items: undefined,
  isClosed: false,
  keywords: {},
}

function isObjectShape({ types, properties }: Shape): boolean {
  return types.has('object') || (types.size === 0 && properties.size > 0)
}

/** The value if the schema allows it, a string cut to the allowed length; else undefined. */
function fitValue(value: unknown, shape: Shape): unknown {
  if (value === undefined) return undefined
  const { const: constant, enum: allowed, maxLength, pattern } = shape.keywords
  const text = typeof value === 'string' && typeof maxLength === 'number' ? value.slice(0, maxLength) : value
  if (constant !== undefined && text !== constant) return undefined
  if (Array.isArray(allowed) && !allowed.includes(text)) return undefined
  if (!allows(shape, typeOf(text))) return undefined
  // Invalid patterns were removed when the contract was loaded.
  if (typeof text === 'string' && typeof pattern === 'string' && !linearPattern(pattern).test(text)) return undefined
  return text
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return Number.isInteger(value) ? 'integer' : typeof value
}

/** A value that the schema allows: the sentence, one that the schema names, or the least of its type. */
function makePlain(run: Run, shape: Shape, source: ValueSource, position: Position): unknown {
  const { const: constant, default: usual, examples, example, enum: allowed, minItems } = shape.keywords
  const first: unknown = Array.isArray(examples) ? examples[0] : undefined
  const named = constant ?? usual ?? first ?? example
  const said = position.isOwn && shape.types.has('string') ? fitValue(source.sentence, shape) : undefined
  if (said !== undefined) return said
  if (named !== undefined) return named
  if (Array.isArray(allowed)) return allowed[0]
  if (shape.types.has('null')) return null
  if (shape.types.has('array')) {
    const list = position.isOwn ? source.all : undefined
    const filled = list && makeList(run, shape, list, position)
    if (filled) return filled
    const least = position.depth >= DEEPEST ? 0 : Math.min(Number(minItems ?? 0), MOST_FILLED)
    return Array.from({ length: least }, (_, index) =>
      make(run, shape.items, source, elementOf(position, index, false)),
    )
  }
  if (shape.types.has('object') || isObject(shape.keywords.additionalProperties)) return {}
  return source.invent?.(position, shape) ?? leastValue(shape, source)
}

function leastValue(shape: Shape, source: ValueSource): unknown {
  if (shape.types.has('boolean')) return false
  return shape.types.has('integer') || shape.types.has('number') ? leastNumber(shape) : leastText(shape, source)
}

const MOST_FILLED = 100

function leastNumber({ keywords }: Shape): number {
  const { minimum, exclusiveMinimum, maximum, multipleOf } = keywords
  const step = typeof multipleOf === 'number' ? multipleOf : 1
  if (typeof exclusiveMinimum === 'number') return Math.floor(exclusiveMinimum / step + 1) * step
  if (typeof minimum === 'number') return Math.ceil(minimum / step) * step
  return typeof maximum === 'number' ? Math.min(0, maximum) : 0
}

function leastText({ keywords }: Shape, { now, uuid }: ValueSource): string {
  const { format, minLength } = keywords
  const instant = new Date(now).toISOString()
  const known: Readonly<Record<string, string>> = {
    'date-time': instant,
    date: instant.slice(0, 10),
    time: instant.slice(11),
    uuid,
    uri: 'https://example.com/',
    'uri-reference': '/',
    email: 'nobody@example.com',
    hostname: 'example.com',
    ipv4: '192.0.2.1',
    ipv6: '2001:db8::1',
  }
  const text = typeof format === 'string' && Object.hasOwn(known, format) ? (known[format] ?? '') : ''
  return text.padEnd(Math.min(Number(minLength ?? 0), LONGEST_FILLED), '-')
}

const LONGEST_FILLED = 10_000
