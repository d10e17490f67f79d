import { isDeepStrictEqual } from 'node:util'
import { type RefusedRequest, type SentRefusal, refusalValues, type ValueSource } from './refusal-values.ts'
import type { Operation } from '../../contract/contract.ts'
import type { Documented } from '../../contract/schemas/documented.ts'
import { codeAs, isWordCode, hasOwnExample, type ShownCodes } from './error-codes.ts'
import type { ErrorDialect } from './error-dialect.ts'
import { listsValidationErrors } from './pydantic-error.ts'
import { linearPattern } from '../../contract/schemas/patterns.ts'
import { allows, allowsNull, alternativesOf, onlyValue, type Shape, shapeOf } from '../../contract/schemas/shape.ts'
import { encodePointer, isObject, jsonTypeOf, parseJson, stringifyJson } from '../../base/formats/json.ts'
import type { RenderedProblem } from '../../http/format-problem.ts'
import { keepNamed } from '../../resources/collections/items/show.ts'
import { generateRequired } from '../../values/generate-value.ts'

const PROBLEM = 'application/problem+json'

/** The most alternatives of a schema that are tried. */
const MAX_TRIES = 4

/** What the contract says of a refusal. */
interface RefusalTarget {
  readonly document: unknown
  readonly dialect: ErrorDialect
  /** Undefined where the request met none: an unknown path, or a method that its path does not allow. */
  readonly own?: { readonly operation: Operation; readonly documented: Documented }
}

/**
 * The body of an error response as the operation documents it, or else in the dialect of the document. The usual body stays if neither
 * says anything, or, without the members that are not documented, if it is valid and has all that are; else one is made from the
 * schema. If none is valid the first is sent, since its members have the names that the client knows.
 */
export function adaptBody(met: RefusedRequest, usual: RenderedProblem, target: RefusalTarget): RenderedProblem {
  const { own, document, dialect } = target
  const { status, problem } = met
  const sentence = dialect.sentence(problem.id, met)
  const refusal = sentence === undefined ? met : { ...met, problem: problem.with({ detail: sentence }) }
  const response = own?.documented.response(status)
  // FastAPI lists what is invalid as JSON, also where the document has a text, which is for the errors of the service's own code.
  const isListed =
    response?.text !== undefined &&
    problem.violations.length > 0 &&
    listsValidationErrors(document, dialect.formOf(status)?.schema)
  if (!own || !response || response.types.length === 0 || isListed) {
    const form = dialect.formOf(status)
    // `error.body` may ask for another body than a problem.
    if (!form || usual.contentType !== PROBLEM) return usual
    const invalid = dialect.invalid(status, problem.violations)
    if (invalid !== undefined) return { contentType: form.contentType, body: stringifyJson(invalid) }
    const codes = { isOwn: false, any: () => dialect.anyCode() }
    const [made] = triedBodies({ ...refusal, parameters: own?.operation.parameters }, document, { ...form, codes })
    const kept = { made, usual: parseJson(usual.body) }
    const whole = form.contentType === PROBLEM ? withUsual(document, form.schema, kept) : made
    return { contentType: form.contentType, body: stringifyJson(whole) }
  }
  const { contentType, schema, example, text } = response
  if (contentType === undefined) {
    const isText = text !== undefined && usual.contentType === PROBLEM
    return isText ? { contentType: 'text/plain', body: refusal.problem.message } : usual
  }
  if (schema === undefined) return { contentType, body: usual.body }
  const fits = (body: unknown) => own.operation.checkResponse(status, body, contentType).length === 0
  const given = parseJson(usual.body)
  // A problem document may have further members (RFC 9457, 3.2), but a service has those that it documents.
  const sent = keepNamed(document, schema, given)
  const codes = { isOwn: hasOwnExample(own.documented, status), any: () => dialect.anyCode() }
  const tries = triedBodies({ ...refusal, parameters: own.operation.parameters }, document, { schema, example, codes })
  const fitting = tries.find(fits)
  const whole = contentType === PROBLEM ? withUsual(document, schema, { made: fitting, usual: given }) : fitting
  if (fits(sent) && (whole === undefined || isEmpty(whole))) return { contentType, body: stringifyJson(sent) }
  return { contentType, body: stringifyJson(fits(whole) ? whole : (fitting ?? tries[0])) }
}

