import { agreeOnFailure, agreeOnStatus, agreeOnDates, type ObjectLifetime, lifetimeOf } from './events.ts'
import type { DocumentContext, Level, ConsistencyRun } from './level.ts'
import {
  agreeOnAddress,
  agreeOnCounts,
  agreeOnCurrency,
  agreeOnExamples,
  agreeOnIndex,
  agreeOnReferences,
  agreeOnReferred,
  agreeOnSlug,
  currencyOf,
} from './links.ts'
import { agreeOnPrices, agreeOnStock, agreeOnMoney } from './amounts.ts'
import { agreeOnPerson, agreeOnPlace } from './contact.ts'
import { isChosen } from '../asked/asked-value.ts'
import { faker, fakerFor } from '../faker.ts'
import { exampleOf, idsAmong } from '../merge-schema.ts'
import { follow } from '../../contract/pointer.ts'
import {
  allowsNull,
  alternativesOf,
  conjunctsOf,
  readBySchema,
  type Shape,
  shapeOf,
} from '../../contract/schemas/shape.ts'
import { asObject, encodePointer, isObject, type Members } from '../../base/formats/json.ts'
import { plainName, wordsOf } from '../../base/formats/names.ts'

/**
 * Makes the members of a document agree with each other, as far as their names say what they mean: dates are in order, totals add up,
 * flags say the same as the status, and references name documents that exist. The result may break the schema where that allows only
 * what was there: name such members as `fixed` then.
 */
export type MakeConsistent = (value: Members, context: DocumentContext, fixed?: readonly string[]) => Members

/** @param schema of the values, in a document with only local references */
export function createConsistency(document: unknown, schema: unknown): MakeConsistent {
  const local = fakerFor(document)
  return (value, context, fixed = []) => {
    const run = { ...context, fixed, local }
    const root = openLevel({ document, run }, value, { schema, pointer: '', owner: context.noun })
    const levels = [...levelsOf(root)]
    const currency = levels.map(currencyOf).find((one) => one !== undefined)
    for (const level of levels) {
      agreeOnReferences(level)
      agreeOnReferred(level)
      agreeOnPerson(level)
      agreeOnPlace(level)
      agreeOnSlug(level)
      agreeOnAddress(level)
      agreeOnExamples(level)
      agreeOnStatus(level)
      agreeOnFailure(level)
      agreeOnIndex(level)
      agreeOnCounts(level)
      agreeOnPrices(level)
      agreeOnStock(level)
      if (currency !== undefined) agreeOnCurrency(level, currency)
    }
    dateLevels(root, lifetimeOf(context))
    // A total is the sum of what lies below it.
    for (const level of levels.toReversed()) agreeOnMoney(level)
    return root.members
  }
}

/** The same for amounts alone: quantity by price, and totals that are the sum of their parts. */
export function sumUp(
  document: unknown,
  schema: unknown,
  value: Members,
  run: Pick<ConsistencyRun, 'fixed' | 'referred'>,
): Members {
  const parts = { document, run: { ...NO_CONTEXT, local: faker, ...run } }
  const root = openLevel(parts, value, { schema, pointer: '', owner: '' })
  for (const level of [...levelsOf(root)].toReversed()) agreeOnMoney(level)
  return root.members
}

/** Amounts depend on nothing but the document. */
const NO_CONTEXT: DocumentContext = {
  key: 0,
  index: 0,
  count: 1,
  variant: 0,
  now: 0,
  noun: '',
  path: undefined,
  references: () => undefined,
}

interface LevelTree extends Level {
  readonly inner: readonly LevelTree[]
}

/** What a schema says about the members of an object. */
interface DescribedMembers extends Pick<
  Level,
  'names' | 'words' | 'nullable' | 'ids' | 'absolute' | 'chosen' | 'examples'
> {
  readonly shape: Shape
}

