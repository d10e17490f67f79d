import { isEventStream } from '../../contract/media-type.ts'
import { triedBodies } from '../adapter/adapt-refusal.ts'
import { headerValues } from '../../contract/parameters/credential-location.ts'
import type { Operation } from '../../contract/contract.ts'
import { Defect } from '../../base/errors/problem.ts'
import type { AppOptions } from '../app-options.ts'
import type { ResponseGenerator } from './generator.ts'
import type { GeneratedRequest } from './responder.ts'
import { preferredResponse } from '../faults/prefer.ts'
import type { PreferredResponse } from './prism.ts'
import { noteViolations, warns } from '../middleware/leave-out-invalid.ts'
import { readParameters } from '../middleware/read-parameters.ts'
import { checkUnknown, readEmpty } from '../middleware/read-request.ts'
import type { RequestContext } from '../middleware/request-context.ts'
import { withNumbers } from '../../base/formats/json.ts'
import { statusProblem } from '../../base/errors/response-errors.ts'
import type { Outcome } from '../../resources/handler.ts'
import { requestInvalid } from '../../base/errors/request-errors.ts'

/**
 * Validates the request of an operation without a handler, and generates the response. No state changes, so other requests may be
 * handled meanwhile.
 *
 * @param declared the response of the document that a stub names
 * @throws Problem for an invalid request or preference
 */
export async function generate(
  context: RequestContext,
  generator: ResponseGenerator,
  { contract, learned, validation }: Pick<AppOptions, 'contract' | 'learned' | 'validation'>,
  declared: PreferredResponse = {},
): Promise<Outcome> {
  const { tracker, request, body: sent } = context
  const { operation, parameters } = context.route
  const { path, violations, unknown } = readParameters(
    operation,
    { segments: parameters, search: context.search, headers: request.headers, bound: undefined },
    tracker,
  )
  const body =
    sent ?? (operation.bodyRequired ? readEmpty(operation, tracker, { violations, isStateful: false }) : undefined)
  checkUnknown(context, { body, members: operation.unknownMembers(body), query: unknown, violations })
  if (body !== undefined)
    violations.push(...(context.bodyFaults ?? (await contract.inTurns(() => operation.checkBody(withNumbers(body))))))
  if (violations.length > 0 && learned?.accepts(operation, violations) !== true) {
    if (!warns(operation, validation)) throw requestInvalid(violations)
    noteViolations(context, violations)
  }
  const asked: GeneratedRequest = {
    seed: context.sandbox.state.seed,
    now: context.now,
    requestId: context.requestId,
    path: context.path,
    search: context.search,
    parameters: path,
    body: body instanceof Uint8Array ? body.length : body,
    accept: headerValues(request.rawHeaders, 'accept').join(', ') || undefined,
    ignoresAccept: () => tracker.ask('http.accept') === 'ignore',
    wanted: { ...declared, ...preferredResponse(request, generator) },
    wordedBodies: (status, schema) =>
      triedBodies(
        { problem: statusProblem(status), status, path: context.path, requestId: context.requestId, now: context.now },
        contract.document,
        { schema },
      ),
  }
  const outcome = await generator.generate(asked)
  context.headers.push('x-mock-generated', 'true')
  return (await pacedEvents(context, outcome, (event) => generator.generate({ ...asked, event }))) ?? outcome
}

/** The same events one by one, where the request reads a stream; undefined for any other response. What does it is loaded with the first. */
async function pacedEvents(
  { tracker, request, sandbox }: RequestContext,
  { body, ...outcome }: Outcome,
  generate: (event: number) => Promise<Outcome>,
): Promise<Outcome | undefined> {
  if (request.method !== 'GET' || !('content' in body) || !isEventStream(body.contentType)) return undefined
  // Events of an example of the document have no number, and there are no others.
  if (!String(body.content).startsWith('id: 1\n')) return undefined
  const { paceEvents } = await import('../streams/pace-events.ts')
  const live = paceEvents({
    pace: tracker.ask('streams.pace'),
    lastEventId: request.headers['last-event-id']?.toString(),
    sandbox,
    contentType: body.contentType,
    async textOf(number) {
      const { body: one } = await generate(number)
      return 'content' in one && one.content.length > 0 ? String(one.content) : undefined
    },
  })
  return live && { ...outcome, headers: { ...outcome.headers, 'cache-control': 'no-cache' }, body: { live } }
}

/**
 * Generates the response of a read that inference cannot show as the contract has it, as if it had not been understood; undefined for
 * any other failure. Each operation is logged once.
 */
export function createGenerateInstead({
  contract,
  learned,
  validation,
  log,
}: Pick<AppOptions, 'contract' | 'learned' | 'validation' | 'log'>) {
  const noted = new Set<Operation>()
  return (context: RequestContext, error: unknown): Promise<Outcome> | undefined => {
    const { binding, stub } = context
    if (!(error instanceof Defect) || binding.kind !== 'stateful' || !binding.generator || stub?.response)
      return undefined
    const { operation, generator } = binding
    const { method, path } = operation
    if (method !== 'GET') return undefined
    if (!noted.has(operation)) {
      const why = error.violations[0]?.message ?? error.message
      log.note(`${method} ${path} is generated, since its collection cannot be shown as documented: ${why}`)
    }
    noted.add(operation)
    return generate(context, generator, { contract, learned, validation })
  }
}

/** A response may break the contract because of what the state has: then that is the problem. */
export function blameState({ binding, sandbox }: RequestContext, error: unknown): unknown {
  if (binding.kind !== 'stateful' || !(error instanceof Defect)) return error
  return binding.builtin.blameState?.(sandbox.state, error.violations) ?? error
}
