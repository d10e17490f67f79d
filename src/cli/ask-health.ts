import { EventEmitter, once } from 'node:events'
import type { IncomingMessage } from 'node:http'

/** What a server says of itself, or why nothing was heard of it. */
export type Health = { readonly status: 'starting' | 'ready' | 'stopping' } | { readonly reason: string }

/** Asks a server for its health. @param patience milliseconds */
export async function askHealth(url: string, patience: number): Promise<Health> {
  const { request } = url.startsWith('https:') ? await import('node:https') : await import('node:http')
  const asking = request(`${url}/__mock/health`, { signal: AbortSignal.timeout(patience), agent: false }).end()
  try {
    const [response] = (await once(asking as EventEmitter, 'response')) as [IncomingMessage]
    let text = ''
    for await (const chunk of response.setEncoding('utf8')) text += chunk as string
    const status = /^\{"status":"(starting|ready|stopping)"\}$/.exec(text)?.[1] as 'starting' | undefined
    return status === undefined ? { reason: `is not Standin (status ${response.statusCode ?? 0})` } : { status }
  } catch (error) {
    const { name, message } = error as Error
    return {
      reason: name === 'AbortError' ? `did not answer within ${patience} ms` : `does not answer (${message})`,
    }
  } finally {
    asking.destroy()
  }
}
