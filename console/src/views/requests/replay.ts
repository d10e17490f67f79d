import type { ExchangeRecord } from '../../../../src/control/client/types.ts'
import { apiKey, control, sandboxName, SERVICE_URL } from '../../session.ts'
import { headersToSend, urlToSend } from './request-code.ts'

/** Sends a request again, to the sandbox that is shown. @returns the id of the new exchange; undefined if it is not in the journal */
export async function replay({ request }: ExchangeRecord): Promise<number | undefined> {
  const { method, body } = request
  const before = await lastId()
  try {
    await fetch(urlToSend(request, SERVICE_URL, apiKey.value), {
      method,
      headers: { ...headersToSend(request, apiKey.value), 'X-Mock-Sandbox': sandboxName.value },
      ...(body === null ? {} : { body }),
    })
  } catch {
    // A fault may have broken the connection: the journal tells.
  }
  const last = await lastId()
  return last === before ? undefined : last
}

async function lastId(): Promise<number | undefined> {
  const { exchanges } = await control.value.listExchanges({ limit: 1 })
  return exchanges.at(-1)?.id
}
