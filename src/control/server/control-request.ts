import type { IncomingMessage } from 'node:http'
import { BY_HEADER, firstKey, namedByHeader, namedByKey } from '../../http/sandbox-name.ts'
import type { ControlDependencies, ControlApiDependencies } from './dependencies.ts'
import type { Operation, Parameter } from '../../contract/contract.ts'
import { unknownName, violation, shown, type Violation } from '../../errors/problem.ts'
import { methodNotAllowed, pathInvalid, pathUnknown, requestInvalid } from '../../errors/request-errors.ts'
import { DEFAULT_SANDBOX } from '../../engine/sandboxes.ts'
import type { ParameterValue } from '../../engine/control-route.ts'

/** Where the control API lies. */
export const CONTROL_PATH = '/__mock'

/** A request to the control API, but for its body. */
export interface ControlRequest {
  readonly operation: Operation
  readonly path: Values
  readonly query: Values
  /** The name of the sandbox that is meant. */
  readonly sandbox: string
  /** What named it, for people: `?sandbox=checkout`. */
  readonly sandboxBy: string
}

type Values = Readonly<Record<string, ParameterValue>>

/** @throws Problem 404 and 405, or 400 for parameters that are unknown, repeated or wrong */
export function readControlRequest(
  request: IncomingMessage,
  deps: ControlApiDependencies,
  control: ControlDependencies,
): ControlRequest {
  const [target = '', ...rest] = (request.url ?? '').split('?')
  const { operation, parameters } = findOperation(request.method ?? '', target, control)
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
      ? sandboxOf(request, deps)
      : { sandbox: String(sandbox), sandboxBy: `?sandbox=${String(sandbox)}` }
  return { operation, path, query, ...named }
}

function findOperation(method: string, target: string, { router, paths }: ControlDependencies) {
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
      ? `Known: ${paths.map((path) => CONTROL_PATH + path).join(', ')}.`
      : `Did you mean ${CONTROL_PATH}${route.nearest}?`
  throw pathUnknown({
    detail: `The control API has no path ${target}. ${hint}`,
  })
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
): Record<string, Values[string]> {
  const known = operation.parameters.filter((one) => one.in === 'query')
  const names = known.map(({ name }) => name)
  for (const name of new Set(sent.keys())) {
    if (!names.includes(name)) violations.push(unknownName({ parameter: name }, name, names))
  }
  const values: Record<string, Values[string]> = {}
  for (const parameter of known) {
    const texts = sent.getAll(parameter.name)
    const [text] = texts
    if (texts.length > 1)
      violations.push(violation({ parameter: parameter.name }, 'repeated', 'the parameter once', texts))
    if (text !== undefined) values[parameter.name] = decode(parameter, text, violations)
  }
  return values
}

function decode({ name, type }: Parameter, text: string, violations: Violation[]): Values[string] {
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

/** By header, else by a key of the form `anything@name`. Keys are not checked here. */
function sandboxOf(
  request: IncomingMessage,
  deps: ControlApiDependencies,
): Pick<ControlRequest, 'sandbox' | 'sandboxBy'> {
  const named = namedByHeader(request)
  if (named !== undefined) return { sandbox: named, sandboxBy: BY_HEADER }
  const key = firstKey(request, deps)
  const sandbox = namedByKey(key) ?? DEFAULT_SANDBOX
  return { sandbox, sandboxBy: `the key …@${sandbox}` }
}
