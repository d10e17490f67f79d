import { dirname, resolve } from 'node:path'
import type { LoadedParts } from '../../app/setup/load.ts'
import { MACHINE } from '../../app/setup/machine.ts'
import { documentPieces } from '../../base/formats/document-pieces.ts'
import { shown, StartupError } from '../../base/errors/problem.ts'
import { counted, visible } from '../../base/errors/wording.ts'
import { isDirectory, isThere, readPackaged, readSourceFile, writeText } from '../../base/formats/source-file.ts'
import { readCatalog } from '../../behaviours/catalog.ts'
import { type Config, isOwnContract } from '../../config/config.ts'
import { createConfig } from '../../config/create-config.ts'
import { sourcesOf } from '../../config/sources.ts'
import { findApi } from '../../truth/learn/contract/api-traffic.ts'
import { type WrittenContract, writeContract } from '../../truth/learn/contract/write-contract.ts'
import { initialData } from '../../truth/learn/initial-data.ts'
import { learn } from '../../truth/learn/learn.ts'
import { describeHint } from '../../truth/learn/learn-hints.ts'
import { createLearnedProfile, type LearnedProfile } from '../../truth/learn/profile.ts'
import { createTrials } from '../../truth/learn/trial.ts'
import { makeFixture } from '../../truth/recordings/import-recordings.ts'
import { addressOf, type ArchivedExchange, findService, readHar } from '../../truth/recordings/read-har.ts'
import { createSecretRemover } from '../../truth/recordings/remove-secrets.ts'
import type { ScrubReport } from '../../truth/recordings/scrub.ts'
import { EXIT } from '../exit-codes.ts'
import { showProgress } from '../progress.ts'

export interface LearnFlags {
  readonly har: readonly string[]
  readonly out: string
  readonly contractOut: string
  readonly url?: string
  readonly force?: boolean
  readonly format: 'text' | 'json'
  readonly contract?: string
}

/** More exchanges take minutes, and show nothing new. */
const MOST_EXCHANGES = 20_000

/** `standin learn`: a profile of what recordings show that the contract does not say, and a contract where there is none. */
export async function learnProfile(flags: LearnFlags): Promise<void> {
  const { har, out, contractOut, url: address, force: _force, format, ...settings } = flags
  // Services begin empty, as far as their recordings do not say otherwise.
  const given = createConfig(sourcesOf({ documents: '0', ...settings }, process.env))
  const archived = chosen(
    har.flatMap((file) => readHar(readSourceFile(file, { namedBy: '--har' }))),
    address,
  )
  refuse('--out', out, flags)
  const stopping = new AbortController()
  const written = contractFor(archived, given, stopping.signal)
  if (written) {
    refuse('--contract-out', contractOut, flags)
    if (resolve(contractOut) === resolve(out))
      throw new StartupError([`--contract-out: ${out} is the file of --out too. Name another file.`])
  }
  const config = written ? { ...given, contract: written.document } : given
  const trials = createTrials(config, stopping.signal)
  const { url, exchanges } = findService(archived, trials.contract)
  refuseMany(exchanges)
  const { realNow } = MACHINE
  let replaced: ScrubReport['replaced'] = []
  const fixtureOf = (parts: LoadedParts) => {
    const { fixture, report } = makeFixture(initialData(exchanges, parts), parts, { url, realNow })
    replaced = report.replaced
    return fixture
  }
  const lessons = await stoppable(stopping, (report) =>
    learn(exchanges, {
      trials,
      catalog: readCatalog(readPackaged('spec/behaviours.yaml').value).behaviours,
      fixtureOf,
      report,
    }),
  )
  const profile = createLearnedProfile(lessons, { service: url, at: new Date(realNow()).toISOString() })
  if (written) writeDocument(contractOut, CONTRACT_HEAD, written.document)
  writeDocument(out, HEAD, profile)
  const contract = written ? contractOut : settings.contract
  const others = othersThan(url, archived)
  process.stdout.write(
    format === 'json'
      ? `${JSON.stringify({ ...profile, ...(written && { contract: { file: contractOut, unsure: written.unsure } }) })}\n`
      : visibleLines(describe(profile, { file: out, others, contract, written, replaced })),
  )
}

/** The exchanges with one service. @throws StartupError where there is none */
function chosen(archived: readonly ArchivedExchange[], address: string | undefined): readonly ArchivedExchange[] {
  if (address === undefined) return archived
  const above = `${address.replace(/\/$/, '')}/`
  const own = archived.filter(({ origin, request }) => `${origin}${request.url}`.startsWith(above))
  if (own.length > 0) return own
  const origins = [...new Set(archived.map(({ origin }) => origin))]
  throw new StartupError([
    `--url: No request went to ${shown(address)}. The recordings have ${origins.slice(0, MOST_NAMED).join(', ')}.`,
  ])
}

/** Whom else the recordings have exchanges with: `https://cdn.example.com (12)`. */
function othersThan(url: string, archived: readonly ArchivedExchange[]): readonly string[] {
  const others = archived.filter(({ origin, request }) => !`${origin}${request.url}`.startsWith(`${url}/`))
  return [...Map.groupBy(others, ({ origin }) => origin)].map(([origin, own]) => `${origin} (${own.length})`)
}