/** The members of a problem document as they usually are, where the made one has them and the schema names and allows all of them. */
function withUsual(
  document: unknown,
  schema: unknown,
  { made, usual }: { readonly made: unknown; readonly usual: unknown },
) {
  const named = keepNamed(document, schema, usual)
  if (!isObject(made) || !isObject(usual) || !isObject(named)) return made
  const { properties } = shapeOf(document, schema)
  const kept = Object.entries(made).map(([name, value]) => {
    const isWhole = isDeepStrictEqual(named[name], usual[name])
    return [name, (isWhole ? fitValue(usual[name], shapeOf(document, properties.get(name))) : undefined) ?? value]
  })
  return Object.fromEntries(kept) as unknown
}

function isEmpty(value: unknown): boolean {
  return isObject(value) && Object.keys(value).length === 0
}

/** The bodies of an error response that the alternatives of a schema allow. */
export function triedBodies(
  refusal: SentRefusal,
  document: unknown,
  { schema, example, codes = NO_CODES }: ShownRefusal,
): unknown[] {
  const source = refusalValues(refusal)
  const root = { source, pointer: '', name: '', depth: 0, isOwn: true, example }
  const run = { document, now: refusal.now, codes }
  return Array.from({ length: MAX_TRIES }, (_, branch) => make({ ...run, branch }, schema, root))
}

/** What a document shows of an error response. */
interface ShownRefusal {
  readonly schema: unknown
  readonly example?: unknown
  readonly codes?: ShownCodes
}

const NO_CODES: ShownCodes = { isOwn: false, any: () => undefined }

interface RefusalRun {
  readonly document: unknown
  /** The number of the alternative that is taken of each set. */
  readonly branch: number
  readonly codes: ShownCodes
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
  /** What the document shows as an example of it; undefined for nothing. */
  readonly example: unknown
}

/** Recursive schemas have no end. */
const DEEPEST = 8

/** A value for a schema: the members that the source knows, and those that the schema requires. */
function make(run: RefusalRun, schema: unknown, place: RefusalPlace): unknown {
  const shape = shapeOf(run.document, schema, branchOf(run, schema, place.source))
  if (place.depth >= DEEPEST || !isObjectShape(shape)) return makePlain(run, schema, shape, place)
  const { source, isOwn } = place
  const whole = source.whole?.(shape)
  if (whole !== undefined) return whole
  const made = new Map<string, unknown>()
  const shown = shownNames(shape, place.example)
  for (const name of new Set([...shape.properties.keys(), ...shape.required])) {
    const value = shown.has(name) ? makeMember(run, name, shape, place) : undefined
    if (value !== undefined) made.set(name, value)
  }
  if (isOwn) {
    leaveOutRepeated(shape, source, made)
    if (!contains([...made.values()], source.sentence)) {
      addToList(run, shape, place, made)
      addSentence(run, shape, source, made)
    }
  }
  const order = new Set([...shape.properties.keys(), ...made.keys()])
  return Object.fromEntries([...order].flatMap((name) => (made.has(name) ? [[name, made.get(name)]] : [])))
}

/**
 * The number of the alternative that is taken. Where each is one kind of error, as `type: { const: not_found_error }` or a discriminator
 * says, the first is that of the refusal.
 */
function branchOf({ document, branch }: RefusalRun, schema: unknown, source: ValueSource): number {
  const kinds = alternativesOf(document, schema).map((one) => shapeOf(document, one).properties)
  const name = [...(kinds[0]?.keys() ?? [])].find((one) => source.isCode(one))
  if (name === undefined || kinds.length < 2) return branch
  const values = kinds.map((members) => onlyValue(shapeOf(document, members.get(name)).keywords))
  if (values.includes(undefined)) return branch
  const meant = source.member(name, shapeOf(document, { type: 'string', enum: values }))
  return Math.max(0, values.indexOf(meant)) + branch
}

/** An example that has none but documented members shows which of the optional ones the service sends. */
function shownNames({ properties, required, keywords }: Shape, given: unknown): ReadonlySet<string> {
  const examples = [given, keywords.example, keywords.examples].flat().filter(isObject)
  const example = examples.find((one) => !isEmpty(one) && Object.keys(one).every((name) => properties.has(name)))
  return new Set([...required, ...(example ? Object.keys(example) : properties.keys())])
}

