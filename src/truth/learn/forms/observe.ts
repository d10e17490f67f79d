import { encodePointer, isObject } from '../../../base/formats/json.ts'
import { shapeOf } from '../../../contract/schemas/shape.ts'
import { alignItems } from '../../recordings/differences/align-items.ts'
import { kindOf } from '../../recordings/differences/values.ts'
import { elementSchema, isNamedFreely, memberSchema, nameOf } from '../../../app/learned/schema-names.ts'
import { type FillSource, idOf } from '../../../app/learned/fill.ts'

/** A request, and the names of what it has. */
export interface RequestPlaces {
  readonly source: FillSource
  readonly pathNames: readonly string[]
  readonly queryNames: readonly string[]
}

/** A value of a response of the service, and the one in its place that follows from the contract. Undefined for none. */
export interface Observation {
  readonly theirs: unknown
  readonly ours: unknown
  /** The name of the member. */
  readonly name: string
  /** The object of ours that it is in. */
  readonly item: unknown
  readonly sent: RequestPlaces
  /** Whether its members have names of their own, so that which there are is a value. */
  readonly isFree: boolean
  /** Whether clients may send a member of its name. */
  readonly isSent: boolean
  /** Whether one did. */
  readonly wasSent: boolean
  /** Whether a client may have sent it, or what it is in, so that it is a part of the state. */
  readonly isWritable: boolean
  /** Where it stands: in the form of its operation, and in those that more responses share. */
  readonly places: readonly { readonly form: string; readonly pointer: string }[]
}

/** Observations by form, and within it by pointer. */
export type Observations = Map<string, Map<string, Observation[]>>

/** Where a value stands: in the form of its operation, and in that of the nearest schema with a name. */
interface Standing {
  readonly schema: unknown
  readonly places: readonly { readonly form: string; readonly pointer: string }[]
  readonly name: string
  readonly item: unknown
  /** What was sent may have any members below it. */
  readonly isWritable?: boolean | undefined
}

interface Observing {
  readonly document: unknown
  readonly sent: RequestPlaces
  readonly into: Observations
  readonly isWritable: (name: string) => boolean
  /** Whether a client sent a member of that name. */
  readonly wasSent: (name: string) => boolean
  /** Whether it shows what is kept. */
  readonly isState: boolean
}

export function observeBody(
  run: Observing,
  theirs: unknown,
  ours: unknown,
  { schema, names }: { readonly schema: unknown; readonly names: readonly string[] },
): void {
  visit(run, theirs, ours, { schema, places: names.map((form) => ({ form, pointer: '' })), name: '', item: undefined })
}

function visit(run: Observing, theirs: unknown, ours: unknown, at: Standing): void {
  const { document } = run
  const named = isObject(theirs) ? nameOf(document, at.schema) : undefined
  const root = named === undefined ? [] : [{ form: named, pointer: '' }]
  note(run, theirs, ours, { ...at, places: [...at.places, ...root] })
  if (isObject(theirs)) {
    const places = named === undefined ? at.places : [...at.places.filter(({ form }) => !isSchema(form)), ...root]
    const own = isObject(ours) ? ours : {}
    for (const name of new Set([...Object.keys(theirs), ...Object.keys(own)])) {
      const step = isNamedFreely(document, at.schema, name) ? '*' : encodePointer(name)
      visit(run, theirs[name], own[name], {
        schema: memberSchema(document, at.schema, name),
        places: places.map(({ form, pointer }) => ({ form, pointer: `${pointer}/${step}` })),
        name,
        item: own,
        isWritable:
          at.isWritable ??
          (run.isWritable(name) && isOpen(document, memberSchema(document, at.schema, name)) ? true : undefined),
      })
    }
  } else if (Array.isArray(theirs) && Array.isArray(ours)) {
    const schema = elementSchema(document, at.schema)
    const places = at.places.map(({ form, pointer }) => ({ form, pointer: `${pointer}/*` }))
    const { pairs, onlyOurs, onlyTheirs } = alignItems(ours, theirs)
    // Items without a key are the same by their place, as long as none is missing.
    const isSame = (onlyOurs.length + onlyTheirs.length) * 2 <= pairs.length
    for (const [mine, other] of isSame && !pairs.some(areOthers) ? pairs : [])
      visit(run, other, mine, { ...at, schema, places, item: undefined })
  }
}

/** Whether two items have ids, and not the same one. */
function areOthers([mine, other]: readonly [unknown, unknown]): boolean {
  const [own, id] = [idOf(mine), idOf(other)]
  return own !== null && id !== null && own !== id
}

/** Whether a schema names no members. */
function isOpen(document: unknown, schema: unknown): boolean {
  return shapeOf(document, schema, 'any').properties.size === 0
}

/** Whether a value is what is kept: what is in an object or a list, and one of several that it may be. */
function isStatePart(document: unknown, value: unknown, schema: unknown): boolean {
  return (typeof value === 'object' && value !== null) || shapeOf(document, schema).keywords.enum !== undefined
}

/** Later requests name it. */
function isId(name: string, value: unknown): boolean {
  return typeof value !== 'object' && kindOf(name, value) === 'id'
}

function note(run: Observing, theirs: unknown, ours: unknown, at: Standing): void {
  const { document, sent, into } = run
  const { places, name, item, schema } = at
  const isFree = isOpen(document, schema)
  for (const { form, pointer } of places) {
    const seen = into.get(form) ?? new Map<string, Observation[]>()
    into.set(form, seen)
    const known = seen.get(pointer) ?? []
    seen.set(pointer, known)
    known.push({
      theirs,
      ours,
      name,
      item,
      sent,
      places,
      isFree,
      isSent: run.isWritable(name),
      wasSent: run.wasSent(name),
      isWritable:
        at.isWritable ??
        (run.isWritable(name) || isId(name, ours) || (run.isState && isStatePart(document, theirs, schema))),
    })
  }
}

/** Whether the key of a form is the name of a schema. */
export function isSchema(key: string): boolean {
  return key.startsWith('#')
}
