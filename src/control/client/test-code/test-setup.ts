import type { ControlClient } from '../client.ts'
import type { ExchangeRecord, FaultList, Info, StateDocument } from '../types.ts'
import { toCode } from '../as-code.ts'
import { type Members, stringifySorted } from '../../../base/formats/json.ts'

type ListedFault = FaultList['faults'][number]
type DescribedOperation = Info['operations'][number]

/** What a test is made of besides the exchange. */
export interface TestParts {
  /** The options that a stand-in needs to begin as the one that responded. */
  readonly options: Info['options']
  /** The operation; undefined for a request that matched none. */
  readonly operation: DescribedOperation | undefined
  /** The initial state; undefined where it could not be loaded, as `before`. */
  readonly start: StateDocument | undefined
  /** The state just before the request. */
  readonly before: StateDocument | undefined
  /** Why there is no state. */
  readonly reason: string | undefined
  /** The faults of the sandbox. */
  readonly faults: readonly ListedFault[]
}

/** Loads what a test of an exchange needs. @throws ControlError */
export async function loadTestParts(client: ControlClient, exchange: ExchangeRecord): Promise<TestParts> {
  const { id, sandbox, copiedFrom = sandbox, operationId } = exchange
  const origin = client.in(copiedFrom)
  const [{ options, operations }, { faults }] = await Promise.all([client.getInfo(), origin.listFaults()])
  const operation = operations.find((one) => one.operationId === operationId)
  const parts = { options, operation, faults }
  try {
    const [before, start] = await Promise.all([
      origin.getState({ before: id, beside: copiedFrom }),
      origin.getState({ initial: true, beside: copiedFrom }),
    ])
    return { ...parts, before, start, reason: undefined }
  } catch (error) {
    // The history keeps the latest events only.
    return { ...parts, before: undefined, start: undefined, reason: error instanceof Error ? error.message : '' }
  }
}

/** Calls that bring a new sandbox to where the request found it, as far as the request can tell. */
export function setupLines(exchange: ExchangeRecord, parts: TestParts): string[] {
  const { before, start, reason, operation } = parts
  const armed = faultLines(exchange, parts.faults)
  if (!before || !start) return [`// The state before this request is not known: ${reason ?? ''}`, ...armed]
  const { behaviours = {} } = before
  const overrides = Object.keys(behaviours).length === 0 ? [] : [call('putBehaviours', behaviours)]
  const handler = operation?.handler ?? ''
  const has = (what: string) => handler === 'own' || handler.includes(what)
  return [
    ...overrides,
    ...importLines([
      ...(has('searchFiles') ? [listed(start, before, 'fileSets', 'id')] : []),
      ...(has('ReportSchedule')
        ? [listed(start, before, 'reportSchedules', 'id'), listed(start, before, 'progress', 'scheduleId')]
        : []),
      ...(has('ReportSchedule') && start.nextReportScheduleId !== before.nextReportScheduleId
        ? [`nextReportScheduleId: ${before.nextReportScheduleId}`]
        : []),
    ]),
    ...documentLines(exchange, parts, { start, before }),
    ...armed,
  ]
}

function call(name: string, ...given: readonly unknown[]): string {
  return `await control.${name}(${given.map((one) => toCode(one, '  ')).join(', ')})`
}

/** Imports the state of the sandbox with some of its members replaced. */
function importLines(members: readonly (string | undefined)[]): string[] {
  const changed = members.filter((one) => one !== undefined)
  if (changed.length === 0) return []
  return [
    'const state = await control.getState()',
    'await control.putState({',
    '  ...state,',
    ...changed.map((one) => `  ${one},`),
    '})',
  ]
}

