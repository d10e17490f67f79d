import { setTimeout as sleep } from 'node:timers/promises'
import type { Operation } from './witness.ts'

/** Where clients ask: a sandbox that replicas share. */
export interface Asked {
  readonly urls: readonly string[]
  readonly sandbox: string
  /** Integers from 0 on. */
  random(below: number): number
}

const OPERATIONS = 12
/** Items of a page. */
const LIMIT = 3
/** Milliseconds that a client waits after a failure, so that it also asks when the replicas have recovered. */
const PAUSE = 60

const KINDS = [
  ...['create', 'create', 'create', 'put', 'put', 'put', 'delete', 'get', 'get', 'list', 'list', 'list'],
  ...['advance', 'clock'],
] as Operation['kind'][]

/** What a request of one kind is. */
const REQUESTS: Readonly<Record<Operation['kind'], readonly [method: string, path: string]>> = {
  list: ['GET', '/items'],
  get: ['GET', '/items'],
  create: ['POST', '/items'],
  put: ['PUT', '/items'],
  delete: ['DELETE', '/items'],
  advance: ['POST', '/__mock/clock/advance'],
  clock: ['GET', '/__mock/clock'],
}

/** The outcome of a request that got this is not known: it may have been stored. */
const UNKNOWN = new Set([500, 502, 503, 504])

/** Sends requests one after the other, each to some replica. @param name distinguishes the names of items from those of other clients */
export async function runClient(asked: Asked, client: number, name: string): Promise<Operation[]> {
  const done: Operation[] = []
  let seen: { tag: string; id: number; name: string } | undefined
  for (let number = 0; number < OPERATIONS; number++) {
    const planned = plan(asked, client, `${name}.${number}`, seen)
    const began = performance.now()
    const { tag, ...outcome } = await send(asked, planned)
    done.push({ ...planned, began, ended: performance.now(), ...outcome })
    if (tag !== undefined) seen = { tag, ...(outcome.body as { id: number; name: string }) }
    if (outcome.status === 0 || outcome.isRefused) await sleep(PAUSE)
  }
  return done
}

type Planned = Omit<Operation, 'began' | 'ended' | 'status'> & { readonly tag?: string | undefined }

function plan({ random }: Asked, client: number, name: string, seen: ({ tag?: string } & Named) | undefined): Planned {
  const kind = KINDS[random(KINDS.length)] ?? 'list'
  const hasId = kind === 'get' || kind === 'put' || kind === 'delete'
  const demanded = kind === 'put' && random(2) === 0 ? seen : undefined
  return {
    client,
    kind,
    id: hasId ? 1 + random(6) : undefined,
    name: kind === 'create' || kind === 'put' ? name : undefined,
    demanded,
    tag: demanded?.tag,
    page: kind === 'list' ? { offset: random(4), limit: LIMIT } : undefined,
  }
}

interface Named {
  readonly id: number
  readonly name: string
}

type Sent = Pick<Operation, 'status' | 'requestId' | 'event' | 'body' | 'isRefused'> & { readonly tag?: string }

async function send({ urls, sandbox, random }: Asked, { kind, id, name, page, tag }: Planned): Promise<Sent> {
  const [method, path] = REQUESTS[kind]
  const query = page ? `?offset=${page.offset}&limit=${page.limit}` : ''
  const url = `${urls[random(urls.length)]}${path}${id === undefined ? '' : `/${id}`}${query}`
  const headers: Record<string, string> = { 'content-type': 'application/json', 'x-mock-sandbox': sandbox }
  if (tag !== undefined) headers['if-match'] = tag
  const sent = kind === 'advance' ? { by: 'PT1M' } : name === undefined ? undefined : { name }
  const body = sent && { body: JSON.stringify(sent) }
  try {
    const response = await fetch(url, { method, headers, ...body, signal: AbortSignal.timeout(15_000) })
    const text = await response.text()
    if (UNKNOWN.has(response.status)) return { status: 0, isRefused: text.includes('Nothing was changed') }
    const isRead = text !== '' && response.status < 400
    const event = response.headers.get('x-mock-event')
    return {
      status: response.status,
      requestId: response.headers.get('x-request-id') ?? '',
      event: event === null ? undefined : Number(event),
      body: isRead ? (JSON.parse(text) as unknown) : undefined,
      ...(response.headers.has('etag') && isRead ? { tag: response.headers.get('etag') ?? '' } : {}),
    }
  } catch (error) {
    return { status: 0, isRefused: wasNotSent(error) }
  }
}

/** Whether no connection was made. */
function wasNotSent(error: unknown): boolean {
  const { cause } = error as { cause?: { code?: string } }
  return cause?.code === 'ECONNREFUSED'
}
