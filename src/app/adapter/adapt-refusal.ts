import { type SentRefusal, refusalValues, type ValueSource } from './refusal-values.ts'
import type { Operation } from '../../contract/contract.ts'
import type { Documented } from '../../contract/schemas/documented.ts'
import { linearPattern } from '../../contract/schemas/patterns.ts'
import { allows, type Shape, shapeOf } from '../../contract/schemas/shape.ts'
import { encodePointer, isObject, parseJson, stringifyJson } from '../../base/formats/json.ts'
import type { RenderedProblem } from '../../http/format-problem.ts'
import { generateRequired } from '../../values/generate-value.ts'

/** The most alternatives of a schema that are tried. */
const MAX_TRIES = 4

interface DocumentedOperation {
  readonly operation: Operation
  readonly documented: Documented
  readonly document: unknown
}

/**
 * The body of an error response as the operation documents it. The usual body stays if nothing is documented, or if it is valid and
 * has all documented members; else one is made from the schema. If none is valid the first is sent, since its members have the names
 * that the client knows.
 */
export function adaptBody(refusal: SentRefusal, usual: RenderedProblem, target: DocumentedOperation): RenderedProblem {
  const { operation, documented, document } = target
  const { status } = refusal
  const { contentType, schema } = documented.response(status) ?? {}
  if (contentType === undefined) return usual
  if (schema === undefined) return { contentType, body: usual.body }
  const fits = (body: unknown) => operation.checkResponse(status, body, contentType).length === 0
  const sent = parseJson(usual.body)
  const tries = triedBodies(refusal, document, schema)
  const fitting = tries.find(fits)
  if (fits(sent) && (fitting === undefined || hasAllMembers(sent, fitting))) return { contentType, body: usual.body }
  // A problem document may have further members (RFC 9457, 3.2), so the usual ones stay.
  const whole = contentType === PROBLEM && isObject(sent) && isObject(fitting) ? { ...fitting, ...sent } : fitting
  return { contentType, body: stringifyJson(fits(whole) ? whole : (fitting ?? tries[0])) }
}

const PROBLEM = 'application/problem+json'

/** Whether a body has every documented member that we can fill: a client reads `message`, not our `detail`. */
function hasAllMembers(sent: unknown, made: unknown): boolean {
  return !isObject(made) || (isObject(sent) && Object.keys(made).every((name) => Object.hasOwn(sent, name)))
}

/** The bodies of an error response that the alternatives of a schema allow. */
export function triedBodies(refusal: SentRefusal, document: unknown, schema: unknown): unknown[] {
  const source = refusalValues(refusal)
  const root = { source, pointer: '', name: '', depth: 0, isOwn: true }
  return Array.from({ length: MAX_TRIES }, (_, branch) => make({ document, branch, now: refusal.now }, schema, root))
}

interface RefusalRun {
  readonly document: unknown
  /** The number of the alternative that is taken of each set. */
  readonly branch: number
  /** Epoch ms. */
  readonly now: number
}

/** Where a value is made, and from what. */
interface RefusalPlace {
  readonly source: ValueSource
  readonly pointer: string
  /** The nearest member's name; empty where there is none. */
  readonly name: string
  readonly depth: number
  /** Whether the source describes this value itself, and not an object around it. */
  readonly isOwn: boolean
}

/** Recursive schemas have no end. */
const DEEPEST = 8

/** A value for a schema: the members that the source knows, and those that the schema requires. */
function make(run: RefusalRun, schema: unknown, place: RefusalPlace): unknown {
  const shape = shapeOf(run.document, schema, run.branch)
  if (place.depth >= DEEPEST || !isObjectShape(shape)) return makePlain(run, schema, shape, place)
  const { source, isOwn } = place
  const made = new Map<string, unknown>()
  for (const name of new Set([...shape.properties.keys(), ...shape.required])) {
    const value = makeMember(run, name, shape, place)
    if (value !== undefined) made.set(name, value)
  }
  if (isOwn && !contains([...made.values()], source.sentence)) {
    addToList(run, shape, place, made)
    addSentence(run, shape, source, made)
  }
  const order = new Set([...shape.properties.keys(), ...made.keys()])
  return Object.fromEntries([...order].flatMap((name) => (made.has(name) ? [[name, made.get(name)]] : [])))
}

