import type { Operation } from '../../contract/contract.ts'
import { readDocumented } from '../../contract/schemas/documented.ts'
import type { Lookup } from '../../contract/pointer.ts'
import { shapeOf } from '../../contract/schemas/shape.ts'
import { isObject } from '../../formats/json.ts'
import type { BuiltinOperation, Fit, OperationOutline } from '../../resources/resource.ts'

/** The operation that a built-in operation is bound to by its shape, or why there is none. */
export type ByShape = Operation | 'none' | 'several'

/**
 * Finds the operations that look like built-in ones by method, path and members of the body. If two look alike, neither is bound: a
 * wrong guess is worse than none (decisions/0014-binding-and-generated-responses.md).
 */
export function findByShape(
  builtins: readonly BuiltinOperation[],
  operations: readonly Operation[],
  lookup: Lookup,
): ReadonlyMap<BuiltinOperation, ByShape> {
  const outlines = operations.map((operation) => [operation, outlineOf(operation, lookup)] as const)
  return new Map(
    builtins.map((builtin): [BuiltinOperation, ByShape] => {
      const [first, second] = outlines.filter(([, outline]) => builtin.looksLike(outline))
      return [builtin, second ? 'several' : (first?.[0] ?? 'none')]
    }),
  )
}

function outlineOf({ method, path, pointer: place }: Operation, lookup: Lookup): OperationOutline {
  const segments = path.split('/')
  const content = 'content/application~1json/schema'
  return {
    method,
    segments,
    endsInParameter: isParameter(segments.at(-1) ?? ''),
    bodyHas: (pointer, ...names) => knowsAll(lookup, lookup.at(`${place}/requestBody/${content}`), pointer, names),
    responseHas: (pointer, ...names) =>
      knowsAll(lookup, lookup.at(`${place}/responses/200/${content}`), pointer, names),
  }
}

function isParameter(segment: string): boolean {
  return segment.startsWith('{') && segment.endsWith('}')
}

/** Whether a schema has members of such names at a pointer. */
function knowsAll(lookup: Lookup, whole: unknown, pointer: string, names: readonly string[]): boolean {
  const schema = pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((held, name) => membersOf(lookup, held)[name], whole)
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

/** How an operation of a contract fits a built-in one. Only what schemas name is looked at: one that names nothing is no obstacle. */
export function fitOperation(operation: Operation, builtin: BuiltinOperation, document: unknown): Fit {
  const documented = readDocumented(document, operation)
  const success = documented.statuses.find((status) => status.startsWith('2'))
  const response = success === undefined ? undefined : documented.response(success === '2XX' ? 200 : Number(success))
  return builtin.fit({
    operation,
    body: shapeOf(document, documented.body, 'any'),
    response: shapeOf(document, response?.schema ?? {}, 'any'),
    document,
  })
}
