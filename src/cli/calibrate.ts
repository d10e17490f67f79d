import { createInterface } from 'node:readline/promises'
import { stringify } from 'yaml'
import { EXIT } from './exit-codes.ts'
import { showProgress } from './progress.ts'
import { formatCalibration } from './format-calibration.ts'
import { createStandin } from '../app/setup/create-standin.ts'
import { MACHINE } from '../app/setup/machine.ts'
import { type BehaviourCatalog, readCatalog } from '../behaviours/catalog.ts'
import { calibrate as runProbes, calibrateFrom, type Calibration, Stopped } from '../calibrate/calibrate.ts'
import { createCarefulSend } from '../calibrate/careful-send.ts'
import { createProfile, findDrift } from '../calibrate/profile.ts'
import type { Givens } from '../calibrate/questioner.ts'
import { readProfile } from '../config/setting-values.ts'
import { loadContract } from '../contract/load/load.ts'
import { shown, StartupError } from '../errors/problem.ts'
import { counted } from '../errors/wording.ts'
import { isThere, readPackaged, readSourceFile, writeText } from '../formats/source-file.ts'
import { findService } from '../traffic/find-service.ts'
import { readHar } from '../traffic/read-har.ts'
import type { RecordedExchange, RecordedRequest } from '../traffic/recorded-exchange.ts'
import { createSecretRemover } from '../traffic/remove-secrets.ts'
import { createTarget } from '../traffic/target.ts'

export interface CalibrateFlags {
  readonly target?: string
  readonly har?: readonly string[]
  readonly key?: string
  readonly otherKey?: string
  readonly fileSet?: string
  readonly otherFileSet?: string
  readonly pageId: string
  readonly viewId: string
  readonly rate: string
  readonly timeout: string
  readonly allowWrites?: boolean
  readonly confirm?: string
  readonly dryRun?: boolean
  readonly only?: string
  readonly profile?: string
  readonly out: string
  readonly force?: boolean
  readonly format: 'text' | 'json'
}

type Send = (request: RecordedRequest) => Promise<RecordedExchange>

/** `standin calibrate`: finds out how a service behaves, from its responses or from recordings, and writes a profile. */
export async function calibrate(flags: CalibrateFlags): Promise<void> {
  refuseMixed(flags)
  const catalog = readCatalog(readPackaged('spec/behaviours.yaml').value)
  const before = flags.profile === undefined ? undefined : readGivenProfile(flags.profile)
  const calibration = await runWith(flags, catalog)
  if (!calibration) return
  if (calibration.stopped !== undefined && calibration.results.every(({ finding }) => finding.kind === 'open'))
    throw new StartupError([`${calibration.stopped}. Nothing was written.`])
  const contract = loadContract(readPackaged('spec/openapi.yaml'), { isTrusted: true })
  const document = createProfile(calibration, {
    catalog,
    target: flags.target ?? (flags.har ?? []).join(', '),
    at: new Date(MACHINE.realNow()).toISOString(),
    clean: createSecretRemover(
      contract,
      [flags.key, flags.otherKey].filter((key) => key !== undefined),
    ),
  })
  writeText(flags.out, [HEAD, stringify(document, { lineWidth: 0, aliasDuplicateObjects: false })])
  const drift = before ? findDrift(calibration.results, before) : []
  const report = { catalog, calibration, document, drift, file: flags.out }
  process.stdout.write(
    flags.format === 'json' ? `${JSON.stringify({ ...document, drift })}\n` : formatCalibration(report),
  )
  if (calibration.stopped !== undefined) process.exitCode ??= 1
  else if (drift.length > 0) process.exitCode = EXIT.differs
  else if (calibration.results.some(({ finding, isAsked }) => finding.kind === 'open' && isAsked))
    process.exitCode = EXIT.open
}

const HEAD =
  '# Written by `standin calibrate`. `standin serve --profile` with this file behaves like the service it was calibrated against.\n'

function runWith(flags: CalibrateFlags, catalog: BehaviourCatalog): Promise<Calibration | undefined> | Calibration {
  if (flags.har) return fromRecordings(flags.har, catalog)
  if (flags.dryRun === true) return rehearse(flags, catalog)
  return runLive(flags, catalog)
}

function refuseMixed({ target, har, key, fileSet, out, force, dryRun, allowWrites }: CalibrateFlags): void {
  if ((target === undefined) === (har === undefined))
    throw new StartupError(['Pass either --target with the address of the service, or --har with recordings of it.'])
  if (har) {
    const others = Object.entries({ '--dry-run': dryRun, '--allow-writes': allowWrites })
    const mixed = others.flatMap(([name, value]) => (value === true ? [name] : []))
    if (mixed.length > 0)
      throw new StartupError([`${mixed.join(' and ')}: --har sends nothing. Leave it out, or pass --target.`])
  } else {
    const missing = Object.entries({ '--key': key, '--file-set': fileSet }).flatMap(([name, value]) =>
      value === undefined ? [name] : [],
    )
    if (missing.length > 0)
      throw new StartupError([
        `${missing.join(' and ')}: missing. Calibration searches a file set of the service with a key.`,
      ])
  }
  if (dryRun !== true && isThere(out) && force !== true)
    throw new StartupError([`--out: ${out} is there already. Pass --force to replace it, or name another file.`])
}

function readGivenProfile(file: string): Readonly<Record<string, unknown>> {
  const complaints: string[] = []
  const profile = readProfile(
    file,
    (complaint, name) => complaints.push(`${name ?? '--profile'}: ${complaint}`),
    () => '--profile',
  )
  if (typeof profile === 'string')
    complaints.push(`--profile: Expected a file of \`standin calibrate\` to compare with; got ${shown(profile)}.`)
  if (!profile || typeof profile === 'string') throw new StartupError(complaints)
  return Object.fromEntries(profile.behaviours.map(({ id, value }) => [id, value]))
}

