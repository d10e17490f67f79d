import { encodePointer, isObject } from '../../formats/json.ts'

/** The kinds of objects in an OpenAPI document. */
export type Kind =
  | 'document'
  | 'components'
  | 'pathItem'
  | 'operation'
  | 'callback'
  | 'parameter'
  | 'header'
  | 'requestBody'
  | 'response'
  | 'mediaType'
  | 'encoding'
  | 'schema'
  | 'example'
  | 'link'
  | 'securityScheme'

export interface Member {
  /** One object, a list of them, or a map of them by names of the author's choice. */
  readonly holds: 'one' | 'list' | 'map'
  readonly kind: Kind
}

const one = (kind: Kind): Member => ({ holds: 'one', kind })
const list = (kind: Kind): Member => ({ holds: 'list', kind })
const map = (kind: Kind): Member => ({ holds: 'map', kind })

/** Lower case, in the order in which operations are listed. */
export const METHODS = ['get', 'put', 'post', 'delete', 'patch', 'head', 'options', 'trace'] as const

const DESCRIBED = { schema: one('schema'), content: map('mediaType'), examples: map('example') }

/** Keywords of JSON Schema 2020-12 whose value is a schema; `HOLDS_LIST`: a list of schemas; `HOLDS_MAP`: schemas by name. */
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

type Members = Readonly<Record<string, Member>>

const GRAMMAR: Readonly<Record<Kind, Members>> = {
  document: { paths: map('pathItem'), webhooks: map('pathItem'), components: one('components') },
  components: {
    schemas: map('schema'),
    responses: map('response'),
    parameters: map('parameter'),
    examples: map('example'),
    requestBodies: map('requestBody'),
    headers: map('header'),
    securitySchemes: map('securityScheme'),
    links: map('link'),
    callbacks: map('callback'),
    pathItems: map('pathItem'),
  },
  pathItem: {
    parameters: list('parameter'),
    ...Object.fromEntries(METHODS.map((method) => [method, one('operation')])),
  },
  operation: {
    parameters: list('parameter'),
    requestBody: one('requestBody'),
    responses: map('response'),
    callbacks: map('callback'),
  },
  callback: {},
  parameter: DESCRIBED,
  header: DESCRIBED,
  requestBody: { content: map('mediaType') },
  response: { headers: map('header'), content: map('mediaType'), links: map('link') },
  mediaType: { schema: one('schema'), examples: map('example'), encoding: map('encoding') },
  encoding: { headers: map('header') },
  schema: {
    ...Object.fromEntries([...HOLDS_MAP, 'patternProperties'].map((name) => [name, map('schema')])),
    ...Object.fromEntries(HOLDS_LIST.map((name) => [name, list('schema')])),
    ...Object.fromEntries(HOLDS_SCHEMA.map((name) => [name, one('schema')])),
  },
  example: {},
  link: {},
  securityScheme: {},
}

/** What a member of an object holds; undefined for plain data. */
export function memberOf(kind: Kind, name: string): Member | undefined {
  if (kind === 'callback') return name.startsWith('x-') ? undefined : one('pathItem')
  const members = GRAMMAR[kind]
  return Object.hasOwn(members, name) ? members[name] : undefined
}

/** The section of `components` for objects of a kind. */
export const SECTIONS: Readonly<Partial<Record<Kind, string>>> = {
  schema: 'schemas',
  response: 'responses',
  parameter: 'parameters',
  example: 'examples',
  requestBody: 'requestBodies',
  header: 'headers',
  securityScheme: 'securitySchemes',
  link: 'links',
  callback: 'callbacks',
}

/** Maps of these may also hold extensions, which are plain data. */
const EXTENDED: ReadonlySet<Kind> = new Set(['pathItem', 'response'])

/** Visits each object of a known kind, an outer one before its inner ones. */
export function walk(
  value: unknown,
  visit: (kind: Kind, value: unknown, pointer: string) => void,
  kind: Kind = 'document',
  pointer = '',
): void {
  visit(kind, value, pointer)
  if (!isObject(value)) return
  for (const [name, inner] of Object.entries(value)) {
    const member = memberOf(kind, name)
    if (!member) continue
    const at = `${pointer}/${encodePointer(name)}`
    if (member.holds === 'one') walk(inner, visit, member.kind, at)
    else if (typeof inner === 'object' && inner !== null) {
      for (const [key, element] of Object.entries(inner)) {
        if (EXTENDED.has(member.kind) && key.startsWith('x-')) continue
        walk(element, visit, member.kind, `${at}/${encodePointer(key)}`)
      }
    }
  }
}