function isObjectShape({ types, properties }: Shape): boolean {
  return types.has('object') || (types.size === 0 && properties.size > 0)
}

function makeMember(run: RefusalRun, name: string, holder: Shape, place: RefusalPlace): unknown {
  const { source } = place
  const schema = holder.properties.get(name)
  const isRequired = holder.required.has(name)
  const shape = shapeOf(run.document, schema, run.branch)
  if (schema === undefined) return source.member(name, shape) ?? source.sentence
  const inner = inside(place, name, place.isOwn && source.isSame(name))
  const list = allowsListOnly(shape) ? source.elements(name) : undefined
  const filled = list && (list.length > 0 || isRequired) ? makeList(run, shape, list, inner) : undefined
  const known = filled ?? fitValue(source.member(name, shape), shape)
  if (known !== undefined) return known
  if (!isRequired && !(source.isSame(name) && isObjectShape(shape))) return undefined
  const made = make(run, schema, inner)
  return isRequired || !isObject(made) || Object.keys(made).length > 0 ? made : undefined
}

function inside({ source, pointer, depth }: RefusalPlace, name: string, isOwn: boolean): RefusalPlace {
  return { source, pointer: `${pointer}/${encodePointer(name)}`, name, depth: depth + 1, isOwn }
}

function allowsListOnly(shape: Shape): boolean {
  return allows(shape, 'array') && !allows(shape, 'string')
}

/** One element for each source; undefined if the schema requires more. */
function makeList(
  run: RefusalRun,
  { items, keywords }: Shape,
  sources: readonly ValueSource[],
  place: RefusalPlace,
): unknown[] | undefined {
  const { minItems = 0, maxItems = Infinity } = keywords
  const filled = sources
    .slice(0, Number(maxItems))
    .map((source, at) => make(run, items, { ...inside(place, String(at), true), name: place.name, source }))
  return filled.length >= Number(minItems) ? filled : undefined
}

/** If no member contains the sentence, a list of causes gets it as its one element. */
function addToList(run: RefusalRun, { properties }: Shape, place: RefusalPlace, made: Map<string, unknown>): void {
  const { source } = place
  const { all = [] } = source
  if (all.length === 0 || place.depth + 1 >= DEEPEST) return
  for (const [name, inner] of properties) {
    const shape = shapeOf(run.document, inner, run.branch)
    if (!allowsListOnly(shape) || !source.elements(name)) continue
    const list = makeList(run, shape, all, inside(place, name, true))
    if (list) made.set(name, list)
    return
  }
}

/** If no member contains the sentence, the first string without a known value gets it. */
function addSentence(run: RefusalRun, { properties }: Shape, source: ValueSource, made: Map<string, unknown>): void {
  if (contains([...made.values()], source.sentence)) return
  for (const [name, inner] of properties) {
    const shape = shapeOf(run.document, inner, run.branch)
    const { format, default: byDefault } = shape.keywords
    const isFree = shape.types.has('string') && format === undefined && byDefault === undefined
    const value = isFree && source.member(name, shape) === undefined ? fitValue(source.sentence, shape) : undefined
    if (value === undefined) continue
    made.set(name, value)
    return
  }
}

/** Whether a value contains the sentence, or its beginning if it was cut. */
function contains(value: unknown, sentence: string): boolean {
  // A pointer at the start of the sentence is not the sentence.
  if (typeof value === 'string') return value.includes(' ') && sentence.startsWith(value)
  return typeof value === 'object' && value !== null && Object.values(value).some((inner) => contains(inner, sentence))
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

/** The sentence, a list of the causes, or the least that the schema allows. */
function makePlain(run: RefusalRun, schema: unknown, shape: Shape, place: RefusalPlace): unknown {
  const { source, isOwn, pointer, name } = place
  if (isOwn && shape.types.has('string')) {
    const sentence = fitValue(source.sentence, shape)
    if (sentence !== undefined) return sentence
  }
  const isList = isOwn && source.all && place.depth < DEEPEST && shape.types.has('array') && !shape.types.has('null')
  const list = isList ? makeList(run, shape, source.all, place) : undefined
  if (list) return list
  const { document, branch, now } = run
  return generateRequired({ document, schema, pointer, name }, { key: 0, now }, { invents: 'nothing', turn: branch })
}
