import type { Imports } from './follow-imports.ts'
import { type Config, createConfig, fileSource, type LogMode, type Source } from '../config/config.ts'
import { environmentSource, unknownVariables } from '../config/environment.ts'
import { readSourceFile } from '../formats/source-file.ts'
import { findComplaints } from '../app/setup/load-parts.ts'
import { StartupError } from '../errors/problem.ts'

/** The flag of each setting that is not called like it. */
const FLAGS: Readonly<Record<string, string>> = {
  behaviours: '--behaviour',
  origins: '--allow-origin',
  hosts: '--allow-host',
  folders: '--folder',
  maxSandboxes: '--max-sandboxes',
  control: '--no-control',
  controlToken: '--control-token',
  selfCheck: '--self-check',
}

/**
 * The settings, real folders among them read and a file of handlers imported. What reads them is loaded only where there are any.
 *
 * @param imports of files that were imported before, an edition
 */
export async function loadSettings(flags: Readonly<Record<string, unknown>>, imports?: Imports): Promise<Config> {
  const config = readSettings(flags, imports?.edition === undefined)
  try {
    return await withFolders(await withHandlers(config, imports))
  } catch (error) {
    if (!(error instanceof StartupError)) throw error
    throw new StartupError([...error.complaints, ...findComplaints(config, NONE)])
  }
}

const NONE = new Set<never>()

async function withHandlers(config: Config, imports: Imports | undefined): Promise<Config> {
  const { handlers, names } = config
  if (typeof handlers !== 'string') return config
  const { importHandlers } = await import('./handlers.ts')
  return { ...config, handlers: await importHandlers(handlers, imports, names.handlers?.('')) }
}

async function withFolders(config: Config): Promise<Config> {
  return config.folders.length === 0 ? config : (await import('./folders.ts')).withFolders(config)
}

/** Defaults < file < environment < flags. @param warns whether to warn of variables that look like settings */
function readSettings(flags: Readonly<Record<string, unknown>>, warns: boolean): Config {
  const { config = process.env.STANDIN_CONFIG, behaviour, allowOrigin, allowHost, control, folder, ...rest } = flags
  const values = {
    ...rest,
    behaviours: behaviour,
    origins: allowOrigin,
    hosts: allowHost,
    folders: folder,
    // There is a flag for no control API only; without it the parser says true.
    control: control === false ? false : undefined,
  }
  const isNamed = typeof config === 'string' && config !== ''
  const namedBy = flags.config === undefined ? 'STANDIN_CONFIG' : '--config'
  const sources: Source[] = [
    ...(isNamed ? [fileSource(readSourceFile(config, { namedBy }))] : []),
    environmentSource(process.env),
    { nameOf: (setting) => FLAGS[setting] ?? `--${setting}`, values },
  ]
  let log: LogMode | undefined
  try {
    const read = createConfig(sources, findComplaints)
    log = read.log
    return read
  } finally {
    const lines = warns && log !== 'silent' ? unknownVariables(process.env, FLAGS) : []
    for (const line of lines) process.stderr.write(`standin: ${line}\n`)
  }
}
