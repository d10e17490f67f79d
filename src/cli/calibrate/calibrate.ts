import { textOrJson } from '../../base/formats/json.ts'
import { dirname, resolve } from 'node:path'
import { stringify } from 'yaml'
import { EXIT } from '../exit-codes.ts'
import { confirm, type ConfirmedCalibration } from './confirm.ts'
import { type ProbeFlags, rehearse, runLive } from '../run-probes.ts'
import { MACHINE } from '../../app/setup/machine.ts'
import { type BehaviourCatalog, readCatalog } from '../../behaviours/catalog.ts'
import { calibrateFrom, type Calibration, WRITES } from '../../truth/calibrate/calibrate.ts'
import { createProfile, type Drift, findDrift, type ProfileDocument } from '../../truth/calibrate/profile.ts'
import { readProfile } from '../../config/setting-values.ts'
import { loadContract } from '../../contract/load/load.ts'
import { shown, StartupError } from '../../base/errors/problem.ts'
import { counted } from '../../base/errors/wording.ts'
import { isThere, readPackaged, readSourceFile, writeText } from '../../base/formats/source-file.ts'
import { findService, readHar } from '../../truth/recordings/read-har.ts'
import { createSecretRemover } from '../../truth/recordings/remove-secrets.ts'
import { isDeepStrictEqual } from 'node:util'

export interface CalibrateFlags extends ProbeFlags {
  readonly har?: readonly string[]
  readonly dryRun?: boolean
  readonly profile?: string
  readonly out: string
  readonly force?: boolean
  readonly format: 'text' | 'json'
}

/** `standin calibrate`: finds out how a service behaves, from its responses or from recordings, and writes a profile. */
export async function calibrate(flags: CalibrateFlags): Promise<void> {
  refuseMixed(flags)
  const catalog = readCatalog(readPackaged('spec/behaviours.yaml').value)
  const before = flags.profile === undefined ? undefined : readGivenProfile(flags.profile)
  const found = await runWith(flags, catalog)
  if (!found) return
  if (found.stopped !== undefined && found.results.every(({ finding }) => finding.kind === 'open'))
    throw new StartupError([`${found.stopped}. Nothing was written.`])
  const keys = [flags.key, flags.otherKey].filter((key) => key !== undefined)
  const calibration = await confirm(found, keys)
  const contract = loadContract(readPackaged('spec/openapi.yaml'), { isTrusted: true })
  const document = createProfile(calibration, {
    catalog,
    target: flags.target ?? (flags.har ?? []).join(', '),
    at: new Date(MACHINE.realNow()).toISOString(),
    clean: createSecretRemover(contract, keys),
  })
  writeText(flags.out, [HEAD, stringify(document, { lineWidth: 0, aliasDuplicateObjects: false })])
  const drift = before ? findDrift(calibration.results, before) : []
  const report = { catalog, calibration, document, drift, file: flags.out }
  process.stdout.write(
    flags.format === 'json'
      ? `${JSON.stringify({ ...document, agreement: calibration.agreement, drift })}\n`
      : formatCalibration(report),
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

function refuseMixed({ target, har, key, fileSet, out, force, dryRun, allowWrites, only }: CalibrateFlags): void {
  if ((target === undefined) === (har === undefined))
    throw new StartupError(['Pass either --target with the address of the service, or --har with recordings of it.'])
  if (har) {
    const others = Object.entries({ '--dry-run': dryRun, '--allow-writes': allowWrites, '--only': only })
    const mixed = others.flatMap(([name, value]) => (value === undefined ? [] : [name]))
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
  if (dryRun !== true && !isThere(dirname(resolve(out))))
    throw new StartupError([`--out: There is no directory ${dirname(out)}. Make it, or name another file.`])
  if (dryRun !== true && isThere(out) && force !== true)
    throw new StartupError([`--out: ${out} is there already. Pass --force to replace it, or name another file.`])
}

function readGivenProfile(file: string): Readonly<Record<string, unknown>> {
  const complaints: string[] = []
  const profile = readProfile(file, {
    complain: (complaint, name = '--profile') => void complaints.push(`${name}: ${complaint}`),
    nameOf: () => '--profile',
  })
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

export interface CalibrationReport {
  readonly catalog: BehaviourCatalog
  readonly calibration: ConfirmedCalibration
  readonly document: ProfileDocument
  /** Against the profile that was given. */
  readonly drift: readonly Drift[]
  /** Where the profile was written. */
  readonly file: string
}

/** A calibration as tables: what differs from the default, what is open and which request would settle it, and the totals. */
function formatCalibration({ catalog, calibration, document, drift, file }: CalibrationReport): string {
  const { exchanges, results, stopped, leftBehind, agreement } = calibration
  const defaults = new Map(catalog.behaviours.map((behaviour) => [behaviour.id, behaviour.default]))
  const entries = Object.entries(document.behaviours)
  const others = entries.filter(([id, value]) => !isDeepStrictEqual(defaults.get(id), value))
  const changed = others.map(([id, value]) => [
    id,
    textOrJson(value),
    `default ${textOrJson(defaults.get(id))}`,
    document.evidence[id]?.certainty ?? '',
  ])
  const open = Object.entries(document.open)
  const writing = open.filter(([, { reason }]) => reason === WRITES)
  const showable = open.filter(([id]) => results.some((one) => one.id === id && one.isAsked))
  return [
    ...section(
      `${counted(drift.length, 'behaviour')} drifted from the profile`,
      drift.map(({ id, was, is }) => [id, `was ${textOrJson(was)}`, `is ${textOrJson(is)}`]),
    ),
    ...section(
      `${counted(changed.length, 'behaviour')} ${changed.length === 1 ? 'differs' : 'differ'} from the default`,
      changed,
    ),
    ...section(
      `${counted(showable.length, 'behaviour')} open`,
      showable.map(([id, { reason, probe }]) => [id, reason, ...(probe === undefined ? [] : [`send: ${probe}`])]),
    ),
    ...section(
      `${counted(leftBehind.length, 'report schedule')} left behind`,
      leftBehind.map(({ id, isEnabled }) => [id, isEnabled ? 'still enabled: switch it off' : 'disabled']),
    ),
    ...(stopped === undefined ? [] : [`Stopped early: ${stopped}.`, '']),
    `${entries.length} of ${results.length} behaviours settled by ${counted(exchanges.length, 'exchange')}: ${entries.length - others.length} as by default, ${others.length} otherwise.`,
    `Sent again to a stand-in with the profile, ${agreement.after} of ${counted(agreement.requests, 'request')} get the response of the service; by default ${agreement.before}.`,
    ...(writing.length === 0 ? [] : [`${writing.length} are asked about with --allow-writes only.`]),
    `${open.length} stay at their defaults; ${file} says why, and holds the evidence. Start with it: standin serve --profile ${file}`,
    '',
  ].join('\n')
}

function section(title: string, rows: readonly (readonly string[])[]): string[] {
  if (rows.length === 0) return []
  const widths = [0, 1].map((column) => Math.min(MAX_WIDTH, Math.max(...rows.map((row) => row[column]?.length ?? 0))))
  const lines = rows.map((row) =>
    `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd(),
  )
  return [`${title}:`, ...lines, '']
}

/** Characters of a column; longer cells push the rest of their line to the right. */
const MAX_WIDTH = 60
