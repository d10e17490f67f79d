import { join } from 'node:path'
import type { AppOptions } from '../app-options.ts'
import type { ExchangeList } from '../../control/client/types.ts'
import type { Coverage } from '../../coverage/coverage.ts'
import { createReport } from '../../coverage/report.ts'
import { makeDirectory } from '../../engine/log/disk.ts'
import type { Sandbox } from '../../engine/sandbox.ts'
import { runSteps, type Steps } from '../../engine/slices.ts'
import { Problem } from '../../errors/problem.ts'
import { counted } from '../../errors/wording.ts'
import { jsonPieces, lazily } from '../../formats/json-pieces.ts'
import { PRIVATE_FILE, writeText } from '../../formats/source-file.ts'
import type { Exchange } from '../../journal/exchange.ts'
import { createHar } from '../../journal/har.ts'
import type { Log } from '../../journal/log.ts'
import type { Redactor } from '../../journal/redact.ts'
import { showExchange } from '../../journal/show-exchange.ts'

interface ArtifactParts {
  readonly app: Pick<AppOptions, 'sandboxes' | 'redactor' | 'log' | 'elapsed' | 'faultKinds'>
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

/**
 * Writes the coverage of the server, and the journal, a HAR, the coverage and a replay of each sandbox to a directory, each file completely or not at all. Replays are the largest and come
 * last, because time and space are limited.
 *
 * @throws StartupError when a file cannot be written
 */
export async function writeArtifacts(directory: string, { app, coverage, writeReplay }: ArtifactParts): Promise<void> {
  const { redactor, log, elapsed } = app
  const sandboxes = foldersOf(app.sandboxes.all.values())
  const coverageOf = (sandbox?: Sandbox) =>
    runSteps(
      createReport(coverage, coverage.tallyOf(sandbox?.coverage), {
        redactor,
        faultKinds: Object.keys(app.faultKinds),
      }),
    )
  const artifacts = [
    // Sandboxes that were deleted, as those of tests are at their end, count there.
    { folder: '', name: COVERAGE, make: () => coverageOf() },
    ...sandboxes.flatMap(([folder, sandbox]) => [
      { folder, name: 'journal.json', make: () => journalOf(sandbox, redactor) },
      { folder, name: 'requests.har', make: () => createHar(kept(sandbox), sandbox, redactor) },
      { folder, name: COVERAGE, make: () => coverageOf(sandbox) },
    ]),
    ...sandboxes.map(([folder, sandbox]) => {
      const make = () => runSteps(writeReplay(sandbox))
      return { folder, name: 'replay.json', make }
    }),
  ]
  const end = elapsed() + MAX_TIME
  let room = MAX_CHARACTERS
  for (const [index, artifact] of artifacts.entries()) {
    const lacks = room <= 0 ? 'space' : elapsed() > end ? 'time' : undefined
    if (lacks !== undefined) {
      log.note(`artifacts: left out ${counted(artifacts.length - index, 'file')} for lack of ${lacks}`)
      break
    }
    room -= writeArtifact(directory, artifact, log)
    // Other work of the process gets its turn.
    await new Promise((resolve) => setImmediate(resolve))
  }
  log.note(`artifacts of ${counted(sandboxes.length, 'sandbox', 'sandboxes')}: ${directory}`)
}

/** @returns how many characters were written */
function writeArtifact(directory: string, { folder, name, make }: Artifact, log: Pick<Log, 'note'>): number {
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

/** Sandboxes by the name of their folder: their own, and after a tilde a number where a file system may take two for the same. */
function foldersOf(sandboxes: Iterable<Sandbox>): (readonly [string, Sandbox])[] {
  const taken = new Map<string, number>()
  return [...sandboxes].map((sandbox) => {
    const { name } = sandbox
    const count = (taken.get(name.toLowerCase()) ?? 0) + 1
    taken.set(name.toLowerCase(), count)
    const suffix = count > 1 ? `~${count}` : RESERVED.test(name) ? '~' : ''
    return [name + suffix, sandbox] as const
  })
}
