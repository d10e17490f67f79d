import { join } from 'node:path'
import type { AppOptions } from '../app-options.ts'
import type { ExchangeList } from '../../control/client/types.ts'
import type { Coverage } from '../../journal/coverage/coverage.ts'
import { createReport } from '../../journal/coverage/report.ts'
import { makeDirectory } from '../../engine/stores/file/disk.ts'
import type { Sandbox } from '../../engine/sandbox.ts'
import { runSteps, type Steps } from '../../engine/slices.ts'
import { Problem } from '../../base/errors/problem.ts'
import { counted } from '../../base/errors/wording.ts'
import { jsonPieces, lazily } from '../../base/formats/json-pieces.ts'
import { PRIVATE_FILE, writeText } from '../../base/formats/source-file.ts'
import type { Exchange } from '../../journal/exchange.ts'
import { createHar } from '../../journal/har.ts'
import type { ServerLog } from '../../journal/server-log.ts'
import type { Redactor } from '../../journal/redact.ts'
import { showExchange } from '../../journal/show-exchange.ts'

/** What a server wrote of sandboxes that were deleted. */
export interface KeptArtifacts {
  /** How many folders have a name, in lower case. */
  readonly folders: Map<string, number>
  characters: number
}

interface ArtifactParts extends Pick<AppOptions, 'sandboxes' | 'redactor' | 'log' | 'elapsed'> {
  readonly keptArtifacts: KeptArtifacts
  readonly coverage: Coverage
  writeReplay(sandbox: Sandbox): Steps<object>
}

const COVERAGE = 'coverage.json'

/** Characters of all files together. */
const MAX_CHARACTERS = 256 * 1024 * 1024
/** Milliseconds: Docker kills a container ten seconds after it asked it to stop. */
const MAX_TIME = 6000

/** A file of one sandbox, or of the whole server. */
interface Artifact {
  /** Empty for the directory itself. */
  readonly folder: string
  readonly name: string
  /** @throws Problem when there is too much for one file */
  make(): object
}

/** Folders of deleted sandboxes: a suite whose every test fails does not fill the disk with small files either. */
const MAX_KEPT = 1000

/** Writes the files of a sandbox that is about to be deleted. The deletion does not fail when they cannot be written. */
export async function keepArtifacts(directory: string, sandbox: Sandbox, parts: ArtifactParts): Promise<void> {
  const { log } = parts
  const { folders } = parts.keptArtifacts
  const kept = [...folders.values()].reduce((sum, count) => sum + count, 0)
  if (kept >= MAX_KEPT) {
    log.note(`artifacts: left out those of ${sandbox.name}, since ${MAX_KEPT} sandboxes have some`)
    return
  }
  try {
    await writeAll(directory, filesOf(foldersOf([sandbox], folders), parts), parts)
  } catch (error) {
    log.note(`artifacts: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/**
 * Writes the coverage of the server, and the journal, a HAR, the coverage and a replay of each sandbox to a directory, each file completely or not at all.
 *
 * @throws StartupError when a file cannot be written
 */
export async function writeArtifacts(directory: string, parts: ArtifactParts): Promise<void> {
  const { sandboxes: all, log, keptArtifacts } = parts
  const sandboxes = foldersOf(all.all.values(), new Map(keptArtifacts.folders))
  // Sandboxes that were deleted, as those of tests are at their end, count there.
  const ofAll = { folder: '', name: COVERAGE, make: () => coverageOf(parts) }
  await writeAll(directory, [ofAll, ...filesOf(sandboxes, parts)], { ...parts, keptArtifacts: { ...keptArtifacts } })
  log.note(`artifacts of ${counted(sandboxes.length, 'sandbox', 'sandboxes')}: ${directory}`)
}

function coverageOf({ redactor, coverage }: ArtifactParts, sandbox?: Sandbox): object {
  return runSteps(createReport(coverage, coverage.tallyOf(sandbox?.coverage), redactor))
}

/** Replays are the largest and come last, because time and space are limited. */
function filesOf(sandboxes: ReturnType<typeof foldersOf>, parts: ArtifactParts): readonly Artifact[] {
  const { redactor } = parts
  return [
    ...sandboxes.flatMap(([folder, sandbox]) => [
      { folder, name: 'journal.json', make: () => journalOf(sandbox, redactor) },
      { folder, name: 'requests.har', make: () => createHar(kept(sandbox), sandbox, redactor) },
      { folder, name: COVERAGE, make: () => coverageOf(parts, sandbox) },
    ]),
    ...sandboxes.map(([folder, sandbox]) => {
      const make = () => runSteps(parts.writeReplay(sandbox))
      return { folder, name: 'replay.json', make }
    }),
  ]
}

async function writeAll(
  directory: string,
  artifacts: readonly Artifact[],
  { log, elapsed, keptArtifacts }: ArtifactParts,
): Promise<void> {
  const end = elapsed() + MAX_TIME
  for (const [index, artifact] of artifacts.entries()) {
    const lacks = keptArtifacts.characters >= MAX_CHARACTERS ? 'space' : elapsed() > end ? 'time' : undefined
    if (lacks !== undefined) {
      log.note(`artifacts: left out ${counted(artifacts.length - index, 'file')} for lack of ${lacks}`)
      break
    }
    keptArtifacts.characters += writeArtifact(directory, artifact, log)
    // Other work of the process gets its turn.
    await new Promise((resolve) => setImmediate(resolve))
  }
}

/** @returns how many characters were written */
function writeArtifact(directory: string, { folder, name, make }: Artifact, log: Pick<ServerLog, 'note'>): number {
  let characters = 0
  const count = function* (pieces: Iterable<string>) {
    for (const piece of pieces) {
      characters += piece.length
      yield piece
    }
  }
  try {
    const document = make()
    makeDirectory(join(directory, folder), '--artifacts')
    writeText(join(directory, folder, name), count(jsonPieces(document)), PRIVATE_FILE)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    log.note(`artifacts: no ${join(folder, name)}: ${error.message}`)
  }
  return characters
}

/** As `GET /__mock/journal` lists all that are kept. */
function journalOf(sandbox: Sandbox, redactor: Redactor): ExchangeList {
  const exchanges = kept(sandbox)
  return {
    total: exchanges.length,
    forgotten: sandbox.journal.forgottenAfter(0),
    next: null,
    exchanges: lazily(exchanges, (one) => showExchange(one, sandbox, redactor)),
  }
}

function kept({ journal }: Sandbox): Exchange[] {
  return [...journal.after(0)].filter((one) => one !== undefined)
}

/** Names that Windows keeps for devices; it also drops a dot at the end. One is that of a file. */
const RESERVED = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)|\.$|^coverage\.json$/i

/** Sandboxes by the name of their folder: their own, and after a tilde a number where a file system may take two for the same, or a deleted one had it. */
function foldersOf(sandboxes: Iterable<Sandbox>, taken: Map<string, number>): (readonly [string, Sandbox])[] {
  return [...sandboxes].map((sandbox) => {
    const { name } = sandbox
    const count = (taken.get(name.toLowerCase()) ?? 0) + 1
    taken.set(name.toLowerCase(), count)
    const suffix = count > 1 ? `~${count}` : RESERVED.test(name) ? '~' : ''
    return [name + suffix, sandbox] as const
  })
}
