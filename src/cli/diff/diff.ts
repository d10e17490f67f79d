import { EXIT } from '../exit-codes.ts'
import { type ExchangeFlags, loadExchanges } from '../exchanges.ts'
import type { Contract } from '../../contract/contract.ts'
import { loadContract } from '../../contract/load/load.ts'
import { allOrRefused } from '../../base/errors/problem.ts'
import { findAffected } from '../../truth/diff/affected.ts'
import { compareContracts } from '../../truth/diff/compare-contracts.ts'
import { type DiffFormat, isBreaking, REPORTS } from '../../truth/diff/report.ts'
import { readSourceFile } from '../../base/formats/source-file.ts'

export interface DiffFlags extends ExchangeFlags {
  readonly format: DiffFormat
  readonly allowRef?: readonly string[]
}

/** `standin diff OLD NEW`: exits with 0 when no change breaks clients, and with 2 when one does. */
export async function diff(oldFile: string, newFile: string, flags: DiffFlags): Promise<void> {
  const { allowRef: allowed = [] } = flags
  const read = (file: string) => () => loadContract(readSourceFile(file), { allowed })
  const [old, now] = allOrRefused<[Contract, Contract]>([read(oldFile), read(newFile)])
  for (const { leftOut } of [old, now]) for (const note of leftOut) process.stderr.write(`standin: note: ${note}\n`)
  const changes = compareContracts(old, now)
  const hasTraffic = flags.har !== undefined || flags.url !== undefined
  const impact = hasTraffic ? findAffected({ old, now }, changes, await loadExchanges(flags, old)) : undefined
  const report = { old: oldFile, now: newFile, changes, impact }
  process.stdout.write(REPORTS[flags.format](report))
  if (isBreaking(report)) process.exitCode = EXIT.differs
}