/** Equal schemas are met in many items. */
const describe = readBySchema((document, schema): DescribedMembers => {
  const shape = shapeOf(document, schema, 'any')
  const all = [...shape.properties.keys()]
  const shapes = new Map([...shape.properties].map(([name, inner]) => [name, shapeOf(document, inner)]))
  return {
    shape,
    names: new Map(all.map((name) => [plainName(name), name])),
    words: new Map(all.map((name) => [name, wordsOf(name)])),
    nullable: new Set(all.filter((name) => allowsNull(document, shape.properties.get(name)))),
    ids: new Set(all.filter((name) => isIdOrItem(document, shape.properties.get(name)))),
    absolute: new Set(all.filter((name) => isAbsolute(shapes.get(name)))),
    chosen: new Set(all.filter((name) => isChosenIn(document, schema, name))),
    examples: new Map([...shapes].map(([name, { keywords }]) => [name, exampleOf(keywords)])),
  }
})

function isIdOrItem(document: unknown, schema: unknown): boolean {
  return idsAmong({ follow: (one) => follow(document, one) }, alternativesOf(document, schema)).length > 0
}

/** Its schema may stand in another one than the setting was written into. */
function isChosenIn(document: unknown, schema: unknown, name: string): boolean {
  const members = conjunctsOf(document, schema).map(({ properties }) => asObject(properties)[name])
  return members.some((member) => isChosen(member) || isChosen(follow(document, member)))
}

function isAbsolute(shape: Shape | undefined): boolean {
  const format = shape?.keywords.format
  return typeof format === 'string' && ['uri', 'url', 'iri'].includes(format)
}

interface LevelParts {
  readonly document: unknown
  readonly run: ConsistencyRun
}

interface LevelPosition {
  readonly schema: unknown
  readonly pointer: string
  readonly owner: string
  readonly property?: string
}

/** An object and the objects in it, all copied. */
function openLevel(parts: LevelParts, value: Members, { schema, pointer, owner, property }: LevelPosition): LevelTree {
  const { shape, ...reading } = describe(parts.document, schema)
  const members: Record<string, unknown> = { ...value }
  const inner: LevelTree[] = []
  for (const [name, held] of Object.entries(value)) {
    const member = shape.properties.get(name) ?? shape.keywords.additionalProperties
    const at = `${pointer}/${encodePointer(name)}`
    if (isObject(held)) {
      const level = openLevel(parts, held, {
        schema: member,
        pointer: at,
        owner: nameOf(member) ?? name,
        property: name,
      })
      members[name] = level.members
      inner.push(level)
    } else if (Array.isArray(held) && held.some(isObject)) {
      const { items } = describe(parts.document, member).shape
      const open = (one: unknown, order: number) => {
        if (!isObject(one)) return one
        const level = openLevel(parts, one, { schema: items, pointer: `${at}/${order}`, owner: nameOf(items) ?? name })
        inner.push(level)
        return level.members
      }
      members[name] = (held as readonly unknown[]).map(open)
    }
  }
  return { context: parts.run, members, pointer, property, owner, ...reading, inner }
}

/** `Customer` for a reference to `#/components/schemas/Customer`. */
function nameOf(schema: unknown): string | undefined {
  return isObject(schema) && typeof schema.$ref === 'string'
    ? schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)
    : undefined
}

function* levelsOf(level: LevelTree): Generator<LevelTree> {
  yield level
  for (const inner of level.inner) yield* levelsOf(inner)
}

/** What a document refers to was there before. */
const ELDER = 200 * 86_400_000

function dateLevels(level: LevelTree, lifetime: ObjectLifetime): void {
  const { from, to } = agreeOnDates(level, lifetime)
  for (const [order, inner] of level.inner.entries()) {
    const isAnother = inner.property !== undefined && Object.hasOwn(inner.members, 'id')
    const later = { from: from + ((to - from) * order) / level.inner.length, to }
    dateLevels(inner, isAnother ? { from: from - ELDER, to: from } : later)
  }
}
