import type { AppOptions } from './app-options.ts'
import type { Binding } from './binding/binding.ts'
import { unknownMemberError, unknownMembers, validateAndRead } from './middleware/read-request.ts'
import { type Parameters, readParameters } from './middleware/read-parameters.ts'
import type { DryRun, DryRunRequest, SimulatedRequest } from '../resources/dry-run.ts'
import { type BehaviourTracker, createBehaviourTracker } from '../behaviours/tracker.ts'
import type { Operation } from '../contract/contract.ts'
import { violation, Problem, type Violation } from '../base/errors/problem.ts'
import { encodePointer } from '../base/formats/json.ts'
import { type Call, type Handler } from '../resources/handler.ts'
import { runWork } from '../engine/slices.ts'
import { operationMissing } from '../base/errors/response-errors.ts'
import { requestInvalid } from '../base/errors/request-errors.ts'

type Simulated = Required<SimulatedRequest>

type StatefulBinding = Extract<Binding, { readonly kind: 'stateful' }>

type DryRunDependencies = Pick<AppOptions, 'bindings' | 'contractAdapter' | 'keys'>

/**
 * Asks the emulated service how it would read a request, without sending one. Runs the same steps as a real request, from parameters to
 * decision, as the default caller, without changing state.
 */
export function createDryRun(deps: DryRunDependencies): DryRun {
  return (simulated, sandbox) => {
    const described: Simulated = { path: {}, query: {}, body: {}, headers: {}, operationId: '', ...simulated }
    refuseLoneSurrogates(described)
    const binding = findBinding(deps, described)
    const { operation, handler } = binding
    const tracker = createBehaviourTracker(sandbox.behaviours)
    const { path, query, violations } = withCallerPointers(
      () => readDescribedParameters(described, binding, tracker),
      described,
    )
    const adaptation = deps.contractAdapter?.of(operation.operationId)?.adaptation
    const call: Call = {
      operationId: operation.operationId,
      requestId: '',
      path,
      query,
      body: handler.normalizeBody ? handler.normalizeBody(described.body, tracker, adaptation) : described.body,
      header: () => undefined,
      url: () => '',
      origin: () => 'http://localhost',
      identity: deps.keys.anyone,
      key: () => '',
      now: sandbox.now(),
      tracker,
      adaptation,
    }
    return {
      call,
      validateAndRead() {
        const broken = [...violations, ...unknownMemberViolations(operation, handler, call)]
        const reading = withCallerPointers(
          () =>
            validateAndRead(sandbox.state, call, { operation, handler, violations: broken, record: tracker.record }),
          described,
        ).made
        return {
          decide: () => withCallerPointers(() => runWork(reading.decide()), described),
          work: () => reading.decide(),
        }
      },
    } satisfies DryRunRequest
  }
}

/** Reads the parameters of a request. Callers and explanations use the handler's name for the path parameter. */
function readDescribedParameters(
  { path, query, headers }: Simulated,
  binding: StatefulBinding,
  tracker: BehaviourTracker,
): Parameters {
  const { operation, builtin, parameter } = binding
  const known = builtin.parameter?.name
  const segments = Object.entries(path).map(
    ([name, text]) => [name === known ? (parameter ?? name) : name, encodeURIComponent(text)] as const,
  )
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))
  const lowerCase = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])
  const sent = {
    ...{ segments: Object.fromEntries(segments), search: search.toString(), bound: binding },
    headers: Object.fromEntries(lowerCase) as Readonly<Record<string, string>>,
  }
  const read = readParameters(operation, sent, tracker)
  if (known === undefined || parameter === undefined) return read
  return { ...read, path: { ...read.path, [known]: read.path[parameter] ?? '' } }
}

/** Refuses lone surrogates, which cannot be percent-encoded. @throws Problem 400 */
function refuseLoneSurrogates({ path, query, pointers }: Simulated): void {
  const values = [
    ...Object.entries(path).map(([name, value]) => [pointers.parameters?.[name] ?? '', value] as const),
    ...Object.entries(query).map(
      ([name, value]) => [`${pointers.query}/${encodePointer(name)}`, String(value)] as const,
    ),
  ]
  const violations = values.flatMap(([pointer, value]) =>
    value.isWellFormed() ? [] : [violation({ pointer }, 'encoding', 'text without lone surrogates', value)],
  )
  if (violations.length > 0) throw requestInvalid(violations)
}

/** @throws Problem 409 where the contract has no such operation, or it has another handler */
function findBinding({ bindings }: DryRunDependencies, { handlerKind, operationId }: Simulated): StatefulBinding {
  for (const binding of bindings.values())
    if (
      binding.kind === 'stateful' &&
      (binding.handlerKind === handlerKind || binding.operation.operationId === operationId)
    )
      return binding
  throw operationMissing({
    detail: `No operation of the contract is bound to ${handlerKind}, so there is nothing to explain. See standin check.`,
  })
}

function unknownMemberViolations(operation: Operation, handler: Handler, call: Call): Violation[] {
  const { body, tracker } = call
  const strange = unknownMembers(operation, handler, call)
  if (strange.length === 0 || tracker.ask('body.unknown') !== 'error') return []
  return strange.map((pointer) => unknownMemberError(body, pointer))
}

/** Moves the pointers of a refusal to where the request is described in the control request. */
function withCallerPointers<Result>(read: () => Result, described: Simulated): Result {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const violations = error.violations.map((violation) => movePointer(violation, described))
    if (error.status === 400 && violations.length > 0) throw requestInvalid(violations)
    const [first] = error.violations
    const detail = error.message === first?.message ? violations[0]?.message : undefined
    throw error.with({ detail: detail ?? error.message, violations })
  }
}

/** The violation at its place in what the caller sent, also where its message names the place. */
function movePointer(violation: Violation, { pointers }: Simulated): Violation {
  const { pointer, parameter, ...rest } = violation
  if (pointer === undefined && parameter === undefined) return violation
  const place =
    parameter === undefined
      ? `${pointers.body}${pointer ?? ''}`
      : (pointers.parameters?.[parameter] ?? `${pointers.query}/${encodePointer(parameter)}`)
  const inBody = pointer === '' ? 'the body' : pointer
  const named = `${parameter ?? inBody ?? ''}: `
  const { message } = violation
  return {
    ...rest,
    pointer: place,
    message: message.startsWith(named) ? `${place}: ${message.slice(named.length)}` : message,
  }
}
