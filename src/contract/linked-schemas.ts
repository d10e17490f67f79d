import { Ajv2020, type Options, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { compilePattern } from './check-schema.ts'
import { cut, describe } from './describe.ts'
import { walk } from './grammar.ts'
import { addIntegers } from './json-schema.ts'
import { createShapes } from './shapes.ts'
import type { Check, Schemas, Side } from './schemas.ts'
import { hasSides, viewOf } from './sides.ts'
import { createLookup, followOnce } from './lookup.ts'
import { fragmentOf, valueAt } from './pointer.ts'
import { isObject } from '../json.ts'

type Values = Readonly<Record<string, unknown>>

/**
 * Makes the schemas of any OpenAPI 3.1 document ready for use: they stay where they are, and references lead from one to the next,
 * in circles where the document has them. Each is compiled when the first value comes. Keywords and formats that nobody knows are
 * annotations.
 *
 * @param document with references to itself alone
 * @param placeOf the line of the contract that a pointer points at, for messages
 */
export function createLinkedSchemas(document: Values, placeOf: (pointer: string) => string): Schemas {
  const views = createViews(document)
  const lookup = createLookup(document)
  const resolve = (pointer: string) => {
    const held = lookup.at(pointer)
    return isObject(held) ? held : undefined
  }
  const shapes = createShapes((schema) => followOnce(document, schema))
  let compiled = 0
  const compileNow = (pointer: string, side: Side | undefined): Check => {
    compiled++
    const { fast, thorough, originOf } = views(side)
    const holds = fast(pointer)
    let explain: ValidateFunction | undefined
    return (value) => {
      if (holds(value)) return []
      explain ??= thorough(pointer)
      const errors = explain(cut(value)) ? holds.errors : explain.errors
      return describe(errors ?? [], (origin, keyword) => placeOf(`${originOf(origin) ?? pointer}/${keyword}`))
    }
  }
  return {
    resolve,
    locate: (pointer) => lookup.placeOf(pointer),
    shapeOf: (pointer) => shapes(valueAt(document, pointer)),
    get compiled() {
      return compiled
    },
    compile(pointer, side) {
      if (valueAt(document, pointer) === undefined) return () => []
      let check: Check | undefined
      return (value) => (check ??= compileNow(pointer, side))(value)
    },
  }
}

interface View {
  /** Tells whether a value is valid and stops at the first error. */
  fast(pointer: string): ValidateFunction
  /** Tells everything that is wrong. */
  thorough(pointer: string): ValidateFunction
  /** The pointer of a schema that an error names. */
  originOf(schema: object): string | undefined
}

/** A view of the document for each side of an exchange, or one for both where that makes no difference. */
function createViews(document: Values): (side: Side | undefined) => View {
  const made = new Map<Side | undefined, View>()
  return (side) => {
    const seen = side !== undefined && hasSides(document) ? side : undefined
    const view = made.get(seen) ?? createView(seen === undefined ? document : viewOf(document, seen))
    made.set(seen, view)
    return view
  }
}

function createView(document: Values): View {
  let origins: ReadonlyMap<object, string> | undefined
  return {
    fast: createCompiler(document, { allErrors: false }),
    thorough: createCompiler(document, { allErrors: true }),
    originOf: (schema) => (origins ??= originsIn(document)).get(schema),
  }
}

/** The validator looks things up by the name of the document. */
const NAME = 'contract'

function createCompiler(document: Values, options: Options): (pointer: string) => ValidateFunction {
  let ajv: Ajv2020 | undefined
  return (pointer) => {
    ajv ??= createAjv(options, document)
    return ajv.compile({ $ref: `${NAME}#${fragmentOf(pointer)}` })
  }
}

function createAjv(options: Options, document: Values): Ajv2020 {
  const ajv = new Ajv2020({
    ...options,
    strict: false,
    // check-document.ts has looked at them, and knows their lines.
    validateSchema: false,
    // It would only tell of formats and keywords that it does not know.
    logger: false,
    verbose: true,
    code: { optimize: false, regExp: Object.assign(regExp, { code: 'regExp' }) },
  })
  addFormats.default(ajv)
  addIntegers(ajv)
  ajv.addSchema(document, NAME)
  return ajv
}

function regExp(pattern: string): RegExp {
  const made = compilePattern(pattern)
  if (!made) throw new SyntaxError(`no regular expression: ${pattern}`)
  return made
}

function originsIn(document: Values): ReadonlyMap<object, string> {
  const origins = new Map<object, string>()
  walk(document, (kind, value, pointer) => {
    if (kind === 'schema' && isObject(value)) origins.set(value, pointer)
  })
  return origins
}
