import { rememberingAll } from '../../base/cache.ts'
import type { Ajv2020, ErrorObject, Options, ValidateFunction } from 'ajv/dist/2020.js'
import type { LazyValidator } from './ajv.ts'
import { cut, describe } from './describe-errors.ts'
import { loadAjv } from './load-ajv.ts'
import type { ReadyMade } from './ready-made.ts'
import { createKnownMembers, type KnownMembers } from './known-members.ts'
import { linearPattern } from './patterns.ts'
import { createSplitter, type Side, type Splitter } from './split-schema.ts'
import { createLookup, isReference, pointerIn, valueAt } from '../pointer.ts'
import type { Violation } from '../../base/errors/problem.ts'
import { asList, asObject, encodePointer, isObject } from '../../base/formats/json.ts'
import { createTurns, type Turns } from './turns.ts'

/** The schemas of a contract, by their pointers in its document. */
export interface Schemas {
  /** Compiles the schema at a pointer, when the first value is checked. */
  compile(pointer: string, side?: Side): Check
  /** The pointer of what the object at a pointer refers to, or of itself. */
  locate(pointer: string): string
  /** The object at a pointer, references followed: a schema or any other object. */
  resolve(pointer: string): Schema | undefined
  /** The members that the schema at a pointer names, at any depth. */
  knownMembersAt(pointer: string): KnownMembers | undefined
  /** How many validators were compiled so far. */
  readonly compiled: number
  /**
   * Runs work that checks values, and gives the event loop back between compilations. Each time the work starts again from its
   * beginning, so it must have no effects.
   */
  inTurns<T>(work: () => T): Promise<T>
  readonly spendTurn: Turns['spend']
  /**
   * Other schemas, which may refer to those of the document. What they refer to is compiled once for both.
   *
   * @param name of a member that the document lacks, which holds them
   */
  extend(name: string, schemas: readonly unknown[]): Pick<Schemas, 'compile'>
}

/** Checks a value: all violations of its schema, empty when it is valid. */
export interface Check {
  (value: unknown): readonly Violation[]
  /** Whether the value is valid, which is faster than listing violations. */
  accepts(value: unknown): boolean
}

/** The check of a value that has no schema. */
export const ACCEPT_ALL: Check = Object.assign(() => [], { accepts: () => true })

export interface Schema {
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly properties?: Readonly<Record<string, unknown>>
  readonly items?: unknown
  readonly [keyword: string]: unknown
}

/**
 * Prepares the schemas of an OpenAPI 3.1 document. They may refer to each other, also in circles. A schema is compiled in parts,
 * each when the first value needs it. Unknown keywords and formats are annotations.
 *
 * @param document whose references stay inside it
 * @param placeOf `file:line` of a pointer, for messages
 * @param readyMade of a document of this package, whose patterns are known to be fast, so that JavaScript's engine may run them
 */
export function createSchemas(
  document: Readonly<Record<string, unknown>>,
  placeOf: (pointer: string) => string,
  readyMade?: ReadyMade,
): Schemas {
  const turns = createTurns()
  const settings = { turns, isTrusted: readyMade !== undefined }
  const validatorsOf = createValidators(document, settings)
  const lookup = createLookup(document)
  const knownMembers = createKnownMembers(document)
  return {
    resolve(pointer) {
      const held = lookup.at(pointer)
      return isObject(held) ? held : undefined
    },
    locate: (pointer) => lookup.locate(pointer),
    knownMembersAt: (pointer) => knownMembers(valueAt(document, pointer)),
    get compiled() {
      return turns.compiled
    },
    inTurns: turns.run,
    spendTurn: turns.spend,
    compile: createCompile(document, validatorsOf, placeOf, readyMade),
    extend(name, schemas) {
      const extended = { ...document, [name]: schemas }
      const isOwn = (pointer: string) => pointer.startsWith(`/${name}/`)
      const validators = createValidators(extended, settings, { validatorsOf, isOwn })
      return { compile: createCompile(extended, validators, placeOf) }
    },
  }
}

function createCompile(
  document: Readonly<Record<string, unknown>>,
  validatorsOf: ValidatorsOf,
  placeOf: (pointer: string) => string,
  readyMade: ReadyMade = {},
): Schemas['compile'] {
  const lookup = createLookup(document)
  return (pointer, side) => {
    if (valueAt(document, pointer) === undefined) return ACCEPT_ALL
    const made = side === 'request' ? readyMade[pointer] : undefined
    const accepts = made ?? ((value: unknown) => validatorsOf(side).first(pointer).validate(value))
    const check = (value: unknown) => {
      if (accepts(value)) return []
      const { first, all, originOf } = validatorsOf(side)
      const findAll = all(pointer).validate
      const errors = findAll(cut(value)) ? firstErrors(first(pointer).validate, value) : findAll.errors
      const pointerOf = (schema: object) => originOf(schema) ?? pointer
      return describe(
        ofNamedVariants(errors ?? [], { document, pointerOf: ({ parentSchema }) => pointerOf(asObject(parentSchema)) }),
        (schema, keyword) => placeOf(`${pointerOf(schema)}/${keyword}`),
        (schema, member) => lookup.at(`${pointerOf(schema)}/properties/${encodePointer(member)}`),
      )
    }
    return Object.assign(check, { accepts })
  }
}

