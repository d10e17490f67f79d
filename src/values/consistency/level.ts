import type { Faker } from '@faker-js/faker'
import { encodePointer } from '../../base/formats/json.ts'

/** What is known about a document whose members are made to agree. */
export interface DocumentContext {
  /** What chance depends on, the same for all documents of a collection. */
  readonly key: number
  /** The number of the document, from 0, and how many there are. */
  readonly index: number
  readonly count: number
  /** Sets it apart from the documents of other parents; 0 where there are none. */
  readonly variant: number
  /** Epoch ms. */
  readonly now: number
  /** Whether it comes to be now, so that all its dates are of now. */
  readonly isNew?: boolean
  /** What a document is: `customer`. */
  readonly noun: string
  /** The path that it is read at, such as `/customers/7`; undefined where none is known. */
  readonly path: string | undefined
  /**
   * The id of another document that a member names; undefined where it names none.
   *
   * @param noun what it is: `customer` for `customer_id`, `customerId` and `customer: { id }`
   * @param place the same for members that name the same one
   */
  references(noun: string, place: string): string | number | bigint | undefined
  /** That document, where its members are known. */
  referred?(noun: string, place: string): unknown
}

/** A document being made consistent. */
export interface ConsistencyRun extends DocumentContext {
  /** Pointers of members that stay as they are, since the schema allows nothing else. */
  readonly fixed: readonly string[]
  /** Makes names and addresses. */
  readonly local: Faker
}

/** One object of a document while its members are made to agree. */
export interface Level {
  readonly context: ConsistencyRun
  /** Its own copy. */
  readonly members: Record<string, unknown>
  readonly pointer: string
  /** The property that holds it; undefined for the document and for elements of lists. */
  readonly property: string | undefined
  /** What it is: the name of its schema, or of the property that holds it. */
  readonly owner: string
  /** Names of its members as the schema has them, by the name in lower case without separators. */
  readonly names: ReadonlyMap<string, string>
  /** The words of these names, by name. */
  readonly words: ReadonlyMap<string, readonly string[]>
  /** Names of the members that may be null. */
  readonly nullable: ReadonlySet<string>
  /** Names of the members that are ids of what they are called: `customer`, which may be a customer instead. */
  readonly ids: ReadonlySet<string>
  /** Names of the members that are absolute URLs. */
  readonly absolute: ReadonlySet<string>
  /** Names of the members whose values the user's settings make. */
  readonly chosen: ReadonlySet<string>
  /** The examples that the schema has for members, by name. */
  readonly examples: ReadonlyMap<string, unknown>
}

/** The value of a member by its plain name: `unitprice` for `unit_price`. */
export function valueOf({ members, names }: Level, plain: string): unknown {
  const name = names.get(plain)
  return name === undefined ? undefined : members[name]
}

/** The first of some plain names whose member has a value. */
export function firstOf(level: Level, plain: readonly string[]): string | undefined {
  return plain.find((name) => (valueOf(level, name) ?? undefined) !== undefined)
}

/** Changes a member that the object has; undefined removes it. */
export function set({ members, pointer, chosen, context: { fixed } }: Level, name: string, value: unknown): void {
  if (chosen.has(name)) return
  const place = `${pointer}/${encodePointer(name)}`
  if (!Object.hasOwn(members, name) || fixed.some((one) => one === place || one.startsWith(`${place}/`))) return
  if (value === undefined) Reflect.deleteProperty(members, name)
  else members[name] = value
}

/** The same, by its plain name. */
export function put(level: Level, plain: string, value: unknown): void {
  const name = level.names.get(plain)
  if (name !== undefined) set(level, name, value)
}
