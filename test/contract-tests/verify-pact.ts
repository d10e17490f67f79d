/**
 * Verifies a listening server against a pact: `node test/contract-tests/verify-pact.ts PACT URL`. Each interaction has a sandbox
 * of its own, a fork of the default one that is gone afterwards; a header sends its request there. The states of the pact prepare
 * that sandbox through the control API. Ends with 1 when an interaction is not answered as the pact says.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type ControlClient, createControlClient } from '../../src/index.ts'
import { CONTRACT_TOOLS } from '../support/contracts/contract-tools.ts'

const [file = '', url = ''] = process.argv.slice(2)

/** The parameters of a provider state, as in the pact. */
type Parameters = Readonly<Record<string, unknown>>

/** Prepares a sandbox. May answer values, which the pact puts into its request. */
type State = (control: ControlClient, parameters: Parameters) => Promise<unknown>

const STATES: Readonly<Record<string, State>> = {
  'a new world': () => Promise.resolve(),
  'the clock stands at': (control, { now }) => control.putClock({ mode: 'frozen', now: String(now) }),
  'a file set with files': (control, { id, files }) =>
    control.createFileSet({ id: String(id), files: files as readonly { readonly path: string }[] }),
  'no report schedules': async (control) => {
    const { reportSchedules } = await control.listReportSchedules()
    for (const { id } of reportSchedules) await control.deleteReportSchedule(id)
  },
  'a report schedule': async (_, info) => ({ scheduleId: await createReportSchedule(info) }),
  // Those of `standin pact`.
  'fileSetId exists': async (control, { fileSetId }) => {
    const files = Array.from('abcdefgh', (name) => ({ path: `${name}.pdf` }))
    await control.createFileSet({ id: `${String(fileSetId)}-of-the-provider`, files })
    return { fileSetId: `${String(fileSetId)}-of-the-provider` }
  },
  'fileSetId does not exist': () => Promise.resolve(),
  'scheduleId exists': async () => ({ scheduleId: await createReportSchedule(SCHEDULE) }),
  'next from an earlier response': async () => ({ next: await nextOf('demo-of-the-provider') }),
  'the service is overloaded': (control, { retryAfter }) =>
    control.armFaults({ kind: 'status', status: 503, headers: { 'Retry-After': String(retryAfter) } }),
}

/** What of `@pact-foundation/pact` is used here. It is installed beside the other contract tools, where the compiler does not look. */
interface Pact {
  readonly Verifier: new (options: {
    readonly [option: string]: unknown
    readonly stateHandlers: Readonly<Record<string, (parameters?: Parameters) => Promise<unknown>>>
    readonly requestFilter: (request: { headers: Record<string, string> }, response: unknown, next: () => void) => void
  }) => { verifyProvider(): Promise<unknown> }
}

let count = 0
let sandbox = 'default'

/** Through the service itself, as any client would. Answers the id. */
async function createReportSchedule(info: Parameters): Promise<number> {
  const response = await fetch(`${url}/api/content/v1/reportschedules`, {
    method: 'POST',
    headers: { 'X-SERVICE-Developer-Token': `pact@${sandbox}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(info),
  })
  return ((await response.json()) as { readonly id: number }).id
}

/** The token of the second page of a file set. */
async function nextOf(fileSetId: string): Promise<string> {
  const response = await fetch(`${url}/api/files/v1/filesets/${fileSetId}/files/search?limit=1`, {
    method: 'POST',
    headers: { 'X-SERVICE-Developer-Token': `pact@${sandbox}`, 'Content-Type': 'application/json' },
    body: '{}',
  })
  return ((await response.json()) as { readonly pageContext: { readonly next: string } }).pageContext.next
}

const SCHEDULE = {
  title: 'Of the provider',
  pageId: 1,
  viewId: 2,
  schedule: { frequency: 'WEEKLY', daysToRun: 'TUE', hourOfDay: 6, minOfHour: 15, timezone: 'Asia/Tokyo' },
}

/** The verifier only warns of an unknown provider state, and would verify the interaction in any state. */
function refuseUnknownStates(): void {
  interface PactFile {
    readonly interactions: readonly { readonly providerStates: readonly { readonly name: string }[] }[]
  }
  const { interactions } = JSON.parse(readFileSync(file, 'utf8')) as PactFile
  const names = interactions.flatMap(({ providerStates }) => providerStates.map(({ name }) => name))
  const unknown = names.filter((name) => !Object.hasOwn(STATES, name))
  if (unknown.length > 0) throw new Error(`${file}: no state is known as ${unknown.join(', ')}.`)
}

async function verify(): Promise<void> {
  refuseUnknownStates()
  const { Verifier } = createRequire(CONTRACT_TOOLS)('@pact-foundation/pact') as Pact
  const everywhere = createControlClient({ url })
  await new Verifier({
    provider: 'file-set-and-report-schedule-service',
    providerBaseUrl: url,
    pactUrls: [file],
    logLevel: 'error',
    beforeEach: () => {
      sandbox = `pact-${++count}`
      return everywhere.forkSandbox('default', { name: sandbox })
    },
    stateHandlers: Object.fromEntries(
      Object.entries(STATES).map(([name, prepare]) => [
        name,
        (parameters = {}) => prepare(createControlClient({ url, sandbox }), parameters),
      ]),
    ),
    requestFilter: (request, _response, next) => {
      request.headers['x-mock-sandbox'] = sandbox
      // Pacts of `standin pact` have no keys.
      request.headers['x-service-developer-token'] ??= 'pact'
      next()
    },
    afterEach: () => everywhere.deleteSandbox(sandbox),
  }).verifyProvider()
}

await verify().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
})
