import type { StartedAgain } from '../../app/replay/start-again.ts'
import { findIn } from '../calibrate/calibrate.ts'
import type { Givens } from '../calibrate/probe.ts'
import { loadContract } from '../../contract/load/load.ts'
import type { Contract } from '../../contract/contract.ts'
import { createOperationFinder } from '../../contract/router.ts'
import { type ControlClient, createControlClient } from '../../control/client/client.ts'
import { StartupError } from '../../base/errors/problem.ts'
import { inlineSourceFile, type SourceFile } from '../../base/formats/source-file.ts'
import { findService, readHar } from '../recordings/read-har.ts'
import { headerOf } from '../recordings/recorded-exchange.ts'
import { createTarget, type Target, type TargetOptions } from '../recordings/target.ts'
import { compare, type Comparison } from './compare.ts'
import { entriesIn } from './requests/plan-recorded.ts'
import { type CaseParts, casesOf, fillFileSets, leftOut, makeCases, pathOf, readCases } from './service-cases.ts'
import { createLiveSide, type SeenResponse } from '../resend/responder.ts'
import { createTrialSandbox, withFreshStarts } from '../resend/trial-sandbox.ts'
import type { Overrides } from '../../behaviours/behaviours.ts'

/** Who is compared, and by which requests. */
export interface ServicesOptions extends Pick<CaseParts, 'requests' | 'allowWrites' | 'machine' | 'report'> {
  /** Of the service. */
  readonly givens: Omit<Givens, 'keyHeader'>
  readonly standin: { readonly url: string; readonly sandbox: string; readonly token: string | undefined }
  /** The service, unless a recording stands for it. */
  readonly target?: TargetSide
  /** Recordings of the service. */
  readonly recordings: readonly SourceFile[]
  /** Starts a stand-in with the settings of another one and other behaviours; undefined when it cannot. */
  readonly startAgain: (control: ControlClient, behaviours: Overrides) => Promise<StartedAgain | undefined>
  readonly signal: AbortSignal
}

interface TargetSide extends Pick<TargetOptions, 'url' | 'rate' | 'timeout'> {
  /** Epoch ms that its clock shows, where it is not the time of day. */
  readonly clock?: number
}

export interface ServicesComparison extends Comparison {
  /** The operation of a request: `POST /api/files/{id}`, or the request itself when it is none. */
  readonly operationOf: (method: string, url: string) => string
  /** What people should know of how it was done. */
  readonly notes: readonly string[]
}

/** Compares a stand-in with a service, or with recordings of it. The sandbox of the user is not changed. */
export async function compareServices(options: ServicesOptions): Promise<ServicesComparison> {
  const { standin, machine, signal } = options
  const control = createControlClient({
    url: standin.url,
    sandbox: standin.sandbox,
    ...(standin.token === undefined ? {} : { token: standin.token }),
  })
  const info = await control.getInfo()
  const contract = loadContract(inlineSourceFile(await control.getContract(), 'the contract of the stand-in'))
  // Two comparisons at once must not share it.
  const name = `compare-${Math.floor(machine.realNow()).toString(36)}`
  const createSandbox = (own: ControlClient, from: string, url: string) => {
    const target = createTarget({ url, rate: LOCAL_RATE, timeout: LOCAL_TIMEOUT, machine, signal })
    const isReset = options.requests === 'journal'
    return createTrialSandbox({ control: own, from, name, isReset, target, contract, key: options.givens.key })
  }
  const copy = await createSandbox(control, standin.sandbox, standin.url)
  const sandbox = withFreshStarts(copy, async (overrides) => {
    const fresh = await options.startAgain(control, overrides)
    if (!fresh) return undefined
    return { ...(await createSandbox(fresh.control, 'default', fresh.url)), close: () => fresh.stop() }
  })
  try {
    const givens = { ...options.givens, keyHeader: contract.credentialLocations[0].name }
    const parts = { ...options, givens, control, info, contract, sandbox }
    return await (options.target ? compareLive(parts, options.target) : compareRecorded(parts))
  } finally {
    await sandbox.close().catch(() => undefined)
  }
}

