import { once } from '../../../base/cache.ts'
import type { StatefulOperation } from '../../resource.ts'
import { createItemTexts } from './item-texts.ts'
import { joinPage } from './join-page.ts'
import { createListCoverage } from './list-coverage.ts'
import { type ListPlan, readListPlan } from './list-plan.ts'
import { createListFaults } from './list-faults.ts'
import { createListHandler, createTokens, readQuery } from './list.ts'
import { describePlan, behavioursOf } from '../infer/plan.ts'
import { findTargets } from '../operations/find-targets.ts'
import type { OperationWork } from '../operations/work.ts'

/** Settings that matter besides the parameters. */
const WITHOUT_EFFECT = new Set(['expression', 'unknown', 'expand', 'sort', 'filters'])

/** An operation that lists items of a collection, by GET, or by the search of a POST. The contract is read with the first request. */
export function createListOperation(name: string, work: OperationWork): StatefulOperation {
  const list = once(() => readListPlan(work.document, work.plan, work.collections))
  const style = () => list().style
  const tokensOf = createTokens()
  const texts = once(() => createItemTexts(work, list))
  return {
    name,
    collection: work.plan.collection.name,
    successStatus: () => work.plan.output.status,
    handler: createListHandler(work, list, { texts, tokensOf }),
    faults: createListFaults(work, list, tokensOf),
    coverage: createListCoverage(work, list),
    ...(work.plan.role === 'list' &&
      work.plan.output.located?.isMap !== true && {
        join: (asked, page) => joinPage({ work, list: list(), texts: texts() }, asked, page),
      }),
    checksResponses: true,
    dependsOn: behavioursOf(work.plan),
    findTargets: (state, given) => findTargets(state, work.plan, given),
    uses: { query: [], body: {}, storesBody: true },
    unused: unusedByList(list),
    describe: () => ({
      ...describePlan(work.plan, inWords(list())),
      parameters: [...list().parameters, ...list().headerParameters, ...list().bodyParameters],
    }),
    get pageParameter() {
      return style()?.name
    },
    get firstPage() {
      const { kind, first } = style() ?? {}
      return kind === undefined || kind === 'token' ? '' : String(first)
    },
  }
}

/** The parts of a request that a list cannot follow. */
export function unusedByList(list: () => ListPlan): NonNullable<StatefulOperation['unused']> {
  return (query, body) => {
    const { parameters, bodyParameters } = list()
    if (![...parameters, ...bodyParameters].some(({ meaning }) => WITHOUT_EFFECT.has(meaning.kind))) return NONE
    const { ignored } = readQuery(list(), { query, body, header: () => undefined })
    return {
      query: ignored.filter((name) => !name.startsWith('/')),
      body: ignored.filter((name) => name.startsWith('/')),
    }
  }
}

function inWords({ view }: ListPlan): readonly string[] {
  return view ? [`${view.member.pointer} is ${view.values.map(String).join(' or ')}`] : []
}

const NONE = { query: [], body: [] }
