import { valueAt } from '../../../contract/pointer.ts'
import { shapeOf } from '../../../contract/schemas/shape.ts'
import { encodePointer, isObject } from '../../../base/formats/json.ts'
import { type Violation, shown, violation } from '../../../base/errors/problem.ts'
import { didYouMean } from '../../../base/errors/wording.ts'
import type { FixtureRules, GivenDocument } from '../fixture-collections.ts'
import { idOf } from '../documents/ids.ts'
import { parameterCount } from '../infer/routes.ts'
import { instanceName, SINGLETON } from '../operations/instance-name.ts'
import { idValue } from '../items/server-members.ts'
import { findPlace } from '../seeds/instance-place.ts'
import { checkDocument } from './complete-document.ts'
import { operationsOn } from './known-collections.ts'
import type { ReadGivenParts } from './read-given.ts'

interface FixtureCheckParts extends ReadGivenParts {
  readonly seed: number
  /** Whether handlers of the user may keep documents in other collections than those of the contract. */
  readonly allowsOthers: boolean
}

export function createFixtureRules(partsOf: () => FixtureCheckParts): FixtureRules {
  return {
    refuseName: (name) => refuseName(partsOf(), name),
    idIn(name, value) {
      const plan = findPlace(partsOf().known.collections, name)?.plan
      if (!plan) return undefined
      return plan.isSingleton ? SINGLETON : idOf(plan.identity, value)
    },
    findWrong: (name, document) => findWrong(partsOf(), name, document),
    findUnknown(name, value) {
      const { known, allowsOthers } = partsOf()
      const plan = findPlace(known.collections, name)?.plan
      const inputs = plan ? operationsOn(known, plan).flatMap(({ input }) => input?.schema ?? []) : []
      const named = inputs.filter((one) => shapeOf(known.document, one, 'any').properties.size > 0)
      const schemas = plan ? [plan.schema, ...named] : []
      const unknown = [...unknownIn(known.document, schemas, value, '')]
      // Handlers may keep what the contract does not have.
      return new Map(unknown.filter(([, remedy]) => remedy !== '' || !allowsOthers))
    },
    findOrphans(fixtures) {
      const { seeds } = partsOf()
      seeds.takeFixtures(fixtures)
      const orphans = [...fixtures.keys()].map((name) => [name, refuseOrphan(partsOf(), name)] as const)
      return new Map(orphans.flatMap(([name, why]) => (why === undefined ? [] : [[name, why]])))
    },
  }
}

function refuseName({ known: { collections }, allowsOthers }: FixtureCheckParts, name: string): string | undefined {
  if (allowsOthers || findPlace(collections, name)) return undefined
  const names = collections.map((one) => one.name)
  if (names.length === 0)
    return 'The contract has no collections. Remove it, or give the handlers that keep its documents with --handlers.'
  const remedy = didYouMean(name, names) || ` It has ${names.slice(0, MOST_NAMED).join(', ')}.`
  return `The contract has no collection ${shown(name)}.${remedy} Rename it, or remove it.`
}

const MOST_NAMED = 20

/** The members of a value that none of some schemas has, where one has members and allows no others by a schema of theirs. */
function* unknownIn(
  document: unknown,
  schemas: readonly unknown[],
  value: unknown,
  pointer: string,
): Generator<readonly [string, string]> {
  const shapes = schemas.map((schema) => shapeOf(document, schema, 'any'))
  if (Array.isArray(value)) {
    const elements = shapes.flatMap(({ items }) => items ?? [])
    for (const [index, one] of value.entries()) yield* unknownIn(document, elements, one, `${pointer}/${index}`)
  }
  const isOpen = shapes.some(
    ({ keywords, properties, types }) =>
      isObject(keywords.additionalProperties) || (properties.size === 0 && (types.size === 0 || types.has('object'))),
  )
  if (!isObject(value) || shapes.length === 0 || isOpen) return
  const names = [...new Set(shapes.flatMap(({ properties }) => [...properties.keys()]))]
  for (const [name, inner] of Object.entries(value)) {
    const at = `${pointer}/${encodePointer(name)}`
    const own = shapes.flatMap(({ properties }) => properties.get(name) ?? [])
    if (own.length === 0) yield [at, didYouMean(name, names)]
    else yield* unknownIn(document, own, inner, at)
  }
}

function findWrong(
  { known, seeds, now }: FixtureCheckParts,
  name: string,
  { id, key, value }: GivenDocument,
): readonly Violation[] {
  const plan = findPlace(known.collections, name)?.plan
  const checked = plan && seeds.check(name, { id, value })
  if (!plan || !checked) return []
  const { pointer = '' } = plan.identity
  if (key !== undefined && key !== id && !plan.isSingleton) {
    const expected = `${shown(idValue(plan, key))}, as its key`
    return [violation({ pointer }, 'id', expected, valueAt(value, pointer))]
  }
  if (checked.violations.length > 0) return checked.violations
  return checkDocument(known.document, checked.views, { name, id, value: checked.value, seed: 0, now })
}

/** Why an item that the name of an instance goes through does not exist. */
function refuseOrphan({ known: { collections }, seeds, seed }: FixtureCheckParts, name: string): string | undefined {
  const { plan, ids = [] } = findPlace(collections, name) ?? {}
  for (let parent = plan?.parent; parent; { parent } = parent) {
    const count = parameterCount(parent)
    const above = instanceName(parent, ids.slice(0, count))
    const id = ids[count] ?? ''
    if (!seeds.has(seed, above, id))
      return `There is no ${parent.noun} ${id} for these documents to belong to. Add it to ${above}, or name another.`
  }
  return undefined
}
