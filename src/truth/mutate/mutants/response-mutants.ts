import type { Contract, Operation } from '../../../contract/contract.ts'
import { type Documented, readDocumented } from '../../../contract/schemas/documented.ts'
import type { FaultRequest } from '../../../engine/faults/fault.ts'
import { isObject, withNumbers } from '../../../base/formats/json.ts'
import { shown } from '../../../base/errors/problem.ts'
import { isJson } from '../../../contract/media-type.ts'
import type { Mutant } from './mutant.ts'
import type { SeenExchange } from '../seen.ts'

/** What tests received from one operation with one status. */
interface StatusReceived {
  readonly operation: Operation
  readonly documented: Documented
  readonly status: number
  readonly exchanges: readonly SeenExchange[]
}

/** A change of a response, and what it is. */
interface PlannedResponse extends Pick<Mutant, 'kind' | 'change' | 'usual' | 'changesData'> {
  /** What an id ends with. */
  readonly name: string
  readonly fault: Omit<FaultRequest, 'match'>
}

/** Other statuses that are tried for one that was received. */
const MAX_STATUSES = 3

/** Changes of status, media type and error body: what the contract allows of each operation, or forbids. */
export function responseMutants(
  { operations, document }: Contract,
  seen: readonly SeenExchange[],
  withBreaking: boolean,
): Mutant[] {
  return operations.flatMap((operation) => {
    const { operationId } = operation
    const received = seen.filter((one) => one.operationId === operationId && one.status >= 200)
    if (received.length === 0) return []
    const documented = readDocumented(document, operation)
    const byStatus = [...Map.groupBy(received, ({ status }) => status)].map(([status, exchanges]): StatusReceived => ({
      operation,
      documented,
      status,
      exchanges,
    }))
    const planned = [
      ...byStatus.flatMap((one) => [
        ...otherStatuses(one),
        ...otherTypes(one),
        ...absentHeaders(one, seen),
        ...otherErrors(one),
      ]),
      ...redirects(operation, documented),
      ...(withBreaking ? [...refusals(received), ...byStatus.flatMap(breakingHeads)] : []),
    ]
    return [...new Map(planned.map((one) => [one.name, one])).values()].map(({ name, fault, ...rest }) => ({
      ...rest,
      id: `${operationId} ${name}`,
      operationId,
      faults: [{ ...fault, match: { operationId } }],
    }))
  })
}

/** The other documented statuses of the class: with the usual body where it may have that, else as documented, or with none. */
function otherStatuses({ operation, documented, status, exchanges }: StatusReceived): PlannedResponse[] {
  const bodies = exchanges.flatMap(({ json }) => (json === undefined ? [] : [withNumbers(json)]))
  return documented.statuses
    .map(Number)
    .filter((other) => other !== status && Math.floor(other / 100) === Math.floor(status / 100))
    .flatMap((other) => {
      const { types, example } = documented.response(other) ?? { types: [], example: undefined }
      const isKept =
        types.length > 0 && bodies.length > 0 && bodies.every((body) => operation.acceptsResponse(other, body))
      if (!isKept && types.length > 0 && example === undefined) return []
      const body = isKept || other === 204 || other === 205 ? {} : { body: types.length === 0 ? '' : example }
      return [
        {
          name: `status-${other}`,
          kind: 'allowed',
          change: `The status is ${other}, which is documented too${isKept ? '' : types.length > 0 ? ', with its example' : ', without a body'}.`,
          usual: `The status was ${status}.`,
          changesData: !isKept,
          fault: { kind: 'changed-response', status: other, ...body },
        } as const,
      ]
    })
    .slice(0, MAX_STATUSES)
}

/** The same body as another documented JSON type, with the parameter that many servers add, and without a length. */
function otherTypes({ documented, status, exchanges }: StatusReceived): PlannedResponse[] {
  const [sent] = exchanges.map(({ received }) => received.get('header content-type')).filter((one) => one !== undefined)
  if (typeof sent !== 'string' || !isJson(sent)) return []
  const chunked = {
    name: 'chunked',
    kind: 'wire',
    change: 'Responses come in chunks, without a length.',
    usual: 'They announce their length.',
    fault: { kind: 'changed-response', status, headers: { 'transfer-encoding': 'chunked' } },
  } as const
  const charset = sent.includes(';') ? [] : [`${sent}; charset=utf-8`]
  const others = (documented.response(status)?.types ?? []).filter((type) => isJson(type) && type !== sent)
  const types = [...charset, ...others].map((type): PlannedResponse => ({
    name: type === charset[0] ? 'charset' : `type-${type}`,
    kind: 'allowed',
    change: `The media type is ${type}.`,
    usual: `It was ${sent}.`,
    fault: { kind: 'changed-response', status, headers: { 'content-type': type } },
  }))
  return [chunked, ...types]
}

