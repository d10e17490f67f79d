import type { Operation } from '../../contract/contract.ts'
import type { Lookup } from '../../contract/schemas/lookup.ts'
import { isObject } from '../../formats/json.ts'
import { BUILTIN_OPERATION_NAMES, type BuiltinOperation } from '../../resources/builtin-operations.ts'

/** The operation of a role that nobody named, or why there is none. */
export type ByShape = Operation | 'none' | 'several'

/**
 * Which operations look like the stateful ones of the service. What a path is called says little, and method and path together
 * say what half of all services have; so the body decides too: it must know the very members that the role lives by. Where two
 * operations look alike, neither is taken, for a guess would be worse than none (decisions/0014-binding-and-generated-responses.md).
 */
export function findByShape(operations: readonly Operation[], lookup: Lookup): ReadonlyMap<BuiltinOperation, ByShape> {
  const found = BUILTIN_OPERATION_NAMES.map((role) => {
    const alike = operations.filter((operation) => hasShape(role, operation, lookup))
    const [only, second] = alike
    return [role, second ? 'several' : (only ?? 'none')] as const
  })
  return new Map<BuiltinOperation, ByShape>(found)
}

function hasShape(role: BuiltinOperation, operation: Operation, lookup: Lookup): boolean {
  const { method, path } = operation
  const segments = path.split('/')
  const last = segments.at(-1) ?? ''
  const endsInParameter = isParameter(last)
  const has = (pointer: string, ...names: readonly string[]) => knowsAll(operation, lookup, pointer, names)
  switch (role) {
    case 'searchFiles':
      return (
        method === 'POST' &&
        !endsInParameter &&
        /search$/i.test(last) &&
        segments.some(isParameter) &&
        has('', 'filters', 'fieldSort')
      )
    case 'createReportSchedule':
      return method === 'POST' && !endsInParameter && hasSchedule(has)
    case 'updateReportSchedule':
      return method === 'PUT' && endsInParameter && hasSchedule(has)
  }
}

function hasSchedule(has: (pointer: string, ...names: readonly string[]) => boolean): boolean {
  return has('', 'title', 'schedule') && has('/schedule', 'frequency', 'daysToRun', 'hourOfDay', 'minOfHour')
}

function isParameter(segment: string): boolean {
  return segment.startsWith('{') && segment.endsWith('}')
}

/** Whether the JSON body knows members of such names at a pointer. */
function knowsAll({ pointer: place }: Operation, lookup: Lookup, pointer: string, names: readonly string[]): boolean {
  const body = lookup.at(`${place}/requestBody/content/application~1json/schema`)
  const schema = pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((held, name) => membersOf(lookup, held)[name], body)
  const members = membersOf(lookup, schema)
  return names.every((name) => Object.hasOwn(members, name))
}

/** As deep as compositions are looked into. */
const DEEPEST = 8

function membersOf(lookup: Lookup, schema: unknown, depth = 0): Readonly<Record<string, unknown>> {
  const held = lookup.follow(schema)
  if (!isObject(held) || depth > DEEPEST) return {}
  const parts: readonly unknown[] = Array.isArray(held.allOf) ? held.allOf : []
  const inherited = parts.flatMap((part) => Object.entries(membersOf(lookup, part, depth + 1)))
  return Object.fromEntries([...inherited, ...Object.entries(isObject(held.properties) ? held.properties : {})])
}
