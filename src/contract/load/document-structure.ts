import { encodePointer, isObject } from '../../base/formats/json.ts'

/** Those that a path has by their names, lower case. */
const NAMED_METHODS = ['get', 'put', 'post', 'delete', 'patch', 'head', 'options', 'trace', 'query']

/** Others that Node's parser reads; CONNECT has no path. */
const OTHER_METHODS = words(
  'acl bind checkout copy link lock m-search merge mkactivity mkcalendar mkcol move notify propfind proppatch purge rebind ' +
    'report search source subscribe unbind unlink unlock unsubscribe',
)

/** Lower case, in the order in which operations are listed. */
export const METHODS: readonly string[] = [...NAMED_METHODS, ...OTHER_METHODS]

const METHOD_SET = new Set(METHODS)

/** @param name lower case */
export function isMethod(name: string): boolean {
  return METHOD_SET.has(name)
}

/** Keywords of JSON Schema 2020-12 whose value is a schema. */
export const HOLDS_SCHEMA = words(
  'items additionalProperties not if then else contains propertyNames unevaluatedItems unevaluatedProperties contentSchema',
)
/** Keywords whose value is a list of schemas. */
export const HOLDS_LIST = ['allOf', 'anyOf', 'oneOf', 'prefixItems']
/** Keywords whose value is a map of schemas by name; `patternProperties` has them by pattern. */
export const HOLDS_MAP = ['properties', '$defs', 'definitions', 'dependentSchemas']

/** Whether OpenAPI 3.2 has it in `additionalOperations`. @param name lower case */
export function isOtherMethod(name: string): boolean {
  return OTHER_METHODS.includes(name)
}

/** The kinds of objects in an OpenAPI document that are walked. */
export type PartKind =
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

/** Objects that hold plain data only. They are not walked; their members are only checked for misspellings. */
export type PlainKind =
  | 'info'
  | 'contact'
  | 'license'
  | 'server'
  | 'serverVariable'
  | 'tag'
  | 'externalDocs'
  | 'oauthFlows'
  | 'oauthFlow'
  | 'discriminator'
  | 'xml'

export interface StructureMember {
  /** One object, a list of them, or a map of them by names of the author's choice. */
  readonly holds: 'one' | 'list' | 'map'
  readonly kind: PartKind
}

interface ObjectRule {
  /** For messages: `an operation`. */
  readonly title: string
  /** Names of members that hold plain data. */
  readonly data?: string
  /** Members that hold objects of a kind. */
  readonly members?: Readonly<Record<string, StructureMember>>
  /** Members that hold plain objects: one, or a list or map of them. */
  readonly plain?: Readonly<Record<string, PlainKind>>
}

const one = (kind: PartKind): StructureMember => ({ holds: 'one', kind })
const list = (kind: PartKind): StructureMember => ({ holds: 'list', kind })
const map = (kind: PartKind): StructureMember => ({ holds: 'map', kind })

function words(text: string): string[] {
  return text.split(' ')
}

function all<Value>(names: readonly string[], value: Value): Record<string, Value> {
  return Object.fromEntries(names.map((name) => [name, value]))
}

const VALUE = 'description required deprecated allowEmptyValue style explode allowReserved example'
const DESCRIBED = { schema: one('schema'), content: map('mediaType'), examples: map('example') }
const DOCS = { externalDocs: 'externalDocs' } as const
const SERVERS = { servers: 'server' } as const

