import { type Findings, askProbe, concludeAll, converse } from '../calibrate/calibrate.ts'
import { PROBES } from '../calibrate/probes/probes.ts'
import { type Givens, SCHEDULES, probe, createQuestioner } from '../calibrate/probe.ts'
import { type SeenEntry, entriesOf } from '../calibrate/search-seen.ts'
import type { Contract } from '../../contract/contract.ts'
import type { ControlClient } from '../../control/client/client.ts'
import type { Info } from '../../control/client/types.ts'
import { inlineSourceFile, type SourceFile } from '../../base/formats/source-file.ts'
import { findService, readHar } from '../recordings/read-har.ts'
import type { RecordedExchange, RecordedRequest } from '../recordings/recorded-exchange.ts'
import type { Planned, Responder, SeenResponse } from '../resend/responder.ts'
import { type Case, sendAgain } from './case.ts'
import { contractCases, haveSameItems } from './requests/contract-cases.ts'
import { recordedCases } from './requests/recorded-cases.ts'
import type { TrialSandbox } from '../resend/trial-sandbox.ts'
import type { BehaviourId } from '../../../types/behaviour-settings.d.ts'
import { createTraffic } from '../calibrate/create-traffic.ts'

/** What requests are made from. */
export interface CaseParts {
  /** Where the requests to a live service are from. */
  readonly requests: 'contract' | 'journal' | SourceFile
  /** Of the service. */
  readonly givens: Givens
  readonly allowWrites: boolean
  readonly report: (done: string) => void
  readonly machine: { readonly realNow: () => number; readonly elapsed: () => number }
  readonly control: ControlClient
  readonly info: Info
  readonly contract: Contract
  readonly sandbox: TrialSandbox
}

/** What the service is asked, and what its responses show of its settings. */
export interface CasesAndFindings {
  readonly cases: readonly Case[]
  /** What the traffic of the target shows of its settings. */
  readonly findings: Findings
}

/** The path of the operation that a built-in handler serves, with its parameter in braces; undefined when the contract has none. */
export function pathOf({ operations }: Info, handler: string): string | undefined {
  const found = operations.find((one) => one.handler === handler)
  return found && `${found.basePath ?? ''}${found.path}`
}

/** Requests for the operations of the contract. */
export async function makeCases(parts: CaseParts, live: Responder, notes: string[]): Promise<CasesAndFindings> {
  const { machine, contract, sandbox } = parts
  const { cases, findings } = await askAll(parts, live, notes)
  const others = contractCases(contract)
  const side = await sandbox.prepare({ overrides: {}, now: machine.realNow(), writes: false })
  if (await haveSameItems(contract, side, live)) return { cases: [...cases, ...others], findings }
  notes.push('The service has other items than the stand-in, so they were compared by what they look like.')
  return { cases: [...cases, ...others.map((one) => ({ ...one, hasOtherItems: true }))], findings }
}

/** The questions of calibration, which are about file sets and report schedules. */
async function askAll(parts: CaseParts, live: Responder, notes: string[]): Promise<CasesAndFindings> {
  const { info, givens, allowWrites, report } = parts
  const searchPath = pathOf(info, 'searchFiles') ?? ''
  const hasSchedules = pathOf(info, 'createReportSchedule') === SCHEDULES
  const hasFiles = searchPath !== '' && (await shareFiles(parts, live, searchPath, notes))
  if (hasSchedules && !allowWrites) notes.push(leftOut(PROBES.filter(({ writes, ask }) => writes && ask).length))
  const allows = (writes: boolean) => (writes ? hasSchedules && allowWrites : hasFiles)
  return askCases(live, { givens, searchPath, allows, report })
}

export function leftOut(cases: number): string {
  return `${cases} cases that may change something were left out: pass --allow-writes to send them to the service too.`
}

/** Gives the stand-in the files of the service. Whether either has some: a service that refuses to list them may respond to others. */
async function shareFiles(parts: CaseParts, live: Responder, search: string, notes: string[]): Promise<boolean> {
  const { fileSet, otherFileSet } = parts.givens
  const fileSets = otherFileSet === undefined ? [fileSet] : [fileSet, otherFileSet]
  const sets = new Map<string, readonly SeenEntry[]>()
  for (const id of fileSets) sets.set(id, await listEntries(live, { ...parts.givens, fileSet: id }, search))
  const own = await fillFileSets(parts, search, sets, notes)
  const hasFiles = [...sets.values(), ...own.values()].some(({ length }) => length > 0)
  if (!hasFiles)
    notes.push(
      `The service showed no file in the file set ${fileSets.join(' or ')}, so no searches were compared: name one with --file-set.`,
    )
  return hasFiles
}

/** Gives the stand-in the entries of the service, unless it has them. Returns what it had in each file set before. */
export async function fillFileSets(
  { sandbox, machine, givens }: CaseParts,
  search: string,
  sets: ReadonlyMap<string, readonly SeenEntry[]>,
  notes: string[],
): Promise<ReadonlyMap<string, readonly SeenEntry[]>> {
  let isFilled = false
  const own = new Map<string, readonly SeenEntry[]>()
  const side = await sandbox.prepare({ overrides: {}, now: machine.realNow(), writes: false })
  for (const [id, entries] of sets) {
    const held = await listEntries(side, { ...givens, fileSet: id }, search)
    own.set(id, held)
    const known = new Map(held.map((entry) => [entry.path, entry.created]))
    if (entries.every(({ path, created }) => known.has(path) && known.get(path) === created)) continue
    await sandbox.fillFileSet(id, entries)
    isFilled = true
    notes.push(
      `The stand-in was asked with ${entries.length} entries of the service in the file set ${id}, in a sandbox of its own.`,
    )
  }
  if (isFilled) await sandbox.keepAsStart()
  return own
}

