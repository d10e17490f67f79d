import type { GeneratedRequest } from '../responses/generator.ts'
import type { Maker, Style } from './maker.ts'
import type { Operation } from '../contract/contract.ts'
import { partsOf } from '../contract/pointer.ts'
import { isObject } from '../formats/json.ts'
import { type Problem, type Violation } from '../errors/problem.ts'
import { operationRefused } from '../errors/response-errors.ts'

export interface GenerationRequest {
  readonly operation: Operation
  readonly request: GeneratedRequest
  readonly status: number
  /** As the contract has it. */
  readonly mediaType: string
  readonly maker: Maker
  /** The pointer of the schema. */
  readonly place: string
}

const STYLES: readonly Style[] = [
  { examples: true, requiredOnly: false, turn: 0 },
  { examples: false, requiredOnly: false, turn: 0 },
  ...[0, 1, 2, 3].map((turn) => ({ examples: false, requiredOnly: true, turn })),
  ...[1, 2, 3].map((turn) => ({ examples: false, requiredOnly: false, turn })),
]

/** As often are members cut that break the contract, since cutting one may break another. */
const MOST_CUTS = 5

/**
 * A value for the body of an answer that the contract allows. What a maker cannot know, such as what `not` forbids, is found by
 * trying: members that may be left out and break the contract are cut; then it is made without the examples of the schemas; then
 * of what is required alone; then with other alternatives, where the schema has any.
 *
 * @throws Problem 501 with what is wrong when nothing helps: what only arithmetic would find, such as `not: {multipleOf: 2}`
 */
export function makeValid(wish: GenerationRequest): unknown {
  const { operation, request, status, mediaType, maker, place } = wish
  const check = (value: unknown) => operation.checkAnswer(status, value, mediaType)
  let broken: readonly Violation[] = []
  for (const style of STYLES) {
    const made = echoed(maker.make(place, style), request, operation, check)
    const value = cutToFit(made, check)
    broken = check(value)
    if (broken.length === 0) return value
  }
  throw notFound(wish, broken)
}

function notFound({ operation: { method, path }, status }: GenerationRequest, [last]: readonly Violation[]): Problem {
  const why = last ? ` The last one that was tried: ${last.message}` : ''
  return operationRefused({
    detail: `${method} ${path} is not answered with ${status}: no value was found that fits the schema of that response. Give it an example.${why}`,
  })
}

type Check = (value: unknown) => readonly Violation[]

function cutToFit(value: unknown, check: Check): unknown {
  let fitting = value
  for (let round = 0; round < MOST_CUTS; round++) {
    const violations = check(fitting)
    if (violations.length === 0) return fitting
    const places = violations.map(({ pointer = '', code }) => (code === 'required' ? '' : pointer)).filter(Boolean)
    if (places.length === 0) return fitting
    fitting = places.map(partsOf).reduce(without, fitting)
  }
  return fitting
}

/** A copy without the member, or element, at the end of a path of names. */
function without(value: unknown, [name = '', ...rest]: readonly string[]): unknown {
  if (Array.isArray(value)) {
    const elements: readonly unknown[] = value
    if (rest.length === 0) return elements.filter((_, index) => String(index) !== name)
    return elements.map((element, index) => (String(index) === name ? without(element, rest) : element))
  }
  if (!isObject(value) || !Object.hasOwn(value, name)) return value
  const { [name]: held, ...others } = value
  return rest.length === 0 ? others : { ...value, [name]: without(held, rest) }
}

/**
 * What the request tells comes back, where the answer has a member of that name and the contract allows the value: parameters of
 * the path, and of what was sent the plain members. The last parameter of a path that ends with it is the `id` of the answer too.
 */
function echoed(made: unknown, request: GeneratedRequest, { path, method }: Operation, check: Check): unknown {
  if (!isObject(made)) return made
  const before = places(check(made))
  const last = /\{([^{}]+)\}$/.exec(path)?.[1]
  const own = last === undefined ? undefined : request.parameters[last]
  const told: Record<string, unknown> = {
    ...(method === 'GET' || !isObject(request.body) ? {} : plainOf(request.body)),
    ...(own === undefined || last === undefined || !/id$/i.test(last) ? {} : { id: own }),
    ...request.parameters,
  }
  let value: Readonly<Record<string, unknown>> = made
  for (const [name, one] of Object.entries(told)) {
    if (!Object.hasOwn(value, name)) continue
    const tried = { ...value, [name]: typeof value[name] === 'string' ? textOf(one) : one }
    if (places(check(tried)).every((place) => before.includes(place))) value = tried
  }
  return value
}

/** Numbers of paths and bodies are told as texts where the answer has a text. */
function textOf(value: unknown): unknown {
  return typeof value === 'number' || typeof value === 'bigint' ? String(value) : value
}

function places(violations: readonly Violation[]): string[] {
  return violations.map(({ pointer = '', code }) => `${pointer} ${code}`)
}

function plainOf(body: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null && typeof value !== 'object'))
}
