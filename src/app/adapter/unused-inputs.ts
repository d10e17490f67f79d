import { encodePointer, isObject } from '../../formats/json.ts'
import type { BuiltinOperation } from '../../resources/builtin-operations.ts'

/** What a handler looks at: members of an object by name, elements of a list, or a value as a whole. */
type Looked = { readonly [name: string]: Looked } | readonly [Looked] | true

const SEARCH_QUERY: readonly string[] = ['directoryPath', 'immediateChildren', 'limit', 'next']
const SEARCH_BODY = {
  fieldSort: [{ field: true, order: true }],
  filters: [{ field: true, value: true, not: true, operator: true }],
  dateFilters: [{ field: true, start: true, end: true, not: true }],
} as const
const RECIPIENTS = [{ type: true, value: true }] as const

/** So many are named. */
const MOST_NAMED = 20

/** Parts of a request that have no effect: names of query parameters, and pointers into the body. */
export interface UnusedInputs {
  readonly query: readonly string[]
  readonly body: readonly string[]
}

/** What a contract of the user's own knows of a request, and the handler does not look at. Of a report schedule nearly all is stored. */
export function unusedInputs(role: BuiltinOperation, query: object, body: unknown): UnusedInputs {
  const sent = Object.keys(query)
  return role === 'searchFiles'
    ? { query: sent.filter((name) => !SEARCH_QUERY.includes(name)), body: idleMembers(body, SEARCH_BODY, '') }
    : { query: sent, body: idleRecipients(body) }
}

function idleMembers(value: unknown, looked: Looked, pointer: string): string[] {
  if (looked === true) return []
  if (isList(looked)) {
    const list = Array.isArray(value) ? value.slice(0, MOST_NAMED) : []
    return list
      .flatMap((one: unknown, index) => idleMembers(one, looked[0], `${pointer}/${index}`))
      .slice(0, MOST_NAMED)
  }
  if (!isObject(value)) return []
  return Object.entries(value)
    .flatMap(([name, inner]) => {
      const at = `${pointer}/${encodePointer(name)}`
      const below = Object.hasOwn(looked, name) ? looked[name] : undefined
      return below === undefined ? [at] : idleMembers(inner, below, at)
    })
    .slice(0, MOST_NAMED)
}

function isList(looked: Looked): looked is readonly [Looked] {
  return Array.isArray(looked)
}

function idleRecipients(body: unknown): string[] {
  const schedule = isObject(body) ? body.schedule : undefined
  const recipients = isObject(schedule) ? schedule.additionalRecipients : undefined
  return idleMembers(recipients, RECIPIENTS, '/schedule/additionalRecipients')
}
