import { heedStrangers } from './decide.ts'
import { bareProblem } from './bare-problem.ts'
import type { Routed } from './find-route.ts'
import { triedBodies } from './follow-refusal.ts'
import { valuesOf } from './header.ts'
import { wantedAnswer } from './prefer.ts'
import { readEmpty } from './read-empty.ts'
import { readParameters } from './read-parameters.ts'
import { type Exchange, setHeader } from './underway.ts'
import type { Generated } from '../binding.ts'
import { withNumbers } from '../json.ts'
import { type Outcome, requestInvalid } from '../operations/handler.ts'

/**
 * Answers an operation that no handler knows, after its request was held against the contract as any other is. It changes nothing,
 * so others may be decided while it is made.
 *
 * @throws Problem for a request, or a preference, that is not valid
 */
export async function generate(
  ex: Exchange,
  { operation, parameters }: Routed,
  { generator }: Generated,
  sent: unknown,
): Promise<Outcome> {
  const { house, leaning, request } = ex
  const { path, violations, unknown } = readParameters(
    operation,
    { segments: parameters, search: ex.search, headers: request.headers, bound: undefined },
    leaning,
  )
  const body =
    sent ?? (operation.bodyRequired ? readEmpty(operation, leaning, { violations, isStateful: false }) : undefined)
  heedStrangers(ex, { body, strange: operation.unknownMembers(body), query: unknown, violations })
  if (body !== undefined)
    violations.push(...(ex.bodyFaults ?? (await house.contract.inTurns(() => operation.checkBody(withNumbers(body))))))
  if (violations.length > 0) throw requestInvalid(violations)
  const outcome = await generator.generate({
    seed: ex.sandbox.world.seed,
    now: ex.now,
    path: ex.path,
    search: ex.search,
    parameters: path,
    body: body instanceof Uint8Array ? body.length : body,
    accept: valuesOf(request, 'accept').join(', ') || undefined,
    wanted: wantedAnswer(request, generator),
    wordedBodies: (status, schema) =>
      triedBodies(
        { problem: bareProblem(status), status, path: ex.path, requestId: ex.requestId, now: ex.now },
        house.contract.document,
        schema,
      ),
  })
  setHeader(ex, 'x-mock-generated', 'true')
  return outcome
}
