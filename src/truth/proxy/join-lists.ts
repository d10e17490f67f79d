import type { IncomingMessage } from 'node:http'
import type { AppInstance } from '../../app/app-instance.ts'
import type { Binding, Stateful } from '../../app/binding/binding.ts'
import { createCall, headerOf, readRequest } from '../../app/middleware/read-request.ts'
import type { RequestContext, Routed } from '../../app/middleware/request-context.ts'
import { Problem } from '../../base/errors/problem.ts'
import { parseJson, stringifyJson } from '../../base/formats/json.ts'
import type { Route } from '../../contract/router.ts'
import { inSlices } from '../../engine/slices.ts'
import { NotReady } from '../../resources/handler.ts'
import type { ForwardDependencies, JoinBody } from './forwarded.ts'
import { fieldOf } from './forwarded-headers.ts'

/** What became of a list: `added=1, changed=0, hidden=0`, or `no; ` and why. */
const JOINED = 'x-mock-joined'

/** Characters; longer ones would hold up other requests. */
const LONGEST_LIST = 2 ** 21

type Joinable = Extract<Binding, Stateful> & {
  readonly builtin: { readonly join: NonNullable<Stateful['builtin']['join']> }
}

/** Finds the lists of the service that get what was created here. */
export function createJoining(
  instance: AppInstance,
  routeOf: (request: IncomingMessage) => Route,
): NonNullable<ForwardDependencies['joining']> {
  return ({ context }, { statusCode = 0, rawHeaders }) => {
    const { request } = context
    if (request.method !== 'GET' || statusCode >= 300) return undefined
    const route = routeOf(request)
    const binding = route.kind === 'operation' ? instance.bindings.get(route.operation.operationId) : undefined
    if (route.kind !== 'operation' || binding?.kind !== 'stateful' || !isJoinable(binding)) return undefined
    return async (text) => {
      if (text === undefined) return unjoined('the response is not JSON')
      if (text.length > LONGEST_LIST) return unjoined(`the response has more than ${LONGEST_LIST} characters`)
      Object.assign(context, { route, binding, identity: instance.keys.anyone })
      return join(context, { route, binding, text, header: (name) => fieldOf(rawHeaders, name) }, instance)
    }
  }
}

/** The operations of lists that can be joined, by id. */
export function joinableOperations({ bindings }: Pick<AppInstance, 'bindings'>): readonly string[] {
  return [...bindings].flatMap(([id, binding]) => (binding.kind === 'stateful' && isJoinable(binding) ? [id] : []))
}

function isJoinable(binding: Extract<Binding, Stateful>): binding is Joinable {
  return binding.builtin.join !== undefined && binding.operation.method === 'GET'
}

interface ReceivedList {
  readonly route: Routed
  readonly binding: Joinable
  readonly text: string
  header(name: string): string | undefined
}

async function join(
  context: RequestContext,
  { route, binding, text, header }: ReceivedList,
  { contract, slices }: Pick<AppInstance, 'contract' | 'slices'>,
): ReturnType<JoinBody> {
  const { state } = context.sandbox
  try {
    await binding.handler.prepare?.(state, route.parameters, (name) => headerOf(context.request, name))
    const { parts, violations } = readRequest(context, binding, undefined)
    if (violations[0]) return unjoined(violations[0].message)
    const asked = { state, call: createCall(context, parts, undefined, { contract }) }
    const page = { body: parseJson(text), header }
    const joined = await inSlices(binding.builtin.join(asked, page), slices.begin())
    if ('reason' in joined) return unjoined(joined.reason)
    const { body, headers, added, changed, hidden } = joined
    const said = `added=${added}, changed=${changed}, hidden=${hidden}`
    return { text: stringifyJson(body), headers: { ...headers, [JOINED]: said } }
  } catch (error) {
    if (error instanceof NotReady) {
      await inSlices(error.steps, slices.begin())
      return join(context, { route, binding, text, header }, { contract, slices })
    }
    if (error instanceof Problem || error instanceof SyntaxError) return unjoined(error.message)
    throw error
  }
}

function unjoined(reason: string): Awaited<ReturnType<JoinBody>> {
  const line = `no; ${reason}`.replaceAll(/\s+/g, ' ').replaceAll(/[^ -~]/g, '?')
  return { text: undefined, headers: { [JOINED]: line.slice(0, LONGEST_HEADER) } }
}

/** Characters. */
const LONGEST_HEADER = 400
