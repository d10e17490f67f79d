import type {
  Advance,
  AdvanceRequest,
  BehavioursDocument,
  Checkpoint,
  ClockRequest,
  ClockState,
  DeliveryFilter,
  DeliveryRecord,
  FaultRecord,
  FaultRequest,
  ExchangeFilter,
  ExchangeList,
  ExchangeRecord,
  EntryName,
  ExplainScheduleRequest,
  ExplainSearchRequest,
  FileChange,
  FileList,
  FileSetRequest,
  FileSetSummary,
  GivenFile,
  PresetRequest,
  Har,
  Health,
  Info,
  ReportScheduleExplanation,
  HistoryPage,
  Overrides,
  ReplayDocument,
  ReportScheduleRecord,
  RunRecord,
  SandboxSummary,
  SearchExplanation,
  StateDocument,
  StreamEvent,
  Verification,
  VerifyRequest,
} from './types.ts'
import { fetchOrExplain, readAnswer } from './reach.ts'
import { readStream } from './read-stream.ts'
import { stringifyJson } from '../../formats/json.ts'
import type { Violation } from '../../errors/problem.ts'
import type { EntryRecord } from '../../resources/file-sets/store/file-record.ts'

/** Where the operations of the control API lie, by operationId, as its contract has them. */
export const OPERATIONS = {
  getHealth: ['GET', '/health'],
  listSandboxes: ['GET', '/sandboxes'],
  createSandbox: ['POST', '/sandboxes'],
  getSandbox: ['GET', '/sandboxes/{name}'],
  deleteSandbox: ['DELETE', '/sandboxes/{name}'],
  forkSandbox: ['POST', '/sandboxes/{name}/fork'],
  reset: ['POST', '/reset'],
  getState: ['GET', '/state'],
  putState: ['PUT', '/state'],
  listCheckpoints: ['GET', '/checkpoints'],
  createCheckpoint: ['POST', '/checkpoints'],
  restoreCheckpoint: ['POST', '/checkpoints/{name}/restore'],
  deleteCheckpoint: ['DELETE', '/checkpoints/{name}'],
  getClock: ['GET', '/clock'],
  putClock: ['PUT', '/clock'],
  advanceClock: ['POST', '/clock/advance'],
  listReportSchedules: ['GET', '/report-schedules'],
  getReportSchedule: ['GET', '/report-schedules/{scheduleId}'],
  deleteReportSchedule: ['DELETE', '/report-schedules/{scheduleId}'],
  listRuns: ['GET', '/report-schedules/{scheduleId}/runs'],
  listDeliveries: ['GET', '/deliveries'],
  deleteDeliveries: ['DELETE', '/deliveries'],
  getMetrics: ['GET', '/metrics'],
  getInfo: ['GET', '/info'],
  getBehaviours: ['GET', '/behaviours'],
  putBehaviours: ['PUT', '/behaviours'],
  listExchanges: ['GET', '/journal'],
  deleteJournal: ['DELETE', '/journal'],
  getExchange: ['GET', '/journal/{exchangeId}'],
  verifyJournal: ['POST', '/journal/verify'],
  exportHar: ['GET', '/journal.har'],
  openStream: ['GET', '/stream'],
  listFileSets: ['GET', '/file-sets'],
  createFileSet: ['POST', '/file-sets'],
  getFileSet: ['GET', '/file-sets/{fileSetId}'],
  deleteFileSet: ['DELETE', '/file-sets/{fileSetId}'],
  listFiles: ['GET', '/file-sets/{fileSetId}/files'],
  addFiles: ['POST', '/file-sets/{fileSetId}/files'],
  getFile: ['GET', '/file-sets/{fileSetId}/files/{fileId}'],
  changeFile: ['PATCH', '/file-sets/{fileSetId}/files/{fileId}'],
  deleteFile: ['DELETE', '/file-sets/{fileSetId}/files/{fileId}'],
  listFaults: ['GET', '/faults'],
  armFaults: ['POST', '/faults'],
  removeFaults: ['DELETE', '/faults'],
  getFault: ['GET', '/faults/{id}'],
  removeFault: ['DELETE', '/faults/{id}'],
  explain: ['POST', '/explain'],

  getHistory: ['GET', '/history'],
  getReplay: ['GET', '/replay'],
} as const

