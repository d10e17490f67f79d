import { CONTROL_PATH } from '../path.ts'
import { describeVerification } from './describe-verification.ts'
import { OPERATIONS } from './operations.ts'
import type {
  AdvanceRequest,
  Advance,
  ControlOperations,
  EntryName,
  ExplainListRequest,
  ExplainScheduleRequest,
  ExplainSearchRequest,
  FaultList,
  FaultRequest,
  FileList,
  GivenFile,
  ListExplanation,
  PresetRequest,
  ReportScheduleExplanation,
  SearchExplanation,
  StreamEvent,
} from './types.ts'
import { shown, type Violation } from '../../base/errors/problem.ts'
import { parseJson, stringifyJson } from '../../base/formats/json.ts'

type Refined = 'addFiles' | 'advanceClock' | 'armFaults' | 'explain' | 'openStream'

interface StreamOptions {
  /** Continue after this event. */
  readonly lastEventId?: string
  readonly signal?: AbortSignal
}

/** When the sandbox is looked at; now when absent. */
interface ExplainedMoment {
  /** The id of an exchange of the journal: the sandbox is as it was just before it. */
  readonly before?: number
}

/** The control API of a running Standin as functions. Each throws a `ControlError` when its request is refused. */
export interface ControlClient extends Omit<ControlOperations, Refined> {
  advanceClock(step: AdvanceRequest): Promise<Advance>
  addFiles(fileSetId: string, files: readonly GivenFile[]): Promise<FileList>
  /** Returns the faults that were armed: one, or those of a preset. */
  armFaults(faults: FaultRequest | PresetRequest): Promise<FaultList>
  /** Explains the request of a list of a collection, and why a document is in the list or not. */
  explainList(list: ExplainListRequest, document?: string, moment?: ExplainedMoment): Promise<ListExplanation>
  explainSearch(search: ExplainSearchRequest, file?: EntryName, moment?: ExplainedMoment): Promise<SearchExplanation>
  /** Explains a stored report schedule, by its id, or the body of a create. */
  explainReportSchedule(schedule: ExplainScheduleRequest): Promise<ReportScheduleExplanation>
  /** Yields events from now on, or after `lastEventId`; ends when the server stops, the sandbox is deleted or the signal is aborted. */
  openStream(options?: StreamOptions): AsyncIterable<StreamEvent>

  /**
   * Checks what holds for every client: each page once, nothing created twice, waits after 429 and Retry-After, no request again that was refused or
   * has its response.
   *
   * @throws Error with every mistake
   */
  expectGoodClient(): Promise<void>

  /** The same client for another sandbox. */
  in(sandbox: string): ControlClient
}

export interface ControlClientOptions {
  /** The address of the server, such as `http://127.0.0.1:4010`. */
  readonly url: string
  /** `default` when absent. */
  readonly sandbox?: string
  /** The token that the server was started with (`--control-token`). */
  readonly token?: string
  /** Sends requests; the global `fetch` by default. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>
}

/** The control API refused a request; the message is the problem's `detail`. */
export class ControlError extends Error {
  readonly status: number
  /** The type of the problem, such as `/problems/sandbox-not-found`. */
  readonly type: string
  /** Everything that is wrong with the request, each with its location. */
  readonly errors: readonly Violation[]

