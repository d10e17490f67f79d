import { type ControlClient, ControlError } from '../../../../src/control/client/client.ts'
import type {
  ExchangeRecord,
  ListExplanation,
  ReportScheduleExplanation,
  SearchExplanation,
} from '../../../../src/control/client/types.ts'
import { isJson, type Json } from '../../parts/json-value.ts'
import { info } from '../../session.ts'
import { explainEntry } from '../files/explain-entry.ts'
import { summaryOf } from './rows/gist.ts'
import { parsedJson } from './parsed-json.ts'

/** Something that may be meant. */
export interface Named {
  readonly id: string
  readonly name: string
}

type Explained =
  | { readonly kind: 'nothing'; readonly isOfThen?: undefined }
  | { readonly kind: 'search'; readonly isOfThen: boolean; readonly explanation: SearchExplanation }
  | {
      readonly kind: 'list'
      readonly isOfThen: boolean
      readonly explanation: ListExplanation
      readonly similar: readonly Named[]
    }
  | { readonly kind: 'schedule'; readonly isOfThen: false; readonly explanation: ReportScheduleExplanation }

/**
 * Explains a request by the sandbox as it was just before it, or as it is now where that is no longer known.
 *
 * @param wanted the file or the item that is asked about; empty for none
 * @throws ControlError
 */
export async function explain(client: ControlClient, exchange: ExchangeRecord, wanted: string): Promise<Explained> {
  const { id, sandbox, copiedFrom = sandbox } = exchange
  try {
    return await explainAt(client.in(copiedFrom), exchange, { wanted, before: id })
  } catch (error) {
    // The history keeps the latest events only, and the sandbox that a fork began in may be gone.
    if (!(error instanceof ControlError) || (error.status !== 409 && error.status !== 404)) throw error
    return explainAt(client, exchange, { wanted })
  }
}

interface Asked {
  readonly wanted: string
  /** The exchange before which the sandbox is looked at; now when absent. */
  readonly before?: number
}

async function explainAt(
  client: ControlClient,
  { operationId, request, answer }: ExchangeRecord,
  { wanted, ...moment }: Asked,
): Promise<Explained> {
  const isOfThen = moment.before !== undefined
  const url = new URL(request.url, location.origin)
  const query = Object.fromEntries(url.searchParams)
  const body = membersOf(request.body)
  const path = pathParameters(operationId, url.pathname)
  if (operationId === 'searchFiles') {
    const search = { fileSetId: path.fileSetId ?? '', query, ...(body ? { body } : {}) }
    const ask: Parameters<typeof explainEntry>[0] = (file) => client.explainSearch(search, file, moment)
    return { kind: 'search', isOfThen, explanation: await (wanted === '' ? ask() : explainEntry(ask, wanted)) }
  }
  if (operationId === 'createReportSchedule' || operationId === 'updateReportSchedule') {
    const id = Number(path.scheduleId ?? membersOf(answer?.body ?? null)?.id)
    const explanation = await client.explainReportSchedule(Number.isInteger(id) ? { id } : { info: body ?? {} })
    return { kind: 'schedule', isOfThen: false, explanation }
  }
  if (operationId === null) return { kind: 'nothing' }
  const { collections } = await client.listCollections()
  const role = collections.flatMap(({ operations }) => operations).find((one) => one.operationId === operationId)?.role
  if (role !== 'list' && role !== 'search') return { kind: 'nothing' }
  const list = { operationId, path, query, ...(body ? { body } : {}) }
  const explanation = await client.explainList(list, wanted === '' ? undefined : wanted, moment)
  if (explanation.document?.state !== 'unknown') return { kind: 'list', isOfThen, explanation, similar: [] }
  const similar = await findByText(client, explanation.collection, wanted)
  const [only, ...others] = similar
  if (!only || others.length > 0) return { kind: 'list', isOfThen, explanation, similar }
  return { kind: 'list', isOfThen, explanation: await client.explainList(list, only.id, moment), similar: [] }
}

/** Documents that are looked through, and how many of them are named. */
const WINDOW = 1_000
const MOST = 10

/** The documents of a collection whose values have a text in them, as they are now. */
async function findByText(client: ControlClient, collection: string, text: string): Promise<readonly Named[]> {
  const { documents } = await client.listDocuments(collection, { limit: WINDOW })
  const wanted = text.toLowerCase()
  return documents
    .filter(({ document }) => JSON.stringify(Object.values(document)).toLowerCase().includes(wanted))
    .slice(0, MOST)
    .map(({ id, document }) => ({ id, name: `${id} ${summaryOf(document as Json)}` }))
}

function membersOf(text: string | null): Json | undefined {
  const value = parsedJson(text ?? '')
  return isJson(value) ? value : undefined
}

/** The parameters in a path, by the template of its operation. */
function pathParameters(operationId: string | null, path: string): Readonly<Record<string, string>> {
  const template = info.value?.operations.find((one) => one.operationId === operationId)?.path
  if (template === undefined) return {}
  const names = [...template.matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => name)
  const pattern = template.replace(/[.*+?^$|()[\]\\]/g, '\\$&').replaceAll(/\{[^}]+\}/g, '([^/]+)')
  const values = new RegExp(`${pattern}$`).exec(path)?.slice(1) ?? []
  return Object.fromEntries(names.map((name, index) => [name, decodeURIComponent(values[index] ?? '')]))
}
