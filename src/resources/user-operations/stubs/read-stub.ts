import { validateHeaderName } from 'node:http'
import type { Contract, Operation } from '../../../contract/contract.ts'
import { createLookup } from '../../../contract/pointer.ts'
import type { Documented } from '../../../contract/schemas/documented.ts'
import { bareType, isJson } from '../../../contract/media-type.ts'
import type { Fault } from '../../../engine/faults/fault.ts'
import type { StateRules } from '../../../engine/state.ts'
import { shown } from '../../../base/errors/problem.ts'
import { didYouMean } from '../../../base/errors/wording.ts'
import { asList, encodePointer, isObject, type Members, withNumbers } from '../../../base/formats/json.ts'
import { readMembers } from '../../fixture-reader.ts'
import { readConditions } from './condition.ts'
import { examplesIn } from './paired-examples.ts'
import { FIRST_STATE, type Stub, type StubResponse, type StubScenario } from './stub.ts'
import { type ChangeReader, readChanges, type StubChange } from './stub-changes.ts'
import { createStubHandler } from './stub-handler.ts'
import { type FilledTemplate, readTemplate, type TemplateSource } from './template.ts'

/** What a stub is read with. */
export interface StubParts extends ChangeReader {
  readonly contract: Pick<Contract, 'document'>
  readonly operation: Operation
  /** What the document has for the operation. */
  readonly documented: Documented
  rules(): StateRules
  /** Reads a fault as the control API takes it; undefined after a complaint. */
  readFault(given: unknown, name: string, pointer: string): Fault | undefined
}

export const STUB_MEMBERS = [
  'name',
  'description',
  'operation',
  'when',
  'respond',
  'change',
  'fault',
  'times',
  'repeat',
  'scenario',
]
const RESPONSE_MEMBERS = ['status', 'headers', 'body', 'contentType', 'example', 'validate']

/** The most responses of a stub, one after the other. */
const MAX_RESPONSES = 1000

interface NamedStub extends Pick<Stub, 'name' | 'place'>, Partial<Pick<Stub, 'isPair'>> {
  readonly pointer: string
}

/** Reads a stub whose operation is known. @param place for messages: `stubs.yaml:3` */
export function readStub(given: Members, { name, pointer, place, isPair = false }: NamedStub, parts: StubParts): Stub {
  const { complain } = parts
  const { when, respond, change, fault, times, repeat = false, scenario } = given
  if (typeof repeat !== 'boolean') complain(`${pointer}/repeat`, `expected true or false, got ${shown(repeat)}.`)
  if (times !== undefined && !(Number.isInteger(times) && Number(times) >= 1))
    complain(`${pointer}/times`, `expected how many requests it is for, from 1; got ${shown(times)}.`)
  if (respond === undefined && fault === undefined) complain(pointer, 'it does nothing. Give it `respond` or `fault`.')
  if (respond === undefined && change !== undefined)
    complain(
      `${pointer}/change`,
      'it has no `respond`, and changes come with a response. Add `respond: {}` for a documented one.',
    )
  const isList = Array.isArray(respond)
  const list = isList ? (respond as readonly unknown[]) : respond === undefined ? [] : [respond]
  if ((isList && list.length === 0) || list.length > MAX_RESPONSES)
    complain(`${pointer}/respond`, `expected one response, or a list of 1 to ${MAX_RESPONSES}; got ${list.length}.`)
  const changes = readChanges(change, `${pointer}/change`, parts)
  const faults = asList(Array.isArray(fault) || fault === undefined ? fault : [fault]).flatMap((one, index, all) => {
    const at = `${pointer}/fault${Array.isArray(fault) ? `/${index}` : ''}`
    return parts.readFault(one, all.length === 1 ? name : `${name} ${index + 1}`, at) ?? []
  })
  return {
    name,
    place,
    isPair,
    matches: readConditions(when, `${pointer}/when`, parts),
    scenario: readScenario(scenario, `${pointer}/scenario`, parts),
    times: times as number | undefined,
    isRepeated: repeat === true,
    responses: list.map((one, index) =>
      readResponse(one, `${pointer}/respond${isList ? `/${index}` : ''}`, { ...parts, place, name, isPair, changes }),
    ),
    faults,
  }
}

function readScenario(given: unknown, pointer: string, parts: StubParts): StubScenario | undefined {
  if (given === undefined) return undefined
  const { name, when, becomes } = readMembers(given, pointer, ['name', 'when', 'becomes'], 'A scenario', parts)
  const texts = Object.entries({ name, when, becomes }).filter(([, one]) => one !== undefined)
  for (const [member, one] of texts)
    if (typeof one !== 'string' || one === '')
      parts.complain(`${pointer}/${member}`, `expected a name, got ${shown(one)}.`)
  if (name === undefined || (when === undefined && becomes === undefined))
    parts.complain(
      pointer,
      `expected { name: order, when: paid, becomes: shipped }: a name, and \`when\`, \`becomes\` or both. It begins in the state ${FIRST_STATE}.`,
    )
  return { name: name as string, when: when as string | undefined, becomes: becomes as string | undefined }
}

interface ResponseParts extends StubParts {
  readonly isPair: boolean
  readonly name: string
  readonly place: string
  readonly changes: readonly StubChange[]
}

