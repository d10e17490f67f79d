import type { Contract } from '../../contract/contract.ts'
import { type ControlClient, ControlError } from '../../control/client/client.ts'
import type { SeenEntry } from '../calibrate/search-seen.ts'
import { type Difference, findDifferences } from '../recordings/differences/find-differences.ts'
import { createMatcher } from '../recordings/differences/values.ts'
import { headerOf, type RecordedExchange } from '../recordings/recorded-exchange.ts'
import type { Target } from '../recordings/target.ts'
import { readSeen } from './case.ts'
import { createOwnNames, entriesIn } from './requests/plan-recorded.ts'
import { createLiveSide } from './sides.ts'
import { createTrialSandbox, type TrialSandbox } from './trial-sandbox.ts'

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
export async function sendAgain(
  exchanges: readonly RecordedExchange[],
  { control, target, contract, search }: SecondService,
): Promise<ReadonlyMap<RecordedExchange, readonly Difference[]>> {
  const keyHeader = contract.credentialLocations[0].name.toLowerCase()
  const headers = [{ name: 'X-Mock-Sandbox', value: NAME }]
  const sandbox = await createTrialSandbox({
    control,
    from: 'default',
    name: NAME,
    isReset: false,
    side: ({ setClock }) => createLiveSide({ target, contract, key: '', headers, setClock }),
  })
  for (const [id, entries] of entriesIn(exchanges, contract, search))
    if (entries.length > 0) await fill(sandbox, id, entries)
  const side = await sandbox.prepare({ overrides: {}, now: exchanges[0]?.at ?? 0, writes: true })
  const { replaceIn, learn } = createOwnNames()
  const matcher = createMatcher()
  const found = new Map<RecordedExchange, readonly Difference[]>()
  for (const exchange of exchanges) {
    const { request, response, at } = exchange
    if (response.status === 0 || (request.body ?? '').length > MOST_BYTES) continue
    const planned = {
      ...request,
      headers: request.headers.filter(({ name }) => name.toLowerCase() !== keyHeader),
      key: headerOf(request.headers, keyHeader) ?? null,
      at,
    }
    const theirs = readSeen(planned, exchange)
    const ours = await side.send(replaceIn(planned))
    learn(theirs.json, ours.json, request.method !== 'GET')
    const isRefused = response.status >= 400 && response.status === ours.exchange.response.status
    // What the body of an error looks like is a question of its own.
    found.set(exchange, isRefused ? [] : findDifferences(ours, theirs, { matcher, now: at }))
  }
  return found
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