  constructor(
    status: number,
    problem: { readonly type?: string; readonly detail?: string; readonly errors?: readonly Violation[] },
  ) {
    super(problem.detail ?? `The control API responded with ${status}.`)
    this.name = 'ControlError'
    this.status = status
    this.type = problem.type ?? 'about:blank'
    this.errors = problem.errors ?? []
  }
}

/**
 * Creates a client for the control API of a running Standin.
 *
 * @example
 * const control = createControlClient({ url: 'http://127.0.0.1:4010', sandbox: 'checkout' })
 * const { runs } = await control.advanceClock({ by: 'P14D' })
 */
export function createControlClient(options: ControlClientOptions): ControlClient {
  const ids = Object.keys(OPERATIONS) as OperationId[]
  const calls = Object.fromEntries(
    ids.map((id) => [id, (...given: readonly unknown[]) => callOperation(id, given, options)]),
  )
  // The methods have the types of the contract, which they are generated from.
  const { addFiles, explain, ...operations } = calls as unknown as ControlOperations
  return {
    ...operations,
    armFaults: (faults) => operations.armFaults(faults),
    addFiles: (fileSetId, files) => addFiles(fileSetId, { files }),
    explainList: (list, document, moment) =>
      explain({ list, ...(document === undefined ? {} : { document }), ...moment }) as Promise<ListExplanation>,
    explainSearch: (search, file, moment) =>
      explain({ search, ...(file ? { file } : {}), ...moment }) as Promise<SearchExplanation>,
    explainReportSchedule: (schedule) => explain({ schedule }) as Promise<ReportScheduleExplanation>,
    async expectGoodClient() {
      const verification = await operations.verifyJournal({ expectations: [{ goodClient: true }] })
      if (!verification.passed) throw new Error(describeVerification(verification))
    },
    openStream: (streamOptions) => readStream(options, streamOptions),
    in: (name) => createControlClient({ ...options, sandbox: name }),
  }
}

export type OperationId = keyof typeof OPERATIONS

type Fetch = NonNullable<ControlClientOptions['fetch']>

/** Their successes are texts, not JSON. */
const PLAIN_TEXT: ReadonlySet<string> = new Set<OperationId>([
  'getMetrics',
  'getContractYaml',
  'getControlContractYaml',
])

function headersOf({ sandbox, token }: ControlClientOptions): Readonly<Record<string, string>> {
  return {
    ...(sandbox === undefined ? {} : { 'X-Mock-Sandbox': sandbox }),
    ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
  }
}

/**
 * Calls an operation by its operationId.
 *
 * @param given the parameters of the path in order, then the body, or the query of an operation without one
 * @throws ControlError
 */
export async function callOperation(
  operationId: OperationId,
  given: readonly unknown[],
  options: ControlClientOptions,
): Promise<unknown> {
  const { url, fetch: send = sendByFetch } = options
  const headers = headersOf(options)
  const [method, template] = OPERATIONS[operationId]
  const values = given.values()
  const path = template.replaceAll(/\{\w+\}/g, () => encodeURIComponent(values.next().value as string | number))
  const rest = values.next().value
  const hasBody = rest !== undefined && method !== 'GET' && method !== 'DELETE'
  const search = hasBody ? '' : encodeQuery(rest ?? {})
  const target = `${url}${CONTROL_PATH}${path}${search}`
  const response = await sendOrExplain(send, target, {
    method,
    ...(hasBody
      ? { headers: { ...headers, 'Content-Type': 'application/json' }, body: stringifyJson(rest) }
      : { headers }),
  })
  const { status } = response
  const text = await response.text()
  const isText = text === '' || (status === 200 && PLAIN_TEXT.has(operationId))
  const value = isText ? text || undefined : parseResponse(text, `${method} ${target}`)
  // A server that is starting or stopping responds with 503 and its health.
  if (status >= 400 && !(operationId === 'getHealth' && status === 503)) throw new ControlError(status, value ?? {})
  return value
}

function encodeQuery(query: object): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()
  return text === '' ? '' : `?${text}`
}

/** Yields the events of a stream (HTML Living Standard, 9.2.6). It does not reconnect when the connection ends. */
async function* readStream(
  options: ControlClientOptions,
  { lastEventId, signal }: StreamOptions = {},
): AsyncGenerator<StreamEvent> {
  const resume = lastEventId === undefined ? {} : { 'Last-Event-ID': lastEventId }
  const [, path] = OPERATIONS.openStream
  const { url, fetch: send = sendByFetch } = options
  const target = `${url}${CONTROL_PATH}${path}`
  const response = await sendOrExplain(send, target, {
    headers: { ...headersOf(options), ...resume },
    ...(signal ? { signal } : {}),
  })
  if (!response.ok || !response.body)
    throw new Error(`The stream was refused with ${response.status}: ${await response.text()}`)
  // Streams of the web are loaded where they are read.
  const { EventSourceParserStream } = await import('eventsource-parser/stream')
  const events = response.body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream())
  for await (const { id = '', event, data } of events)
    yield { id, event: event as StreamEvent['event'], data: parseJson(data) }
}

const REMEDY = 'Is Standin running there? Start one with standin serve, or give the client its url.'

/** Looks the function up late, since tests replace it. */
const sendByFetch: Fetch = (url, init) => fetch(url, init)

/** Sends a request, with an error message that names the address and the remedy when the connection fails. @throws TypeError, as `fetch` does */
async function sendOrExplain(send: Fetch, url: string, init: RequestInit): Promise<Response> {
  try {
    return await send(url, init)
  } catch (error) {
    if (init.signal?.aborted === true) throw error
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
    const where = `${init.method ?? 'GET'} ${url}: no server responds there`
    throw new TypeError(`${where} (${reasonOf(cause)}). ${REMEDY}`, { cause })
  }
}

/** For a host with several addresses, the combined error has a code but no message. */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause)
  return cause.message || ('code' in cause ? String(cause.code) : cause.name)
}

/** Parses a response; another server at the port rarely responds with JSON. @throws Error */
function parseResponse(text: string, request: string): unknown {
  try {
    return parseJson(text)
  } catch (cause) {
    throw new Error(`${request}: expected the JSON of a control API, got ${shown(text)}. ${REMEDY}`, { cause })
  }
}
