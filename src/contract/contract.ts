import type { Members } from '../base/formats/json.ts'
import type { XmlTree } from './xml-value.ts'
import type { CredentialLocation } from './parameters/credential-location.ts'
import type { SecurityRequirement } from './parameters/security.ts'
import type { Style } from './parameters/style.ts'
import type { Schemas } from './schemas/schemas.ts'
import type { Violation } from '../base/errors/problem.ts'

/** The OpenAPI document, compiled. */
export interface Contract {
  /** The name of the file, for messages. */
  readonly file: string
  /** The whole document as OpenAPI 3.1, without references to other files. */
  readonly document: Readonly<Record<string, unknown>>
  readonly operations: readonly Operation[]
  /** Where API keys are sent, by the security schemes, the usual location first: `Authorization` if there are none. */
  readonly credentialLocations: readonly [CredentialLocation, ...CredentialLocation[]]
  /** Whether some operations need no key. */
  readonly isOpen: boolean
  /** The overlays that were applied, each as `fix.yaml: 3 actions, 5 updates, 1 removal`. */
  readonly overlays: readonly string[]
  /** Invalid parts of the document, and actions of overlays without effect, each with file, line, reason and consequence. */
  readonly leftOut: readonly string[]
  /** Contract features that Standin does not enforce, as messages. */
  readonly notes: readonly string[]
  /** How many validators were compiled so far. */
  readonly validators: number
  /** `file:line` of a part of the document, by its JSON pointer: the file of an overlay for what that added. */
  placeOf(pointer: string): string
  readonly inTurns: Schemas['inTurns']
  readonly spendTurn: Schemas['spendTurn']
  /** Compiles schemas that are no part of the document but refer to it. */
  readonly extendSchemas: Schemas['extend']
  /** Checks a value by a schema of `components/schemas`. */
  check(schema: string, value: unknown): readonly Violation[]
}

export type ParameterType = 'string' | 'integer' | 'boolean'

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'querystring' | 'header' | 'cookie'
  readonly type: ParameterType
  readonly format?: string | undefined
  /** As the contract has it; undefined where only the template of the path names it. */
  readonly schema?: unknown
  readonly required: boolean
  /** Whether only the template of the path names it. */
  readonly isImplied?: boolean
  /** The default of its schema. */
  readonly usual?: unknown
  /** The maximum of its schema. */
  readonly most?: number
  /** Checks a value by its schema; undefined if the schema has a type alone. */
  readonly check?: (value: unknown) => readonly Violation[]
  /** How it is serialised, unless it is one plain value of a path or query. */
  readonly style?: Style
  /** A line of the contract, for messages. */
  source(): string
}

export interface Operation {
  readonly operationId: string
  /** Upper case. */
  readonly method: string
  /** The path template: `/items/{itemId}`. */
  readonly path: string
  /** The operation of the document, where that is a call of a method, and this one is what it means for a resource. */
  readonly written?: Operation
  /** The path of its first server without a trailing slash: empty, or `/api/v2`. */
  readonly basePath: string
  /** Its JSON pointer: `/paths/~1items~1{itemId}/get`. */
  readonly pointer: string
  /** Its `x-` members. */
  readonly extensions: Readonly<Record<string, unknown>>
  /** The credentials that a request needs: those of one of these sets. Empty for an operation that needs none. */
  readonly securityRequirements: readonly SecurityRequirement[]
  readonly parameters: readonly Parameter[]
  /** Names of the query parameters. */
  readonly queryNames: ReadonlySet<string>
  /** Whether a query name is a part of one of these parameters, such as `filter[name]`; undefined if none has parts. */
  readonly claims?: (name: string) => boolean
  readonly bodyRequired: boolean
  /** `file:line` of the request body. */
  bodySource(): string
  /** The media types of its bodies, lower case, such as `text/*`; undefined if all are JSON objects. */
  readonly bodyTypes?: readonly string[]
  /** What the document has for a media type of the body; empty for none. */
  bodyMedia(mediaType: string): Members
  /** Reads the fields of a form by their schemas; a repeated field is a list. */
  readForm(fields: Iterable<readonly [string, unknown]>, mediaType: string): Readonly<Record<string, unknown>>
  /** Reads a parsed XML document by its schema. */
  readXml(tree: Readonly<Record<string, XmlTree>>, mediaType: string): unknown
  /**
   * The violations of the contract in a body, at most about fifty.
   *
   * @param mediaType one of `bodyTypes`; by default JSON, or else the first
   */
  checkBody(body: unknown, mediaType?: string): readonly Violation[]
  /** Pointers of members that the contract does not name, at most twenty. */
  unknownMembers(body: unknown): readonly string[]
  /** The member names that the contract has for the object at a pointer of a body. */
  knownMembers(pointer: string): readonly string[]
  /**
   * The violations of the contract in a response.
   *
   * @param mediaType as in the contract; by default that of a problem document, or else JSON
   */
  checkResponse(status: number, body: unknown, mediaType?: string): readonly Violation[]
  /** Whether `checkResponse` finds nothing, which is faster. */
  acceptsResponse(status: number, body: unknown, mediaType?: string): boolean
}
