import type { Complaints } from './complaints.ts'
import { HOLDS_LIST, HOLDS_MAP, HOLDS_SCHEMA, type Kind, METHODS, SECTIONS, walk } from './grammar.ts'
import { encodePointer, isObject } from '../../formats/json.ts'
import { misspelt } from '../../errors/nearest.ts'

/** Objects that hold plain data only, which the grammar does not list. */
type PlainKind =
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

interface ObjectRule {
  /** For messages: `an operation`. */
  readonly title: string
  readonly members: ReadonlySet<string>
  /** Which members hold plain objects: one, or a list or map of them. */
  readonly plain?: Readonly<Record<string, PlainKind>>
}

const FLOWS = ['implicit', 'password', 'clientCredentials', 'authorizationCode']
const VALUE = ['description', 'required', 'deprecated', 'allowEmptyValue', 'style', 'explode', 'allowReserved']
const CONTENT = ['schema', 'example', 'examples', 'content']
const DOCS = { externalDocs: 'externalDocs' } as const
const SERVERS = { servers: 'server' } as const

/** The members of each object of OpenAPI 3.0 and 3.1, but for those whose members have names of the author's choice. */
const RULES: Readonly<Record<Exclude<Kind, 'callback'> | PlainKind, ObjectRule>> = {
  document: {
    title: 'a document',
    members: new Set([
      ...['openapi', 'info', 'jsonSchemaDialect', 'servers', 'paths', 'webhooks', 'components', 'security', 'tags'],
      'externalDocs',
    ]),
    plain: { info: 'info', tags: 'tag', ...SERVERS, ...DOCS },
  },
  info: {
    title: '`info`',
    members: new Set(['title', 'summary', 'description', 'termsOfService', 'contact', 'license', 'version']),
    plain: { contact: 'contact', license: 'license' },
  },
  contact: { title: 'a contact', members: new Set(['name', 'url', 'email']) },
  license: { title: 'a license', members: new Set(['name', 'identifier', 'url']) },
  server: {
    title: 'a server',
    members: new Set(['url', 'description', 'variables']),
    plain: { variables: 'serverVariable' },
  },
  serverVariable: { title: 'a variable of a server', members: new Set(['enum', 'default', 'description']) },
  components: { title: '`components`', members: new Set([...Object.values(SECTIONS), 'pathItems']) },
  pathItem: {
    title: 'a path',
    members: new Set(['$ref', 'summary', 'description', 'servers', 'parameters', ...METHODS]),
    plain: SERVERS,
  },
  operation: {
    title: 'an operation',
    members: new Set([
      ...['tags', 'summary', 'description', 'externalDocs', 'operationId', 'parameters', 'requestBody', 'responses'],
      ...['callbacks', 'deprecated', 'security', 'servers'],
    ]),
    plain: { ...SERVERS, ...DOCS },
  },
  parameter: { title: 'a parameter', members: new Set(['name', 'in', ...VALUE, ...CONTENT]) },
  header: { title: 'a header', members: new Set([...VALUE, ...CONTENT]) },
  requestBody: { title: 'a request body', members: new Set(['description', 'content', 'required']) },
  response: { title: 'a response', members: new Set(['description', 'headers', 'content', 'links']) },
  mediaType: { title: 'a media type', members: new Set(['schema', 'example', 'examples', 'encoding']) },
  encoding: { title: 'an encoding', members: new Set(['contentType', 'headers', 'style', 'explode', 'allowReserved']) },
  example: { title: 'an example', members: new Set(['summary', 'description', 'value', 'externalValue']) },
  link: {
    title: 'a link',
    members: new Set(['operationRef', 'operationId', 'parameters', 'requestBody', 'description', 'server']),
    plain: { server: 'server' },
  },
  tag: { title: 'a tag', members: new Set(['name', 'description', 'externalDocs']), plain: DOCS },
  externalDocs: { title: 'external documentation', members: new Set(['description', 'url']) },
  securityScheme: {
    title: 'a security scheme',
    members: new Set(['type', 'description', 'name', 'in', 'scheme', 'bearerFormat', 'flows', 'openIdConnectUrl']),
    plain: { flows: 'oauthFlows' },
  },
  oauthFlows: {
    title: '`flows`',
    members: new Set(FLOWS),
    plain: Object.fromEntries(FLOWS.map((flow) => [flow, 'oauthFlow'])),
  },
  oauthFlow: { title: 'a flow', members: new Set(['authorizationUrl', 'tokenUrl', 'refreshUrl', 'scopes']) },
  discriminator: { title: 'a discriminator', members: new Set(['propertyName', 'mapping']) },
  xml: { title: '`xml`', members: new Set(['name', 'namespace', 'prefix', 'attribute', 'wrapped']) },
  schema: {
    title: 'a schema',
    members: new Set([
      ...['$id', '$schema', '$ref', '$anchor', '$dynamicRef', '$dynamicAnchor', '$recursiveRef', '$recursiveAnchor'],
      ...['$vocabulary', '$comment', 'id', 'type', 'format', 'enum', 'const', 'multipleOf', 'minimum', 'maximum'],
      ...['exclusiveMinimum', 'exclusiveMaximum', 'minLength', 'maxLength', 'pattern', 'minItems', 'maxItems'],
      ...['uniqueItems', 'minContains', 'maxContains', 'minProperties', 'maxProperties', 'required'],
      ...['dependentRequired', 'dependencies', 'additionalItems', 'patternProperties', ...HOLDS_MAP, ...HOLDS_LIST],
      ...[...HOLDS_SCHEMA, 'title', 'description', 'default', 'example', 'examples', 'deprecated', 'readOnly'],
      ...['writeOnly', 'contentEncoding', 'contentMediaType', 'nullable', 'discriminator', 'xml', 'externalDocs'],
    ]),
    plain: { discriminator: 'discriminator', xml: 'xml', ...DOCS },
  },
}

