import { shapeOf } from '../../../contract/schemas/shape.ts'
import { plainName } from '../../../base/formats/names.ts'
import type { Steps } from '../../../engine/slices.ts'
import type { State } from '../../../engine/state.ts'
import type { Call, Handler, Outcome } from '../../handler.ts'
import { createDocuments } from '../documents/documents.ts'
import { selectInSteps } from '../documents/select.ts'
import { instanceOf, itemHandler } from '../operations/instance.ts'
import { respondWithFacts } from '../operations/respond.ts'
import type { OperationWork } from '../operations/work.ts'
import { readQuery, refuseIgnored, selectionOf } from './list.ts'
import type { ListPlan } from './list-plan.ts'

/** Handles `/orders/count`: the number of items that a list with the same filters has. @param list read with the first request */
export function createCountHandler(work: OperationWork, list: () => ListPlan): Handler {
  const { plan, document } = work
  const member = countMember(document, plan.output.schema) ?? ''
  function* decide(query: ReturnType<typeof readQuery>, state: State, call: Call): Steps<Outcome> {
    const { name, documents = NONE } = instanceOf(state, plan, call)
    const { count } = yield* selectInSteps(documents, selectionOf(plan, list(), query, { state, call }))
    if (member === '') return { status: plan.output.status, body: { json: count }, events: [] }
    return respondWithFacts(work, { [member]: count }, { state, call, name })
  }
  return {
    ...itemHandler(plan),
    read(state, call) {
      const query = readQuery(list(), call)
      return {
        violations: [...query.violations, ...refuseIgnored(query, call)],
        decide: () => decide(query, state, call),
      }
    },
  }
}

const NONE = createDocuments()

/** The member of a response that is a count alone; empty for a response that is the number, undefined for another one. */
export function countMember(document: unknown, schema: unknown): string | undefined {
  const { types, properties } = shapeOf(document, schema)
  const isNumber = (held: ReadonlySet<string>) => held.has('integer') || held.has('number')
  if (isNumber(types)) return ''
  const [[name, member] = []] = [...properties]
  const isAlone = properties.size === 1 && name !== undefined && /^(total)?count$|^total$/.test(plainName(name))
  return isAlone && isNumber(shapeOf(document, member).types) ? name : undefined
}

/** `/orders/count`, `/orders/$count` */
export function isCount(word: string): boolean {
  return /^[$_]?(total)?[-_]?count$/i.test(word)
}
