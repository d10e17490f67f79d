import { valueAt } from '../../../contract/pointer.ts'
import { isSameSchema, memberAt, shapeOf } from '../../../contract/schemas/shape.ts'
import { chanceKey } from '../../../engine/random.ts'
import type { Violation } from '../../../base/errors/problem.ts'
import { type Members, splitPointer, withNumbers } from '../../../base/formats/json.ts'
import { fitObject } from '../../../values/fit-object.ts'
import { idOf } from '../infer/identity.ts'
import type { OperationPlan } from '../infer/plan.ts'
import { examplesOfResponse } from '../seeds/examples.ts'
import { convertMembers } from './convert-members.ts'
import { showItem, type Showing, showWhole } from './show.ts'
import { withValue } from './with-value.ts'

/** How the response of one operation shows items of its collection. Responses may describe an item differently. */
export interface View {
  /** Whether it describes items as their collection does. */
  readonly isOwn: boolean
  /** The values that the response allows for a member; none where it allows others. */
  choicesOf(name: string, showing: Showing): readonly unknown[]
  /** An item with its members converted to the types of the response, without those that cannot be converted. */
  convert(value: Members, showing: Showing): Members
  /** An item with the members that the response names, of the types that it has for them, and with what it requires. */
  show(value: Members, showing: Showing): Members
  /** The violations in a shown item and in the list around it, with pointers into the response. */
  check(item: Members, showing: Showing): readonly Violation[]
  /** The item reduced to what the contract allows; undefined where nothing valid is left. */
  fit(item: Members, showing: Showing): Members | undefined
}

/** The body of a response that shows one item alone. */
export type Wrap = (item: Members, showing: Showing) => unknown

export function viewOf(plan: OperationPlan, wrap: Wrap = wrapIn(plan.output)): View {
  const { operation, output, collection } = plan
  const { status, located } = output
  const { pointer = '', schema, isList } = located ?? {}
  const place = isList ? `${pointer}/0` : pointer
  const isInItem = ({ pointer: at = '' }: Violation) => at === place || at.startsWith(`${place}/`)
  const check: View['check'] = (item, showing) => {
    return (
      operation
        .checkResponse(status, withNumbers(wrap(item, showing)))
        // A list may have to have more than one item.
        .filter((one) => (isList ? one.pointer !== pointer : isInItem(one)))
    )
  }
  let isIdExampled: boolean | undefined
  const convert: View['convert'] = (value, { document }) => convertMembers(document, schema, value)
  return {
    isOwn: isSameSchema(schema, collection.schema),
    check,
    choicesOf(name, { document }) {
      const member = shapeOf(document, schema, 'any').properties.get(name)
      const { enum: choices } = shapeOf(document, member).keywords
      return Array.isArray(choices) ? (choices as unknown[]) : []
    },
    convert,
    show(value, showing) {
      const item = showItem(schema, convert(value, showing), showing)
      isIdExampled ??= showsIdInExamples(showing.document, plan)
      const { pointer: at = '' } = collection.identity
      const id = isIdExampled ? valueAt(value, at) : undefined
      return id === undefined ? item : withValue(item, at, id)
    },
    fit: (item, showing) =>
      fitObject(item, {
        ...{ document: showing.document, schema, fixed: collection.identity.pointer, now: showing.now },
        key: chanceKey(showing.seed, showing.purpose),
        check: (made) =>
          check(made, showing)
            .filter(isInItem)
            .map((one) => ({ ...one, pointer: one.pointer?.slice(place.length) ?? '' })),
      }),
  }
}

/** Some schemas forget the id, which clients learn from the examples of their responses. */
function showsIdInExamples(document: unknown, plan: OperationPlan): boolean {
  const { identity } = plan.collection
  const member = memberAt(document, plan.output.located?.schema, splitPointer(identity.pointer ?? ''))
  return (
    member === undefined && examplesOfResponse(document, plan).some(({ value }) => idOf(identity, value) !== undefined)
  )
}

function wrapIn(output: OperationPlan['output']): Wrap {
  return (item, showing) => showWhole(output, output.located?.isList ? [item] : item, showing)
}
