import { responseName } from '../../contract/schemas/documented.ts'
import { isObject, isScalar } from '../../base/formats/json.ts'
import type { Exchange } from '../exchange.ts'
import { headerOf } from '../../base/network/http-message.ts'
import { tryParse } from '../match-values.ts'
import type { BodyItems, ParameterItem, ValueCounters } from './contract-items.ts'
import { BEHAVIOURS, FAULTS, OPERATIONS, type CoveragePlan, type Slots, STATUSES, UNDOCUMENTED } from './operation-plan.ts'

/** What coverage reads of an exchange. */
export type CoveredExchange = Pick<
  Exchange,
  | 'operationId'
  | 'method'
  | 'url'
  | 'status'
  | 'end'
  | 'requestHeaders'
  | 'requestBody'
  | 'isRequestCut'
  | 'behaviours'
  | 'fault'
  | 'next'
>

/** Whether the service accepted a request: what a refused one sent is not counted as exercised. */
export function isAccepted({ status, end }: Pick<CoveredExchange, 'status' | 'end'>): boolean {
  return status >= 200 && status < 400 && end === 'whole'
}

/** The body of a request. */
export interface SentBody {
  /** Undefined for none. */
  readonly value: unknown
  /** Whether equal bodies are the same object, so that what they use is worth keeping. */
  readonly isKnown: boolean
}

/**
 * The counters of what an exchange used, in lists that have none in common.
 *
 * The query is that of the walk: with an empty token of a page.
 */
export function usedSlots(
  plan: CoveragePlan,
  exchange: CoveredExchange,
  { search, body }: { readonly search: string; readonly body: SentBody },
): readonly Slots[] {
  const { status, behaviours, fault = '' } = exchange
  const isOk = isAccepted(exchange)
  const ended = plan.known.endings(`${status} ${isOk} ${fault} ${behaviours}`, (add) => addEnding(plan, exchange, add))
  if (!isOk) return [ended]
  const sent = body.value === undefined ? readForwarded(exchange) : body
  return [
    ended,
    plan.known.queries(search, (add) => addQuery(plan, search, add)),
    sent.value === undefined
      ? plan.known.bodiless(search, (add) => addOwn(plan, search, undefined, add))
      : plan.known.bodies(sent, search, (add) => addContent(plan, search, sent.value, add)),
    otherSlots(plan, exchange),
  ]
}

/** A body that was not parsed: a proxy only forwards it, and another replica read it. */
function readForwarded({ requestBody = '', requestHeaders, isRequestCut }: CoveredExchange): SentBody {
  if (requestBody === '' || isRequestCut) return { value: undefined, isKnown: false }
  const isForm = headerOf(requestHeaders, 'content-type')?.startsWith('application/x-www-form-urlencoded') === true
  const value = isForm ? Object.fromEntries(new URLSearchParams(requestBody)) : tryParse(requestBody)
  return { value, isKnown: false }
}

type Add = (slot: number | undefined) => void

function addEnding(plan: CoveragePlan, exchange: CoveredExchange, add: Add): void {
  const { status, behaviours, fault } = exchange
  if (isAccepted(exchange)) add(plan.slotOf(OPERATIONS, plan.operation.operationId))
  if (status !== 0) add(statusSlot(plan, status))
  for (const id of behaviours === '' ? [] : behaviours.split(', ')) add(plan.slotOf(BEHAVIOURS, id))
  if (fault !== undefined) add(plan.slotOf(FAULTS, fault))
}

function statusSlot(plan: CoveragePlan, status: number): number | undefined {
  const documented = plan.items.filter(({ kind }) => kind === STATUSES).map(({ name }) => [name, true] as const)
  const name = responseName(status, Object.fromEntries(documented))
  return name === undefined ? plan.slotOf(UNDOCUMENTED, `status ${status}`) : plan.slotOf(STATUSES, name)
}

function addContent(plan: CoveragePlan, search: string, body: unknown, add: Add): void {
  if (plan.body) addBody(plan.body, body, add)
  addOwn(plan, search, body, add)
}

/** What the resource of the operation counts besides. */
function addOwn(plan: CoveragePlan, search: string, body: unknown, add: Add): void {
  const { coverage } = plan.stateful ?? {}
  if (!coverage) return
  const request = {
    body,
    get query() {
      return new URLSearchParams(search)
    },
  }
  coverage.used(request, (kind, name) => add(plan.slotOf(kind, name)))
}

function addQuery(plan: CoveragePlan, search: string, add: Add): void {
  for (const [name, value] of new URLSearchParams(search)) {
    const item =
      plan.query.get(name) ?? [...plan.query.values()].find(({ parameter }) => parameter.style?.claims(name) === true)
    if (item) addParameter(item, value, add)
    // Keys may be sent there, too.
    else if (!plan.operation.queryNames.has(name))
      add(plan.slotOf(UNDOCUMENTED, `parameter ${name.slice(0, LONGEST_NAME)}`))
  }
}

const LONGEST_NAME = 80

function addParameter({ slot, values }: ParameterItem, text: string, add: Add): void {
  add(slot)
  if (!values) return
  // A list is one text, or a parameter for each element.
  for (const value of values.has(text) ? [text] : text.split(/[,|; ]/)) add(values.get(value))
}

/** The counters of parameters in headers and cookies. */
function otherSlots({ others }: CoveragePlan, { requestHeaders }: CoveredExchange): Slots {
  if (others.length === 0) return NONE
  const slots: number[] = []
  const sent = (name: string) => {
    const at = requestHeaders.findIndex((text, index) => index % 2 === 0 && text.toLowerCase() === name)
    return at < 0 ? undefined : requestHeaders[at + 1]
  }
  for (const item of others) {
    const { name } = item.parameter
    const text = item.parameter.in === 'cookie' ? cookieOf(sent('cookie') ?? '', name) : sent(name.toLowerCase())
    if (text !== undefined) addParameter(item, text, (slot) => slot !== undefined && slots.push(slot))
  }
  return slots
}

const NONE: Slots = []

function cookieOf(cookies: string, name: string): string | undefined {
  const found = cookies.split(';').find((one) => one.trim().startsWith(`${name}=`))
  return found?.trim().slice(name.length + 1)
}

/** Elements of a list that are looked at. */
const MAX_ELEMENTS = 100

function addBody(items: BodyItems, value: unknown, add: Add): void {
  add(items.slot)
  if (Array.isArray(value)) {
    const { element } = items
    if (element) for (const one of value.slice(0, MAX_ELEMENTS)) addBody(element, one, add)
  } else if (isObject(value)) {
    for (const name in value) {
      const member = items.members.get(name)
      if (member) addBody(member, value[name], add)
    }
  } else addValue(items.values, value, add)
}

function addValue(values: ValueCounters | undefined, value: unknown, add: Add): void {
  if (isScalar(value)) add(values?.get(String(value)))
}
