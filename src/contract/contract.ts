import type { XmlTree } from './xml-value.ts'
import type { KeyPlace } from './parameters/credential-location.ts'
import type { WayIn } from './parameters/security.ts'
import type { Style } from './parameters/style.ts'
import type { Violation } from '../errors/problem.ts'

/** The OpenAPI document, compiled. */
export interface Contract {
  /** As it is named in messages. */
  readonly file: string
  /** All of it, as OpenAPI 3.1 without references to other files. */
  readonly document: Readonly<Record<string, unknown>>
  readonly operations: readonly Operation[]
  /** Where keys may be, as the document's security schemes say, the usual place first: `Authorization` when none says so. */
  readonly keyPlaces: readonly [KeyPlace, ...KeyPlace[]]
  /** Whether there are operations that ask for no key. */
  readonly isOpen: boolean
  /** What of the document could not be understood, each with file, line, reason and what became of it. */
  readonly leftOut: readonly string[]
  /** What it asks for and nobody does, for people. */
  readonly notes: readonly string[]
  /** How many validators were compiled so far. */
  readonly validators: number
  /** Runs work that checks values and has no effects, without holding the event loop while schemas are compiled for it. */
  inTurns<T>(work: () => T): Promise<T>
  /** Holds a value against a schema of `components/schemas`. */
  check(schema: string, value: unknown): readonly Violation[]
}

export type ParameterType = 'string' | 'integer' | 'boolean'

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header' | 'cookie'
  readonly type: ParameterType
  readonly format?: string | undefined
  readonly required: boolean
  /** Whether only the template of the path names it. */
  readonly isImplied?: boolean
  /** What the contract says that it is when nobody sends it; undefined when it says nothing. */
  readonly usual?: unknown
  /** The greatest number that it may be. */
  readonly most?: number
  /** Holds a value against all that its schema says beyond the type; undefined when it says no more. */
  readonly check?: (value: unknown) => readonly Violation[]
  /** How it is written, when it is more than one text of a path or query of the type. */
  readonly style?: Style
  /** A line of the contract, for messages. */
  source(): string
}

export interface Operation {
  readonly operationId: string
  /** Upper case. */
  readonly method: string
  /** As the document has it: `/items/{itemId}`. */
  readonly path: string
  /** What stands before it: the path of its first server, without a slash at its end. Empty, or `/api/v2`. */
  readonly basePath: string
  /** Where it stands in the document: `/paths/~1items~1{itemId}/get`. */
  readonly pointer: string
  /** Its members that begin with `x-`. */
  readonly extensions: Readonly<Record<string, unknown>>
  /** The keys that a request must bear: those of one way. Empty for an operation that asks for none. */
  readonly waysIn: readonly WayIn[]
  readonly parameters: readonly Parameter[]
  /** Names of the query parameters. */
  readonly queryNames: ReadonlySet<string>
  /** Whether a query parameter of a name that is not among them is a part of one; undefined where none has such parts. */
  readonly claims?: (name: string) => boolean
  readonly bodyRequired: boolean
  /** The line of the contract that describes the body, for messages. */
  bodySource(): string
  /** The media types of its bodies, lower case, such as `text/*`; undefined where they are JSON objects alone. */
  readonly bodyTypes?: readonly string[]
  /** Reads the fields of a form, each by what the contract says of it; one that is there again is a list. */
  readForm(fields: Iterable<readonly [string, unknown]>, mediaType: string): Readonly<Record<string, unknown>>
  /** Reads a parsed XML document by the schema of its media type. */
  readXml(tree: Readonly<Record<string, XmlTree>>, mediaType: string): unknown
  /**
   * Everything in a body that the contract refuses, at most about fifty.
   *
   * @param mediaType one of `bodyTypes`; JSON when absent, or else the first
   */
  checkBody(body: unknown, mediaType?: string): readonly Violation[]
  /** Pointers of members that the contract does not know, at most twenty. */
  unknownMembers(body: unknown): readonly string[]
  /** The names that the contract knows for members of the object at a pointer of a body. */
  knownMembers(pointer: string): readonly string[]
  /**
   * Everything in an answer that breaks the contract.
   *
   * @param mediaType as the contract has it; the problem document of the response when absent, or else its JSON
   */
  checkAnswer(status: number, body: unknown, mediaType?: string): readonly Violation[]
  /** Whether `checkAnswer` would find nothing. */
  acceptsAnswer(status: number, body: unknown, mediaType?: string): boolean
}