/** Requests that were recorded, to be sent again. */
export async function readCases(parts: CaseParts): Promise<Case[]> {
  const { requests, control, contract } = parts
  const document = typeof requests === 'object' ? requests : inlineSourceFile(await control.exportHar(), 'journal')
  const { exchanges } = findService(readHar(document), contract)
  return casesOf(parts, exchanges).map(({ exchanges: _, ...one }) => one)
}

/** Cases from recorded exchanges. */
export function casesOf({ info, contract }: CaseParts, exchanges: readonly RecordedExchange[]): Case[] {
  const reading = new Set(info.operations.flatMap((one) => (one.handler === 'searchFiles' ? [one.operationId] : [])))
  return recordedCases(exchanges, contract, ({ operationId }) => reading.has(operationId))
}

/** Sends the requests of calibration to a side, and keeps the responses. */
function createSend(side: Responder, givens: Givens, searchPath: string) {
  const seen: SeenResponse[] = []
  const send = async (request: RecordedRequest) => {
    const response = await side.send(plan(request, givens, searchPath))
    seen.push(response)
    return { ...response.exchange, request }
  }
  return { seen, send }
}

/**
 * The entries of a file set, by a walk. Fewer where the walk is refused.
 *
 * @param searchPath where the contract has the search of a file set, with the id in braces
 */
async function listEntries(side: Responder, givens: Givens, searchPath: string): Promise<readonly SeenEntry[]> {
  const { seen, send } = createSend(side, givens, searchPath)
  const traffic = createTraffic(givens.keyHeader)
  await converse(createQuestioner(traffic, givens).walk({ query: { limit: 200 } }), traffic, send)
  return seen.flatMap(({ json }) => entriesOf(json) ?? [])
}

/** The key goes where the contract wants it, and the search to where the contract has it. */
function plan({ method, url, headers, body }: RecordedRequest, { keyHeader }: Givens, searchPath: string): Planned {
  return {
    method,
    url: url.replace(SEARCH, (_, fileSet: string) => searchPath.replace(/\{[^{}]+\}/, fileSet)),
    headers: headers.filter(({ name }) => name !== keyHeader),
    body: method === 'POST' || method === 'PUT' ? body : undefined,
    key: headers.find(({ name }) => name === keyHeader)?.value ?? null,
  }
}

const SEARCH = /^\/api\/files\/v1\/filesets\/([^/]+)\/files\/search/

/** Its responses do not say what the setting is, but a stand-in with the same setting gives them too. */
const FILTER_WORK = probe('filter.work', {
  conclude: () => undefined,
  *ask({ search }) {
    for (const patterns of [10, 40]) {
      const value = Array.from({ length: patterns }, (_, at) => `${'x%'.repeat(30)}${at}`)
      yield* search({ body: { filters: [{ field: 'name', operator: 'LIKE', value }] } })
    }
  },
})

/** A question, and the responses to its requests. */
interface AnsweredQuestion {
  readonly id: BehaviourId
  readonly writes: boolean
  readonly seen: readonly SeenResponse[]
}

interface AskOptions {
  readonly givens: Givens
  readonly searchPath: string
  /** Whether probes that change something are run, and those that do not. */
  allows(writes: boolean): boolean
  report(id: BehaviourId): void
}

/** The questions of calibration that may be asked, each as a case: the stand-in gets the requests that the service got. */
async function askCases(side: Responder, { givens, searchPath, allows, report }: AskOptions) {
  const traffic = createTraffic(givens.keyHeader)
  const asked: AnsweredQuestion[] = []
  for (const [at, probe] of [...PROBES, FILTER_WORK].entries()) {
    const { id, writes = false } = probe
    if (!probe.ask || !allows(writes)) continue
    report(id)
    // Each has a schedule of its own, so that it does not matter what was asked before.
    const own = { ...givens, viewId: givens.viewId + at, title: `Comparison ${givens.viewId + at}` }
    const { seen, send } = createSend(side, givens, searchPath)
    await askProbe(probe, traffic, createQuestioner(traffic, own), send)
    if (seen.length > 0) asked.push({ id, writes, seen })
  }
  const findings = concludeAll(traffic)
  const cases = asked.map((one) =>
    toCase(one, [...shownBy(one, findings), ...(isFirst(one, asked) ? unasked(one) : [])]),
  )
  return { cases, findings }
}

/** The other behaviours that its responses show. */
function shownBy({ seen }: AnsweredQuestion, findings: Findings): readonly string[] {
  const sources = new Set(seen.map(({ exchange }) => exchange.source))
  return [...findings].flatMap(([id, finding]) =>
    finding?.kind === 'settled' && finding.evidence.some(({ source }) => sources.has(source)) ? [id] : [],
  )
}

function isFirst(one: AnsweredQuestion, asked: readonly AnsweredQuestion[]): boolean {
  return asked.find(({ writes }) => writes === one.writes) === one
}

/** Behaviours that any response shows. */
function unasked({ writes: isWrite }: AnsweredQuestion): readonly string[] {
  return PROBES.filter(({ ask, writes = false }) => !ask && writes === isWrite).map(({ id }) => id)
}

function toCase({ id, writes, seen }: AnsweredQuestion, others: readonly string[]): Case {
  return {
    name: id,
    about: [...new Set([id, ...others])],
    writes,
    exchanges: seen.map(({ exchange }) => exchange),
    steps: () => sendAgain(seen, () => writes),
  }
}
