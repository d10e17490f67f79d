import { once } from 'node:events'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import express, { type Express } from 'express'
import { createApp } from '../../app/app.ts'
import type { AppInstance } from '../../app/app-instance.ts'
import { createInProcessFetch } from '../../app/in-process.ts'
import { IN_PROCESS_URL, type InProcessFetch } from '../../app/in-process-fetch.ts'
import { createServer } from '../../app/server.ts'
import type { Front } from '../../app/setup/assemble.ts'
import { counted } from '../../base/errors/wording.ts'
import { contentTooLarge } from '../../base/errors/request-errors.ts'
import type { Config, FallbackReason } from '../../config/config.ts'
import type { Contract } from '../../contract/contract.ts'
import type { AnswererName } from '../../control/client/types.ts'
import type { Answerers } from '../../control/control-needs.ts'
import type { ServerLog } from '../../journal/server-log.ts'
import { CONTROL_PATH } from '../../control/path.ts'
import { createAnswerers, type RoutedAnswerers } from './answerers.ts'
import { LONGEST } from './capture.ts'
import { deadlinesOf } from './create-proxy.ts'
import { type Forwarded, type ForwardDependencies, hasBody } from './forwarded.ts'
import { endToEnd } from './forwarded-headers.ts'
import { createJoining, joinableOperations } from './join-lists.ts'
import { createProxyApp } from './proxy-app.ts'
import { createUpstream, type Upstream } from './upstream.ts'

/** Milliseconds that the service may send nothing for. */
const PATIENCE = 30_000

/** An app that forwards some requests, and what it keeps open until the server has stopped. */
export interface PartialFront extends Front {
  readonly answerers: Answerers
  /** Who handles what, as a line. */
  describe(): string
}

/**
 * `standin serve --upstream`: a service handles some operations, and the stand-in the others. All of them are in its journal.
 *
 * @throws StartupError for an address that is none
 */
export function createPartialFront(
  { upstream: address = '', record, fallback: given, names }: Config,
  { note }: Pick<ServerLog, 'note'>,
): PartialFront {
  const upstream = createUpstream(address, PATIENCE, names.upstream?.(''))
  const changed = new Map<string, AnswererName>()
  const closing = [upstream.close]
  let answerers: RoutedAnswerers | undefined
  let fallback = given
  let joinable: readonly string[] = []
  const describe = () => whoAnswers(upstream.name, answerers?.operations ?? [], { fallback, joinable })
  return {
    describe,
    answerers: {
      url: upstream.name,
      get operations() {
        return answerers?.operations ?? []
      },
      choose: (operationId, answeredBy) => void changed.set(operationId, answeredBy),
    },
    createApp(instance, summary) {
      const { contract, config } = instance
      const isReload = answerers !== undefined
      answerers = createAnswerers(contract, config, changed)
      fallback = config.fallback
      joinable = config.join ? joinableOperations(instance) : []
      if (isReload) note(describe())
      const { app, close } = createPartialApp(instance, summary, {
        upstream: behindSharedPath(upstream, contract),
        answerers,
        record,
      })
      closing.push(close)
      return app
    },
    forwarding(operationId) {
      if (answerers?.nameOf(operationId) !== 'upstream') return undefined
      return fallback.length === 0 ? 'only' : 'first'
    },
    deadlines: deadlinesOf(upstream),
    sendsContinue: true,
    close() {
      for (const close of closing) close()
    },
  }
}

function whoAnswers(
  service: string,
  operations: Answerers['operations'],
  { fallback, joinable }: Pick<Config, 'fallback'> & { readonly joinable: readonly string[] },
): string {
  const handledBy = (name: AnswererName) =>
    operations.filter(({ answeredBy }) => answeredBy === name).map(({ operationId }) => operationId)
  const [here, there] = [handledBy('mock'), handledBy('upstream')]
  const joined = there.filter((id) => joinable.includes(id))
  const parts = [
    `${service} handles ${there.length} of ${counted(operations.length, 'operation')}`,
    `handled here: ${here.length}${listed(here)}`,
    ...(fallback.length === 0 ? [] : [`and what it answers with ${fallback.join(', ')}`]),
    ...(joined.length === 0 ? [] : [`joined lists: ${joined.length}${listed(joined)}`]),
  ]
  return parts.join('; ')
}

