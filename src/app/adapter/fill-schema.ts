import { linearPattern } from '../../contract/schemas/patterns.ts'
import { allows, type Branch, type Shape, shapeOf } from '../../contract/schemas/shape.ts'
import { isObject } from '../../formats/json.ts'

/** What a value is made from where a schema asks for one. */
export interface Words {
  /** The value for a member of a name; undefined when there is no word for it. It is taken where it fits. */
  member(name: string, shape: Shape): unknown
  /** The words for each element of a list of a name; undefined when there is no such list. */
  elements(name: string, shape: Shape): readonly Words[] | undefined
  /** Whether a member that the schema does not require, and that is an object, is about the same as its holder. */
  isSame(name: string): boolean
  /** What all the words come to, in one sentence. */
  readonly sentence?: string
  /** The words for each element of a list that has no name. */
  readonly all?: readonly Words[]
  /** A text, number or truth for what no word is known for; undefined for the least that the schema allows. */
  invent?(site: { readonly pointer: string; readonly name: string }, shape: Shape): unknown
  /** Epoch ms, for dates that nobody tells. */
  readonly now: number
  /** A UUID, for those that nobody tells. */
  readonly uuid: string
}

/** Recursive schemas have no end. */
const DEEPEST = 8

/** Makes a value that a schema describes: members that the words know, and those that it requires. */
export function fill(document: unknown, schema: unknown, words: Words, branch: Branch = 0): unknown {
  return make({ document, branch }, schema, words, { pointer: '', name: '', depth: 0, isOwn: true })
}

interface Run {
  readonly document: unknown
  readonly branch: Branch
}

/** Where a value is made. */
interface Site {
  readonly pointer: string
  /** The nearest member's name; empty where there is none. */
  readonly name: string
  readonly depth: number
  /** Whether the words are about this value itself, and not about one that it is a member of. */
  readonly isOwn: boolean
}

function make(run: Run, schema: unknown, words: Words, site: Site): unknown {
  const shape = shapeOf(run.document, schema, run.branch)
  if (site.depth >= DEEPEST || !isObjectShape(shape)) return madePlain(run, shape, words, site)
  const made = new Map<string, unknown>()
  for (const [name, inner] of shape.properties) {
    const value = makeMember(run, { name, schema: inner, isRequired: shape.required.has(name) }, words, site)
    if (value !== undefined) made.set(name, value)
  }
  for (const name of shape.required)
    if (!shape.properties.has(name)) made.set(name, words.member(name, ANY) ?? words.sentence ?? null)
  if (!site.isOwn) return Object.fromEntries(made)
  fillList(run, shape, words, { made, site })
  return withSentence(run, shape, words, made)
}

/** Where nothing says the sentence, an empty list of what is wrong has it as its one element. */
function fillList(
  run: Run,
  { properties }: Shape,
  words: Words,
  { made, site }: { readonly made: Map<string, unknown>; readonly site: Site },
): void {
  const { sentence, all = [] } = words
  if (sentence === undefined || all.length === 0 || tells([...made.values()], sentence)) return
  for (const [name, inner] of properties) {
    const shape = shapeOf(run.document, inner, run.branch)
    if (!allows(shape, 'array') || allows(shape, 'string') || !words.elements(name, shape)) continue
    const here = { pointer: `${site.pointer}/${name}`, name, depth: site.depth + 1, isOwn: true }
    const list = here.depth < DEEPEST ? makeList(run, shape, all, here) : undefined
    if (list) made.set(name, list)
    return
  }
}

/** Where no member is known to say the sentence, the first text that is free to say it does. */
function withSentence(run: Run, shape: Shape, words: Words, made: Map<string, unknown>): unknown {
  const { sentence } = words
  if (sentence !== undefined && !tells([...made.values()], sentence)) {
    const free = [...shape.properties].find(([name, inner]) => {
      const member = shapeOf(run.document, inner, run.branch)
      return words.member(name, member) === undefined && isFreeText(member) && fitted(sentence, member) !== undefined
    })
    if (free) made.set(free[0], fitted(sentence, shapeOf(run.document, free[1], run.branch)))
  }
  const order = [...shape.properties.keys(), ...made.keys()]
  return Object.fromEntries([...new Set(order)].flatMap((name) => (made.has(name) ? [[name, made.get(name)]] : [])))
}

function isFreeText({ types, keywords }: Shape): boolean {
  return types.has('string') && keywords.format === undefined && keywords.default === undefined
}