type OperationId = keyof typeof OPERATIONS

/** The control API of a stand-in, as functions. Each throws a `ControlError` when it is refused. */
export interface ControlClient {
  getHealth(): Promise<Health>
  getInfo(): Promise<Info>
  getBehaviours(): Promise<BehavioursDocument>
  /** Replaces what the sandbox answers otherwise: `{ 'page.last': 'null' }`. */
  putBehaviours(overrides: Overrides): Promise<BehavioursDocument>
  listSandboxes(): Promise<{ readonly sandboxes: readonly SandboxSummary[] }>
  createSandbox(sandbox: {
    readonly name: string
    readonly from?: string
    readonly seed?: number
  }): Promise<SandboxSummary>
  getSandbox(name: string): Promise<SandboxSummary>
  deleteSandbox(name: string): Promise<void>
  forkSandbox(from: string, fork: { readonly name: string; readonly seed?: number }): Promise<SandboxSummary>

  reset(): Promise<SandboxSummary>
  getState(): Promise<StateDocument>
  putState(state: StateDocument): Promise<SandboxSummary>
  listCheckpoints(): Promise<{ readonly checkpoints: readonly Checkpoint[] }>
  createCheckpoint(checkpoint: { readonly name: string }): Promise<Checkpoint>
  restoreCheckpoint(name: string): Promise<SandboxSummary>
  deleteCheckpoint(name: string): Promise<void>

  getClock(): Promise<ClockState>
  putClock(clock: ClockRequest): Promise<ClockState>
  advanceClock(step: AdvanceRequest): Promise<Advance>

  listReportSchedules(): Promise<{ readonly reportSchedules: readonly ReportScheduleRecord[] }>
  getReportSchedule(id: number): Promise<ReportScheduleRecord>
  deleteReportSchedule(id: number): Promise<void>
  listRuns(
    id: number,
    page?: { readonly limit?: number },
  ): Promise<{ readonly total: number; readonly runs: readonly RunRecord[] }>
  listDeliveries(
    filter?: DeliveryFilter & { readonly limit?: number },
  ): Promise<{ readonly total: number; readonly deliveries: readonly DeliveryRecord[] }>
  deleteDeliveries(filter?: DeliveryFilter): Promise<{ readonly removed: number }>

  /** In Prometheus' text format. */
  getMetrics(): Promise<string>
  listExchanges(filter?: ExchangeFilter & { readonly limit?: number }): Promise<ExchangeList>
  getExchange(id: number): Promise<ExchangeRecord>
  deleteJournal(): Promise<{ readonly removed: number }>
  verifyJournal(request: VerifyRequest): Promise<Verification>
  exportHar(filter?: ExchangeFilter): Promise<Har>
  /** What happens from now on, or after an event; ends when the server or the sandbox does, or with the signal. */
  openStream(options?: { readonly lastEventId?: string; readonly signal?: AbortSignal }): AsyncIterable<StreamEvent>

  listFileSets(): Promise<{ readonly fileSets: readonly FileSetSummary[] }>
  createFileSet(fileSet: FileSetRequest): Promise<FileSetSummary>
  getFileSet(id: string): Promise<FileSetSummary>
  deleteFileSet(id: string): Promise<void>
  listFiles(
    fileSetId: string,
    page?: { readonly path?: string; readonly offset?: number; readonly limit?: number },
  ): Promise<FileList>
  addFiles(fileSetId: string, files: readonly GivenFile[]): Promise<FileList>
  getFile(fileSetId: string, fileId: string): Promise<EntryRecord>
  changeFile(fileSetId: string, fileId: string, change: FileChange): Promise<EntryRecord>
  deleteFile(fileSetId: string, fileId: string): Promise<void>

