import type { Violation } from '../base/errors/problem.ts'
import type { Members } from '../base/formats/json.ts'

/**
 * What a stateful operation takes over from a contract of the user's own (decisions/0016-adapting-to-contracts.md). With the
 * contract that comes with the package there is nothing to adapt.
 */
export interface Adaptation {
  /** Members of the body that the contract names beyond those of the interface, by the pointer of their object: they are stored. */
  readonly added: Readonly<Record<string, ReadonlySet<string>>>
  /** Whether the contract's body names the member at a JSON pointer. */
  names(pointer: string): boolean
  /** Defaults of the contract for query parameters that were not sent, by name. */
  readonly usualQuery: Readonly<Record<string, unknown>>
  /** The greatest `limit` of a search; undefined where the contract has none. */
  readonly mostEntries: number | undefined
  /** The entries of pages; absent for operations that have none. */
  readonly entries?: EntryAdaptation
  /** The body of a success, made to be what the contract documents for its status. */
  complete(status: number, body: Members, known: KnownContent): Members
  /** The same of a list of such bodies, under the member that the contract has for it. @param name where it has none of its own */
  completeList(status: number, elements: readonly Element[], name: string): unknown
}

interface Element {
  readonly usual: Members
  readonly known: KnownContent
}

/** What is known besides the usual body, nested as the body is. */
export interface KnownContent {
  /** Shown where the contract's response names it. */
  readonly whenNamed: Members
  /** Shown where the contract's response requires it. */
  readonly whenRequired: Members
  /** When the thing was last written, epoch ms: the value of dates that are not stored. */
  readonly written: number
}

/** What a contract documents of the entries of a page. */
export interface EntryAdaptation {
  /** Members beyond those of the interface. */
  readonly fields: ReadonlySet<string>
  /** An entry as the contract documents it; absent if the usual one is valid. */
  complete?(entry: object): object
  /** The violations of the contract in an entry. */
  check(entry: object): readonly Violation[]
}