function fromRecordings(files: readonly string[], catalog: BehaviourCatalog): Calibration {
  const contract = loadContract(readPackaged('spec/openapi.yaml'), { isTrusted: true })
  const archived = files.flatMap((file) => readHar(readSourceFile(file, { namedBy: '--har' })))
  const { url, exchanges, others } = findService(archived, contract)
  process.stderr.write(
    `standin: ${counted(exchanges.length, 'exchange')} with ${url}; ${counted(others, 'other')} left out\n`,
  )
  return calibrateFrom(exchanges, { catalog, keyHeader: contract.credentialLocations[0].name })
}

function givensOf(flags: CalibrateFlags): Givens {
  const { key = '', fileSet = '', otherKey, otherFileSet } = flags
  const [keyLocation] = loadContract(readPackaged('spec/openapi.yaml'), { isTrusted: true }).credentialLocations
  return {
    keyHeader: keyLocation.name,
    key,
    otherKey,
    fileSet,
    otherFileSet,
    pageId: positive('--page-id', flags.pageId),
    viewId: positive('--view-id', flags.viewId),
  }
}

function positive(name: string, text: string, most = Number.MAX_SAFE_INTEGER): number {
  const number = Number(text)
  if (number > 0 && number <= most) return number
  const range = most === Number.MAX_SAFE_INTEGER ? 'a positive number' : `a number above 0, up to ${most}`
  throw new StartupError([`${name}: Expected ${range}; got ${shown(text)}.`])
}

async function runLive(flags: CalibrateFlags, catalog: BehaviourCatalog): Promise<Calibration> {
  const url = serviceUrl(flags.target)
  const [givens, rate, timeout] = [
    givensOf(flags),
    positive('--rate', flags.rate, 100),
    positive('--timeout', flags.timeout, 600),
  ]
  if (flags.allowWrites === true) await confirmWrites(url, flags.confirm)
  const stopping = new AbortController()
  const stop = () => {
    process.exitCode = EXIT.interrupted
    stopping.abort(new Stopped('Ctrl-C ended it'))
  }
  process.once('SIGINT', stop)
  let present = 'begins'
  let share = 0
  let sent = 0
  const progress = showProgress(() => ({ share, text: `${counted(sent, 'request')}, ${present}` }))
  try {
    const { send } = createTarget({
      url: url.href,
      rate,
      timeout: timeout * 1000,
      machine: MACHINE,
      signal: stopping.signal,
    })
    const careful = createCarefulSend(send)
    return await runProbes({
      catalog,
      givens,
      allowWrites: flags.allowWrites === true,
      only: onlyOf(flags, catalog),
      send: (request) => careful(request).finally(() => sent++),
      onProgress: (id, done, all) => {
        present = id
        share = done / all
      },
    })
  } finally {
    process.off('SIGINT', stop)
    progress.end()
  }
}

function serviceUrl(text: string | undefined): URL {
  const url = URL.parse(text ?? '')
  if (url && /^https?:$/.test(url.protocol)) return url
  throw new StartupError([`--target: Expected an address such as https://api.example.com; got ${shown(text)}.`])
}

function onlyOf({ only }: CalibrateFlags, { behaviours }: BehaviourCatalog): ReadonlySet<string> | undefined {
  if (only === undefined) return undefined
  const asked = only.split(',').map((one) => one.trim())
  const ids = behaviours.flatMap(({ id }) => (asked.some((one) => id === one || id.startsWith(`${one}.`)) ? [id] : []))
  if (ids.length > 0) return new Set(ids)
  throw new StartupError([
    `--only: There is no behaviour ${shown(only)}. Name ids or their first words, such as limit,page.last.`,
  ])
}

/** Probes that write leave a report schedule behind, so somebody has to say so in words. */
async function confirmWrites({ host }: URL, confirmed: string | undefined): Promise<void> {
  const question = `Probes that write create report schedules at ${host}. Type ${host} to allow it: `
  const answer = confirmed ?? (process.stdin.isTTY ? await askTerminal(question) : undefined)
  if (answer?.trim() === host) return
  throw new StartupError([
    answer === undefined
      ? `--allow-writes asks for a confirmation, and this is no terminal. Pass --confirm ${host}.`
      : `Expected ${host} as the confirmation; got ${shown(answer)}. Nothing was sent.`,
  ])
}

async function askTerminal(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return await terminal.question(question)
  } finally {
    terminal.close()
  }
}

/** Prints the requests of a calibration, which is run against a stand-in: a service may lead to others. */
async function rehearse(flags: CalibrateFlags, catalog: BehaviourCatalog): Promise<undefined> {
  const givens = givensOf(flags)
  const ids = [givens.fileSet, givens.otherFileSet].filter((id) => id !== undefined)
  const standin = createStandin({ files: 0, fixtures: [{ fileSets: ids.map((id) => ({ id, generate: 200 })) }] })
  const url = await standin.start()
  try {
    const { signal } = new AbortController()
    const { send } = createTarget({ url, rate: Infinity, timeout: 10_000, machine: MACHINE, signal })
    const print: Send = (request) => {
      process.stdout.write(`${request.method} ${request.url} ${(request.body ?? '').slice(0, 500)}\n`)
      return send(request)
    }
    const allowWrites = flags.allowWrites === true
    const { exchanges } = await runProbes({ catalog, givens, allowWrites, only: onlyOf(flags, catalog), send: print })
    process.stderr.write(
      `standin: ${counted(exchanges.length, 'request')} to a stand-in with files of its own, and none to ${flags.target ?? ''}. Names and ids will be those of the service.\n`,
    )
  } finally {
    await standin.stop()
  }
}
