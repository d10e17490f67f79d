import { fittingShape } from './complete-object.ts'
import { generateRequired, generateWhole } from './generate-value.ts'
import { findValidAtOnce } from './repair-value.ts'
import { createLookup, replaceAt } from '../contract/pointer.ts'
import { type Shape, shapeOf } from '../contract/schemas/shape.ts'
import type { Violation } from '../base/errors/problem.ts'
import { isObject, type Members, splitPointer } from '../base/formats/json.ts'

interface ObjectFit {
  readonly document: unknown
  readonly schema: unknown
  /** The JSON pointer of the member that must stay as it is: the id. */
  readonly fixed: string | undefined
  /** The key of all values that are made up. */
  readonly key: number
  /** Epoch ms: the value of dates that are made up. */
  readonly now: number
  check(value: Members): readonly Violation[]
}

/** Objects that are checked in search of one that is valid, before a whole new one is made. */
const MOST_CHECKS = 60

/**
 * An object that passes the check, with as much of another one as the check allows; undefined where none is found. Members that the
 * schema does not allow are removed, those that it requires are made up. Equal objects are fitted equally.
 */
export function fitObject(value: Members, fitting: ObjectFit): Members | undefined {
  let found: CheckedObject = { value, violations: fitting.check(value) }
  let left = MOST_CHECKS
  const check = (tried: Members): CheckedObject | undefined =>
    left-- > 0 ? { value: tried, violations: fitting.check(tried) } : undefined
  while (found.violations.length > 0) {
    const better = findBetter(found, fitting, check)
    if (!better) return makeAnew(found.value, fitting)
    found = better
  }
  return found.value
}

interface CheckedObject {
  readonly value: Members
  readonly violations: readonly Violation[]
}

/** The first change of what is broken after which less is broken. The innermost places come first. */
function findBetter(
  { value, violations }: CheckedObject,
  fitting: ObjectFit,
  check: (tried: Members) => CheckedObject | undefined,
): CheckedObject | undefined {
  for (const place of placesOf(value, violations, fitting)) {
    for (const tried of changesAt(value, place, fitting)) {
      const checked = check(tried)
      if (!checked) return undefined
      if (checked.violations.length < violations.length) return checked
    }
  }
  return undefined
}

type MemberPath = readonly string[]

interface FitPlace extends SchemaAt {
  readonly path: MemberPath
  /** Whether its value is to be like one of several schemas. */
  readonly isAmbiguous: boolean
}

/**
 * The places of violations, and those that these lie in. A value that fits none of several alternatives breaks rules of all of them, so
 * the rules of the one that it is most like come first.
 */
function placesOf(value: Members, violations: readonly Violation[], fitting: ObjectFit): readonly FitPlace[] {
  const paths = new Map<string, MemberPath>()
  for (const { pointer = '' } of violations) {
    const path = splitPointer(pointer)
    for (let length = path.length; length >= 0; length--)
      paths.set(JSON.stringify(path.slice(0, length)), path.slice(0, length))
  }
  const codes = Map.groupBy(violations, ({ pointer = '' }) => JSON.stringify(splitPointer(pointer)))
  return [...paths]
    .map(([name, path]) => {
      const at = schemaAt(value, path, fitting)
      const broken = codes.get(name) ?? []
      const rank = (broken.length > 0 ? 2 : 0) + (at.isKnown ? 1 : 0)
      return { ...at, path, rank, isAmbiguous: broken.some(({ code }) => ALTERNATIVES.has(code)) }
    })
    .toSorted((one, other) => other.rank - one.rank || other.path.length - one.path.length)
}

const ALTERNATIVES = new Set(['oneOf', 'anyOf', 'not', 'if'])

interface SchemaAt {
  readonly schema: unknown
  /** Whether the schema that the value is most like has something to say of this place. */
  readonly isKnown: boolean
  readonly isRequired: boolean
}