  listFaults(): Promise<{ readonly faults: readonly FaultRecord[] }>
  /** Answers the faults that were armed: one, or those of a preset. */
  armFaults(faults: FaultRequest | PresetRequest): Promise<{ readonly faults: readonly FaultRecord[] }>
  removeFaults(): Promise<{ readonly removed: number }>
  getFault(id: string): Promise<FaultRecord>
  removeFault(id: string): Promise<void>
  explainSearch(search: ExplainSearchRequest, file?: EntryName): Promise<SearchExplanation>
  /** Of one that is stored, by its id, or of the body of a create. */
  explainReportSchedule(schedule: ExplainScheduleRequest): Promise<ReportScheduleExplanation>
  getHistory(page?: { readonly from?: number; readonly limit?: number }): Promise<HistoryPage>
  /** To be written to a file, which `standin replay` does again. */
  getReplay(): Promise<ReplayDocument>

  /** The same for another sandbox. */
  in(sandbox: string): ControlClient
}

export interface ControlClientOptions {
  /** Where the stand-in answers, such as `http://127.0.0.1:4010`. */
  readonly url: string
  /** `default` when absent. */
  readonly sandbox?: string
  /** What the stand-in was started with as `--control-token`. */
  readonly token?: string
  /** How requests are sent; the runtime's `fetch` when absent. */
  readonly send?: (request: ControlClientRequest) => Promise<ControlClientAnswer>
}

export interface ControlClientRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** JSON text. */
  readonly body: string | undefined
}

export interface ControlClientAnswer {
  readonly status: number
  /** JSON text, or that of the metrics; empty for an answer without content. */
  readonly text: string
}

/** The control API refused a request. The message is its `detail`. */
export class ControlError extends Error {
  readonly status: number
  /** What kind of problem it is, such as `/problems/sandbox-not-found`. */
  readonly type: string
  /** Everything that is wrong with the request, each with its place. */
  readonly errors: readonly Violation[]

  constructor(
    status: number,
    problem: { readonly type?: string; readonly detail?: string; readonly errors?: readonly Violation[] },
  ) {
    super(problem.detail ?? `The control API answered ${status}.`)
    this.name = 'ControlError'
    this.status = status
    this.type = problem.type ?? 'about:blank'
    this.errors = problem.errors ?? []
  }
}

/**
 * A client for the control API of a stand-in.
 *
 * @example
 * const control = createControlClient({ url: 'http://127.0.0.1:4010', sandbox: 'checkout' })
 * const { runs } = await control.advanceClock({ by: 'P14D' })
 */
