import type { Answered } from '../../control/answered-document.ts'
import type { Contract } from '../../contract/contract.ts'
import type { Sandbox } from '../../engine/sandbox.ts'
import { inSlices, type Slices } from '../../engine/slices.ts'
import { parseJson } from '../../formats/json.ts'
import type { DryRun } from '../../resources/dry-run.ts'
import { NotReady, type Outcome } from '../../resources/handler.ts'
import type { ContractAdapter } from '../adapter/contract-adapter.ts'
import type { Binding, Bindings } from '../binding/binding.ts'
import { createReadyRequests, pathOf, type ReadyRequest } from './ready-request.ts'

interface TryDependencies {
  readonly contract: Contract
  readonly bindings: Bindings
  readonly contractAdapter: ContractAdapter | undefined
  readonly dryRun: DryRun
  readonly slices: Slices
}

/** Responds to the request that the page at `/` shows for an operation, without sending one and without changing anything. */
export type TryOperation = (operationId: string, sandbox: Sandbox) => Promise<Answered | undefined>

export function createTryOperation(deps: TryDependencies): TryOperation {
  const readyRequest = createReadyRequests(deps.contract)
  return async (operationId, sandbox) => {
    const binding = deps.bindings.get(operationId)
    if (!binding || binding.kind === 'own' || binding.kind === 'refused') return undefined
    const sent = await readyRequest(binding)
    try {
      const outcome = await respond(binding, sent, { ...deps, sandbox })
      return outcome.status < 300 ? readOutcome(outcome, sent) : undefined
    } catch {
      // The page has the examples of the contract then: the made-up request names something that is not there, for instance.
      return undefined
    }
  }
}

interface Trial extends TryDependencies {
  readonly sandbox: Sandbox
}

async function respond(binding: Binding, sent: ReadyRequest, trial: Trial): Promise<Outcome> {
  const { sandbox, dryRun, contractAdapter, slices } = trial
  const { operation } = binding
  const now = sandbox.now()
  if (binding.kind === 'generated')
    return binding.generator.generate({
      ...{ seed: sandbox.state.seed, now, path: operation.basePath + pathOf(operation, sent.path) },
      ...{ search: String(new URLSearchParams(sent.query)), parameters: sent.path, body: sent.body },
      ...{ accept: undefined, wanted: {}, wordedBodies: () => [] },
    })
  if (binding.kind !== 'stateful') throw new Error(`${operation.operationId} is not tried`)
  const { handlerKind, handler, parameter, builtin } = binding
  const path = Object.fromEntries(
    Object.entries(sent.path).map(([name, value]) => [
      name === parameter ? (builtin.parameter?.name ?? name) : name,
      value,
    ]),
  )
  await handler.prepare?.(sandbox.state, sent.path)
  const simulated = { handlerKind, path, query: sent.query, body: sent.body ?? {}, pointers: { body: '', query: '' } }
  for (let tries = 0; ; tries++)
    try {
      const outcome = await inSlices(dryRun(simulated, sandbox).validateAndRead().work(), slices.begin())
      return contractAdapter?.of(operation.operationId)?.outcome(outcome, now) ?? outcome
    } catch (error) {
      if (!(error instanceof NotReady) || tries >= MAX_TRIES) throw error
      await inSlices(error.steps, slices.begin())
    }
}

const MAX_TRIES = 5

/** Entries of a page that are shown. */
const MAX_ENTRIES = 3

function readOutcome({ status, body }: Outcome, { body: sent }: ReadyRequest): Answered | undefined {
  const answered = { status, sent, source: 'The example response is what this server would respond now.' }
  if ('json' in body) return { ...answered, mediaType: 'json', body: body.json }
  if ('content' in body) {
    const { content, contentType } = body
    const mediaType = contentType.split(';')[0] ?? ''
    return typeof content === 'string' && mediaType.endsWith('json')
      ? { ...answered, mediaType, body: parseJson(content) }
      : undefined
  }
  if (!('page' in body) || body.page.streamed) return undefined
  const files = [...body.page.fragments].slice(0, MAX_ENTRIES).map(({ text }) => parseJson(text))
  return { ...answered, mediaType: 'json', body: { files, pageContext: body.page.context(), ...body.page.added } }
}
