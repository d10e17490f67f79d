import { findComplaints } from '../app/setup/load.ts'
import type { Config, LogMode } from '../config/config.ts'
import { createConfig } from '../config/create-config.ts'
import { sourcesOf, unknownVariables } from '../config/sources.ts'
import { StartupError } from '../base/errors/problem.ts'
import { isThere } from '../base/formats/source-file.ts'
import type { Imports } from './import-handlers.ts'

export type Flags = Readonly<Record<string, unknown>>

/**
 * The settings, with real folders read and a file of handlers imported. The code that reads them is loaded only where there are any.
 *
 * @param imports of files that were imported before, an edition
 */
export async function loadSettings(flags: Flags, imports?: Imports): Promise<Config> {
  const config = readSettings(flags, imports?.edition === undefined)
  try {
    return await withFolders(await withHandlers(config, imports))
  } catch (error) {
    if (!(error instanceof StartupError)) throw error
    throw new StartupError([...error.complaints, ...findComplaints(config, new Set())])
  }
}

async function withHandlers(config: Config, imports: Imports | undefined): Promise<Config> {
  const { handlers, names } = config
  if (typeof handlers !== 'string') return config
  const { importHandlers } = await import('./import-handlers.ts')
  return { ...config, handlers: await importHandlers(handlers, imports, names.handlers?.('')) }
}

async function withFolders(config: Config): Promise<Config> {
  return config.folders.length === 0 ? config : (await import('./import/folders.ts')).withFolders(config)
}

/** @param warns whether to warn of variables that look like settings */
function readSettings(flags: Flags, warns: boolean): Config {
  let log: LogMode | undefined
  try {
    const config = createConfig(sourcesOf(flags, process.env), findComplaints)
    log = config.log
    return config
  } finally {
    const lines = warns && log !== 'silent' ? [...unknownVariables(process.env), ...unreadFile(flags)] : []
    for (const line of lines) process.stderr.write(`standin: ${line}\n`)
  }
}

/** A file that `standin init` wrote is meant to be read. */
function unreadFile({ config = process.env.STANDIN_CONFIG }: Flags): readonly string[] {
  return config === undefined && isThere('standin.yaml')
    ? ['standin.yaml is in this directory, but it is not read. Pass --config standin.yaml.']
    : []
}
