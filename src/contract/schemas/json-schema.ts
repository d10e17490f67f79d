import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { cut, describe } from './describe.ts'
import { placeOf } from './lookup.ts'
import { valueAt } from '../pointer.ts'
import type { Schema, Schemas } from './schemas.ts'
import { encodePointer, isObject } from '../../formats/json.ts'
import { StartupError } from '../../errors/problem.ts'

/** Annotations that assert nothing: those of OpenAPI, and what a pattern stands for in words. */
const ANNOTATIONS = ['example', 'discriminator', 'externalDocs', 'xml', 'x-in-words']

/**
 * Makes the schemas of a document of this package ready for use: each is one piece, its references inlined, so that one function
 * checks all of it. No schema may refer to itself; linked-schemas.ts does documents of other people.
 *
 * @param sourceOf the line of the contract that a pointer points at, for messages
 */
export function createSchemas(document: unknown, sourceOf: (pointer: string) => string): Schemas {
  const fast = createAjv(false)
  const thorough = createAjv(true)
  // A schema is copied with its references inlined; the copy remembers where in the document it came from.
  const origins = new WeakMap<object, string>()
  const copies = new Map<string, Schema>()
  const pending = new Set<string>()
  const copy = (value: unknown, pointer: string): unknown => {
    if (Array.isArray(value)) return value.map((element: unknown, index) => copy(element, `${pointer}/${index}`))
    if (!isObject(value)) return value
    const { $ref: reference, description: _description, summary: _summary, ...rest } = value
    if (typeof reference === 'string') {
      // Beside a reference, words only annotate; anything else asserts too.
      return Object.keys(rest).length === 0
        ? resolve(reference.slice(1))
        : { allOf: [resolve(reference.slice(1)), copy(rest, pointer)] }
    }
    const entries = Object.entries(value).map(
      ([name, inner]) => [name, copy(inner, `${pointer}/${encodePointer(name)}`)] as const,
    )
    const made = Object.fromEntries(entries)
    origins.set(made, pointer)
    return made
  }
  const resolve = (pointer: string): Schema | undefined => {
    const known = copies.get(pointer)
    if (known) return known
    if (pending.has(pointer))
      throw new StartupError([`${sourceOf(pointer)}: the schema refers to itself, which none of this package may.`])
    pending.add(pointer)
    const made = copy(valueAt(document, pointer), pointer)
    pending.delete(pointer)
    if (!isObject(made)) return undefined
    copies.set(pointer, made)
    return made
  }
  let compiled = 0
  return {
    resolve,
    locate: (pointer) => placeOf(document, pointer),
    shapeOf: resolve,
    get compiled() {
      return compiled
    },
    // They are few and small.
    inTurns: (work) => Promise.resolve().then(work),
    takeTurn: () => undefined,
    compile(pointer) {
      const schema = resolve(pointer) ?? {}
      compiled++
      const holds = fast.compile(schema)
      let explain: ValidateFunction | undefined
      const check = (value: unknown) => {
        if (holds(value)) return []
        // The first error is enough to refuse; all of them are for the message. Long lists are cut, since each element may have one.
        explain ??= thorough.compile(schema)
        const errors = explain(cut(value)) ? holds.errors : explain.errors
        return describe(errors ?? [], (origin, keyword) => sourceOf(`${origins.get(origin) ?? ''}/${keyword}`))
      }
      return Object.assign(check, { accepts: (value: unknown) => holds(value) })
    },
  }
}

function createAjv(allErrors: boolean) {
  const ajv = new Ajv2020({
    allErrors,
    // The package's tests do, and it is half the time of a start.
    validateSchema: false,
    // What ajv's optimiser saves at run time the engine's saves too, and this one costs at every start.
    code: { optimize: false },
    verbose: true,
    strict: true,
    strictTypes: false,
    strictRequired: false,
    allowUnionTypes: true,
  })
  addFormats.default(ajv, ['date-time', 'date', 'email', 'uuid', 'uri', 'uri-reference', 'json-pointer'])
  addIntegers(ajv)
  for (const keyword of ANNOTATIONS) ajv.addKeyword(keyword)
  return ajv
}

/** Integers as OpenAPI has them. */
export function addIntegers(ajv: Ajv2020): void {
  ajv.addFormat('int32', {
    type: 'number',
    validate: (value) => Math.abs(value) <= 2 ** 31 - 1 || value === -(2 ** 31),
  })
  // A double cannot tell 2^63 from 2^63 - 1; where digits count, the exact value is looked at after this.
  ajv.addFormat('int64', { type: 'number', validate: (value) => Math.abs(value) <= 2 ** 63 })
}
