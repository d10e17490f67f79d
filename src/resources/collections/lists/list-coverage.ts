import { shapeOf } from '../../../contract/schemas/shape.ts'
import { isObject } from '../../../base/formats/json.ts'
import type { OperationCoverage, SentRequest } from '../../resource.ts'
import type { OperationWork } from '../operations/work.ts'
import type { ItemMember } from './item-members.ts'
import type { ListParameter } from './list-parameter.ts'
import type { ListPlan } from './list-plan.ts'
import { readSortKeys } from './sort-keys.ts'

const FIELDS = 'sort fields'
const ORDERS = 'sort orders'

/** What a list can be sorted by, where its contract has a parameter for that and does not list the values itself. */
export function createListCoverage({ document, plan }: OperationWork, list: () => ListPlan): OperationCoverage {
  const isListed = ({ name }: ListParameter) => {
    const { schema } = plan.operation.parameters.find((one) => one.name === name) ?? {}
    const { keywords, items } = shapeOf(document, schema, 'any')
    return 'enum' in keywords || 'enum' in shapeOf(document, items, 'any').keywords
  }
  const sorts = () => sortsOf(list()).filter((one) => !isListed(one))
  return {
    values: () =>
      sorts().length === 0
        ? {}
        : {
            [FIELDS]: list()
              .items.all.filter(isSortable)
              .map(({ pointer }) => nameOf(pointer)),
            [ORDERS]: ['ascending', 'descending'],
          },
    used(request, note) {
      const { parameters, bodyParameters, items } = list()
      const direction = [...parameters, ...bodyParameters].find(({ meaning }) => meaning.kind === 'direction')
      const [usual] = direction ? [sentFor(direction, request)].flat() : []
      for (const parameter of sorts()) {
        const sent = sentFor(parameter, request)
        const { keys } = readSortKeys(sent, typeof usual === 'string' ? usual : undefined, items)
        for (const { pointer, descending } of keys) {
          note(FIELDS, nameOf(pointer))
          note(ORDERS, descending ? 'descending' : 'ascending')
        }
      }
    },
  }
}

function sortsOf({ parameters, bodyParameters }: ListPlan): readonly ListParameter[] {
  return [...parameters, ...bodyParameters].filter(({ meaning }) => meaning.kind === 'sort')
}

function isSortable({ kind, isList, isInList }: ItemMember): boolean {
  return kind !== 'other' && !isList && isInList !== true
}

/** `/address/city` is shown as `address.city`. */
function nameOf(pointer: string): string {
  return pointer.slice(1).replaceAll('/', '.')
}

function sentFor({ name, path }: ListParameter, { query, body }: SentRequest): unknown {
  if (!name.startsWith('/')) return query.has(name) ? query.getAll(name) : undefined
  return path.reduce<unknown>((held, member) => (isObject(held) ? held[member] : undefined), body)
}
