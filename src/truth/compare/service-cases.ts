import type { Contract } from '../../contract/contract.ts'
import type { ControlClient } from '../../control/client/client.ts'
import type { Info } from '../../control/client/types.ts'
import { inlineSourceFile, type SourceFile } from '../../base/formats/source-file.ts'
import { findService } from '../recordings/find-service.ts'
import { readHar } from '../recordings/read-har.ts'
import type { RecordedExchange } from '../recordings/recorded-exchange.ts'
import type { Case, Side } from './case.ts'
import { contractCases, haveSameItems } from './requests/contract-cases.ts'
import { findFacts, type Listed } from './requests/facts.ts'
import { listEntries, pathOf, searchCases } from './requests/made-cases.ts'
import { type RecordedCase, recordedCases } from './requests/recorded-cases.ts'
import { scheduleCases } from './requests/schedule-cases.ts'
import { SCHEDULES } from './requests/schedule-requests.ts'
import type { TrialSandbox } from './trial-sandbox.ts'

/** What requests are made from. */
export interface CaseParts {
  /** Where the requests to a live service are from. */
  readonly requests: 'contract' | 'journal' | SourceFile
  /** Of the service: what is searched, and another one. */
  readonly fileSets: readonly string[]
  readonly machine: { readonly realNow: () => number; readonly elapsed: () => number }
  readonly control: ControlClient
  readonly info: Info
  readonly contract: Contract
  readonly sandbox: TrialSandbox
}

/** Requests for the operations of the contract. */
export async function makeCases(parts: CaseParts, live: Side, notes: string[]): Promise<Case[]> {
  const { info, fileSets, machine, contract, sandbox } = parts
  const search = pathOf(info, 'searchFiles')
  const cases: Case[] = []
  if (search !== undefined) {
    const sets = new Map<string, readonly Listed[]>()
    for (const id of fileSets) sets.set(id, await listEntries(search, id, live))
    const { own } = await fillFileSets(parts, search, sets, notes)
    // A service that refuses to list its files may still respond to other requests for them.
    const facts = findFacts(sets) ?? findFacts(own)
    if (facts) cases.push(...searchCases(search, facts))
    else
      notes.push(
        `The service showed no file in the file set ${fileSets.join(' or ')}, so no searches were compared: name one with --file-set.`,
      )
  }
  if (pathOf(info, 'createReportSchedule') === SCHEDULES)
    cases.push(...scheduleCases(Math.floor(machine.realNow() / 1000), machine.realNow()))
  const others = contractCases(contract)
  const side = await sandbox.prepare({ overrides: {}, now: machine.realNow(), writes: false })
  if (await haveSameItems(contract, side, live)) return [...cases, ...others]
  notes.push('The service has other items than the stand-in, so they were compared by what they look like.')
  return [...cases, ...others.map((one) => ({ ...one, hasOtherItems: true }))]
}

interface Filled {
  /** The file sets that were filled. */
  readonly filled: ReadonlySet<string>
  /** What the stand-in had in each before. */
  readonly own: ReadonlyMap<string, readonly Listed[]>
}

/** Gives the stand-in the entries of the service, unless it has them. */
export async function fillFileSets(
  { sandbox, machine }: CaseParts,
  search: string,
  sets: ReadonlyMap<string, readonly Listed[]>,
  notes: string[],
): Promise<Filled> {
  const filled = new Set<string>()
  const own = new Map<string, readonly Listed[]>()
  const side = await sandbox.prepare({ overrides: {}, now: machine.realNow(), writes: false })
  for (const [id, entries] of sets) {
    const held = await listEntries(search, id, side)
    own.set(id, held)
    const known = new Set(held.map(({ path }) => path))
    if (entries.length === 0 || entries.every(({ path }) => known.has(path))) continue
    await sandbox.fillFileSet(id, entries)
    filled.add(id)
    notes.push(
      `The stand-in was asked with ${entries.length} entries of the service in the file set ${id}, in a sandbox of its own.`,
    )
  }
  if (filled.size > 0) await sandbox.keepAsStart()
  return { filled, own }
}

/** Requests that were recorded, to be sent again. */
export async function readCases(parts: CaseParts): Promise<RecordedCase[]> {
  const { requests, control, contract } = parts
  const document = typeof requests === 'object' ? requests : inlineSourceFile(await control.exportHar(), 'journal')
  const { exchanges } = findService(readHar(document), contract)
  return casesOf(parts, exchanges)
}

/** Cases from recorded exchanges. */
export function casesOf({ info, contract }: CaseParts, exchanges: readonly RecordedExchange[]): RecordedCase[] {
  const reading = new Set(info.operations.flatMap((one) => (one.handler === 'searchFiles' ? [one.operationId] : [])))
  return recordedCases(exchanges, contract, ({ operationId }) => reading.has(operationId))
}