/** Of several optional texts for the sentence, the first that services use: `message` beside `details`. */
function leaveOutRepeated({ required }: Shape, { sentence, rank }: ValueSource, made: Map<string, unknown>): void {
  const holders = [...made].flatMap(([name, value]) => (value === sentence ? [name] : []))
  const [first] = holders.toSorted(
    (one, other) => Number(required.has(other)) - Number(required.has(one)) || rank(one) - rank(other),
  )
  for (const name of holders) if (name !== first && !required.has(name)) made.delete(name)
}

function isObjectShape({ types, properties }: Shape): boolean {
  return types.has('object') || (types.size === 0 && properties.size > 0)
}

function makeMember(run: RefusalRun, name: string, holder: Shape, place: RefusalPlace): unknown {
  const { source } = place
  const schema = holder.properties.get(name)
  const isRequired = holder.required.has(name)
  const shape = shapeOf(run.document, schema, run.branch)
  if (schema === undefined) return source.member(name, shape, holder) ?? source.sentence
  const inner = inside(place, name, place.isOwn && source.isSame(name))
  const list = allowsListOnly(shape) ? source.elements(name) : undefined
  const filled = list && (list.length > 0 || isRequired) ? makeList(run, shape, list, inner) : undefined
  // `id: not_found`
  const examples = [inner.example, shape.keywords.example, shape.keywords.examples].flat()
  const isCoded = source.isRequestId(name) && examples.some(isWordCode)
  const own = source.member(isCoded ? 'code' : name, shape, holder)
  // The example of a cause is of another cause.
  const codes = source.all ? run.codes : { ...run.codes, isOwn: false }
  const coded = isCoded || source.isCode(name) ? codeAs(own, shape, inner.example, codes) : own
  const known = filled ?? fitValue(coded, shape)
  if (known !== undefined) return known
  if (!isRequired && !(source.isSame(name) && isObjectShape(shape))) return emptyOf(run.document, schema, shape)
  const made = make(run, schema, inner)
  return isRequired || !isObject(made) || Object.keys(made).length > 0 ? made : undefined
}

/** The value of an optional member that the problem says nothing about: null where that is allowed, `{}` for an object without described members. */
function emptyOf(document: unknown, schema: unknown, { types, properties, keywords }: Shape): unknown {
  if (allowsNull(document, schema)) return null
  const isDescribed = properties.size > 0 || isObject(keywords.additionalProperties)
  return types.has('object') && !isDescribed ? {} : undefined
}

function inside({ source, pointer, depth, example }: RefusalPlace, name: string, isOwn: boolean): RefusalPlace {
  const shown = (Array.isArray(example) ? example[0] : isObject(example) ? example[name] : undefined) as unknown
  return { source, pointer: `${pointer}/${encodePointer(name)}`, name, depth: depth + 1, isOwn, example: shown }
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

/** If no member contains the sentence, a string that is usual for it gets it, or one without a known value; else `error` or `title`. */
function addSentence(run: RefusalRun, { properties }: Shape, source: ValueSource, made: Map<string, unknown>): void {
  if (contains([...made.values()], source.sentence)) return
  const fitting = [...properties].flatMap(([name, inner]) => {
    const shape = shapeOf(run.document, inner, run.branch)
    const { format, default: byDefault } = shape.keywords
    const isFree = shape.types.has('string') && format === undefined && byDefault === undefined
    const value = isFree ? fitValue(source.sentence, shape) : undefined
    return value === undefined ? [] : [{ name, value, known: source.member(name, shape) }]
  })
  const usual = fitting.find(({ known }) => known === source.sentence)
  const found =
    usual ??
    fitting.find(({ known }) => known === undefined) ??
    fitting.find(({ name }) => source.isTitle(name, made.get(name)))
  if (found) made.set(found.name, found.value)
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
  const { const: constant, enum: allowed, format, maxLength, pattern } = shape.keywords
  const text = typeof value === 'string' && typeof maxLength === 'number' ? value.slice(0, maxLength) : value
  if (constant !== undefined && text !== constant) return undefined
  if (Array.isArray(allowed) && !allowed.includes(text)) return undefined
  if (!allows(shape, jsonTypeOf(text))) return undefined
  if (format === 'uri' && typeof text === 'string' && !URL.canParse(text)) return undefined
  // Invalid patterns were removed when the contract was loaded.
  if (typeof text === 'string' && typeof pattern === 'string' && !linearPattern(pattern).test(text)) return undefined
  return text
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