/** The contract that recordings show; undefined where one is given, or the built-in service is what they are of. */
function contractFor(
  archived: readonly ArchivedExchange[],
  config: Config,
  signal: AbortSignal,
): WrittenContract | undefined {
  if (isOwnContract(config)) return undefined
  const { contract } = createTrials(config, signal)
  if (addressOf(archived, contract) !== undefined) return undefined
  const traffic = findApi(archived.map(createSecretRemover(contract)))
  refuseMany(traffic.exchanges)
  return writeContract(traffic)
}

function refuseMany({ length }: readonly unknown[]): void {
  if (length > MOST_EXCHANGES)
    throw new StartupError([`--har: Expected at most ${MOST_EXCHANGES} exchanges; got ${length}. Pass fewer files.`])
}

function writeDocument(file: string, head: string, document: object): void {
  const isJson = file.endsWith('.json')
  writeText(file, [...(isJson ? [] : [head]), ...documentPieces(document, isJson ? 'json' : 'yaml')])
}

const CONTRACT_HEAD =
  '# Written by `standin learn` from recordings. It says what they showed: look through it, and name what you know better.\n'
const HEAD =
  '# Written by `standin learn`. `standin serve --profile` with this file responds as the service of the recordings did. Change it by hand where you know better.\n'

function refuse(flag: string, file: string, { har, force = false }: LearnFlags): void {
  if (isDirectory(file) || har.some((one) => resolve(one) === resolve(file)))
    throw new StartupError([
      `${flag}: ${file} is ${isDirectory(file) ? 'a directory' : 'one of the recordings'}. Name another file.`,
    ])
  if (!isThere(dirname(resolve(file))))
    throw new StartupError([`${flag}: There is no directory ${dirname(file)}. Make it, or name another file.`])
  if (isThere(file) && !force)
    throw new StartupError([`${flag}: ${file} is there already. Pass --force to replace it, or name another file.`])
}

/** Shows progress, and stops at Ctrl-C. */
async function stoppable<Made>(
  stopping: AbortController,
  work: (report: (doing: string) => void) => Promise<Made>,
): Promise<Made> {
  const stop = () => {
    process.exitCode = EXIT.interrupted
    stopping.abort(new StartupError(['learn: stopped. Nothing was written.']))
  }
  let present = 'reading the recordings'
  process.once('SIGINT', stop)
  const progress = showProgress(() => ({ share: undefined, text: `learn: ${present}` }))
  try {
    return await work((doing) => (present = doing))
  } finally {
    process.off('SIGINT', stop)
    progress.end()
  }
}

function visibleLines(lines: Iterable<string>): string {
  return [...lines].map((line) => `${visible(line)}\n`).join('')
}

/** Differences that are named. */
const MOST_NAMED = 10

interface LearntResult {
  readonly file: string
  /** Whom the recordings have exchanges with besides. */
  readonly others: readonly string[]
  readonly contract: string | undefined
  readonly written: WrittenContract | undefined
  readonly replaced: ScrubReport['replaced']
}

function* describe(
  profile: LearnedProfile,
  { file, others, contract, written, replaced }: LearntResult,
): Generator<string> {
  const { service, exchanges, behaviours, learned, fixture, evidence } = profile
  const { schemas = {}, hints = {}, statuses = [], accepts = {}, forms = {}, examples = [] } = learned
  const additions = Object.values(schemas).reduce((sum, places) => sum + Object.keys(places).length, 0)
  const rules = Object.values(forms).reduce((sum, form) => sum + Object.keys(form).length, 0)
  const documents = Object.values(fixture?.collections ?? {}).reduce((sum, all) => sum + Object.keys(all).length, 0)
  yield `${counted(exchanges, 'exchange')} with ${service}`
  if (others.length > 0) yield `left out: ${others.slice(0, MOST_NAMED).join(', ')}`
  if (written) yield `${String(contract)}: ${counted(written.operations, 'operation')} that the recordings show`
  for (const doubt of written?.unsure ?? []) yield `  unsure: ${doubt}`
  for (const [id, why] of Object.entries(evidence.settings)) yield `  ${id}=${String(behaviours[id])} (${why})`
  for (const [name, hint] of Object.entries(hints)) yield* describeHint(name, hint).map((line) => `  ${line}`)
  yield `learnt: ${counted(Object.keys(behaviours).length, 'setting')}, ${counted(additions, 'addition')} to the contract, ${counted(statuses.length, 'status', 'statuses')}, ${counted(rules, 'rule')} for ${counted(Object.keys(forms).length, 'form')}, what ${counted(Object.keys(accepts).length, 'operation')} take${Object.keys(accepts).length === 1 ? 's' : ''} besides, ${counted(documents, 'document')} that were there at first, ${counted(examples.length, 'example')}`
  for (const { kind, values, members } of replaced) yield `replaced: ${kind} (${values}, in ${members.join(', ')})`
  yield `by the contract:   ${evidence.agreement.before}`
  yield `with this profile: ${evidence.agreement.after}`
  for (const question of evidence.open.slice(0, MOST_NAMED)) yield `  ${question}`
  if (evidence.open.length > MOST_NAMED) yield `  ${evidence.open.length - MOST_NAMED} more in ${file}`
  yield `Start with it: standin serve${contract === undefined ? '' : ` --contract ${contract}`} --documents 0 --profile ${file}`
}
