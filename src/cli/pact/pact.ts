import { connect, refusalOf } from '../address.ts'
import { type ExchangeFlags, loadExchanges } from '../exchanges.ts'
import type { Contract } from '../../contract/contract.ts'
import { loadContract } from '../../contract/load/load.ts'
import { StartupError } from '../../base/errors/problem.ts'
import { counted } from '../../base/errors/wording.ts'
import {
  inlineSourceFile,
  isThere,
  packageVersion,
  readPackaged,
  readSourceFile,
  writeText,
} from '../../base/formats/source-file.ts'
import { makePact } from '../../truth/pact/make-pact.ts'

export interface PactFlags extends ExchangeFlags {
  readonly consumer: string
  readonly provider?: string
  readonly contract?: string
  readonly allowRef?: readonly string[]
  readonly includeRefused?: boolean
  readonly out?: string
  readonly force?: boolean
}

/** `standin pact`: writes the Pact file of a client, from the journal of a test run or from recordings. */
export async function pact(flags: PactFlags): Promise<void> {
  const { out, consumer, provider } = flags
  if (out !== undefined && flags.force !== true && isThere(out))
    throw new StartupError([`--out: ${out} is there already. Pass --force to replace it, or name another file.`])
  const contract = await contractOf(flags)
  const exchanges = await loadExchanges(flags, contract)
  const options = { consumer, provider, version: packageVersion(), keepsRefused: flags.includeRefused === true }
  const { pact: made, leftOut } = makePact(contract, exchanges, options)
  if (made.interactions.length === 0)
    throw new StartupError([
      `There is nothing to write: ${leftOut.join(', ') || 'nothing was recorded'}. Run your tests first.`,
    ])
  const text = `${JSON.stringify(made, undefined, 2)}\n`
  if (out === undefined) process.stdout.write(text)
  else writeText(out, [text])
  const { length } = made.interactions
  process.stderr.write(`standin: ${counted(length, 'interaction')} from ${counted(exchanges.length, 'exchange')}\n`)
  for (const one of leftOut) process.stderr.write(`standin: left out: ${one}\n`)
}

/** Of the running server, unless a file is named. */
async function contractOf(flags: PactFlags): Promise<Contract> {
  const { contract, allowRef: allowed = [] } = flags
  if (contract !== undefined) return loadContract(readSourceFile(contract, { namedBy: '--contract' }), { allowed })
  if (flags.har !== undefined) return loadContract(readPackaged('spec/openapi.yaml'), { isTrusted: true })
  const server = await connect(flags, ', or pass a --har file')
  try {
    return loadContract(inlineSourceFile(await server.control.getContract(), `${server.url}/openapi.json`))
  } catch (error) {
    throw refusalOf(server, error)
  }
}
