import { _, Ajv2020, Name, type Options, type ValidateFunction } from 'ajv/dist/2020.js'
import { callRef } from 'ajv/dist/vocabularies/core/ref.js'
import unevaluatedItems from 'ajv/dist/vocabularies/unevaluated/unevaluatedItems.js'
import addFormats from 'ajv-formats'
import { cut, describe } from './describe.ts'
import { addIntegers } from './json-schema.ts'
import { createShapes } from './shapes.ts'
import { ACCEPT_ALL, type Schemas, type Side } from './schemas.ts'
import { createLookup, followOnce } from './lookup.ts'
import { linearPattern } from './patterns.ts'
import { createPieces, type Pieces } from './pieces.ts'
import { valueAt } from '../pointer.ts'
import { createTurn, type Turn } from '../turn.ts'
import { isObject } from '../../formats/json.ts'

type Values = Readonly<Record<string, unknown>>

/**
 * Makes the schemas of any OpenAPI 3.1 document ready for use. They may refer to each other, also in circles. A schema is compiled
 * in pieces, each when the first value needs it. Unknown keywords and formats are annotations.
 *
 * @param document with references to itself alone
 * @param placeOf the line of the contract that a pointer points at, for messages
 */
export function createLinkedSchemas(document: Values, placeOf: (pointer: string) => string): Schemas {
  const turn = createTurn()
  const viewOf = createViews(document, turn)
  const lookup = createLookup(document)
  const resolve = (pointer: string) => {
    const held = lookup.at(pointer)
    return isObject(held) ? held : undefined
  }
  const shapes = createShapes((schema) => followOnce(document, schema))
  return {
    resolve,
    locate: (pointer) => lookup.placeOf(pointer),
    shapeOf: (pointer) => shapes(valueAt(document, pointer)),
    get compiled() {
      return turn.compiled
    },
    inTurns: turn.inTurns,
    takeTurn: turn.takeTurn,
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

/** The schemas as each side of an exchange sees them. */
function createViews(document: Values, turn: Turn): (side: Side | undefined) => View {
  const views = new Map<Side | undefined, View>()
  return (side) => {
    const known = views.get(side)
    if (known) return known
    const pieces = createPieces(document, side)
    const view = {
      fast: createCompiler(pieces, turn, { allErrors: false }),
      thorough: createCompiler(pieces, turn, { allErrors: true }),
      originOf: pieces.originOf,
    }
    views.set(side, view)
    return view
  }
}

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
    // check-document.ts has looked at them, and knows their lines.
    validateSchema: false,
    // It would only tell of formats and keywords that it does not know.
    logger: false,
    verbose: true,
    code: { optimize: false, regExp: Object.assign(linearPattern, { code: 'linearPattern' }) },
  })
  addFormats.default(ajv)
  addIntegers(ajv)
  compileRefsLater(ajv, compiled)
  mendUnevaluatedItems(ajv)
  return ajv
}

/**
 * ajv compiles whatever a schema refers to together with it, a recursion as deep as the references go. Calling what is compiled later
 * is how it handles references to a schema that is not finished yet.
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

/** What a reference evaluates is known at run time. There ajv compares a length with `true`, which stands for all elements. */
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