function firstErrors(validate: ValidateFunction, value: unknown): ValidateFunction['errors'] {
  validate(value)
  return validate.errors
}

interface VariantErrors {
  readonly document: unknown
  /** Of the schema that an error is about. */
  pointerOf(error: ErrorObject): string
}

/**
 * Leaves out errors of alternatives that the discriminator does not name: a ferry without `cars` gets no error about the `paddles` of a
 * canoe.
 */
function ofNamedVariants(
  errors: readonly ErrorObject[],
  { document, pointerOf }: VariantErrors,
): readonly ErrorObject[] {
  const others = errors.flatMap((error) => {
    const [, branch = '', list = ''] = VARIANT.exec(pointerOf(error)) ?? []
    const held = valueAt(document, branch)
    if (error.keyword !== 'enum' || !isReference(held)) return []
    return [{ error, list, places: [branch, pointerIn(held.$ref.slice(1))], value: parentOf(error.instancePath) }]
  })
  /** The errors of the same discriminator, in all alternatives that it does not name. */
  const alikeTo = (error: ErrorObject) => {
    const own = others.find((one) => one.error === error)
    return own === undefined ? [] : others.filter(({ list, value }) => list === own.list && value === own.value)
  }
  const isWithin = (at: string, place: string) => at === place || at.startsWith(`${place}/`)
  const left = errors.filter((error) => {
    const at = pointerOf(error)
    const about = others.filter(({ value }) => isWithin(error.instancePath, value))
    const [first, ...rest] = alikeTo(error)
    // Where no alternative has that name, one error lists all names.
    if (first && rest.length + 1 === asList(valueAt(document, first.list)).length) return first.error === error
    return !about.some(
      ({ list, places }) => list === `${at}/${error.keyword}` || places.some((one) => isWithin(at, one)),
    )
  })
  if (left.length === 0) return errors
  return left.map((error) => {
    const alike = alikeTo(error)
    if (alike.length < 2) return error
    const allowedValues = alike.flatMap((one) => asList(asObject(one.error.params).allowedValues))
    return { ...error, params: { allowedValues }, schema: allowedValues }
  })
}

/** A member of an alternative, as `readVariants` writes what the discriminator says. */
const VARIANT = /^((.*\/(?:oneOf|anyOf))\/\d+)\/properties\/[^/]+$/

function parentOf(pointer: string): string {
  return pointer.slice(0, pointer.lastIndexOf('/'))
}

interface Validators extends Pick<Splitter, 'originOf'> {
  /** Stop at the first error. */
  readonly first: Compiler
  /** Find every error. */
  readonly all: Compiler
}

type ValidatorsOf = (side: Side | undefined) => Validators

interface CompileSettings {
  readonly turns: Turns
  readonly isTrusted: boolean
}

/** The validators of the document that is extended. */
interface Extended {
  readonly validatorsOf: ValidatorsOf
  /** Whether a pointer leads to what was added. */
  isOwn(pointer: string): boolean
}

/** The validators for each side of an exchange. */
function createValidators(
  document: Readonly<Record<string, unknown>>,
  { turns, isTrusted }: CompileSettings,
  extended?: Extended,
): ValidatorsOf {
  const code = isTrusted ? FAST_BUILD : { ...FAST_BUILD, regExp: LINEAR }
  const bySide = new Map<Side | undefined, Validators>()
  return (side) => {
    const known = bySide.get(side)
    if (known) return known
    const splitter = createSplitter(document, side)
    const base = extended?.validatorsOf(side)
    const compiler = (which: 'first' | 'all') => {
      const others = base && ((pointer: string) => (extended?.isOwn(pointer) ? undefined : base[which](pointer)))
      return createCompiler(splitter, turns, { code, allErrors: which === 'all' }, others)
    }
    const originOf: Validators['originOf'] = (schema) => splitter.originOf(schema) ?? base?.originOf(schema)
    const validators = { first: compiler('first'), all: compiler('all'), originOf }
    bySide.set(side, validators)
    return validators
  }
}

/** What ajv's optimiser saves per check is less than it costs at start. */
const FAST_BUILD = { optimize: false }
const LINEAR = Object.assign(linearPattern, { code: 'linearPattern' })

type Compiler = (pointer: string) => LazyValidator

/** @param compiledElsewhere what need not be compiled again */
function createCompiler(
  splitter: Splitter,
  turns: Turns,
  options: Options,
  compiledElsewhere: (pointer: string) => LazyValidator | undefined = () => undefined,
): Compiler {
  const compiledAt: Compiler = rememberingAll((pointer) => compiledElsewhere(pointer) ?? createCompiled(pointer))
  let ajv: Ajv2020 | undefined
  const createCompiled = (pointer: string): LazyValidator => {
    let made: ValidateFunction | undefined
    return {
      get validate() {
        if (made) return made
        const { schema, size } = splitter.at(pointer)
        turns.spend(size)
        turns.compiled++
        ajv ??= loadAjv().createAjv(options, compiledAt)
        return (made = ajv.compile(schema))
      },
    }
  }
  return compiledAt
}
