import type { Contract } from '../../../contract/contract.ts'
import { chanceKey } from '../../../engine/random.ts'
import {
  type DocumentMaker,
  type DocumentRequest,
  createDocumentMaker,
  createTemplates,
} from '../../../values/document-maker.ts'
import type { Violation } from '../../../base/errors/problem.ts'
import { isObject, type Members } from '../../../base/formats/json.ts'
import { completeObject } from '../../../values/complete-object.ts'
import type { CollectionPlan, Inference, OperationPlan } from '../infer/plan.ts'
import { type Example, findExamples } from './examples.ts'
import { rememberingEach } from '../../../base/cache.ts'

/** What makes the initial documents of one collection. */
interface SeedSource {
  make(request: DocumentRequest): Members | undefined
  /** Valid documents. Examples that break the schema are skipped. */
  readonly examples: readonly Example[]
  readonly skipped: readonly SkippedExample[]
  /** What its schema allows of no document that was tried; empty where documents can be made. */
  whyNone(): readonly Violation[]
  /** Whether a document is valid by the schema of items. */
  accepts(value: Members): boolean
  /** A document with missing members filled in. @param filler where they come from; generated when absent */
  complete(value: Members, request: DocumentRequest, filler?: Members): Completed
}

interface SkippedExample {
  /** A JSON pointer. */
  readonly origin: string
  readonly violations: readonly Violation[]
}

export interface Completed {
  readonly value: Members
  /** The violations that remain; empty for a valid document. */
  readonly violations: readonly Violation[]
}

/** A document of a fixture with missing members filled in. */
export interface CheckedGiven extends Completed {
  /** The operations that show it by another schema. */
  readonly views: readonly OperationPlan[]
}

export interface SeedSources {
  of(plan: CollectionPlan): SeedSource
  readonly inTurns: Contract['inTurns']
}

/** Generating a document of a large schema takes as long as compiling so many. */
const AS_SCHEMAS = 30

/** Where the schemas of items are put, so that they can be compiled. */
const ITEMS = 'x-standin-items'

interface SourceOptions {
  /** Epoch ms. */
  readonly now: number
  /** The schema that documents of a collection are made by. They are checked by its own. */
  schemaFor(plan: CollectionPlan): unknown
}

export function createSeedSources(
  {
    document,
    extendSchemas,
    inTurns,
    spendTurn,
  }: Pick<Contract, 'document' | 'extendSchemas' | 'inTurns' | 'spendTurn'>,
  { collections, operations }: Pick<Inference, 'collections' | 'operations'>,
  { now, schemaFor }: SourceOptions,
): SeedSources {
  const items = collections.map(({ schema }) => schema)
  const schemas = extendSchemas(ITEMS, items)
  const templates = createTemplates()
  const makers = new Map<CollectionPlan, DocumentMaker>()
  const afterDraft = () => spendTurn(AS_SCHEMAS)
  const create = (plan: CollectionPlan): SeedSource => {
    const { schema } = plan
    const check = schemas.compile(`/${ITEMS}/${collections.indexOf(plan)}`, 'response')
    // Ids that others refer to need none. Work that begins again goes on with what the same maker has generated.
    const makerOf = () => {
      const maker =
        makers.get(plan) ?? createDocumentMaker({ document, schema: schemaFor(plan), check, afterDraft }, templates)
      makers.set(plan, maker)
      return maker
    }
    const complete: SeedSource['complete'] = (value, request, filler) => {
      if (check.accepts(value)) return { value, violations: [] }
      const believable = { ...(filler ?? makerOf()(request)), ...value }
      if (check.accepts(believable)) return { value: believable, violations: [] }
      const whole = withMissing(
        value,
        completeObject(document, schema, value, { written: request.now, key: request.key }),
      )
      return { value: whole, violations: check(whole) }
    }
    const completed = findExamples(document, plan, operations.values()).map((example, index) => ({
      ...example,
      ...complete(example.value, requestFor(plan, index, now)),
    }))
    const [examples = [], skipped = []] = [true, false].map((isValid) =>
      completed.filter(({ violations }) => (violations.length === 0) === isValid),
    )
    const whyNone = () => (examples.length > 0 ? [] : makerOf().whyNone(requestFor(plan, 0, now)))
    const make: SeedSource['make'] = (request) => makerOf()(request)
    return { make, examples, skipped, whyNone, complete, accepts: check.accepts }
  }
  return { inTurns, of: rememberingEach(create) }
}

/** An object with the missing members filled in from another, at every level; the same object if none is missing. */
export function withMissing(value: Members, other: Members): Members {
  const own = Object.entries(value).map(([name, inner]): [string, unknown] => {
    const known = other[name]
    return [name, isObject(inner) && isObject(known) ? withMissing(inner, known) : inner]
  })
  const hasAll = Object.keys(other).every((name) => Object.hasOwn(value, name))
  return hasAll && own.every(([name, inner]) => inner === value[name])
    ? value
    : { ...other, ...Object.fromEntries(own) }
}

/** What completes an example: the same for every seed. */
function requestFor({ name, noun }: CollectionPlan, index: number, now: number): DocumentRequest {
  const key = chanceKey(0, name)
  return {
    key,
    index,
    count: index + 1,
    variant: 0,
    now,
    noun,
    path: undefined,
    known: new Map(),
    references: () => undefined,
  }
}
