import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'
import { serve } from '../public-documents/serve.ts'
import type { Recording } from './recording.ts'
import type { Answer, Sessions } from './session.ts'

/** What a team can use instead of the service. The services begin empty, so `standin` does too; `standin-default` begins with items. */
export const TARGETS = ['standin', 'standin-default', 'prism', 'scalar', 'replay'] as const

export type FidelityTarget = (typeof TARGETS)[number]

export interface Started {
  /** What the paths of the steps follow. */
  readonly url: string
  /** Called before each session with its name. */
  begin?(session: string): void
  stop(): Promise<void>
}

export async function startTarget(
  target: FidelityTarget,
  {
    name,
    service,
    recording,
  }: {
    readonly name: string
    readonly service: Sessions
    readonly recording: Recording
  },
): Promise<Started> {
  if (target === 'replay') return replay(service, recording)
  const file = documentOf(name)
  const isStandin = target === 'standin' || target === 'standin-default'
  const flags = target === 'standin' ? ['--documents', '0'] : []
  const clock = isStandin ? ['--clock', `${recording.day}T12:00:00Z`] : []
  const served = await serve(isStandin ? 'standin' : target, file, Infinity, [...flags, ...clock])
  if (served.base === undefined) throw new Error(`${target} does not serve ${file}:\n${served.output}`)
  // Standin serves the path of the document's server; the others serve the document's paths alone.
  const base = isStandin ? basePathOf(readFileSync(file, 'utf8')) : ''
  return { url: served.base + base, stop: served.stop }
}

/** The file with the document of a service. */
export function documentOf(name: string): string {
  const documents = new URL('documents/', import.meta.url)
  const file = readdirSync(documents).find((one) => one.replace(/\.\w+$/, '') === name)
  if (file === undefined) throw new Error(`checks/fidelity/documents has no document of ${name}`)
  return fileURLToPath(new URL(file, documents))
}

interface DocumentedServer {
  readonly url: string
  readonly variables?: Readonly<Record<string, { readonly default: string }>>
}

function basePathOf(text: string): string {
  const { basePath, servers } = parse(text) as { basePath?: string; servers?: DocumentedServer[] }
  const { url = '/', variables = {} } = servers?.[0] ?? {}
  const filled = url.replaceAll(/\{([^}]+)\}/g, (_, name: string) => variables[name]?.default ?? '')
  const path = basePath ?? new URL(filled, 'http://service').pathname
  return path.replace(/\/$/, '')
}

/**
 * Answers as a recording of the other sessions: a request with the same path and query, or the same path, or a path with other ids, in
 * the order in which they were recorded; the last one again. That is what replaying a HAR file does at best.
 */
async function replay({ sessions }: Sessions, { answers }: Recording): Promise<Started> {
  const all = sessions.flatMap(({ name, steps }) =>
    steps.map((step, at) => ({ session: name, method: step.method, path: step.path, answer: answers.get(name)?.[at] })),
  )
  let known = all
  const used = new Set<unknown>()
  const server = createServer(({ method, url = '' }, response) => {
    const alike = [url, pathOf(url), shapeOf(url)].map((wanted, at) =>
      known.filter((one) => one.method === method && [one.path, pathOf(one.path), shapeOf(one.path)][at] === wanted),
    )
    const found = alike.find((some) => some.length > 0) ?? []
    const next = found.find((one) => !used.has(one)) ?? found.at(-1)
    used.add(next)
    write(response, next?.answer)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    begin(session) {
      known = all.filter((one) => one.session !== session)
      used.clear()
    },
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

function write(response: ServerResponse, answer: Answer | undefined): void {
  const type = answer?.headers['content-type']
  response.writeHead(answer?.status ?? 404, {
    ...(type !== undefined && { 'Content-Type': type }),
    Connection: 'close',
  })
  response.end(answer?.body === undefined ? undefined : JSON.stringify(answer.body))
}

function pathOf(url: string): string {
  return url.replace(/\?.*/, '')
}

/** Each second segment of a path is taken for an id. */
function shapeOf(url: string): string {
  return pathOf(url)
    .split('/')
    .map((segment, at) => (at % 2 === 0 && at > 1 ? '*' : segment))
    .join('/')
}
