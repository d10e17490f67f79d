import { generateRequired } from './generate-value.ts'
import { allows, type Shape, shapeOf } from '../contract/schemas/shape.ts'
import type { Violation } from '../base/errors/problem.ts'
import { asObject, encodePointer, isObject, type Members } from '../base/formats/json.ts'

/** What an object is completed with. */
interface Completion {
  /** Added where the schema names it, nested as the object is. */
  readonly whenNamed?: Members
  /** Added where the schema requires it. */
  readonly whenRequired?: Members
  /** Epoch ms: the value of dates that are not known. */
  readonly written: number
  /** The key of all values that are made up: the seed and the identity of the object. */
  readonly key: number
  /** Members that mean the same in every contract and stay whatever its schema says. */
  readonly sameInEveryContract?: ReadonlySet<string>
  /** Members that fail this check are removed: the contract may use the same name for something else. */
  check?(made: Members): readonly Violation[]
}

interface CompletionRun extends Completion {
  readonly document: unknown
  /** The pointers of members that were refused. */
  readonly refused: readonly string[]
}

/** Adds to an object what a schema requires beyond it, and removes what the schema forbids. */
export function completeObject(document: unknown, schema: unknown, usual: Members, completion: Completion): Members {
  const { whenNamed: named = {}, whenRequired: required = {}, check } = completion
  const level = { usual, named, required, pointer: '' }
  const made = complete({ ...completion, document, refused: [] }, schema, level)
  const violations = check?.(made) ?? []
  if (violations.length === 0) return made
  return complete({ ...completion, document, refused: violations.map(({ pointer = '' }) => pointer) }, schema, level)
}

/** One object inside the object being completed. */
interface NestedObject {
  readonly usual: Members
  readonly named: Members
  readonly required: Members
  readonly pointer: string
}

function complete(run: CompletionRun, schema: unknown, { usual, named, required, pointer }: NestedObject): Members {
  const shape = fittingShape(run.document, schema, usual)
  const fit = (name: string, value: unknown): unknown =>
    fitMember(run, shape.properties.get(name), {
      value,
      named: named[name],
      required: required[name],
      pointer: `${pointer}/${encodePointer(name)}`,
    })
  const made = new Map<string, unknown>()
  const add = (name: string, value: unknown) => {
    if (value !== undefined) made.set(name, value)
  }
  for (const [name, value] of Object.entries(usual))
    if (shape.properties.has(name) || !shape.isClosed) add(name, fit(name, value))
  for (const [name, member] of shape.properties) {
    if (made.has(name)) continue
    // Responses omit what only clients write, even where it is required (OpenAPI 3.0.3, 4.7.24.1).
    const isRequired = shape.required.has(name) && shapeOf(run.document, member).keywords.writeOnly !== true
    add(name, fit(name, named[name] === undefined && isRequired ? required[name] : named[name]))
    if (!isRequired || made.has(name)) continue
    const place = { document: run.document, schema: member, pointer: `${pointer}/${encodePointer(name)}`, name }
    add(name, generateRequired(place, { key: run.key, now: run.written }, { invents: 'little', turn: 0 }))
  }
  return Object.fromEntries(made)
}

/** A member of an object being completed, and the values known for it. */
interface KnownMember {
  readonly value: unknown
  readonly named: unknown
  readonly required: unknown
  readonly pointer: string
}

function fitMember(run: CompletionRun, schema: unknown, { value, named, required, pointer }: KnownMember): unknown {
  const shape = shapeOf(run.document, schema)
  if (isObject(value) && (shape.properties.size > 0 || shape.isClosed))
    return complete(run, schema, { usual: value, named: asObject(named), required: asObject(required), pointer })
  const isRefused = run.refused.some((place) => place === pointer || place.startsWith(`${pointer}/`))
  return isRefused ? convertOrDrop(run, value, shape, pointer) : value
}

/** A number as a string if the contract wants one, as for ids; else nothing, unless the member means the same in every contract. */
function convertOrDrop({ sameInEveryContract }: CompletionRun, value: unknown, shape: Shape, pointer: string): unknown {
  const isNumber = typeof value === 'number' || typeof value === 'bigint'
  if (isNumber && allows(shape, 'string') && !allows(shape, 'integer')) return String(value)
  return sameInEveryContract?.has(pointer.split('/')[1] ?? '') ? value : undefined
}

/** Alternatives that are compared. */
const MAX_BRANCHES = 32

/** The shape of the first alternative of a schema that an object contradicts least: `type: card` belongs to a card. */
export function fittingShape(document: unknown, schema: unknown, usual: Members): Shape {
  const first = shapeOf(document, schema)
  let [best, least] = [first, misfit(document, first, usual)]
  for (let branch = 1; branch < MAX_BRANCHES && least > 0; branch++) {
    const shape = shapeOf(document, schema, branch)
    // It has no more alternatives.
    if (hasSameMembers(shape, first)) break
    const found = misfit(document, shape, usual)
    if (found < least) [best, least] = [shape, found]
  }
  return best
}

function hasSameMembers({ properties, required }: Shape, other: Shape): boolean {
  if (properties.size !== other.properties.size || required.size !== other.required.size) return false
  return [...properties].every(([name, schema]) => other.properties.get(name) === schema)
}

/** How much of an object a shape does not allow, or lacks. */
function misfit(document: unknown, { properties, required, isClosed }: Shape, usual: Members): number {
  let count = 0
  for (const [name, value] of Object.entries(usual)) {
    if (properties.has(name))
      count += allowsValue(shapeOf(document, properties.get(name), 'any'), value) ? 0 : CONTRADICTION
    else if (isClosed) count += FOREIGN
  }
  for (const name of required) if (usual[name] === undefined) count++
  return count
}

/** A member that the shape does not have is lost, so it weighs more than those that are missing, which are made up. */
const FOREIGN = 20

/** Weighs more than both. */
const CONTRADICTION = 1000

function allowsValue(shape: Shape, value: unknown): boolean {
  const { const: constant, enum: values } = shape.keywords
  if (constant !== undefined && value !== constant) return false
  if (Array.isArray(values) && !isObject(value) && !values.includes(value)) return false
  return value === null || allows(shape, typeOf(value))
}

function typeOf(value: unknown): string {
  if (Array.isArray(value)) return 'array'
  return typeof value === 'number' || typeof value === 'bigint' ? 'integer' : typeof value
}