/** The objects of OpenAPI 3.0 to 3.2 with their members. Those of a callback have names of the author's choice. */
export const OBJECTS: Readonly<Record<Exclude<PartKind, 'callback'> | PlainKind, ObjectRule>> = {
  document: {
    title: 'a document',
    data: 'openapi $self jsonSchemaDialect security',
    members: { paths: map('pathItem'), webhooks: map('pathItem'), components: one('components') },
    plain: { info: 'info', tags: 'tag', ...SERVERS, ...DOCS },
  },
  components: {
    title: '`components`',
    members: {
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
      mediaTypes: map('mediaType'),
    },
  },
  pathItem: {
    title: 'a path',
    data: '$ref summary description',
    members: {
      parameters: list('parameter'),
      ...all(METHODS, one('operation')),
      additionalOperations: map('operation'),
    },
    plain: SERVERS,
  },
  operation: {
    title: 'an operation',
    data: 'tags summary description operationId deprecated security',
    members: {
      parameters: list('parameter'),
      requestBody: one('requestBody'),
      responses: map('response'),
      callbacks: map('callback'),
    },
    plain: { ...SERVERS, ...DOCS },
  },
  parameter: { title: 'a parameter', data: `name in ${VALUE}`, members: DESCRIBED },
  header: { title: 'a header', data: VALUE, members: DESCRIBED },
  requestBody: { title: 'a request body', data: 'description required', members: { content: map('mediaType') } },
  response: {
    title: 'a response',
    data: 'summary description',
    members: { headers: map('header'), content: map('mediaType'), links: map('link') },
  },
  mediaType: {
    title: 'a media type',
    data: 'description example',
    members: {
      schema: one('schema'),
      itemSchema: one('schema'),
      examples: map('example'),
      encoding: map('encoding'),
      prefixEncoding: list('encoding'),
      itemEncoding: one('encoding'),
    },
  },
  encoding: {
    title: 'an encoding',
    data: 'contentType style explode allowReserved',
    members: {
      headers: map('header'),
      encoding: map('encoding'),
      prefixEncoding: list('encoding'),
      itemEncoding: one('encoding'),
    },
  },
  schema: {
    title: 'a schema',
    data:
      '$id $schema $ref $anchor $dynamicRef $dynamicAnchor $recursiveRef $recursiveAnchor $vocabulary $comment id type format ' +
      'enum const multipleOf minimum maximum exclusiveMinimum exclusiveMaximum minLength maxLength pattern minItems maxItems ' +
      'uniqueItems minContains maxContains minProperties maxProperties required dependentRequired dependencies additionalItems ' +
      'title description default example examples deprecated readOnly writeOnly contentEncoding contentMediaType nullable ' +
      // Of json-schema-faker: what of these is not read is said where they are.
      'faker chance autoIncrement sequentialDate jsonPath',
    members: {
      ...all([...HOLDS_MAP, 'patternProperties'], map('schema')),
      ...all(HOLDS_LIST, list('schema')),
      ...all(HOLDS_SCHEMA, one('schema')),
    },
    plain: { discriminator: 'discriminator', xml: 'xml', ...DOCS },
  },
  example: { title: 'an example', data: 'summary description value dataValue serializedValue externalValue' },
  link: {
    title: 'a link',
    data: 'operationRef operationId parameters requestBody description',
    plain: { server: 'server' },
  },
  securityScheme: {
    title: 'a security scheme',
    data: 'type description name in scheme bearerFormat openIdConnectUrl oauth2MetadataUrl deprecated',
    plain: { flows: 'oauthFlows' },
  },
  info: {
    title: '`info`',
    data: 'title summary description termsOfService version',
    plain: { contact: 'contact', license: 'license' },
  },
  contact: { title: 'a contact', data: 'name url email' },
  license: { title: 'a license', data: 'name identifier url' },
  server: { title: 'a server', data: 'url name description', plain: { variables: 'serverVariable' } },
  serverVariable: { title: 'a variable of a server', data: 'enum default description' },
  tag: { title: 'a tag', data: 'name summary description parent kind', plain: DOCS },
  externalDocs: { title: 'external documentation', data: 'description url' },
  oauthFlows: {
    title: '`flows`',
    plain: all(
      words('implicit password clientCredentials authorizationCode deviceAuthorization'),
      'oauthFlow' as const,
    ),
  },
  oauthFlow: { title: 'a flow', data: 'authorizationUrl deviceAuthorizationUrl tokenUrl refreshUrl scopes' },
  discriminator: { title: 'a discriminator', data: 'propertyName mapping defaultMapping' },
  xml: { title: '`xml`', data: 'name namespace prefix attribute wrapped nodeType' },
}

/** The names of all members of an object, in the order of the table. */
export function namesOf(kind: Exclude<PartKind, 'callback'> | PlainKind): ReadonlySet<string> {
  const { data, members = {}, plain = {} }: ObjectRule = OBJECTS[kind]
  return new Set([...(data === undefined ? [] : words(data)), ...Object.keys(members), ...Object.keys(plain)])
}

/** What a member of an object holds; undefined for plain data. */
export function memberOf(kind: PartKind, name: string): StructureMember | undefined {
  if (kind === 'callback') return name.startsWith('x-') || name === '$ref' ? undefined : one('pathItem')
  return MEMBERS.get(kind)?.get(name)
}

const MEMBERS: ReadonlyMap<string, ReadonlyMap<string, StructureMember>> = new Map(
  Object.entries(OBJECTS).map(([kind, { members = {} }]) => [kind, new Map(Object.entries(members))] as const),
)

/** The section of `components` for objects of a kind; undefined for those that are never referred to from there. */
export function sectionOf(kind: PartKind): string | undefined {
  return kind === 'pathItem' ? undefined : SECTIONS.get(kind)
}

const SECTIONS = new Map(Object.entries(OBJECTS.components.members ?? {}).map(([name, { kind }]) => [kind, name]))

/** Maps of these may also hold extensions, which are plain data. */
const EXTENDED: ReadonlySet<PartKind> = new Set(['pathItem', 'response'])

/** Visits each object of a known kind, an outer one before its inner ones. */
export function walk(
  value: unknown,
  visit: (kind: PartKind, value: unknown, pointer: string) => void,
  kind: PartKind = 'document',
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
