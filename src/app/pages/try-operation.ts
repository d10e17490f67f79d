import type { Answered, Tried } from '../../control/working-request.ts'
import type { Sandbox } from '../../engine/sandbox.ts'
import { inSlices } from '../../engine/slices.ts'
import { isObject, parseJson } from '../../base/formats/json.ts'
import type { DryRun } from '../../resources/dry-run.ts'
import { NotReady, type Outcome } from '../../resources/handler.ts'
import type { PathValues, NamedTarget } from '../../resources/resource.ts'
import type { AppOptions } from '../app-options.ts'
import type { Binding } from '../binding/binding.ts'
import { createReadyRequests, pathOf, type ReadyRequest } from './ready-request.ts'

interface TryDependencies extends Pick<AppOptions, 'contract' | 'bindings' | 'contractAdapter' | 'slices'> {
  readonly dryRun: DryRun
}

interface TryOptions {
  /** Whether to find out what it responds, which takes milliseconds. */
  readonly isAnswered: boolean
  /** A body that the operation accepted before; undefined for none. */
  readonly sent: unknown
}

/**
 * Finds a request that an operation accepts now, as the start page shows it but for things that the sandbox has, and what it responds. It
 * sends none and changes nothing.
 */
export type TryOperation = (operationId: string, sandbox: Sandbox, options: TryOptions) => Promise<Tried | undefined>

export function createTryOperation(deps: TryDependencies): TryOperation {
  const readyRequest = createReadyRequests(deps.contract)
  return async (operationId, sandbox, { isAnswered, sent }) => {
    const binding = deps.bindings.get(operationId)
    if (!binding || binding.kind === 'own' || binding.kind === 'refused') return undefined
    const ready = await readyRequest(binding, { withBody: isAnswered })
    const dependsOn = binding.kind === 'stateful' ? (binding.builtin.dependsOn ?? []) : []
    // The items of a collection may have to be made first, so a large contract has them for its first operations alone.
    const found = isAnswered ? await findTargets(binding, sandbox, ready.path) : []
    // What is deleted is none of the things that the other requests name.
    const targets = binding.operation.method === 'DELETE' ? found.toReversed() : found
    const requests = (targets.length === 0 ? [{ path: {} }] : targets).map((target) => requestFor(ready, target))
    const [likeliest = ready] = requests
    if (!isAnswered) return { request: likeliest, dependsOn, answered: undefined }
    for (const made of requests)
      for (const request of sent === undefined ? [made] : [{ ...made, body: sent }, made]) {
        const answered = await answerTo(binding, request, { ...deps, sandbox })
        if (answered) return { request, dependsOn, answered: answered === true ? undefined : answered }
      }
    return { request: likeliest, dependsOn, answered: undefined }
  }
}

function requestFor(ready: ReadyRequest, { path, body }: NamedTarget): ReadyRequest {
  const named = body && isObject(ready.body) ? { ...body, ...ready.body } : ready.body
  return { ...ready, path: { ...ready.path, ...path }, body: named }
}

/** By the contract's names. */
async function findTargets(
  binding: Exclude<Binding, { kind: 'own' | 'refused' }>,
  sandbox: Sandbox,
  given: PathValues,
): Promise<readonly NamedTarget[]> {
  if (binding.kind === 'generated') return (await binding.below?.findTargets?.(sandbox.state, given)) ?? []
  const { builtin, parameter } = binding
  const found = (await builtin.findTargets?.(sandbox.state, given)) ?? []
  const own = builtin.parameter?.name
  if (own === undefined || parameter === undefined || own === parameter) return found
  return found.map(({ path: { [own]: value = '', ...others }, ...rest }) => ({
    ...rest,
    path: { ...others, [parameter]: value },
  }))
}

interface OperationTrial extends TryDependencies {
  readonly sandbox: Sandbox
}

/** What a success looks like, or true where it cannot be shown; undefined for anything else. */
async function answerTo(
  binding: Binding,
  request: ReadyRequest,
  trial: OperationTrial,
): Promise<Answered | true | undefined> {
  try {
    const outcome = await respond(binding, request, trial)
    return outcome.status < 300 ? (readOutcome(outcome) ?? true) : undefined
  } catch {
    // The made-up request names something that is not there, for instance.
    return undefined
  }
}

async function respond(binding: Binding, sent: ReadyRequest, trial: OperationTrial): Promise<Outcome> {
  const { sandbox, dryRun, contractAdapter, slices } = trial
  const { operation } = binding
  const now = sandbox.now()
  if (binding.kind === 'generated')
    return binding.generator.generate({
      ...{ seed: sandbox.state.seed, now, path: operation.basePath + pathOf(operation, sent.path) },
      ...{ search: String(new URLSearchParams(sent.query)), parameters: sent.path, body: sent.body },
      ...{ requestId: '', accept: undefined, wanted: {}, ignoresAccept: () => true, wordedBodies: () => [] },
    })
  if (binding.kind !== 'stateful') throw new Error(`${operation.operationId} is not tried`)
  const { handler, parameter, builtin } = binding
  const { operationId } = operation
  const path = Object.fromEntries(
    Object.entries(sent.path).map(([name, value]) => [
      name === parameter ? (builtin.parameter?.name ?? name) : name,
      value,
    ]),
  )
  await handler.prepare?.(sandbox.state, sent.path, (name) => sent.headers[name])
  const simulated = {
    ...{ handlerKind: '', operationId, path, query: sent.query, headers: sent.headers },
    // Handlers that take no body get none.
    ...(sent.body === undefined && handler.takesNothing ? { body: undefined } : { body: sent.body ?? {} }),
    pointers: { body: '', query: '' },
  }
  for (let tries = 0; ; tries++)
    try {
      const outcome = await inSlices(dryRun(simulated, sandbox).validateAndRead().work(), slices.begin())
      return contractAdapter?.of(operationId)?.outcome(outcome, now) ?? outcome
    } catch (error) {
      if (!(error instanceof NotReady) || tries >= MAX_TRIES) throw error
      await inSlices(error.steps, slices.begin())
    }
}

const MAX_TRIES = 5

/** Entries of a page that are shown. */
const MAX_ENTRIES = 3

function readOutcome({ status, body }: Outcome): Answered | undefined {
  const answered = { status, source: 'The example response is what this server would respond now.' }
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
