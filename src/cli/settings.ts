import type { Command } from 'commander'
import type { Imports } from './follow-imports.ts'
import { type Config, createConfig, fileSource, type LogMode, type Source } from '../config.ts'
import { environmentSource, strangeVariables } from '../config/environment.ts'
import { readDocument } from '../document.ts'
import { findComplaints } from '../load-parts.ts'
import { StartRefused } from '../problem.ts'

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

function collect(value: string, before: string[] = []): string[] {
  return [...before, value]
}

/** The settings as flags. Each is also a variable `STANDIN_…` and a member of the configuration file. */
export function addSettings(command: Command): Command {
  return command
    .option('--port <number>', 'port; 0 picks a free one (default: 4010)')
    .option('--host <address>', 'address to listen on (default: 127.0.0.1)')
    .option('--seed <number>', 'governs every id, file and token (default: 42)')
    .option('--files <number>', 'size of the file set demo, up to 10000000 (default: 1000)')
    .option(
      '--clock <instant>',
      "where the clock stands still, such as 2026-03-01T09:00:00Z (default: the machine's clock)",
    )
    .option(
      '--fixtures <file>',
      'file sets, report schedules and documents of your own, YAML or JSON (repeatable)',
      collect,
    )
    .option('--folder <name=directory>', 'a real folder as a file set (repeatable)', collect)
    .option('--contract <file>', 'another OpenAPI document, 3.0 or 3.1')
    .option('--handlers <file>', 'operations of your own, TypeScript or JavaScript')
    .option('--self-check', 'hold every answer against the contract before it leaves')
    .option('--profile <name>', 'default, document-only or observed (default: default)')
    .option('--behaviour <id=value>', 'answer one open question otherwise (repeatable)', collect)
    .option('--config <file>', 'settings from a YAML or JSON file')
    .option('--keys <file>', 'known keys, with users and rights (default: any key)')
    .option('--allow-origin <origin>', 'web pages that may call besides local ones (repeatable)', collect)
    .option(
      '--allow-host <name>',
      'names that requests may be for besides localhost, such as standin.test (repeatable)',
      collect,
    )
    .option('--max-sandboxes <number>', 'how many sandboxes there may be (default: 256)')
    .option(
      '--control-token <token>',
      'what callers of the control API must bear (default: only this machine may call)',
    )
    .option('--no-control', 'no control API at all')
    .option('--smtp <url>', 'a mail catcher that gets each delivery, such as smtp://127.0.0.1:1025')
    .option(
      '--data <directory>',
      'keep every change there, and go on from it at the next start (default: memory alone)',
    )
    .option('--fsync', 'let each change wait until the disk has it (default: until the system has it)')
    .option('--watch', 'take up changes of contract, fixtures, handlers, keys and configuration while it runs')
    .option('--log <mode>', 'pretty, json or silent (default: pretty)')
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
    if (!(error instanceof StartRefused)) throw error
    throw new StartRefused([...error.complaints, ...findComplaints(config, NONE)])
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

/** Defaults < file < environment < flags. @param warns whether variables that look as if they were meant for us are told */
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
    ...(isNamed ? [fileSource(readDocument(config, { namedBy }))] : []),
    environmentSource(process.env),
    { nameOf: (setting) => FLAGS[setting] ?? `--${setting}`, values },
  ]
  let log: LogMode | undefined
  try {
    const read = createConfig(sources, findComplaints)
    log = read.log
    return read
  } finally {
    const lines = warns && log !== 'silent' ? strangeVariables(process.env, FLAGS) : []
    for (const line of lines) process.stderr.write(`standin: ${line}\n`)
  }
}
