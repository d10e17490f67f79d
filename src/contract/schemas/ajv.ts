import { _, Ajv2020, Name, type Options, type ValidateFunction } from 'ajv/dist/2020.js'
import { callRef } from 'ajv/dist/vocabularies/core/ref.js'
import unevaluatedItems from 'ajv/dist/vocabularies/unevaluated/unevaluatedItems.js'
import addFormats from 'ajv-formats'
import { INTEGERS } from './ready-made.ts'

/** A validator that is compiled when `validate` is first read. */
export interface LazyValidator {
  readonly validate: ValidateFunction
}

/** @param targetOf the validator of the schema at a pointer, compiled when it is first needed */
export function createAjv(options: Options, targetOf: (pointer: string) => LazyValidator): Ajv2020 {
  const ajv = new Ajv2020({
    ...options,
    strict: false,
    // check-document.ts does, and knows the line.
    validateSchema: false,
    meta: false,
    // References are pointers, and no schema has an `$id`: there is nothing to resolve, and nothing to find again.
    uriResolver: NO_URIS,
    addUsedSchema: false,
    // Unknown formats and keywords are annotations.
    logger: false,
    verbose: true,
  })
  addFormats.default(ajv)
  for (const [name, format] of Object.entries(INTEGERS)) ajv.addFormat(name, format)
  compileRefsLater(ajv, targetOf)
  fixUnevaluatedItems(ajv)
  return ajv
}

export const NO_URIS = {
  parse: () => ({}),
  serialize: () => '',
  resolve: (_base: string, uri: string) => uri,
}

/**
 * ajv compiles a schema together with all that it refers to, which recurses as deep as the references go. This calls the target
 * through a wrapper that compiles it later, as ajv does for a schema that is not finished yet.
 */
function compileRefsLater(ajv: Ajv2020, targetOf: (pointer: string) => LazyValidator): void {
  ajv.removeKeyword('$ref')
  ajv.addKeyword({
    keyword: '$ref',
    schemaType: 'string',
    code: (context) => {
      const wrapper = context.gen.scopeValue('wrapper', { ref: targetOf(String(context.schema)) })
      callRef(context, _`${wrapper}.validate`)
    },
  })
}

/** Behind a reference ajv compares a number of evaluated items with `true`, which means all of them. */
function fixUnevaluatedItems(ajv: Ajv2020): void {
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
