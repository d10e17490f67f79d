import { encodePointer, isObject } from '../../formats/json.ts'
import type { BuiltinOperation } from '../../resources/builtin-operations.ts'

/** What a handler reads: members of an object by name, elements of a list, or a whole value. */
type Read = { readonly [name: string]: Read } | readonly [Read] | true

const SEARCH_QUERY: readonly string[] = ['directoryPath', 'immediateChildren', 'limit', 'next']
const SEARCH_BODY = {
  fieldSort: [{ field: true, order: true }],
  filters: [{ field: true, value: true, not: true, operator: true }],
  dateFilters: [{ field: true, start: true, end: true, not: true }],
} as const
const RECIPIENTS = [{ type: true, value: true }] as const

/** The most that are listed. */
const MOST_NAMED = 20

/** Parts of a request that have no effect: names of query parameters, and pointers into the body. */
export interface UnusedInputs {
  readonly query: readonly string[]
  readonly body: readonly string[]
}

/** What the user's contract names in a request and the handler ignores. Of a report schedule nearly everything is stored. */
export function unusedInputs(role: BuiltinOperation, query: object, body: unknown): UnusedInputs {
  const sent = Object.keys(query)
  return role === 'searchFiles'
    ? { query: sent.filter((name) => !SEARCH_QUERY.includes(name)), body: unusedMembers(body, SEARCH_BODY, '') }
    : { query: sent, body: unusedRecipients(body) }
}

function unusedMembers(value: unknown, read: Read, pointer: string): string[] {
  if (read === true) return []
  if (isList(read)) {
    const list = Array.isArray(value) ? value.slice(0, MOST_NAMED) : []
    return list
      .flatMap((one: unknown, index) => unusedMembers(one, read[0], `${pointer}/${index}`))
      .slice(0, MOST_NAMED)
  }
  if (!isObject(value)) return []
  return Object.entries(value)
    .flatMap(([name, inner]) => {
      const at = `${pointer}/${encodePointer(name)}`
      const below = Object.hasOwn(read, name) ? read[name] : undefined
      return below === undefined ? [at] : unusedMembers(inner, below, at)
    })
    .slice(0, MOST_NAMED)
}

function isList(read: Read): read is readonly [Read] {
  return Array.isArray(read)
}

function unusedRecipients(body: unknown): string[] {
  const schedule = isObject(body) ? body.schedule : undefined
  const recipients = isObject(schedule) ? schedule.additionalRecipients : undefined
  return unusedMembers(recipients, RECIPIENTS, '/schedule/additionalRecipients')
}
