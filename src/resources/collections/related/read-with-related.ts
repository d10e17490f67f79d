import { once } from '../../../base/cache.ts'
import { wordsOf } from '../../../base/formats/names.ts'
import { keyOf } from '../../../base/formats/plurals.ts'
import { shapeOf } from '../../../contract/schemas/shape.ts'
import { type Members, withNumbers } from '../../../base/formats/json.ts'
import type { ParameterMeaning, UnusedInputs } from '../../resource.ts'
import { readItemMembers } from '../lists/item-members.ts'
import { selectMembers } from '../lists/item-texts.ts'
import { readListParameters } from '../lists/read-list-parameters.ts'
import { readListQuery } from '../lists/read-list-query.ts'
import { listedIn, type Showing, showWhole } from '../items/show.ts'
import type { ItemRequest, OperationWork } from '../operations/work.ts'
import { relatedMembers } from './related-members.ts'
import { createShowRelated, wantedOf } from './show-related.ts'

/** The documented parameters of a read that ask for related items, or for some members alone. */
export interface ReadWithRelated {
  /** How the item is shown; undefined where the request asks for nothing besides. @throws NotReady */
  of(request: ItemRequest): ((item: Members, showing: Showing) => Members) | undefined
  unused(query: object): UnusedInputs
  describe(): readonly ParameterMeaning[]
}

/** The contract is read with the first request that has parameters. */
export function createReadWithRelated(work: OperationWork): ReadWithRelated {
  const { operation, output } = work.plan
  const documented = once(() => read(work))
  const show = createShowRelated(work)
  const shape = () => shapeOf(work.document, output.located?.schema, 'any')
  const members = once(() => new Set([...shape().properties.keys()].map((name) => keyOf(wordsOf(name)))))
  const ask = (query: object) => {
    const { parameters, items } = documented()
    const asked = readListQuery(parameters, query, { items })
    // Some services take names of what is inside one of the members, which would leave nothing of the item.
    if (asked.fields?.isSubsetOf(members()) ?? true) return asked
    const names = parameters.flatMap(({ name, meaning: { kind } }) => (kind === 'fields' ? [name] : []))
    return { ...asked, fields: undefined, ignored: [...asked.ignored, ...names] }
  }
  const allows = (item: Members, showing: Showing) =>
    operation.acceptsResponse(output.status, withNumbers(showWhole(output, listedIn(output.located, item), showing)))
  return {
    of({ state, call: { query } }) {
      if (Object.keys(query).length === 0) return undefined
      const { related, fields } = ask(query)
      if (related.length === 0 && !fields) return undefined
      const wanted = wantedOf(state, related)
      return (item, showing) => {
        const whole = show(item, { wanted, showing, allows: (more) => allows(more, showing) })
        const selected = fields ? selectMembers(whole, fields, shape().required) : whole
        return allows(selected, showing) ? selected : whole
      }
    },
    unused(query) {
      const names = Object.keys(query)
      if (names.length === 0) return { query: [], body: [] }
      const { ignored } = ask(query)
      const { parameters } = documented()
      const isUsed = (name: string) => !ignored.includes(name) && parameters.some((one) => one.name === name)
      return { query: names.filter((name) => !isUsed(name)), body: [] }
    },
    describe: () => documented().parameters,
  }
}

function read({ plan: { operation, output, collection }, document, collections }: OperationWork) {
  const schema = output.located?.schema ?? collection.schema
  const items = readItemMembers(document, schema)
  const related = () => ({ members: relatedMembers({ document, collections }, schema), prefix: '' })
  const parameters = readListParameters(operation, { document, items, related })
  return { items, parameters: parameters.filter(({ meaning: { kind } }) => /^(expand|wait|fields)$/.test(kind)) }
}
