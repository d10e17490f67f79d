import type { Contract, Operation } from '../../../contract/contract.ts'
import { readDocumented } from '../../../contract/schemas/documented.ts'
import { bareType, isJson } from '../../../contract/media-type.ts'
import type { Fault } from '../../../engine/faults/fault.ts'
import type { StateRules } from '../../../engine/state.ts'
import { queryOf } from '../../../base/network/http-message.ts'
import { shown } from '../../../base/errors/problem.ts'
import { asList, asText, isObject, type Members, withNumbers } from '../../../base/formats/json.ts'
import { mergePatch } from '../../../base/formats/merge-patch.ts'
import { readMembers } from '../../fixture-reader.ts'
import type { Call, Handler } from '../../handler.ts'
import type { CallView } from '../call-view.ts'
import { events, type UserEvent } from '../events.ts'
import type { StateView } from '../state-view.ts'
import { createUserHandler } from '../user-handlers.ts'
import { readConditions } from './condition.ts'
import type { Stub, StubResponse } from './stub.ts'
import type { StubReader } from './stub-reader.ts'
import { readTemplate, type FilledTemplate, type TemplateSource } from './template.ts'

/** What a stub is read with. */
export interface StubParts extends StubReader {
  readonly contract: Pick<Contract, 'document'>
  readonly operation: Operation
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
]
const RESPONSE_MEMBERS = ['status', 'headers', 'body', 'contentType', 'example', 'validate']

/** The most responses of a stub, one after the other. */
const MAX_RESPONSES = 1000

/** Reads a stub whose operation is known. @param place for messages: `stubs.yaml:3` */
export function readStub(
  given: Members,
  { name, pointer, place }: { readonly name: string; readonly pointer: string; readonly place: string },
  parts: StubParts,
): Stub {
  const { complain } = parts
  const { when, respond, change, fault, times, repeat = false } = given
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
    matches: readConditions(when, `${pointer}/when`, parts),
    times: times as number | undefined,
    isRepeated: repeat === true,
    responses: list.map((one, index) =>
      readResponse(one, `${pointer}/respond${isList ? `/${index}` : ''}`, { ...parts, place, name, changes }),
    ),
    faults,
  }
}

interface ResponseParts extends StubParts {
  readonly name: string
  readonly place: string
  readonly changes: readonly StubChange[]
}

function readResponse(given: unknown, pointer: string, parts: ResponseParts): StubResponse {
  const { complain, operation, place, name, changes, rules } = parts
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
  const documented = body === undefined ? documentedOf(code, example) : undefined
  const filled = readTemplate(body, `${pointer}/body`, parts)
  const sent = readTemplate(headers, `${pointer}/headers`, parts)
  const type = typeof contentType === 'string' ? contentType : undefined
  checkResponse(code, filled, { ...parts, pointer, type, isDocumented: documented !== undefined, validate })
  const usual = code ?? successOf(parts)
  const handler = createStubHandler(
    (state, source) => {
      const responded = filled.fill(source(undefined))
      return {
        status: documented ? 200 : usual,
        headers: textsOf(sent.fill(source(responded))),
        ...(responded === undefined ? {} : { body: responded }),
        ...(type === undefined ? {} : { contentType: type }),
        events: changes.map((change) => change(state, source(responded))),
      }
    },
    { operation, from: `the stub ${shown(name)} at ${place}`, rules },
  )
  return { handler, documented, isChecked: validate !== false }
}

function documentedOf(code: number | undefined, example: unknown): StubResponse['documented'] {
  return { ...(code === undefined ? {} : { code }), ...(typeof example === 'string' ? { example } : {}) }
}

function successOf({ contract, operation }: StubParts): number {
  const { statuses } = readDocumented(contract.document, operation)
  return Number(statuses.find((one) => /^2\d\d$/.test(one)) ?? 200)
}

