import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { createConfig } from '../../../src/config/create-config.ts'
import { createStandin, type StandinOptions } from '../../../src/index.ts'
import { createProxy } from '../../../src/truth/proxy/create-proxy.ts'
import type { ProxyOptions } from '../../../src/truth/proxy/proxy-app.ts'
import { createUpstream } from '../../../src/truth/proxy/upstream.ts'

/** A server on a free port, until the end of the test. */
export async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A service that a test is about, as a listener. */
export function startService(listener: RequestListener): Promise<string> {
  return listen(createServer(listener))
}

export async function readAll(message: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of message.setEncoding('latin1')) text += String(chunk)
  return text
}

interface ProxySettings extends Omit<StandinOptions, 'contract' | 'record'>, Partial<Omit<ProxyOptions, 'upstream'>> {
  readonly contract?: string | object | undefined
  /** Milliseconds. */
  readonly timeout?: number
}

/** A stand-in in front of a service, not listening yet. */
export function createPartial(service: string, settings: StandinOptions = {}) {
  const standin = createStandin({ upstream: service, ...settings })
  onTestFinished(() => standin.stop())
  return standin
}

/** The same in this process, listening. */
export async function startPartial(service: string, settings: StandinOptions = {}) {
  const { start, control } = createPartial(service, settings)
  return { url: await start(), control }
}

/** `standin proxy` in this process, in front of a service. */
export async function startProxy(service: string, settings: ProxySettings = {}) {
  const { timeout = 5000, record, shadow, ...options } = settings
  const values = { port: 0, log: 'silent', files: 5, ...options }
  const config = createConfig([{ nameOf: (setting) => `options.${setting}`, values }])
  const upstream = createUpstream(service, timeout)
  const proxy = createProxy(config, { upstream, record, shadow })
  onTestFinished(() => proxy.stop())
  return { url: await proxy.start(), control: proxy.control, stop: () => proxy.stop() }
}
