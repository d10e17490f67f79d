import type { Findings } from '../calibrate/calibrate.ts'
import { PROBES } from '../calibrate/probes/probes.ts'
import { type Givens, SCHEDULES } from '../calibrate/questioner.ts'
import type { SeenEntry } from '../calibrate/search-seen.ts'
import type { Contract } from '../../contract/contract.ts'
import type { ControlClient } from '../../control/client/client.ts'
import type { Info } from '../../control/client/types.ts'
import { inlineSourceFile, type SourceFile } from '../../base/formats/source-file.ts'
import { findService } from '../recordings/find-service.ts'
import { readHar } from '../recordings/read-har.ts'
import type { RecordedExchange } from '../recordings/recorded-exchange.ts'
import type { Case, Responder } from './case.ts'
import { askCases, listEntries } from './requests/asked-cases.ts'
import { contractCases, haveSameItems } from './requests/contract-cases.ts'
import { recordedCases } from './requests/recorded-cases.ts'
import type { TrialSandbox } from './trial-sandbox.ts'

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
interface CasesAndFindings {
  readonly cases: readonly Case[]
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