/** Documented headers that need not be there, but for those whose address clients follow: the next page, or what was made. */
function absentHeaders(
  { documented, status, exchanges }: StatusReceived,
  seen: readonly SeenExchange[],
): PlannedResponse[] {
  const isFollowed = (value: string) => seen.some(({ url }) => value.endsWith(url) || value.includes(`${url}>`))
  const names = documented.response(status)?.optionalHeaders ?? []
  return names.flatMap((name): PlannedResponse[] => {
    const values = exchanges.map(({ received }) => received.get(`header ${name.toLowerCase()}`))
    const sent = values.filter((value) => typeof value === 'string')
    if (sent.length === 0 || sent.some(isFollowed) || /^content-/i.test(name)) return []
    return [
      {
        name: `${name} absent`,
        kind: 'allowed',
        change: `The header ${name} is absent, for it is optional.`,
        usual: `It was ${shown(sent[0])}.`,
        changesData: true,
        fault: { kind: 'changed-response', status, headers: { [name]: '' } },
      },
    ]
  })
}

/** An error with the documented example, and with required members alone. */
function otherErrors({ operation, documented, status, exchanges }: StatusReceived): PlannedResponse[] {
  const json = exchanges.find((one) => isObject(one.json))?.json
  if (status < 400 || !isObject(json)) return []
  const least = Object.keys(json).reduce<Readonly<Record<string, unknown>>>((kept, name) => {
    const { [name]: _left, ...fewer } = kept
    return operation.acceptsResponse(status, withNumbers(fewer)) ? fewer : kept
  }, json)
  const { example } = documented.response(status) ?? {}
  return [
    ...(Object.keys(least).length < Object.keys(json).length
      ? [['least-error', 'The error has required members alone.', least] as const]
      : []),
    ...(example === undefined ? [] : [['example-error', 'The error is the documented example.', example] as const]),
  ].map(([name, change, body]) => ({
    name: `${name}-${status}`,
    kind: 'allowed',
    change,
    usual: 'It has the members that the service usually writes.',
    changesData: true,
    fault: { kind: 'changed-response', status, body },
  }))
}

/** Those that keep the method; of a GET all do. */
function redirects({ operationId, method }: Operation, { statuses }: Documented): PlannedResponse[] {
  const kept = method.toUpperCase() === 'GET' ? /^30[12378]$/ : /^30[78]$/
  return statuses
    .filter((status) => kept.test(status))
    .map((status) => ({
      name: `redirect-${status}`,
      kind: 'wire',
      change: `A request is redirected once, with ${status}, as the contract documents for ${operationId}.`,
      usual: 'It is answered at once.',
      fault: { kind: 'status', status: Number(status), times: 1 },
    }))
}

/** What clients meet when the operation is removed, needs another permission, or a member more in its requests: see `standin diff`. */
function refusals(received: readonly SeenExchange[]): PlannedResponse[] {
  if (!received.some(({ status }) => status < 400)) return []
  const all = [
    ['operation-removed', 404, 'The operation is removed: its requests are refused with 404.'],
    ['security', 403, 'It needs another permission: its requests are refused with 403.'],
    ['required', 400, 'Its requests need a member more: they are refused with 400.'],
  ] as const
  return all.map(([name, status, change]) => ({
    name,
    kind: 'breaking',
    change,
    usual: 'The requests were answered.',
    fault: { kind: 'status', status },
  }))
}

/** A success or a media type that is not documented: see `standin diff`. */
function breakingHeads({ documented, status, exchanges }: StatusReceived): PlannedResponse[] {
  if (status >= 300) return []
  const other = [200, 201, 202, 206].find((one) => one !== status && !documented.statuses.includes(String(one))) ?? 207
  const hasJson = exchanges.some(({ json }) => json !== undefined)
  const usual = `The status was ${status}.`
  return [
    {
      name: `status-added-${other}`,
      kind: 'breaking',
      change: `The status is ${other}, which is not documented.`,
      usual,
      fault: { kind: 'changed-response', status: other },
    },
    ...(hasJson
      ? ([
          {
            name: 'media-type-removed',
            kind: 'breaking',
            change: 'The media type is text/plain, which is not documented.',
            usual: 'It was JSON.',
            fault: { kind: 'changed-response', status, headers: { 'content-type': 'text/plain' } },
          },
        ] as const)
      : []),
  ]
}
