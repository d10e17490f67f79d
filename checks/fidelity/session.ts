import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { isObject } from '../../src/base/formats/json.ts'

/** One request as a client of the service sends it. `${create.body.id}` stands for what an earlier response had. */
export interface Step {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** Sent as JSON; a string is sent as it is. */
  readonly body?: unknown
  /** What later steps call the response. */
  readonly as?: string
}

export interface Session {
  readonly name: string
  readonly steps: readonly Step[]
}

/** What a service or a mock answered. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Parsed where it is JSON, else the text. Undefined if empty. */
  readonly body?: unknown
  /** In ms. Of the recording: 0. */
  readonly took: number
}

/** How the clients of a service use it. */
export interface Sessions {
  /** What comes before the paths of the requests, such as `/v1`. */
  readonly base: string
  /** A path that tells that the service has started. */
  readonly ready: string
  readonly framework: string
  readonly sessions: readonly Session[]
}

/**
 * Reads the sessions of a service: `sessions/NAME.yaml` has the headers that each request sends, and for each session its requests in order.
 *
 *   framework: Pyramid
 *   base: /v1
 *   ready: /v1/
 *   headers: { Authorization: Basic YTph }
 *   sessions:
 *     a shelf and its books:
 *       - POST /shelves: { name: Poetry }
 *         as: shelf
 *       - GET /shelves/${shelf.body.id}
 *       - PATCH /shelves/${shelf.body.id}: { name: Prose }
 *         headers: { If-Match: '${shelf.headers.etag}' }
 */
export function readService(name: string): Sessions {
  const file = new URL(`sessions/${name}.yaml`, import.meta.url)
  const {
    framework,
    base = '',
    ready,
    headers = {},
    sessions,
  } = parse(readFileSync(file, 'utf8')) as {
    framework: string
    base?: string
    ready: string
    headers?: Record<string, string>
    sessions: Record<string, (string | Record<string, unknown>)[]>
  }
  const read = Object.entries(sessions).map(([session, steps]) => ({
    name: session,
    steps: steps.map((step) => readStep(step, headers)),
  }))
  return { framework, base, ready, sessions: read }
}

function readStep(written: string | Record<string, unknown>, shared: Readonly<Record<string, string>>): Step {
  const { as, headers, ...request } = typeof written === 'string' ? { [written]: undefined } : written
  const [line = '', body] = Object.entries(request)[0] ?? []
  const [method = '', path = ''] = line.split(/ +/)
  return {
    method,
    path,
    headers: { ...shared, ...(headers as Record<string, string> | undefined) },
    ...(body !== undefined && body !== null && { body }),
    ...(typeof as === 'string' && { as }),
  }
}

/**
 * Plays a session against a server. A value that one of its earlier responses lacks is that of the recording, as for a client that
 * kept it from elsewhere: one miss is not counted again in all that follows.
 *
 * @param base where the paths of the steps begin
 */
export async function play(session: Session, base: string, recorded: readonly Answer[] = []): Promise<Answer[]> {
  const answers: Answer[] = []
  for (const step of session.steps) {
    const fill = (value: unknown) => fillIn(value, { session, answers, recorded })
    answers.push(await send(base, { ...step, ...(fill({ ...step }) as Step) }))
  }
  return answers
}

/** The requests of a session as they were sent when it was recorded. */
export function sentSteps(session: Session, recorded: readonly Answer[]): Step[] {
  return session.steps.map((step) => fillIn({ ...step }, { session, answers: recorded, recorded }) as Step)
}

interface Known {
  readonly session: Session
  readonly answers: readonly Answer[]
  readonly recorded: readonly Answer[]
}

const REFERENCE = /\$\{([^}]+)\}/g

function fillIn(value: unknown, known: Known): unknown {
  if (typeof value === 'string') {
    const [whole] = value.matchAll(REFERENCE)
    if (whole?.[0] === value) return lookUp(whole[1] ?? '', known)
    return value.replaceAll(REFERENCE, (_, reference: string) => String(lookUp(reference, known)))
  }
  if (Array.isArray(value)) return value.map((one) => fillIn(one, known))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, fillIn(one, known)]))
}

function lookUp(reference: string, { session, answers, recorded }: Known): unknown {
  const [name, ...path] = reference.split('.')
  const at = session.steps.findIndex((step) => step.as === name)
  const found = [answers[at], recorded[at]].map((answer) =>
    path.reduce<unknown>(
      (held, key) =>
        isObject(held) || Array.isArray(held) ? (held as Readonly<Record<string, unknown>>)[key] : undefined,
      answer,
    ),
  )
  // A list or an object where the service had a text is of no use to a client.
  const fitting = found.find((one) => one !== undefined && typeof one === typeof (found[1] ?? one))
  if (fitting === undefined && answers[at] !== undefined && recorded.length === 0)
    throw new Error(`${session.name}: there is no ${reference}; the response was ${JSON.stringify(answers[at])}`)
  return fitting
}

/** The status 0 stands for no response. */
async function send(base: string, step: Step): Promise<Answer> {
  try {
    return await receive(base, step)
  } catch (error) {
    return { status: 0, headers: {}, body: String(error), took: PATIENCE }
  }
}

/** Of a client, in ms. */
const PATIENCE = 10_000

async function receive(base: string, { method, path, headers, body }: Step): Promise<Answer> {
  const began = performance.now()
  const response = await fetch(`${base}${path}`, {
    method,
    redirect: 'manual',
    headers: { ...(body !== undefined && { 'Content-Type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: textOf(body) }),
    signal: AbortSignal.timeout(PATIENCE),
  })
  const text = await response.text()
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    ...(text !== '' && { body: parsed(text) }),
    took: performance.now() - began,
  }
}

/** What is written as it is, or as JSON. */
export function textOf(body: unknown): string {
  return typeof body === 'string' ? body : JSON.stringify(body)
}

/** The value of a JSON text; any other text as it is. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