/** Whether a value has a sentence in it, or its beginning where it was cut. */
function tells(value: unknown, sentence: string): boolean {
  // A place that the sentence begins with is no sentence.
  if (typeof value === 'string') return value.includes(' ') && sentence.startsWith(value)
  return typeof value === 'object' && value !== null && Object.values(value).some((inner) => tells(inner, sentence))
}

interface Member {
  readonly name: string
  readonly schema: unknown
  readonly isRequired: boolean
}

function makeMember(run: Run, { name, schema, isRequired }: Member, words: Words, site: Site): unknown {
  const shape = shapeOf(run.document, schema, run.branch)
  const isOwn = site.isOwn && words.isSame(name)
  const here = { pointer: `${site.pointer}/${name}`, name, depth: site.depth + 1, isOwn }
  const list = allows(shape, 'array') ? words.elements(name, shape) : undefined
  if (list && !allows(shape, 'string') && (list.length > 0 || isRequired)) {
    const filled = makeList(run, shape, list, here)
    if (filled) return filled
  }
  const word = fitted(words.member(name, shape), shape)
  if (word !== undefined) return word
  if (!isRequired && !(words.isSame(name) && isObjectShape(shape))) return undefined
  const made = make(run, schema, words, here)
  return isRequired || !isObject(made) || Object.keys(made).length > 0 ? made : undefined
}

/** One element for each of some words; undefined where the schema wants more of them. */
function makeList(run: Run, { items, keywords }: Shape, list: readonly Words[], site: Site): unknown[] | undefined {
  const { minItems = 0, maxItems = Infinity } = keywords
  const filled = list
    .slice(0, Number(maxItems))
    .map((one, index) => make(run, items, one, elementOf(site, index, true)))
  return filled.length >= Number(minItems) ? filled : undefined
}

function elementOf({ pointer, name, depth }: Site, index: number, isOwn: boolean): Site {
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

/** The word where the schema lets it pass, a text cut to the length that it allows; undefined where it does not. */
function fitted(word: unknown, shape: Shape): unknown {
  if (word === undefined) return undefined
  const { const: constant, enum: allowed, maxLength, pattern } = shape.keywords
  const text = typeof word === 'string' && typeof maxLength === 'number' ? word.slice(0, maxLength) : word
  if (constant !== undefined && text !== constant) return undefined
  if (Array.isArray(allowed) && !allowed.includes(text)) return undefined
  if (!allows(shape, typeOf(text))) return undefined
  // What is no pattern was refused, or let pass, when the contract was loaded.
  if (typeof text === 'string' && typeof pattern === 'string' && !linearPattern(pattern).test(text)) return undefined
  return text
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return Number.isInteger(value) ? 'integer' : typeof value
}

/** A value that a schema allows: what it names itself, what the words say of it, else the least one of its type. */
function madePlain(run: Run, shape: Shape, words: Words, site: Site): unknown {
  const { const: constant, default: usual, examples, example, enum: allowed, minItems } = shape.keywords
  const first: unknown = Array.isArray(examples) ? examples[0] : undefined
  const named = constant ?? usual ?? first ?? example
  const said = site.isOwn && shape.types.has('string') ? fitted(words.sentence, shape) : undefined
  if (said !== undefined) return said
  if (named !== undefined) return named
  if (Array.isArray(allowed)) return allowed[0]
  if (shape.types.has('null')) return null
  if (shape.types.has('array')) {
    const list = site.isOwn ? words.all : undefined
    const filled = list && makeList(run, shape, list, site)
    if (filled) return filled
    const least = site.depth >= DEEPEST ? 0 : Math.min(Number(minItems ?? 0), MOST_FILLED)
    return Array.from({ length: least }, (_, index) => make(run, shape.items, words, elementOf(site, index, false)))
  }
  if (shape.types.has('object') || isObject(shape.keywords.additionalProperties)) return {}
  return words.invent?.(site, shape) ?? leastValue(shape, words)
}

function leastValue(shape: Shape, words: Words): unknown {
  if (shape.types.has('boolean')) return false
  return shape.types.has('integer') || shape.types.has('number') ? leastNumber(shape) : leastText(shape, words)
}

const MOST_FILLED = 100

function leastNumber({ keywords }: Shape): number {
  const { minimum, exclusiveMinimum, maximum, multipleOf } = keywords
  const step = typeof multipleOf === 'number' ? multipleOf : 1
  if (typeof exclusiveMinimum === 'number') return Math.floor(exclusiveMinimum / step + 1) * step
  if (typeof minimum === 'number') return Math.ceil(minimum / step) * step
  return typeof maximum === 'number' ? Math.min(0, maximum) : 0
}

function leastText({ keywords }: Shape, { now, uuid }: Words): string {
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
