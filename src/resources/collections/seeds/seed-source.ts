import { createSchemas, type Schemas } from '../../../contract/schemas/schemas.ts'
import { chanceKey } from '../../../engine/random.ts'
import type { Violation } from '../../../errors/problem.ts'
import { type DocumentMaker, createDocumentMaker } from '../../../values/document-maker.ts'
import type { Members } from '../../request-body.ts'
import type { CollectionPlan, Inference } from '../infer/plan.ts'
import { type Example, findExamples } from './examples.ts'

/** What the documents of one collection are made from. */
interface SeedSource {
  readonly make: DocumentMaker
  /** Valid documents. */
  readonly examples: readonly Example[]
  /** Why others were skipped. */
  readonly notes: readonly string[]
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
    const complete = (example: Example, index: number) =>
      completeExample(example, check, () =>
        make({
          ...{
            index,
            count: index + 1,
            variant: 0,
            key: chanceKey(0, plan.name),
            now,
            noun: plan.noun,
            path: undefined,
          },
          ...{ known: new Map(), references: () => undefined },
        }),
      )
    const completed = findExamples(document, plan, operations.values()).map(complete)
    const examples = completed.flatMap((one) => ('value' in one ? [one] : []))
    return { make, examples, notes: completed.flatMap((one) => ('note' in one ? [one.note] : [])) }
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

/** An example with what it lacks of its schema, which may ask for more than the response that has the example. */
function completeExample(
  example: Example,
  check: (value: Members) => readonly Violation[],
  generate: () => Members | undefined,
): Example | { readonly note: string } {
  const [first] = check(example.value)
  if (!first) return example
  const value = { ...generate(), ...example.value }
  if (check(value).length === 0) return { ...example, value }
  return { note: `${example.origin} is no document to begin with, since it breaks its schema: ${first.message}` }
}
