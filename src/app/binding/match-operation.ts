import { isParameter } from '../../contract/template.ts'
import type { Contract, Operation } from '../../contract/contract.ts'
import { readDocumented } from '../../contract/schemas/documented.ts'
import type { Lookup } from '../../contract/pointer.ts'
import { shapeOf } from '../../contract/schemas/shape.ts'
import { shown, StartupError } from '../../base/errors/problem.ts'
import { nearest } from '../../base/errors/wording.ts'
import { asObject, isObject } from '../../base/formats/json.ts'
import type { Handler } from '../../resources/handler.ts'
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
  return Object.fromEntries([...inherited, ...Object.entries(asObject(held.properties))])
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

export const EXTENSION = 'x-standin'

type Builtins = ReadonlyMap<unknown, BuiltinOperation>

/** The built-in operation that the document names, by `x-standin` or by the operationId. */
export function namedOperation(
  { document }: Contract,
  operation: Operation,
  builtins: Builtins,
): BuiltinOperation | 'generated' | undefined {
  const hint = operation.extensions[EXTENSION]
  const named = isObject(hint) ? hint.role : hint
  if (named === 'generated') return named
  const chosen = builtins.get(named)
  if (chosen) return chosen
  // Another service may have an operation of the same name.
  const called = builtins.get(operation.operationId)
  const isMeant =
    called &&
    hasParameter(called, operation) &&
    (!called.isChecked || !fitOperation(operation, called, document).obstacle)
  return isMeant ? called : undefined
}

/** Whether a path names what the operation works on. */
function hasParameter({ parameter }: BuiltinOperation, { parameters }: Operation): boolean {
  return parameter === undefined || parameters.some((one) => one.in === 'path')
}

interface Nameable {
  readonly own: ReadonlyMap<string, Handler>
  readonly builtins: Builtins
  readonly roles: readonly string[]
}

/** @throws StartupError for an `x-standin` that names no operation, and a handler without an operation */
export function refuseUnknown(
  { file, placeOf, operations, document }: Contract,
  { own, builtins, roles }: Nameable,
): void {
  const ids = operations.map(({ operationId }) => operationId)
  const names = [...[...builtins.values()].map(({ name }) => name), 'generated', ...roles]
  const wrong = operations.flatMap((operation) => {
    const { method, path, extensions, pointer, operationId } = operation
    const hint = extensions[EXTENSION]
    const place = () => placeOf(`${pointer}/${EXTENSION}`)
    const named = isObject(hint) ? hint.role : hint
    const builtin = builtins.get(named)
    if (builtin && !hasParameter(builtin, operation))
      return [
        `${place()}: ${method} ${path}: ${builtin.name} needs a parameter in the path, which names what it works on. Add one.`,
      ]
    const obstacle = builtin && !own.has(operationId) ? fitOperation(operation, builtin, document).obstacle : undefined
    if (obstacle !== undefined)
      return [`${place()}: ${pointer}/${EXTENSION}: ${method} ${path} cannot be ${String(named)}: ${obstacle}.`]
    if (named === undefined || names.includes(named as string)) return []
    const meant = typeof named === 'string' ? nearest(named, names) : undefined
    const remedy = meant === undefined ? '' : ` Did you mean \`${meant}\`?`
    return [
      `${place()}: ${method} ${path}: ${EXTENSION} is ${shown(named)}. It may be one of ${names.join(', ')}.${remedy}`,
    ]
  })
  const unknown = [...own.keys()]
    .filter((id) => !ids.includes(id))
    .map((id) => {
      const meant = nearest(id, ids)
      const hint = meant === undefined ? `It has: ${ids.slice(0, 20).join(', ')}.` : `Did you mean \`${meant}\`?`
      return `${file} has no operation \`${id}\` for the handler of that name. ${hint}`
    })
  if (wrong.length + unknown.length > 0) throw new StartupError([...wrong, ...unknown])
}