export function createControlClient(options: ControlClientOptions): ControlClient {
  const call = createCaller(options)
  return {
    getHealth: () => call('getHealth'),
    getInfo: () => call('getInfo'),
    getBehaviours: () => call('getBehaviours'),
    putBehaviours: (body) => call('putBehaviours', { body }),
    listSandboxes: () => call('listSandboxes'),
    createSandbox: (body) => call('createSandbox', { body }),
    getSandbox: (name) => call('getSandbox', { path: { name } }),
    deleteSandbox: (name) => call('deleteSandbox', { path: { name } }),
    forkSandbox: (name, body) => call('forkSandbox', { path: { name }, body }),

    reset: () => call('reset'),
    getState: () => call('getState'),
    putState: (body) => call('putState', { body }),
    listCheckpoints: () => call('listCheckpoints'),
    createCheckpoint: (body) => call('createCheckpoint', { body }),
    restoreCheckpoint: (name) => call('restoreCheckpoint', { path: { name } }),
    deleteCheckpoint: (name) => call('deleteCheckpoint', { path: { name } }),

    getClock: () => call('getClock'),
    putClock: (body) => call('putClock', { body }),
    advanceClock: (body) => call('advanceClock', { body }),

    listReportSchedules: () => call('listReportSchedules'),
    getReportSchedule: (scheduleId) => call('getReportSchedule', { path: { scheduleId } }),
    deleteReportSchedule: (scheduleId) => call('deleteReportSchedule', { path: { scheduleId } }),
    listRuns: (scheduleId, query) => call('listRuns', { path: { scheduleId }, query }),
    listDeliveries: (query) => call('listDeliveries', { query }),
    deleteDeliveries: (query) => call('deleteDeliveries', { query }),

    getMetrics: () => call('getMetrics'),
    listExchanges: (query) => call('listExchanges', { query }),
    getExchange: (exchangeId) => call('getExchange', { path: { exchangeId } }),
    deleteJournal: () => call('deleteJournal'),
    verifyJournal: (body) => call('verifyJournal', { body }),
    exportHar: (query) => call('exportHar', { query }),
    openStream: (streamOptions) => readStream(`${options.url}/__mock/stream`, headersOf(options), streamOptions),

    listFileSets: () => call('listFileSets'),
    createFileSet: (body) => call('createFileSet', { body }),
    getFileSet: (fileSetId) => call('getFileSet', { path: { fileSetId } }),
    deleteFileSet: (fileSetId) => call('deleteFileSet', { path: { fileSetId } }),
    listFiles: (fileSetId, query) => call('listFiles', { path: { fileSetId }, query }),
    addFiles: (fileSetId, files) => call('addFiles', { path: { fileSetId }, body: { files } }),
    getFile: (fileSetId, fileId) => call('getFile', { path: { fileSetId, fileId } }),
    changeFile: (fileSetId, fileId, body) => call('changeFile', { path: { fileSetId, fileId }, body }),
    deleteFile: (fileSetId, fileId) => call('deleteFile', { path: { fileSetId, fileId } }),

    listFaults: () => call('listFaults'),
    armFaults: (body) => call('armFaults', { body }),
    removeFaults: () => call('removeFaults'),
    getFault: (id) => call('getFault', { path: { id } }),
    removeFault: (id) => call('removeFault', { path: { id } }),
    explainSearch: (search, file) => call('explain', { body: { search, ...(file ? { file } : {}) } }),
    explainReportSchedule: (schedule) => call('explain', { body: { schedule } }),
    getHistory: (query) => call('getHistory', { query }),
    getReplay: () => call('getReplay'),

    in: (sandbox) => createControlClient({ ...options, sandbox }),
  }
}

interface CallParts {
  readonly path?: Readonly<Record<string, string | number>>
  readonly query?: object | undefined
  readonly body?: unknown
}

/** What an operation answers is promised by the interface above; the tests hold it against the contract. */
type Caller = <Answer>(operationId: OperationId, parts?: CallParts) => Promise<Answer>

function headersOf({ sandbox, token }: ControlClientOptions): Readonly<Record<string, string>> {
  return {
    ...(sandbox === undefined ? {} : { 'X-Mock-Sandbox': sandbox }),
    ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
  }
}

function createCaller(options: ControlClientOptions): Caller {
  const { url, send = sendByFetch } = options
  const headers = headersOf(options)
  return async <Answer>(operationId: OperationId, { path = {}, query = {}, body }: CallParts = {}) => {
    const [method, template] = OPERATIONS[operationId]
    const target = template.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => encodeURIComponent(path[name] ?? ''))
    const given = Object.entries(query).filter(([, value]) => value !== undefined)
    const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()
    const whole = `${url}/__mock${target}${search === '' ? '' : `?${search}`}`
    const { status, text } = await send({
      method,
      url: whole,
      headers: body === undefined ? headers : { ...headers, 'Content-Type': 'application/json' },
      body: body === undefined ? undefined : stringifyJson(body),
    })
    const isText = text === '' || (operationId === 'getMetrics' && status === 200)
    const answer = isText ? text || undefined : readAnswer(text, `${method} ${whole}`)
    if (status >= 400 && !(operationId === 'getHealth' && status === 503)) throw new ControlError(status, answer ?? {})
    return answer as Answer
  }
}

async function sendByFetch({ method, url, headers, body }: ControlClientRequest): Promise<ControlClientAnswer> {
  const response = await fetchOrExplain(url, { method, headers, ...(body === undefined ? {} : { body }) })
  return { status: response.status, text: await response.text() }
}