/** Beside a reference. */
const OF_REFERENCES = ['$ref', 'summary', 'description']

/** Shorter keywords are similar to other words by chance. */
const LONG_KEYWORDS = [...RULES.schema.members].filter(({ length }) => length >= 4)

/** A document before it is upgraded to OpenAPI 3.1. */
interface Written {
  readonly value: Readonly<Record<string, unknown>>
  /** Whether it was converted from Swagger 2.0. */
  readonly isSwagger: boolean
}

/**
 * Finds members that OpenAPI does not define, which have no effect. From OpenAPI 3.1 on, schemas may have keywords of any name, so
 * there only likely misspellings are reported.
 */
export function findUnknownMembers(
  { value: document, isSwagger }: Written,
  placeOf: (pointer: string) => string,
  complaints: Complaints,
): void {
  const isOpen = String(document.openapi).startsWith('3.1')
  const places = new Map<string, string[]>()
  const look = (kind: Kind | PlainKind, value: unknown, pointer: string): void => {
    if (kind === 'callback' || !isObject(value)) return
    const { plain = {} } = RULES[kind]
    for (const [name, inner] of Object.entries(value)) {
      const innerKind = Object.hasOwn(plain, name) ? plain[name] : undefined
      if (innerKind)
        for (const [below, one] of objectsIn(innerKind, inner)) look(innerKind, one, at(pointer, name) + below)
      if (isKnown(kind, name, value) || (isSwagger && LEFT_BY_CONVERTER.has(name))) continue
      const complaint = complaintOf(kind, name, isOpen)
      if (complaint === undefined) continue
      const known = places.get(complaint)
      if (known) known.push(at(pointer, name))
      else places.set(complaint, [at(pointer, name)])
    }
  }
  walk(document, look)
  for (const [complaint, pointers] of places) {
    const others = pointers.length - 1
    const named = others < MOST_PLACES ? pointers : pointers.slice(0, 1)
    const consequence = others < MOST_PLACES ? 'It is ignored.' : `It is ignored, here and in ${others} other places.`
    for (const pointer of named) complaints.add(placeOf(pointer), `${pointer}: ${complaint}`, consequence)
  }
}

/** A member that is unknown in more places is reported once. */
const MOST_PLACES = 5

/** Operations of Swagger 2.0 have these. */
const LEFT_BY_CONVERTER: ReadonlySet<string> = new Set(['schemes'])

function at(pointer: string, name: string): string {
  return `${pointer}/${encodePointer(name)}`
}

function isKnown(kind: Exclude<Kind, 'callback'> | PlainKind, name: string, holder: object): boolean {
  if (name.startsWith('x-') || RULES[kind].members.has(name)) return true
  return '$ref' in holder && OF_REFERENCES.includes(name)
}

/** Undefined for an annotation. @param isOpen whether schemas may have keywords of any name */
function complaintOf(kind: Exclude<Kind, 'callback'> | PlainKind, name: string, isOpen: boolean): string | undefined {
  const { title, members } = RULES[kind]
  const meant = misspelt(name, kind === 'schema' ? LONG_KEYWORDS : members)
  if (kind === 'schema' && isOpen && meant === undefined) return undefined
  const remedy = meant === undefined ? 'Remove it, or begin its name with `x-`.' : `Did you mean \`${meant}\`?`
  return `${title} has no member \`${cut(name)}\`. ${remedy}`
}

/** Characters of a name that are shown. */
const LONGEST_NAME = 80

function cut(name: string): string {
  return name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME).toWellFormed()}…` : name
}

/** One object, or those of a list or map, each with the rest of its pointer. */
function objectsIn(kind: PlainKind, value: unknown): (readonly [string, unknown])[] {
  if (!Array.isArray(value) && kind !== 'serverVariable') return [['', value]]
  return Object.entries(value ?? {}).map(([key, one]) => [at('', key), one] as const)
}
