import { isEventStream } from '../../contract/media-type.ts'
import { renamed } from './renamed.ts'
import { type ByShape, EXTENSION, findByShape, fitOperation, namedOperation, refuseUnknown } from './match-operation.ts'
import type { Contract, Operation } from '../../contract/contract.ts'
import { readDocumented } from '../../contract/schemas/documented.ts'
import { createLookup, type Lookup } from '../../contract/pointer.ts'
import { createGenerators, type ResponseGenerator, unsupportedReason } from '../generated/generator.ts'
import type { Handler } from '../../resources/handler.ts'
import type {
  BelowItem,
  BuiltinOperation,
  ChangeStream,
  HandlerKind,
  InferredOperations,
  LongPoll,
  Resource,
  StatefulOperation,
} from '../../resources/resource.ts'
import type { Stub } from '../../resources/user-operations/stubs/stub.ts'
import type { Stubs } from '../../resources/user-operations/stubs/load-stubs.ts'
import { hintOfOperation } from '../../resources/collections/infer/hints.ts'
import { createResources } from '../resources.ts'

/** What handles an operation, and why. */
export type Binding = BindingBase & (Stateful | Own | Generated | Refused)

interface BindingBase {
  readonly operation: Operation
  readonly handlerKind: HandlerKind
  /** What decided it, for people: `by operationId`. */
  readonly reason: string
  /** The responses that are declared for some of its requests. */
  readonly stubs?: readonly Stub[]
  /** What it sends of the changes in a collection; absent where it sends none. */
  readonly stream?: ChangeStream | undefined
  /** How its requests wait for something new; absent where they do not. */
  readonly poll?: LongPoll | undefined
  /** Whether it sends server-sent events that are generated. */
  readonly sendsEvents?: true
}

export interface Stateful {
  readonly kind: 'stateful'
  readonly builtin: StatefulOperation
  readonly handler: Handler
  /** The contract's name for the path parameter that the handler reads. */
  readonly parameter: string | undefined
  /** Of an operation that was inferred: generates the responses that a request prefers to those of the state. */
  readonly generator?: ResponseGenerator
}

export interface Own {
  readonly kind: 'own'
  readonly handler: Handler
}

interface Generated {
  readonly kind: 'generated'
  readonly generator: ResponseGenerator
  /** The item that its path goes through; undefined for none. */
  readonly below?: BelowItem | undefined
}

interface Refused {
  readonly kind: 'refused'
}

/** By operationId, in the order of the contract. */
export type Bindings = ReadonlyMap<string, Binding>

interface BindOptions {
  readonly resources?: readonly Resource[]
  /** Users' own handlers, by operationId. */
  readonly own?: ReadonlyMap<string, Handler>
  /** How many documents collections begin with. */
  readonly documents?: number
}

/**
 * Finds what handles each operation: the user's own handler; else the built-in operation that `x-standin` names; else the one of the
 * same operationId; else the one that it looks like; else a generator.
 *
 * @throws StartupError for an `x-standin` that names no operation, and a user's handler without an operation
 */
export function bind(
  contract: Contract,
  { own = NO_HANDLERS, resources = createResources(), documents }: BindOptions = {},
): Bindings {
  const { operations } = contract
  const builtins = new Map(
    resources.flatMap((one) => one.operations.map((builtin) => [builtin.name, builtin] as const)),
  )
  refuseUnknown(contract, { own, builtins, roles: resources.flatMap(({ roles = [] }) => roles) })
  const others = operations.filter((one) => !own.has(one.operationId))
  const named = new Map(others.map((one) => [one, namedOperation(contract, one, builtins)]))
  const unnamed = others.filter((one) => named.get(one) === undefined)
  const found = new Set(named.values())
  const missing = [...builtins.values()].filter((builtin) => !found.has(builtin))
  const lookup = createLookup(contract.document)
  const createGenerator = createGenerators(contract, lookup, documents === 0)
  const byShape: ReadonlyMap<BuiltinOperation, ByShape> = findByShape(missing, unnamed, lookup)
  const shapeOf = (operation: Operation) => missing.find((builtin) => byShape.get(builtin) === operation)
  const alike = missing.filter((builtin) => byShape.get(builtin) === 'several')
  const inferred = infer(
    contract,
    unnamed.filter((one) => !shapeOf(one)),
    resources,
  )
  return new Map(
    operations.map((operation): [string, Binding] => {
      const handler = own.get(operation.operationId)
      const reason = 'by --handlers'
      if (handler) return [operation.operationId, { operation, reason, handlerKind: 'own', kind: 'own', handler }]
      const builtin = named.get(operation) ?? shapeOf(operation)
      if (builtin !== undefined && builtin !== 'generated') return [operation.operationId, stateful(operation, builtin)]
      const found = inferred.operations.get(operation)
      const stream = inferred.streams?.get(operation)
      if (found && unsupportedReason(operation, lookup) === undefined)
        return [
          operation.operationId,
          {
            ...inferredBinding(operation, found),
            stream,
            poll: inferred.waits?.get(operation),
            generator: createGenerator(operation),
          },
        ]
      return [
        operation.operationId,
        {
          ...generatedOrRefused(operation, { lookup, createGenerator, alike, ...inferred }),
          stream,
          ...(sendsEvents(contract, operation) && { sendsEvents: true }),
        },
      ]
    }),
  )
}

