/** Keywords of JSON Schema 2020-12 whose value holds schemas: one, a list of them, or some by name. */

export const HOLDS_SCHEMA = [
  'items',
  'additionalProperties',
  'not',
  'if',
  'then',
  'else',
  'contains',
  'propertyNames',
  'unevaluatedItems',
  'unevaluatedProperties',
  'contentSchema',
]

export const HOLDS_LIST = ['allOf', 'anyOf', 'oneOf', 'prefixItems']

export const HOLDS_MAP = ['properties', '$defs', 'definitions', 'dependentSchemas']
