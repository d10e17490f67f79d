import { EXIT } from '../exit-codes.ts'
import { connect, readAddress, readServer, refusalOf, type ServerFlags } from '../address.ts'
import { positive, type ProbeFlags } from '../run-probes.ts'
import { startAgain } from '../../app/replay/start-again.ts'
import { MACHINE } from '../../app/setup/machine.ts'
import { compareServices, type ServicesOptions } from '../../truth/compare/compare-services.ts'
import { createReport } from '../../truth/compare/report.ts'
import { type ComparisonFormat, writeReport } from '../../truth/compare/write-report.ts'
import { ControlError } from '../../control/client/client.ts'
import { StartupError } from '../../base/errors/problem.ts'
import { readSourceFile } from '../../base/formats/source-file.ts'

export interface CompareFlags
  extends ServerFlags, Pick<ProbeFlags, 'target' | 'key' | 'otherKey' | 'fileSet' | 'otherFileSet' | 'allowWrites'> {
  readonly har?: readonly string[]
  readonly requests?: string
  readonly rate?: string
  readonly timeout?: string
  readonly clock?: string
  readonly format: ComparisonFormat
}

/** `standin compare`: exits with 0 when the stand-in responds as the service does, and with 2 when something differs. */
export async function compareStandin(flags: CompareFlags): Promise<void> {
  const ending = new AbortController()
  process.once('SIGINT', () => {
    process.exitCode = EXIT.interrupted
    ending.abort(new StartupError(['Interrupted.']))
  })
  const options = readOptions(flags, ending.signal)
  const server = await connect(flags)
  const compared = await compareServices(options).catch((error: unknown) => {
    throw error instanceof ControlError ? refusalOf(server, error) : error
  })
  const target = flags.target ?? (flags.har ?? []).join(', ')
  if (compared.requests === 0) throw new StartupError(['There was nothing to compare.', ...compared.notes])
  const report = createReport(compared, options.standin.url, target)
  process.stdout.write(writeReport(report, flags.format))
  if (report.agreeing < report.cases) process.exitCode = EXIT.differs
}

function readOptions(flags: CompareFlags, signal: AbortSignal): ServicesOptions {
  const { target, har = [], requests = 'contract', sandbox = 'default', fileSet = 'demo', otherFileSet } = flags
  const { key = 'any', otherKey } = flags
  // Numbers that no earlier comparison used.
  const first = Math.floor(MACHINE.realNow() / 1000)
  if ((target === undefined) === (har.length === 0))
    throw new StartupError([
      `Expected --target with the address of the service, or --har with recordings of it; got ${target === undefined ? 'neither' : 'both'}. Pass one of them.`,
    ])
  if (har.length > 0 && flags.requests !== undefined)
    throw new StartupError([
      '--requests: With --har the requests are those of the recordings. Leave it out, or pass --target.',
    ])
  const server = readServer(flags)
  const showProgress = process.stderr.isTTY
  return {
    standin: {
      url: server.url,
      sandbox,
      token: server.token,
    },
    ...(target === undefined ? {} : { target: readTarget(flags, target) }),
    recordings: har.map((file) => readSourceFile(file, { namedBy: '--har' })),
    requests:
      requests === 'contract' || requests === 'journal'
        ? requests
        : readSourceFile(requests, { namedBy: '--requests' }),
    givens: {
      key,
      otherKey,
      fileSet,
      otherFileSet,
      pageId: first,
      viewId: first,
    },
    startAgain,
    allowWrites: flags.allowWrites === true,
    machine: MACHINE,
    signal,
    report: (done) => {
      if (showProgress) process.stderr.write(`\r\u001b[K${done.slice(0, 78)}`)
    },
  }
}

function readTarget(flags: CompareFlags, target: string): NonNullable<ServicesOptions['target']> {
  const url = readAddress(target, '--target')
  const { rate, timeout = '30', clock } = flags
  const moment = clock === undefined ? undefined : Date.parse(clock)
  if (Number.isNaN(moment))
    throw new StartupError([`--clock: Expected an instant such as 2026-03-01T09:00:00Z; got ${JSON.stringify(clock)}.`])
  return {
    url,
    rate: readRate(rate, url),
    timeout: positive('--timeout', timeout, 600) * 1000,
    ...(moment === undefined ? {} : { clock: moment }),
  }
}

/** Two a second to a service; a server on this machine is asked as fast as it responds. */
function readRate(rate: string | undefined, url: string): number {
  if (rate !== undefined) return positive('--rate', rate, 100)
  return /^(localhost|127\.|\[::1\])/.test(new URL(url).host) ? FASTEST : 2
}

const FASTEST = 100_000