interface CheckedParts extends StubParts {
  readonly pointer: string
  readonly type: string | undefined
  readonly isDocumented: boolean
  readonly validate: unknown
}

/** Complains of what the contract does not allow. A body with places is checked when it is sent. */
function checkResponse(code: number | undefined, body: FilledTemplate, parts: CheckedParts): void {
  const { contract, operation, pointer, type, isDocumented, validate, complain } = parts
  const documented = readDocumented(contract.document, operation)
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

type StubChange = (state: StateView, source: TemplateSource) => UserEvent

const KINDS = ['create', 'update', 'remove'] as const

function readChanges(given: unknown, pointer: string, parts: StubParts): readonly StubChange[] {
  if (given === undefined) return []
  const list = Array.isArray(given) ? (given as readonly unknown[]) : [given]
  return list.flatMap((one, index) => {
    const at = Array.isArray(given) ? `${pointer}/${index}` : pointer
    const read = readMembers(one, at, [...KINDS, 'id', 'document'], 'A change', parts)
    const kind = KINDS.find((name) => read[name] !== undefined)
    const collection = kind && read[kind]
    if (kind === undefined || typeof collection !== 'string') {
      parts.complain(
        at,
        `expected { create: orders, document: … }, { update: orders, id: …, document: … } or { remove: orders, id: … }; got ${shown(one)}.`,
      )
      return []
    }
    if (read.id === undefined && kind !== 'create')
      parts.complain(`${at}/id`, `expected the id of what is to be ${kind}d. Add it.`)
    const id = readTemplate(read.id, `${at}/id`, parts)
    const document = readTemplate(read.document ?? {}, `${at}/document`, parts)
    return [(state: StateView, source: TemplateSource) => changeOf(kind, collection, { id, document, state, source })]
  })
}

interface Changing {
  readonly id: FilledTemplate
  readonly document: FilledTemplate
  readonly state: StateView
  readonly source: TemplateSource
}

/** An update is a JSON Merge Patch. */
function changeOf(
  kind: (typeof KINDS)[number],
  collection: string,
  { id, document, state, source }: Changing,
): UserEvent {
  const items = state.collection(collection)
  const filled = document.fill(source)
  const given = id.fill(source) ?? (isObject(filled) ? filled.id : undefined) ?? items.nextId
  const key = asText(given)
  if (kind === 'remove') return events.remove(collection, key)
  if (kind === 'create') return events.create(collection, key, filled as object)
  return events.update(collection, key, mergePatch(items.get(key) ?? {}, filled) as object)
}

/** What a stub returns: as the handlers of users do. @param source of its places, once the body of the response is known */
type Respond = (state: StateView, source: (responded: unknown) => TemplateSource) => unknown

function createStubHandler(
  respond: Respond,
  {
    operation,
    from,
    rules,
  }: { readonly operation: Operation; readonly from: string; readonly rules: () => StateRules },
): Handler {
  return {
    takesNothing: true,
    // Its conditions may be about any of them.
    takesQuery: () => true,
    assertExists() {
      // What a stub says is said of things that are not there, too.
    },
    read(state, call) {
      const handle = (view: StateView, seen: CallView<never>) =>
        respond(view, (responded) => sourceOf(operation, { call, seen, responded }))
      return createUserHandler({ operationId: operation.operationId, handle }, from, rules).read(state, call)
    },
  }
}

interface Filling {
  readonly call: Call
  readonly seen: CallView<never>
  readonly responded: unknown
}

function sourceOf({ method }: Operation, { call, seen: { random, uuid }, responded }: Filling): TemplateSource {
  return {
    method,
    status: undefined,
    url: () => call.origin() + call.url(),
    header: (side, name) => (side === 'request' ? call.header(name) : undefined),
    query: (name) => queryOf(call.url()).get(name) ?? undefined,
    path: (name) => call.path[name],
    requestBody: call.body,
    responseBody: responded,
    now: call.now,
    random,
    uuid,
  }
}
