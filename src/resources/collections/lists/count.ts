import { once } from '../../../base/cache.ts'
import { shapeOf } from '../../../contract/schemas/shape.ts'
import { plainName } from '../../../base/formats/names.ts'
import { chanceKey } from '../../../engine/random.ts'
import type { Steps } from '../../../engine/slices.ts'
import type { State } from '../../../engine/state.ts'
import type { Call, Handler, Outcome } from '../../handler.ts'
import { createDocuments } from '../documents/documents.ts'
import { selectInSteps } from '../documents/select.ts'
import { instanceOf, prepareInstances, refuseUnknownItem } from '../operations/instance.ts'
import { validObject } from '../operations/respond.ts'
import type { OperationWork } from '../operations/work.ts'
import { readQuery, refuseIgnored, selectionOf } from './list.ts'
import { readListPlan } from './list-plan.ts'

/** Handles `/orders/count`: the number of items that a list with the same filters has. */
export function createCountHandler(work: OperationWork): Handler {
  const { plan, document, collections } = work
  const { operation, output } = plan
  const { status, schema } = output
  const list = once(() => readListPlan(document, plan, collections))
  const member = countMember(document, schema) ?? ''
  function* decide(query: ReturnType<typeof readQuery>, state: State, call: Call): Steps<Outcome> {
    const { name, documents = NONE } = instanceOf(state, plan, call)
    const { count } = yield* selectInSteps(documents, selectionOf(plan, list(), query, call))
    if (member === '') return { status, body: { json: count }, events: [] }
    const fitting = { document, schema, now: call.now, key: chanceKey(state.seed, name) }
    const json = validObject(
      { [member]: count },
      { ...fitting, check: (made) => operation.checkResponse(status, made) },
    )
    return { status, body: { json }, events: [] }
  }
  return {
    takesNothing: true,
    prepare: (state, path) => prepareInstances(state, plan, path),
    normalizeBody: (body) => body,
    assertExists: (state, call) => refuseUnknownItem(state, plan, call),
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