function readResponse(given: unknown, pointer: string, parts: ResponseParts): StubResponse {
  const { complain, operation, place, name, isPair, changes, rules } = parts
  const { status, headers, body, contentType, example, validate } = readMembers(
    given,
    pointer,
    RESPONSE_MEMBERS,
    'The response',
    parts,
  )
  if (status !== undefined && !(Number.isInteger(status) && Number(status) >= 200 && Number(status) <= 599))
    complain(`${pointer}/status`, `expected a status from 200 to 599, got ${shown(status)}.`)
  if (validate !== undefined && typeof validate !== 'boolean')
    complain(`${pointer}/validate`, `expected true or false, got ${shown(validate)}.`)
  if (example !== undefined && (typeof example !== 'string' || body !== undefined))
    complain(
      `${pointer}/example`,
      body === undefined
        ? `expected the name of an example, got ${shown(example)}.`
        : 'it has a `body` too. Remove one.',
    )
  const code = typeof status === 'number' ? status : undefined
  const isKnown = parts.documented.response(code ?? successOf(parts)) !== undefined
  // What the contract does not know, and need not allow, has no body.
  const isEmpty = body === undefined && example === undefined && validate === false && !isKnown
  const inDocument = body === undefined && !isEmpty ? documentedOf(code, example) : undefined
  const filled = readTemplate(body, `${pointer}/body`, parts)
  const sent = readTemplate(headers, `${pointer}/headers`, parts)
  const type = typeof contentType === 'string' ? contentType : undefined
  // Pairs are made of the examples that there are.
  if (typeof example === 'string' && !isPair) checkExample(example, `${pointer}/example`, parts)
  checkHeaders(headers, `${pointer}/headers`, parts)
  if (type !== undefined && !isJson(type) && filled.isConstant && isObject(body))
    complain(`${pointer}/body`, `expected a text, since it is ${type}; got ${shown(body)}.`)
  checkResponse(code, filled, { ...parts, pointer, type, isDocumented: inDocument !== undefined, validate })
  const usual = code ?? successOf(parts)
  const handler = createStubHandler(
    (state, source) => {
      const responded = filled.fill(source(undefined))
      return {
        status: inDocument ? 200 : usual,
        headers: textsOf(sent.fill(source(responded))),
        ...(responded === undefined ? {} : { body: responded }),
        ...(type === undefined ? {} : { contentType: type }),
        events: changes.map((change) => change(state, source(responded))),
      }
    },
    { operation, from: place, called: `The stub ${shown(name)}`, rules },
  )
  return { handler, documented: inDocument, isChecked: validate !== false }
}

function documentedOf(code: number | undefined, example: unknown): StubResponse['documented'] {
  return { ...(code === undefined ? {} : { code }), ...(typeof example === 'string' ? { example } : {}) }
}

function checkExample(example: string, pointer: string, parts: StubParts): void {
  const { contract, operation, documented, complain } = parts
  const lookup = createLookup(contract.document)
  const { statuses } = documented
  const names = statuses.flatMap((status) => [
    ...examplesIn(lookup, `${operation.pointer}/responses/${status}/content`).keys(),
  ])
  if (names.includes(example)) return
  const has = names.length === 0 ? 'It names none.' : didYouMean(example, names) || `It has ${names.join(', ')}.`
  complain(
    pointer,
    `the contract has no example ${shown(example)} of a response of ${operation.operationId}. ${has.trim()}`,
  )
}

function checkHeaders(headers: unknown, pointer: string, { complain }: StubParts): void {
  if (headers === undefined) return
  if (!isObject(headers)) return complain(pointer, `expected names with their values, got ${shown(headers)}.`)
  for (const name of Object.keys(headers))
    try {
      validateHeaderName(name)
    } catch {
      complain(`${pointer}/${encodePointer(name)}`, `${shown(name)} is no name of a header.`)
    }
}

function successOf({ documented }: StubParts): number {
  return Number(documented.statuses.find((one) => /^2\d\d$/.test(one)) ?? 200)
}

interface CheckedParts extends StubParts {
  readonly pointer: string
  readonly type: string | undefined
  readonly isDocumented: boolean
  readonly validate: unknown
}

/** Complains of what the contract does not allow. A body with places is checked when it is sent. */
function checkResponse(code: number | undefined, body: FilledTemplate, parts: CheckedParts): void {
  const { operation, documented, pointer, type, isDocumented, validate, complain } = parts
  const status = code ?? successOf(parts)
  const refuse = (at: string, what: string) =>
    complain(`${pointer}${at}`, `${what} Correct it, or set \`validate: false\` beside it.`)
  const isKnown = documented.response(status) !== undefined
  if (!isKnown && isDocumented)
    complain(
      `${pointer}/status`,
      `the contract documents no response ${status} of ${operation.operationId} (${documented.statuses.join(', ')}), so nothing says what it looks like. Give it a \`body\`, with \`validate: false\`.`,
    )
  if (validate === false || isDocumented) return
  if (!isKnown)
    refuse(
      '/status',
      `the contract documents no response ${status} of ${operation.operationId} (${documented.statuses.join(', ')}).`,
    )
  else if (body.isConstant && (type === undefined || isJson(type))) {
    const value = withNumbers(body.fill(NO_SOURCE))
    const [first] = operation.checkResponse(status, value, bareType(type ?? 'application/json'))
    if (first) refuse(`/body${first.pointer ?? ''}`, first.message)
  }
}

/** Constant templates read nothing. */
const NO_SOURCE = undefined as unknown as TemplateSource

function textsOf(headers: unknown): Record<string, string> {
  return isObject(headers)
    ? Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
    : {}
}
