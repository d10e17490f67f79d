import type { IncomingMessage } from 'node:http'
import type { Contract, Operation, Parameter } from '../../contract/contract.ts'
import type { Router } from '../../contract/router.ts'
import type { ControlRoute, ControlParameterValue } from '../../engine/control-route.ts'
import type { ControlNeeds } from '../control-needs.ts'
import type { Pause } from '../../engine/slices.ts'
import { DEFAULT_SANDBOX } from '../../engine/sandbox-names.ts'
import { methodNotAllowed, pathInvalid, pathUnknown, requestInvalid } from '../../base/errors/request-errors.ts'
import { shown, unknownName, type Violation, violation } from '../../base/errors/problem.ts'
import { isObject, withNumbers } from '../../base/formats/json.ts'
import { BY_HEADER, firstKey, type KeyLocations, namedByHeader, namedByKey } from '../../http/sandbox-name.ts'
import { CONTROL_PATH } from '../path.ts'

/** A request to the control API, apart from its body. */
export interface ControlRequest {
  readonly operation: Operation
  readonly route: ControlRoute<ControlNeeds>
  readonly path: ParameterValues
  readonly query: ParameterValues
  /** The name of the sandbox. */
  readonly sandbox: string
  /** What named it, for people: `?sandbox=checkout`. */
  readonly sandboxBy: string
  /** Whether the request names it: others use the default one. */
  readonly namesSandbox: boolean
}

/** What requests are read by. */
export interface RequestReader {
  readonly deps: ControlNeeds & KeyLocations
  readonly contract: Contract
  readonly router: Router
  /** By operationId. */
  readonly routes: ReadonlyMap<string, ControlRoute<ControlNeeds>>
}

type ParameterValues = Readonly<Record<string, ControlParameterValue>>

/** @throws Problem 404 or 405, or 400 for parameters that are unknown, repeated or wrong */
export function readControlRequest(request: IncomingMessage, server: RequestReader): ControlRequest {
  const [target = '', ...rest] = (request.url ?? '').split('?')
  const { operation, parameters } = findOperation(request.method ?? '', target, server)
  const { operationId } = operation
  const route = server.routes.get(operationId)
  if (!route) throw new Error(`the control operation ${operationId} has no handler`)
  const violations: Violation[] = []
  const path = Object.fromEntries(
    operation.parameters
      .filter((one) => one.in === 'path')
      .map((one) => [one.name, decode(one, decodeSegment(parameters[one.name] ?? ''), violations)]),
  )
  const { sandbox, ...query } = readQuery(operation, new URLSearchParams(rest.join('?')), violations)
  if (violations.length > 0) throw requestInvalid(violations)
  const named =
    sandbox === undefined
      ? sandboxOf(request, server.deps)
      : { sandbox: String(sandbox), sandboxBy: `?sandbox=${String(sandbox)}`, namesSandbox: true }
  return { operation, route, path, query, ...named }
}

function findOperation(method: string, target: string, { router }: RequestReader) {
  const route = router.route(method, target.slice(CONTROL_PATH.length), 'strict')
  if (route.kind === 'operation') return route
  if (route.kind === 'wrong-method') {
    const allow = route.allowed.join(', ')
    throw methodNotAllowed({
      detail: `${method} is not allowed on ${CONTROL_PATH}${route.path}. Allowed: ${allow}.`,
      headers: { allow },
    })
  }
  const hint =
    route.nearest === undefined
      ? `GET ${CONTROL_PATH}/control.openapi.yaml lists its paths.`
      : `Did you mean ${CONTROL_PATH}${route.nearest}?`
  throw pathUnknown({ detail: `The control API has no path ${target}. ${hint}` })
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    throw pathInvalid({
      detail: `${shown(segment)} is not valid percent-encoded UTF-8. Write %25 for a percent sign.`,
    })
  }
}

function readQuery(
  operation: Operation,
  sent: URLSearchParams,
  violations: Violation[],
): Record<string, ControlParameterValue> {
  const known = operation.parameters.filter((one) => one.in === 'query')
  const names = known.map(({ name }) => name)
  for (const name of new Set(sent.keys())) {
    if (!names.includes(name)) violations.push(unknownName({ parameter: name }, name, names))
  }
  const values: Record<string, ControlParameterValue> = {}
  for (const parameter of known) {
    const texts = sent.getAll(parameter.name)
    const [text] = texts
    if (texts.length > 1)
      violations.push(violation({ parameter: parameter.name }, 'repeated', 'the parameter once', texts))
    if (text !== undefined) values[parameter.name] = decode(parameter, text, violations)
  }
  return values
}

function decode({ name, type }: Parameter, text: string, violations: Violation[]): ControlParameterValue {
  if (type === 'string') return text
  if (type === 'integer' && /^-?\d{1,19}$/.test(text)) {
    const number = Number(text)
    return Number.isSafeInteger(number) ? number : BigInt(text)
  }
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
  const expected = type === 'integer' ? 'an integer' : 'true or false'
  violations.push(violation({ parameter: name }, 'type', expected, text))
  return text
}

/** By the header, else by a key of the form `anything@name`. Keys are not checked here. */
function sandboxOf(
  request: IncomingMessage,
  keys: KeyLocations,
): Pick<ControlRequest, 'sandbox' | 'sandboxBy' | 'namesSandbox'> {
  const named = namedByHeader(request)
  if (named !== undefined) return { sandbox: named, sandboxBy: BY_HEADER, namesSandbox: true }
  const byKey = namedByKey(firstKey(request, keys))
  const sandbox = byKey ?? DEFAULT_SANDBOX
  return { sandbox, sandboxBy: `the key …@${sandbox}`, namesSandbox: byKey !== undefined }
}

/** @throws Problem 400 with everything that the contract refuses and every unknown member */
export async function checkBody(
  { operation, route }: ControlRequest,
  { body, pause }: { readonly body: unknown; readonly pause: Pause },
  { contract, deps }: RequestReader,
): Promise<void> {
  route.precheck?.(body)
  if (!operation.bodyRequired) {
    if (isObject(body) && Object.keys(body).length > 0)
      throw requestInvalid([violation({ pointer: '' }, 'body', 'no body', body)])
    return
  }
  if (body === undefined) throw requestInvalid([violation({ pointer: '' }, 'body', 'a JSON object')])
  await pause()
  const unknown = operation
    .unknownMembers(body)
    .filter((pointer) => route.accepts?.(pointer, deps) !== true)
    .map((pointer) => unknownMember(operation, pointer))
  await pause()
  const value = withNumbers(body)
  await pause()
  const violations = [...(await contract.inTurns(() => operation.checkBody(value))), ...unknown]
  if (violations.length > 0) throw requestInvalid(violations)
}

function unknownMember(operation: Operation, pointer: string): Violation {
  const slash = pointer.lastIndexOf('/')
  return unknownName({ pointer }, pointer.slice(slash + 1), operation.knownMembers(pointer.slice(0, slash)))
}
