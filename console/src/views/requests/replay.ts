import type { ExchangeRecord } from '../../../../src/control/client/types.ts'
import { ControlError } from '../../../../src/control/client/client.ts'
import { apiKey, control, forkAndShow, sandboxName, SERVICE_URL } from '../../session.ts'
import { headersToSend, urlToSend } from '../../../../src/control/client/request-code.ts'
import { noteRepeat } from './response-comparison.tsx'

/**
 * Sends a request again, to the sandbox that is shown, and notes which one it repeats.
 *
 * @returns the id of the new exchange; undefined if it is not in the journal
 */
export async function sendAgain({ id, request }: Pick<ExchangeRecord, 'id' | 'request'>): Promise<number | undefined> {
  const { method, body } = request
  const before = await lastId()
  try {
    await fetch(urlToSend(request, SERVICE_URL, apiKey.value), {
      method,
      headers: { ...headersToSend(request, apiKey.value), 'X-Mock-Sandbox': sandboxName.value },
      ...(body === null || method === 'GET' ? {} : { body }),
    })
  } catch {
    // A fault may have broken the connection: the journal tells.
  }
  const last = await lastId()
  if (last === before || last === undefined) return undefined
  noteRepeat(sandboxName.value, last, id)
  return last
}

/**
 * Repeats a request under another setting of a behaviour, in a fork that begins just before it, and shows the fork. In such a fork it
 * is repeated there.
 *
 * @returns as `sendAgain`
 * @throws ControlError
 */
export async function repeatWith(
  exchange: ExchangeRecord,
  behaviour: string,
  setting: unknown,
): Promise<number | undefined> {
  if (exchange.copiedFrom === undefined) await forkBefore(exchange, `${behaviour}-${nameOf(setting)}`)
  const { overrides } = await control.value.getBehaviours()
  await control.value.putBehaviours({ ...overrides, [behaviour]: setting })
  return sendAgain(exchange)
}

/** A setting as a part of the name of a sandbox. */
function nameOf(setting: unknown): string {
  const text = typeof setting === 'string' ? setting : JSON.stringify(setting)
  return text.replaceAll(/[^\w.-]+/g, '-').replaceAll(/^-|-$/g, '')
}

/** What the name of a sandbox may have besides a number. */
const LONGEST_NAME = 60

/** Names the fork after what is different in it: `default-page.last-null`. */
async function forkBefore({ id, sandbox }: ExchangeRecord, change: string): Promise<void> {
  const { sandboxes } = await control.value.listSandboxes()
  const taken = new Set(sandboxes.map(({ name }) => name))
  const meant = `${sandbox.slice(0, 20)}-${change}`.slice(0, LONGEST_NAME)
  let name = meant
  for (let count = 2; taken.has(name); count++) name = `${meant}-${count}`
  try {
    await forkAndShow(sandbox, { name, before: id, journal: true })
  } catch (error) {
    // The history keeps the latest events only: then the present has to do.
    if (!(error instanceof ControlError) || error.status !== 409) throw error
    await forkAndShow(sandbox, { name, journal: true })
  }
}

async function lastId(): Promise<number | undefined> {
  const { exchanges } = await control.value.listExchanges({ limit: 1 })
  return exchanges.at(-1)?.id
}
