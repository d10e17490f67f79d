import { createSchemas, type Schemas } from '../../../contract/schemas/schemas.ts'
import { chanceKey } from '../../../engine/random.ts'
import { type DocumentMaker, type DocumentRequest, createDocumentMaker } from '../../../values/document-maker.ts'
import type { Members } from '../../request-body.ts'
import type { CollectionPlan, Inference } from '../infer/plan.ts'
import { type Example, findExamples } from './examples.ts'

/** What the documents of one collection are made from. */
interface SeedSource {
  readonly make: DocumentMaker
  /** Valid documents. Examples that break the schema are skipped. */
  readonly examples: readonly Example[]
  /** Whether a document is valid by the schema of items. */
  accepts(value: Members): boolean
  /** A document with what it lacks of its schema; undefined when it breaks the schema in spite of that. */
  complete(value: Members, request: DocumentRequest): Members | undefined
}

export interface SeedSources {
  of(plan: CollectionPlan): SeedSource
  /** See `Schemas`. */
  readonly inTurns: Schemas['inTurns']
}

/** Where the schemas of items are put, so that they can be compiled. */
const ITEMS = 'x-standin-items'

/** @param now epoch ms */
export function createSeedSources(
  document: Readonly<Record<string, unknown>>,
  { collections, operations }: Pick<Inference, 'collections' | 'operations'>,
  now: number,
): SeedSources {
  const items = collections.map(({ schema }) => schema)
  const schemas = createSchemas({ ...document, [ITEMS]: items }, () => '')
  const known = new Map<CollectionPlan, SeedSource>()
  const create = (plan: CollectionPlan): SeedSource => {
    const { schema } = plan
    const check = schemas.compile(`/${ITEMS}/${collections.indexOf(plan)}`, 'response')
    const make = createDocumentMaker({ document, schema, check })
    const complete: SeedSource['complete'] = (value, request) => {
      if (check.accepts(value)) return value
      const completed = { ...make(request), ...value }
      return check.accepts(completed) ? completed : undefined
    }
    const examples = findExamples(document, plan, operations.values()).flatMap((example, index) => {
      const value = complete(example.value, requestFor(plan, index, now))
      return value ? [{ ...example, value }] : []
    })
    return { make, examples, complete, accepts: check.accepts }
  }
  return {
    inTurns: schemas.inTurns,
    of(plan) {
      const source = known.get(plan) ?? create(plan)
      known.set(plan, source)
      return source
    },
  }
}

/** What completes an example: the same for every seed. */
function requestFor({ name, noun }: CollectionPlan, index: number, now: number): DocumentRequest {
  const key = chanceKey(0, name)
  return {
    ...{ key, index, count: index + 1, variant: 0, now, noun, path: undefined },
    ...{ known: new Map(), references: () => undefined },
  }
}