/** Whether operations send streams, or wait for something new. */
export function hasStreams(bindings: Bindings): boolean {
  return [...bindings.values()].some(({ stream, poll, sendsEvents }) => stream ?? poll ?? sendsEvents)
}

/** The same with the stubs of users. */
export function withStubs(bindings: Bindings, stubs: Stubs): Bindings {
  if (stubs.size === 0) return bindings
  return new Map(
    [...bindings].map(([id, binding]): [string, Binding] => {
      const own = stubs.get(id)
      return [id, own ? { ...binding, stubs: own } : binding]
    }),
  )
}

/** What resources make of the operations that nothing else handles. A contract without such operations pays nothing. */
function infer(contract: Contract, free: readonly Operation[], resources: readonly Resource[]): InferredOperations {
  const found = free.length === 0 ? [] : resources.flatMap((resource) => resource.infer?.(contract, free) ?? [])
  return {
    operations: new Map(found.flatMap(({ operations }) => [...operations])),
    reasons: new Map(found.flatMap(({ reasons }) => [...reasons])),
    below: new Map(found.flatMap(({ below }) => [...below])),
    streams: new Map(found.flatMap(({ streams }) => [...(streams ?? [])])),
    waits: new Map(found.flatMap(({ waits }) => [...(waits ?? [])])),
  }
}

type InferredOperation = InferredOperations['operations'] extends ReadonlyMap<Operation, infer Found> ? Found : never

function inferredBinding(
  operation: Operation,
  { operation: builtin, reason }: InferredOperation,
): BindingBase & Stateful {
  const { name, handler, parameter } = builtin
  return {
    operation,
    reason,
    kind: 'stateful',
    handlerKind: name,
    builtin,
    parameter: parameter?.name,
    handler,
  }
}

/** What built-in operations lack in the contract, and which operations are refused, each as a sentence. */
export function notesOf({ document }: Contract, bindings: Bindings): string[] {
  return [...bindings.values()].flatMap((binding) => {
    const { method, path } = binding.operation
    if (binding.kind === 'refused') return [`${method} ${path} is refused with 501: ${binding.reason}.`]
    const lack =
      binding.kind === 'stateful' && isBuiltin(binding.builtin)
        ? fitOperation(binding.operation, binding.builtin, document).lack
        : undefined
    return binding.kind === 'stateful' && lack !== undefined
      ? [`${method} ${path} is ${binding.handlerKind}: ${lack}`]
      : []
  })
}

/** Whether an operation of the contract is handled by a built-in operation of the resource. */
export function isBound({ operations }: Resource, bindings: Bindings): boolean {
  const names = new Set(operations.map(({ name }) => name))
  return [...bindings.values()].some((one) => one.kind === 'stateful' && names.has(one.handlerKind))
}

function isBuiltin(operation: StatefulOperation): operation is BuiltinOperation {
  return 'fit' in operation
}

const NO_HANDLERS: ReadonlyMap<string, Handler> = new Map()

function reasonOf(operation: Operation, { name }: BuiltinOperation): string {
  if (operation.extensions[EXTENSION] !== undefined) return `by ${EXTENSION}`
  return operation.operationId === name ? 'by operationId' : 'by its shape'
}

function stateful(operation: Operation, builtin: BuiltinOperation): Binding {
  const { name, handler, parameter: known } = builtin
  // Earlier parameters of the path, such as the id of a tenant, are ignored.
  const parameter = known && operation.parameters.filter((one) => one.in === 'path').at(-1)
  const asInteger = known?.isInteger === true && parameter?.type !== 'integer'
  const isSame = parameter?.name === known?.name && !asInteger
  return {
    operation,
    reason: reasonOf(operation, builtin),
    kind: 'stateful',
    handlerKind: name,
    builtin,
    parameter: parameter?.name,
    handler:
      isSame || known === undefined || parameter === undefined
        ? handler
        : renamed(handler, { known: known.name, called: parameter.name, asInteger }),
  }
}

interface Unbound extends Pick<InferredOperations, 'reasons' | 'below'> {
  readonly lookup: Lookup
  readonly createGenerator: (operation: Operation) => ResponseGenerator
  /** The built-in operations that several operations look like. */
  readonly alike: readonly BuiltinOperation[]
}

function sendsEvents({ document }: Contract, operation: Operation): boolean {
  return (
    operation.method === 'GET' &&
    (readDocumented(document, operation).response(200)?.types.some(isEventStream) ?? false)
  )
}

function generatedOrRefused(
  operation: Operation,
  { lookup, createGenerator, alike, reasons, below }: Unbound,
): Binding {
  const obstacle = unsupportedReason(operation, lookup)
  if (obstacle !== undefined) return { operation, reason: obstacle, handlerKind: 'refused', kind: 'refused' }
  const isChosen = hintOfOperation(operation).role === 'generated'
  const doubt =
    alike.length === 0
      ? ''
      : `; several look like ${alike.map(({ name }) => name).join(' and ')}: name one by ${EXTENSION}`
  const why = reasons.get(operation)
  const reason = isChosen ? `by ${EXTENSION}` : `${why ?? 'no handler knows it'}${doubt}`
  const generator = createGenerator(operation)
  return { operation, reason, handlerKind: 'generated', kind: 'generated', generator, below: below.get(operation) }
}