/** A list of the state with the elements that changed in place of those that it began with; undefined where none did. */
function listed(start: StateDocument, before: StateDocument, member: string, key: string): string | undefined {
  const [from, to] = [start, before].map((state) => {
    const list = (state as unknown as Members)[member] as readonly Members[] | undefined
    return new Map((list ?? []).map((one) => [one[key] as string | number, one]))
  })
  const ids = [...new Set([...(from?.keys() ?? []), ...(to?.keys() ?? [])])]
  const changed = ids.filter((id) => !isSame(from?.get(id), to?.get(id)))
  if (changed.length === 0) return undefined
  const known = changed.filter((id) => from?.has(id))
  const kept = known.length === 0 ? '' : `.filter((one) => !${toCode(known)}.includes(one.${key}))`
  const added = changed.flatMap((id) => to?.get(id) ?? []).map((one) => `    ${toCode(one, '      ')},`)
  return [`${member}: [`, `    ...state.${member}${kept},`, ...added, '  ]'].join('\n  ')
}

interface States {
  readonly start: StateDocument
  readonly before: StateDocument
}

/** Creates, changes and deletes the documents that differ from those at the start. */
function documentLines(exchange: ExchangeRecord, { operation }: TestParts, { start, before }: States): string[] {
  const own = operation?.handler === 'own' ? '' : operation?.collection
  if (own === undefined) return []
  const first = documentsIn(start)
  const named = valuesIn(exchange)
  const lines: string[] = []
  for (const [name, documents] of documentsIn(before)) {
    // Lists show all documents of their collection; of others only those matter that the request or the response names.
    const isOwn = own === '' || own === name || own.startsWith(`${name}/`) || templateOf(name) === own
    const at = first.get(name)
    for (const [id, document] of documents) {
      if ((!isOwn && !named.has(id)) || isSame(document, at?.get(id))) continue
      lines.push(at?.has(id) ? call('putDocument', name, id, document) : call('createDocument', name, document))
    }
    for (const id of at?.keys() ?? [])
      if (!documents.has(id) && (isOwn || named.has(id))) lines.push(call('deleteDocument', name, id))
  }
  return lines
}

/** The plan of an instance, whose ids are parameters there: `customers/{id}/orders` of `customers/1/orders`. */
function templateOf(name: string): string {
  return name
    .split('/')
    .filter((_part, at) => at % 2 === 0)
    .join('/')
}

function documentsIn({ collections = [] }: StateDocument): ReadonlyMap<string, ReadonlyMap<string, unknown>> {
  return new Map(
    collections
      .filter(({ name }) => !name.startsWith('~'))
      .map(({ name, documents }) => [name, new Map(documents.map(({ id, document }) => [id, document]))]),
  )
}

/** Every text and number of a request and its response. The 12 of a moment at 14:12 is the id of nothing. */
function valuesIn({ request, answer }: ExchangeRecord): ReadonlySet<string> {
  const texts = [decodeURI(request.url), request.body ?? '', answer?.body ?? '']
  return new Set(texts.flatMap((text) => text.replaceAll(MOMENT, '').match(/[\w-]+/g) ?? []))
}

const MOMENT = /\d{4}-\d\d-\d\dT[\d:.]+/g

/** Arms the fault that struck once more. */
function faultLines({ fault, faultId, answer }: ExchangeRecord, faults: readonly ListedFault[]): string[] {
  // Without an id the request asked for it itself, by the header Prefer.
  if (fault === null || faultId === undefined) return []
  const known = faults.find(({ id }) => id === faultId)
  const armed = known
    ? Object.fromEntries(Object.entries(known).filter(([name]) => !COUNTED.has(name)))
    : { kind: fault, ...(fault === 'status' ? { status: answer?.status } : {}) }
  return [call('armFaults', { ...armed, times: 1 })]
}

/** The test arms the fault so that it strikes always, and at the next request that it matches. */
const COUNTED = new Set(['id', 'chance', 'after', 'matched', 'struck', 'spent'])

/** Whether two JSON values are equal; the order of members does not matter. */
function isSame(left: unknown, right: unknown): boolean {
  return stringifySorted(left) === stringifySorted(right)
}
