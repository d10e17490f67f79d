import type { Contract } from '../../contract/contract.ts'
import { type ControlClient, ControlError } from '../../control/client/client.ts'
import type { SeenEntry } from '../calibrate/search-seen.ts'
import type { Difference } from '../recordings/differences/find-differences.ts'
import { headerOf, type RecordedExchange } from '../recordings/recorded-exchange.ts'
import type { Target } from '../recordings/target.ts'
import { readSeen } from '../resend/responder.ts'
import { createTrialSandbox, type TrialSandbox } from '../resend/trial-sandbox.ts'
import { sendAgain } from './case.ts'
import { compareCase } from './outcome.ts'
import { entriesIn } from './requests/plan-recorded.ts'

/** A stand-in that gets the requests that a service got. */
export interface SecondService {
  readonly control: ControlClient
  readonly target: Target
  readonly contract: Contract
  /** The path of the search, with its parameter in braces. */
  readonly search: string
}

/** Larger requests were sent to find a bound, which is known by then. */
const MOST_BYTES = 65_536

const NAME = 'sent-again'

/**
 * Sends the requests of a session to a stand-in that has the entries that the session shows, in their order and at their times.
 *
 * @returns in what the responses differ, by exchange; those that were not sent are absent
 */
export async function compareSession(
  exchanges: readonly RecordedExchange[],
  { control, target, contract, search }: SecondService,
): Promise<ReadonlyMap<RecordedExchange, readonly Difference[]>> {
  const keyHeader = contract.credentialLocations[0].name.toLowerCase()
  const begin = { from: 'default', name: NAME, isReset: false }
  const sandbox = await createTrialSandbox({ ...begin, control, target, contract })
  for (const [id, entries] of entriesIn(exchanges, contract, search))
    if (entries.length > 0) await fill(sandbox, id, entries)
  const sent = exchanges.filter(
    ({ request, response }) => response.status !== 0 && (request.body ?? '').length <= MOST_BYTES,
  )
  const seen = sent.map((exchange) => {
    const { request, at } = exchange
    const own = request.headers.filter(({ name }) => name.toLowerCase() !== keyHeader)
    return readSeen({ ...request, headers: own, key: headerOf(request.headers, keyHeader) ?? null, at }, exchange)
  })
  const side = await sandbox.prepare({ overrides: {}, now: exchanges[0]?.at ?? 0, writes: true })
  const steps = () => sendAgain(seen, ({ exchange }) => exchange.request.method !== 'GET')
  const { differences, standin } = await compareCase({ name: NAME, about: [], writes: true, steps }, seen, side)
  const byStep = Map.groupBy(differences, ({ step }) => step)
  return new Map(
    sent.map((exchange, step) => {
      const { status } = exchange.response
      // What the body of an error looks like is a question of its own.
      const isRefused = status >= 400 && status === standin[step]?.exchange.response.status
      return [exchange, isRefused ? [] : (byStep.get(step) ?? [])]
    }),
  )
}

/** With the entries as they are; where these are no entries of the interface, such as with ids that are numbers, with their paths. */
async function fill({ fillFileSet }: TrialSandbox, id: string, entries: readonly SeenEntry[]): Promise<void> {
  try {
    await fillFileSet(id, entries)
  } catch (error) {
    if (!(error instanceof ControlError)) throw error
    await fillFileSet(
      id,
      entries.filter(({ fileType }) => fileType !== 'DIRECTORY').map(({ path }) => ({ path })),
    )
  }
}
