import { _, Ajv2020, Name, type Options, type ValidateFunction } from 'ajv/dist/2020.js'
import { callRef } from 'ajv/dist/vocabularies/core/ref.js'
import unevaluatedItems from 'ajv/dist/vocabularies/unevaluated/unevaluatedItems.js'
import addFormats from 'ajv-formats'
import { cut, describe } from './describe.ts'
import { createKnownMembers, type KnownMembers } from './known-members.ts'
import { createLookup, followOnce } from './lookup.ts'
import { linearPattern } from './patterns.ts'
import { createPieces, type Pieces, type Side } from './pieces.ts'
import { createTurn, type Turn } from './turn.ts'
import { valueAt } from '../pointer.ts'
import type { Violation } from '../../errors/problem.ts'
import { isObject } from '../../formats/json.ts'

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
 * Prepares the schemas of an OpenAPI 3.1 document. They may refer to each other, also in circles. A schema is compiled in pieces,
 * each when the first value needs it. Unknown keywords and formats are annotations.
 *
 * @param document whose references stay inside it
 * @param placeOf `file:line` of a pointer, for messages
 * @param isTrusted whether its patterns are known to be fast, so that JavaScript's engine may run them
 */
export function createSchemas(
  document: Readonly<Record<string, unknown>>,
  placeOf: (pointer: string) => string,
  isTrusted = false,
): Schemas {
  const turn = createTurn()
  const viewOf = createViews(document, turn, isTrusted)
  const lookup = createLookup(document)
  const resolve = (pointer: string) => {
    const held = lookup.at(pointer)
    return isObject(held) ? held : undefined
  }
  const knownMembers = createKnownMembers((schema) => followOnce(document, schema))
  return {
    resolve,
    locate: (pointer) => lookup.placeOf(pointer),
    knownMembersAt: (pointer) => knownMembers(valueAt(document, pointer)),
    get compiled() {
      return turn.compiled
    },
    inTurns: turn.inTurns,
    compile(pointer, side) {
      if (valueAt(document, pointer) === undefined) return ACCEPT_ALL
      const accepts = (value: unknown) => viewOf(side).fast(pointer).validate(value)
      const check = (value: unknown) => {
        if (accepts(value)) return []
        const { fast, thorough, originOf } = viewOf(side)
        const holds = fast(pointer).validate
        const explain = thorough(pointer).validate
        const errors = explain(cut(value)) ? holds.errors : explain.errors
        return describe(errors ?? [], (origin, keyword) => placeOf(`${originOf(origin) ?? pointer}/${keyword}`))
      }
      return Object.assign(check, { accepts })
    },
  }
}

interface View extends Pick<Pieces, 'originOf'> {
  /** Stops at the first error. */
  readonly fast: Compiler
  /** Finds every error. */
  readonly thorough: Compiler
}

/** The compilers of each side of an exchange. */
function createViews(
  document: Readonly<Record<string, unknown>>,
  turn: Turn,
  isTrusted: boolean,
): (side: Side | undefined) => View {
  const code = isTrusted ? FAST_BUILD : { ...FAST_BUILD, regExp: LINEAR }
  const views = new Map<Side | undefined, View>()
  return (side) => {
    const known = views.get(side)
    if (known) return known
    const pieces = createPieces(document, side)
    const view = {
      fast: createCompiler(pieces, turn, { code, allErrors: false }),
      thorough: createCompiler(pieces, turn, { code, allErrors: true }),
      originOf: pieces.originOf,
    }
    views.set(side, view)
    return view
  }
}

/** What ajv's optimiser saves per check is less than it costs at start. */
const FAST_BUILD = { optimize: false }
const LINEAR = Object.assign(linearPattern, { code: 'linearPattern' })

/** A piece of a schema, compiled when `validate` is first read. */
interface Compiled {
  readonly validate: ValidateFunction
}

type Compiler = (pointer: string) => Compiled

function createCompiler(pieces: Pieces, turn: Turn, options: Options): Compiler {
  const known = new Map<string, Compiled>()
  const compiled: Compiler = (pointer) => {
    const piece = known.get(pointer) ?? createCompiled(pointer)
    known.set(pointer, piece)
    return piece
  }
  let ajv: Ajv2020 | undefined
  const createCompiled = (pointer: string): Compiled => {
    let made: ValidateFunction | undefined
    return {
      get validate() {
        if (made) return made
        const { schema, size } = pieces.at(pointer)
        turn.spend(size)
        ajv ??= createAjv(options, compiled)
        return (made = ajv.compile(schema))
      },
    }
  }
  return compiled
}

function createAjv(options: Options, compiled: Compiler): Ajv2020 {
  const ajv = new Ajv2020({
    ...options,
    strict: false,
    // check-schema.ts does, and knows the line.
    validateSchema: false,
    // Unknown formats and keywords are annotations.
    logger: false,
    verbose: true,
  })
  addFormats.default(ajv)
  addIntegers(ajv)
  compileRefsLater(ajv, compiled)
  mendUnevaluatedItems(ajv)
  return ajv
}

/**
 * ajv compiles a schema together with all that it refers to, which recurses as deep as the references go. This calls the target
 * through a wrapper that compiles it later, as ajv does for a schema that is not finished yet.
 */
function compileRefsLater(ajv: Ajv2020, compiled: Compiler): void {
  ajv.removeKeyword('$ref')
  ajv.addKeyword({
    keyword: '$ref',
    schemaType: 'string',
    code: (context) => {
      const wrapper = context.gen.scopeValue('wrapper', { ref: compiled(String(context.schema)) })
      callRef(context, _`${wrapper}.validate`)
    },
  })
}

/** Behind a reference ajv compares a number of evaluated items with `true`, which means all of them. */
function mendUnevaluatedItems(ajv: Ajv2020): void {
  const { default: definition } = unevaluatedItems
  ajv.removeKeyword('unevaluatedItems')
  ajv.addKeyword({
    ...definition,
    code: (context) => {
      const { gen, it } = context
      const { items } = it
      if (items instanceof Name) gen.if(_`${items} === true`, () => gen.assign(items, Infinity))
      definition.code(context)
    },
  })
}

/** The integer formats of OpenAPI. */
function addIntegers(ajv: Ajv2020): void {
  ajv.addFormat('int32', {
    type: 'number',
    validate: (value) => Math.abs(value) <= 2 ** 31 - 1 || value === -(2 ** 31),
  })
  // A double cannot tell 2^63 from 2^63 - 1; where digits count, the exact value is checked after this.
  ajv.addFormat('int64', { type: 'number', validate: (value) => Math.abs(value) <= 2 ** 63 })
}