/** The schema of a place of a value, by the alternatives that the value is most like. */
export function schemaAt(
  value: Members,
  path: MemberPath,
  { document, schema }: Pick<ObjectFit, 'document' | 'schema'>,
): SchemaAt {
  let at: SchemaAt = { schema, isKnown: true, isRequired: true }
  let held: unknown = value
  for (const name of path) {
    const shape: Shape = isObject(held) ? fittingShape(document, at.schema, held) : shapeOf(document, at.schema, 'any')
    const isElement = Array.isArray(held)
    const inner = isElement ? shape.items : (shape.properties.get(name) ?? shape.keywords.additionalProperties)
    const isRequired = !isElement && shape.required.has(name)
    at = { schema: inner, isKnown: at.isKnown && (inner !== undefined || isRequired), isRequired }
    held = isObject(held) || isElement ? (held as Members)[name] : undefined
  }
  return at
}

/** How many alternatives of a schema are made up. */
const TURNS = 4

/** The object with other values at a place: none, then new ones. */
function* changesAt(value: Members, place: FitPlace, fitting: ObjectFit): Generator<Members> {
  const { path, isRequired } = place
  const fixed = fitting.fixed === undefined ? undefined : splitPointer(fitting.fixed)
  const holdsFixed = fixed !== undefined && path.every((name, index) => fixed[index] === name)
  const held = path.reduce<unknown>((inner, name) => (inner as Members | undefined)?.[name], value)
  if (held !== undefined && !isRequired && path.length > 0 && !holdsFixed) yield replaceAt(value, path, undefined)
  if (place.isAmbiguous && isObject(held)) yield* narrowed(value, held, place, fitting)
  for (let turn = 0; turn < TURNS; turn++) {
    for (const made of madeAt(place, turn, fitting)) {
      if (isObject(made) && isObject(held)) yield replaceAt(value, path, { ...made, ...held })
      if (!holdsFixed) yield replaceAt(value, path, made)
    }
  }
}

/** The object without one of the members that an alternative does not have, then without all of them: it may fit several alternatives. */
function* narrowed(
  value: Members,
  held: Members,
  { path, schema }: FitPlace,
  { document }: ObjectFit,
): Generator<Members> {
  for (let turn = 0; turn < TURNS; turn++) {
    const { properties } = shapeOf(document, schema, turn)
    const others = Object.keys(held).filter((name) => !properties.has(name))
    for (const name of others.slice(0, MOST_NARROWED)) yield replaceAt(value, [...path, name], undefined)
    const kept = Object.entries(held).filter(([name]) => properties.has(name))
    if (others.length > 1) yield replaceAt(value, path, Object.fromEntries(kept))
  }
}

/** Members that are left out one at a time. */
const MOST_NARROWED = 10

/** Values for a place: one with what is required, and one with all members, which tells alternatives from each other. */
function* madeAt({ path, schema, isAmbiguous }: FitPlace, turn: number, fitting: ObjectFit): Generator {
  const { document, key, now } = fitting
  const [name = ''] = path.slice(-1)
  const pointer = path.map((part) => `/${part}`).join('')
  yield generateRequired({ document, schema, pointer, name }, { key, now }, { invents: 'little', turn })
  if (isAmbiguous && schema !== undefined) yield makeWhole(schema, turn, fitting)
}

function makeWhole(schema: unknown, turn: number, { document, key, now }: ObjectFit): unknown {
  const style = { examples: false, requiredOnly: false, turn }
  return generateWhole({ schema, owner: '', slots: new Map() }, { lookup: createLookup(document), key, now }, style)
}

/** A new object with those members of the other one that it may have. */
function makeAnew(value: Members, fitting: ObjectFit): Members | undefined {
  const { schema, fixed, check } = fitting
  const found = findValidAtOnce({
    known: value,
    styles: ANEW,
    generate: ({ turn }) => makeWhole(schema, turn, fitting),
    check: (made) => (isObject(made) ? check(made) : [NO_OBJECT]),
  })
  if (!('value' in found) || !isObject(found.value)) return undefined
  const idOf = (one: Members) =>
    splitPointer(fixed ?? '').reduce<unknown>((held, name) => (held as Members | undefined)?.[name], one)
  return fixed === undefined || idOf(found.value) === idOf(value) ? found.value : undefined
}

/** A large object takes long to check, and each of its members is tried. */
const ANEW = [0, 1].map((turn) => ({ examples: false, requiredOnly: false, turn }))

const NO_OBJECT: Violation = { code: 'type', message: 'An item must be an object.', expected: 'an object' }
