import { define, generate, generateSync, type JsonSchema } from 'json-schema-faker'
import { chanceKey } from '../engine/random.ts'
import { createLookup } from '../contract/pointer.ts'
import {
  MAX_VALUES,
  type ValuePlace,
  refer,
  type ValueRun,
  type ScalarSlot,
  type Slot,
  type ValueStyle,
  type ValueOptions,
} from './prepare-schema.ts'

export type { ScalarSlot, Slot, ValueStyle, ValueOptions }

/** At most this many values per turn of the event loop; one takes up to 0.03 ms. */
const VALUES_PER_TURN = 250

/** A document with more values has only members that are required. It is generated within 20 ms. */
const VALUES_OF_DOCUMENT = 500

const DAY = 86_400_000

/** json-schema-faker calls the function stored under this keyword to get a value. Only schemas that are prepared here have the keyword. */
define('believable', (generate) => (generate as () => unknown)())

/**
 * A value for the schema at a pointer of a document: believable, and the same for the same key. Undefined where json-schema-faker finds
 * none. It may break the schema, so check it.
 *
 * json-schema-faker gets schemas that are prepared one level at a time, with references as members. It asks us for each member when it
 * reaches it, so it never sees a whole document, recursive schemas end, and other requests are handled meanwhile.
 *
 * @param given filled with the pointers of examples and constants of the document
 */
export async function generateValue(
  options: ValueOptions,
  pointer: string,
  style: ValueStyle,
  given: string[] = [],
): Promise<unknown> {
  const now = options.now - (options.now % DAY)
  const run: ValueRun = { ...options, now, style, given, targets: [], left: MAX_VALUES }
  const root = { pointer: '', name: '', depth: 0, trail: { schemas: [], owner: '' } }
  const resolve = (reference: string): JsonSchema => run.targets[Number(reference)]?.() ?? {}
  try {
    return await generate(
      refer(run, options.lookup.raw(pointer), () => root),
      {
        seed: chanceKey(options.key, pointer),
        optionalsProbability: 1,
        maxDepth: Infinity,
        refResolver: (reference) =>
          run.left % VALUES_PER_TURN === 0
            ? new Promise<void>((next) => setImmediate(next)).then(() => resolve(reference))
            : resolve(reference),
      },
    )
  } catch {
    // It throws, for example, when a member is both required and forbidden.
    return undefined
  }
}

/** A required member that is not known otherwise. */
interface RequiredMember {
  readonly document: unknown
  readonly schema: unknown
  /** Of the value. */
  readonly pointer: string
  /** Of the nearest property. */
  readonly name: string
}

/**
 * A value for a schema, synchronously: without optional members, with examples and defaults.
 *
 * @param style `turn` is the index of the `oneOf` or `anyOf` alternative; it wraps around
 */
export function generateRequired(
  { document, schema, pointer, name }: RequiredMember,
  { key, now }: Omit<ValueOptions, 'lookup'>,
  style: Required<Pick<ValueStyle, 'invents' | 'turn'>>,
): unknown {
  const run: ValueRun = {
    lookup: createLookup(document),
    key,
    now,
    targets: [],
    left: MAX_VALUES,
    style: { examples: true, requiredOnly: true, ...style },
  }
  const root = { pointer, name, depth: 0, trail: { schemas: [], owner: '' } }
  return generateAtOnce(run, schema, root) ?? null
}

/**
 * A value for a schema with all its members, synchronously; undefined where json-schema-faker finds none.
 *
 * @param owner what the value is, such as `customer`, where its schema has no name
 * @param slots filled with what may be drawn again
 */
export function generateWhole(
  { schema, owner, slots }: { readonly schema: unknown; readonly owner: string; readonly slots: Map<string, Slot> },
  options: ValueOptions,
  style: ValueStyle,
): unknown {
  const now = options.now - (options.now % DAY)
  const run: ValueRun = { ...options, now, style, slots, targets: [], left: VALUES_OF_DOCUMENT }
  return generateAtOnce(run, schema, { pointer: '', name: '', depth: 0, trail: { schemas: [], owner } })
}

function generateAtOnce(run: ValueRun, schema: unknown, root: ValuePlace): unknown {
  try {
    return generateSync(
      refer(run, schema, () => root),
      {
        seed: chanceKey(run.key, root.pointer),
        optionalsProbability: 1,
        maxDepth: Infinity,
        refResolver: (reference) => run.targets[Number(reference)]?.() ?? {},
      },
    )
  } catch {
    return undefined
  } finally {
    // Slots outlive the run that they refer to.
    run.targets.length = 0
  }
}