/** A stand-in is asked as fast as it responds. */
const LOCAL_RATE = 1_000_000
const LOCAL_TIMEOUT = 30_000

type ComparisonParts = Omit<ServicesOptions, 'givens'> & CaseParts

async function compareLive(parts: ComparisonParts, target: TargetSide): Promise<ServicesComparison> {
  const { machine, signal, contract } = parts
  const asked = refuseSilence(createTarget({ ...target, machine, signal }), target.url)
  const live = createLiveSide({ target: asked, contract, key: parts.givens.key })
  const notes: string[] = []
  const { cases, findings } =
    parts.requests === 'contract' ? await makeCases(parts, live, notes) : await readAllowed(parts, notes)
  const momentOf = (seen: readonly SeenResponse[]) => target.clock ?? momentIn(seen, machine.realNow())
  const compared = await compare({ ...parts, cases, findings, service: live, momentOf })
  return { ...compared, operationOf: createOperationOf(contract), notes: [...notes, ...notesOf(compared)] }
}

/** The requests of a recording that may be sent. */
async function readAllowed(parts: ComparisonParts, notes: string[]) {
  const read = await readCases(parts)
  const cases = parts.allowWrites ? read : read.filter(({ writes }) => !writes)
  if (cases.length < read.length) notes.push(leftOut(read.length - cases.length))
  return { cases, findings: new Map() }
}

/** A service that never responds is down, and no service that behaves differently. */
function refuseSilence(target: Target, url: string): Target {
  let hasResponded = false
  return {
    async send(request) {
      const exchange = await target.send(request)
      const { status, body = '' } = exchange.response
      if (status === 0 && !hasResponded)
        throw new StartupError([
          `--target: ${url}: no service responds there (${body}). Start it, or pass its address.`,
        ])
      hasResponded = true
      return exchange
    },
  }
}

async function compareRecorded(parts: ComparisonParts): Promise<ServicesComparison> {
  const { recordings, contract, info } = parts
  const { exchanges, others } = findService(
    recordings.flatMap((one) => readHar(one)),
    contract,
  )
  const notes = others === 0 ? [] : [`${others} requests of the recording went to other services.`]
  const search = pathOf(info, 'searchFiles')
  if (search !== undefined) await fillFileSets(parts, search, entriesIn(exchanges, contract, search), notes)
  const compared = await compare({
    ...parts,
    cases: casesOf(parts, exchanges),
    findings: findIn(exchanges, contract.credentialLocations[0].name),
    momentOf: (seen) => momentIn(seen, 0),
  })
  return { ...compared, operationOf: createOperationOf(contract), notes: [...notes, ...notesOf(compared)] }
}

/** The time on the service: as its header `Date` has it where the machine's clock differs. */
function momentIn(seen: readonly SeenResponse[], now: number): number {
  const first = seen.find(({ exchange }) => exchange.at > 0)?.exchange
  if (!first) return now
  const date = Date.parse(headerOf(first.response.headers, 'date') ?? '')
  return Math.abs(date - first.at) > MOST_SKEW ? date : first.at
}

/** Milliseconds. `Date` has seconds, and a response takes its time. */
const MOST_SKEW = 5000

function notesOf({ first }: Comparison): string[] {
  const unknown = first.flatMap((one) => one.unknown)
  return [...Map.groupBy(unknown, (why) => why)].map(([why, { length }]) => `Not compared, ${length} times: ${why}.`)
}

function createOperationOf({ operations }: Contract): ServicesComparison['operationOf'] {
  const findOperation = createOperationFinder(operations)
  return (method, url) => {
    const { operation } = findOperation(method, url) ?? {}
    return `${method} ${operation ? operation.basePath + operation.path : (url.split('?', 1)[0] ?? '')}`
  }
}