function listed(names: readonly string[]): string {
  if (names.length === 0) return ''
  return `: ${names.slice(0, MOST_NAMED).join(', ')}${names.length > MOST_NAMED ? ', …' : ''}`
}

const MOST_NAMED = 10

/** The paths of the contract may begin with the path of the address already. */
function behindSharedPath(upstream: Upstream, { operations }: Contract): Upstream {
  const isShared = operations.some(({ basePath, path }) => `${basePath}${path}`.startsWith(`${upstream.prefix}/`))
  return isShared ? { ...upstream, prefix: '' } : upstream
}

interface PartialOptions extends Pick<Config, 'record'> {
  readonly upstream: Upstream
  readonly answerers: RoutedAnswerers
}

function createPartialApp(
  instance: AppInstance,
  summary: () => string,
  { upstream, answerers, record }: PartialOptions,
): ReturnType<typeof createProxyApp> {
  const answeredBy = (name: AnswererName) => ({ ...instance, headers: ['x-mock-answered-by', name] })
  const here = createApp(answeredBy('mock'), summary)
  const { fallback, join } = instance.config
  const instead = () => createApp({ ...answeredBy('mock'), isAfterService: true }, summary)
  const { app: there, close } = createProxyApp(answeredBy('upstream'), {
    upstream,
    record,
    instead: fallback.length === 0 ? undefined : createFallback(instead(), { fallback, answerers }),
    joining: join ? createJoining(instance, answerers.route) : undefined,
  })
  const app = express()
    .disable('x-powered-by')
    .use((request, response, next) => {
      if (!isForControl(request.url) && answerers.of(request) === 'upstream') {
        there(request, response, next)
        return
      }
      // The proxy passes it on by itself.
      if (request.headers.expect?.toLowerCase() === '100-continue') response.writeContinue()
      here(request, response, next)
    })
  return { app, close }
}

function isForControl(url: string): boolean {
  return url === CONTROL_PATH || url.startsWith(`${CONTROL_PATH}/`) || url.startsWith(`${CONTROL_PATH}?`)
}

/** The header of a request that is handled here after all, and of its response: what the service said. */
const SAID = 'X-Mock-Upstream-Said'

/** Lets an app handle requests that the service did not. */
function createFallback(
  app: Express,
  { fallback, answerers }: Pick<Config, 'fallback'> & Pick<PartialOptions, 'answerers'>,
): NonNullable<ForwardDependencies['instead']> {
  const ask = createInProcessFetch(createServer(app).accept)
  return (forwarded, said) =>
    fallback.includes(said) && answerers.route(forwarded.context.request).kind === 'operation'
      ? answerHere(forwarded, said, ask)
      : undefined
}

async function answerHere(forwarded: Forwarded, said: FallbackReason, ask: InProcessFetch): Promise<void> {
  const { request, response } = forwarded.context
  const { method = 'GET', url = '/', rawHeaders } = request
  const left = new AbortController()
  response.once('close', () => left.abort())
  const body = await bodyOf(forwarded)
  const headers = new Headers([[SAID, String(said)]])
  const kept = endToEnd(rawHeaders, (name) => name === 'content-length' || name === 'expect')
  for (let at = 0; at < kept.length; at += 2) headers.append(kept[at] ?? '', kept[at + 1] ?? '')
  const answer = await ask(IN_PROCESS_URL + url, { method, headers, ...(body && { body }), signal: left.signal })
  response.sendDate = false
  response.writeHead(answer.status, answer.statusText, [...endToEnd([...answer.headers].flat()), SAID, String(said)])
  // The types of a page and of Node have a stream of this name each.
  await pipeline(answer.body ? Readable.fromWeb(answer.body as ReadableStream<Uint8Array>) : [], response)
}

/** @throws Problem 413 for a body of which only a part was kept */
async function bodyOf({
  context: { request, response },
  sent,
}: Forwarded): Promise<Uint8Array<ArrayBuffer> | undefined> {
  if (!hasBody(request)) return undefined
  if (!request.readableEnded) {
    if (request.headers.expect !== undefined) response.writeContinue()
    request.unpipe()
    request.resume()
    await once(request, 'end')
  }
  if (!sent.isWhole)
    throw contentTooLarge({
      detail: `The service did not handle the request, and its body is too long to be handled here: it may have ${LONGEST} bytes.`,
    })
  return /^(?:GET|HEAD)$/.test(request.method ?? '') ? undefined : new Uint8Array(sent.bytes)
}
