import { basename, resolve } from 'node:path'
import { connect, type RunningServer, readAddress, refusalOf, type ServerFlags } from '../address.ts'
import { loadFolder } from './folders.ts'
import type { RecordingFlags } from './import-recordings.ts'
import { type ControlClient, ControlError } from '../../control/client/client.ts'
import { counted } from '../../base/errors/wording.ts'
import { flowYaml } from '../../base/formats/flow-yaml.ts'
import { isThere, writeText } from '../../base/formats/source-file.ts'
import { StartupError } from '../../base/errors/problem.ts'
import type { FolderEntry } from '../../resources/fixtures/folder.ts'

export interface ImportFlags extends RecordingFlags, ServerFlags {
  readonly as?: string
  readonly force?: boolean
  readonly replace?: boolean
  readonly har?: readonly string[]
  readonly stubs?: readonly string[]
}

/** `standin import`: data of one's own for a stand-in, from a real folder or from recordings. */
export async function importData(directory: string | undefined, flags: ImportFlags): Promise<void> {
  refuseMixedSources(directory, flags)
  if (directory !== undefined) return importFolder(directory, flags)
  if (flags.stubs) {
    const { importStubs } = await import('./import-stubs.ts')
    return importStubs(flags.stubs, flags)
  }
  const { importHars } = await import('./import-recordings.ts')
  importHars(flags.har ?? [], flags)
}

/** Flags that only one of the two sources knows. */
const OF_FOLDERS = { as: '--as', url: '--url', sandbox: '--sandbox', replace: '--replace' } as const
const OF_RECORDINGS = {
  contract: '--contract',
  overlay: '--overlay',
  allowRef: '--allow-ref',
  config: '--config',
} as const

function refuseMixedSources(directory: string | undefined, flags: ImportFlags): void {
  const given = [
    ...(directory === undefined ? [] : [directory]),
    ...(['har', 'stubs'] as const).flatMap((name) => (flags[name] === undefined ? [] : [`--${name}`])),
  ]
  if (given.length > 1) throw new StartupError([`${given.join(' and ')} exclude each other. Leave out all but one.`])
  if (given.length === 0)
    throw new StartupError([
      'Expected a folder, such as ./documents, recordings with --har session.har, or --stubs mappings; got none of them.',
    ])
  const [others, remedy] =
    directory === undefined
      ? ([OF_FOLDERS, 'belongs to a folder. Leave it out: what is read here becomes a file, for --out.'] as const)
      : ([OF_RECORDINGS, 'belongs to --har and --stubs. Leave it out: a folder needs no contract.'] as const)
  const mixed = Object.entries(others).filter(([name]) => flags[name as keyof ImportFlags] !== undefined)
  if (mixed.length > 0) throw new StartupError(mixed.map(([, flag]) => `${flag} ${remedy}`))
  refuseExisting(flags)
}

/** The files of one request to a running server. */
const BATCH = 20_000

/** A real folder as a fixture file, or as a file set of a running server. */
async function importFolder(directory: string, flags: ImportFlags): Promise<void> {
  refuseMixed(flags)
  const id = flags.as ?? basename(resolve(directory))
  if (id === '') throw new StartupError([`${directory} has no name. Give the file set one with --as.`])
  const { files } = await loadFolder(id, directory)
  if (flags.url !== undefined) return sendFileSet(id, files, flags)
  const isJson = flags.out?.endsWith('.json') === true
  const parts = isJson ? asJson(id, files) : asYaml(id, files)
  if (flags.out !== undefined) writeText(flags.out, parts)
  else for (const part of parts) process.stdout.write(part)
}

function refuseMixed({ out, url, sandbox, replace }: ImportFlags): void {
  if (out !== undefined && url !== undefined)
    throw new StartupError(['--out and --url exclude each other. Pass one of them.'])
  if (url === undefined && (sandbox !== undefined || replace === true))
    throw new StartupError(['--sandbox and --replace need a running server. Pass its --url.'])
  if (url !== undefined) readAddress(url)
}

function refuseExisting({ out, force }: ImportFlags): void {
  if (out !== undefined && force !== true && isThere(out))
    throw new StartupError([`--out: ${out} is there already. Pass --force to replace it, or name another file.`])
}

/** A line for each file. */
function* asYaml(id: string, files: readonly FolderEntry[]): Generator<string> {
  yield `fileSets:\n  - id: ${flowYaml(id)}\n    files:${files.length === 0 ? ' []' : ''}\n`
  for (const file of files) yield `      - ${flowYaml(file)}\n`
}

function* asJson(id: string, files: readonly FolderEntry[]): Generator<string> {
  yield `{"fileSets":[{"id":${JSON.stringify(id)},"files":[\n`
  let before = ''
  for (const file of files) {
    yield `${before}${JSON.stringify(file)}`
    before = ',\n'
  }
  yield ']}]}\n'
}

/** In parts, so that no body is too large. When one is refused, the file set is deleted. */
async function sendFileSet(id: string, files: readonly FolderEntry[], flags: ImportFlags): Promise<void> {
  const server = await connect(flags, ', or write a fixture with --out')
  const { control, url } = server
  let isMade = false
  try {
    if (flags.replace === true) await deleteIfThere(control, id)
    await control.createFileSet({ id, files: files.slice(0, BATCH) })
    isMade = true
    for (let at = BATCH; at < files.length; at += BATCH) await control.addFiles(id, files.slice(at, at + BATCH))
  } catch (error) {
    if (isMade) await control.deleteFileSet(id).catch(() => undefined)
    throw whyNotSent(server, error)
  }
  const { files: count, directories } = await control.getFileSet(id)
  process.stderr.write(
    `standin: ${url} has the file set ${id} now: ${counted(count, 'file')} in ${counted(directories, 'directory', 'directories')}\n`,
  )
}

async function deleteIfThere(control: ControlClient, id: string): Promise<void> {
  try {
    await control.deleteFileSet(id)
  } catch (error) {
    if (!(error instanceof ControlError && error.type === '/problems/file-set-not-found')) throw error
  }
}

function whyNotSent(server: RunningServer, error: unknown): StartupError {
  const refusal = refusalOf(server, error)
  if (!(error instanceof ControlError && error.type === '/problems/file-set-exists')) return refusal
  return new StartupError([`${refusal.message} Pass --replace to take its place.`])
}
