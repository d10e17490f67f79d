import { connect, refusalOf, type ServerFlags } from './address.ts'
import type { Contract } from '../contract/contract.ts'
import { StartupError } from '../base/errors/problem.ts'
import { inlineSourceFile, readSourceFile } from '../base/formats/source-file.ts'
import { findService, readHar } from '../truth/recordings/read-har.ts'
import type { RecordedExchange } from '../truth/recordings/recorded-exchange.ts'

/** Where recorded exchanges come from: HAR files, or the journal of a running stand-in. */
export interface ExchangeFlags extends ServerFlags {
  readonly har?: readonly string[]
}

/**
 * Loads what a client and the service of a contract sent each other.
 *
 * @throws StartupError when there is nothing of that service
 */
export async function loadExchanges(flags: ExchangeFlags, contract: Contract): Promise<readonly RecordedExchange[]> {
  const { har = [], url, sandbox } = flags
  if (har.length > 0 && url !== undefined)
    throw new StartupError(['--har and --url exclude each other. Pass one of them.'])
  if (har.length > 0 && sandbox !== undefined)
    throw new StartupError(['--sandbox needs a running server. Pass its --url, or leave it out.'])
  const archives = har.length > 0 ? har.map((file) => readSourceFile(file)) : [await loadJournal(flags)]
  const archived = archives.flatMap(readHar)
  if (archived.length === 0 && har.length === 0)
    throw new StartupError([
      `The journal of the sandbox ${sandbox ?? 'default'} has no requests. Run your tests first, or name another --sandbox.`,
    ])
  return findService(archived, contract).exchanges
}

async function loadJournal(flags: ServerFlags) {
  const server = await connect(flags, ', or pass a --har file')
  try {
    return inlineSourceFile(await server.control.exportHar(), 'journal')
  } catch (error) {
    throw refusalOf(server, error)
  }
}
