import type { RunFingerprint } from '../../engine/log/fingerprint.ts'
import { writeEvent, writeStateDocument } from '../../engine/sandbox-document.ts'
import { iso } from '../../formats/instant.ts'
import type { HistoryEvent, ReplayDocument, ReplayExchange, StateDocument } from '../../control/client/types.ts'
import { lazily } from '../../formats/json-pieces.ts'
import type { Exchanged } from '../../journal/exchanged.ts'
import type { Beginning, Image } from '../../engine/snapshot.ts'
import type { Redactor } from '../../journal/redact.ts'
import type { Sandbox } from '../../engine/sandbox.ts'
import { formsOf, isSecret, patternOf } from '../../journal/secrets.ts'
import type { State } from '../../engine/state.ts'

export const REPLAY_VERSION = 2

/** A file from which a run is done again: how the stand-in was started, the sandbox as it was, what changed, and what was asked. */
export interface WholeReplay extends ReplayDocument {
  readonly fingerprint: RunFingerprint
  /** The settings that answers depend on, fixtures and contract included; keys under other names. */
  readonly settings: Readonly<Record<string, unknown>>
  readonly start: ReplayStart
  readonly history: readonly ReplayEvent[]
}

/** The sandbox before the first event of the history. */
export interface ReplayStart {
  readonly nextEvent: number
  readonly beginning: StateDocument
  readonly present: StateDocument
  readonly checkpoints: readonly { readonly name: string; readonly taken: string; readonly state: StateDocument }[]
}

export interface ReplayEvent extends HistoryEvent {
  /** How many request ids were given out before. */
  readonly requests: number
}

export interface ReplayParts {
  readonly fingerprint: RunFingerprint
  readonly initialState: State
  readonly redactor: Redactor
  /** Whether a token of a response works only with the key of its request. */
  isTiedToKey(token: string, seed: number): boolean
  /** @param rename what each key is called in the file */
  settings(rename: (key: string) => string): Readonly<Record<string, unknown>>
  /** The key that is meant by one such as `anything@name`. */
  withoutSandbox(key: string): string
}

/**
 * Each exchange is a step; lists of the start and of the history are made when they are written.
 *
 * @throws Problem 409 when the sandbox is too large for one document
 */
export function* writeReplay(sandbox: Sandbox, parts: ReplayParts): Generator<undefined, WholeReplay> {
  const { first, before, from } = sandbox.history()
  const names = new Map<string, string>()
  const rename = createRename(parts, names)
  const image = before()
  for (const { state } of [image.beginning, image, ...image.checkpoints.values()])
    yield* state.model.prepare(state, parts.initialState)
  const start = writeStart(image, first, parts.initialState)
  const events = [...from(first)]
  for (const { event } of events)
    if (event.type === 'state.imported') yield* event.state.state.model.prepare(event.state.state, parts.initialState)
  const history = lazily(events, ({ number, at, requests, requestId, event }) => {
    const facts = { number, at: iso(at), requests, ...(requestId === undefined ? {} : { requestId }) }
    return { ...facts, ...writeEvent(event, parts.initialState) }
  })
  const settings = parts.settings(rename)
  const exchanges: ReplayExchange[] = []
  for (const one of sandbox.journal.after(0)) {
    yield
    // The state before the first remembered event is gone, so requests from before it cannot be replayed.
    if (!one || one.firstEvent < first) continue
    const meanwhile = events.slice(one.firstEvent - first, one.nextEvent - first)
    const isAlone = meanwhile.every(({ requestId }) => requestId === one.requestId)
    const isTied = tokensOf(one).some((token) => parts.isTiedToKey(token, sandbox.state.seed))
    exchanges.push(writeExchange(one, { redactor: parts.redactor, rename, isAlone, isTied }))
  }
  const withNames = createReplacer(names)
  return {
    format: 'standin-replay',
    version: REPLAY_VERSION,
    sandbox: sandbox.name,
    fingerprint: parts.fingerprint,
    settings: withNames(settings),
    start: withNames(start),
    history: lazily(history, withNames),
    exchanges: lazily(exchanges, withNames),
  }
}

function writeStart(
  { beginning, state, requests, checkpoints }: Image,
  nextEvent: number,
  initialState: State,
): ReplayStart {
  const write = (one: Beginning) => {
    one.state.model.refuseTooLarge(one.state, initialState)
    return writeStateDocument(one, { initialState, list: lazily }) as StateDocument
  }
  return {
    nextEvent,
    beginning: write(beginning),
    present: write({ state, requests }),
    checkpoints: [...checkpoints].map(([name, one]) => ({ name, taken: iso(one.taken), state: write(one) })),
  }
}

/** Replaces each key by a name, so that the file reveals none and equal keys stay equal. Blank ones stay as they are. */
function createRename({ withoutSandbox }: ReplayParts, names: Map<string, string>): (key: string) => string {
  return (given) => {
    const key = withoutSandbox(given)
    if (key.trim() === '') return key
    const name = names.get(key) ?? nameFor(key, names.size + 1)
    names.set(key, name)
    return name
  }
}

/**
 * A key that is secret stands in bodies and paths under its name too. That name is as long as the key, and has a digit where the key
 * has one, so that a replay sends as many bytes, and redacts the name where the run redacted the key.
 */
function nameFor(key: string, number: number): string {
  if (!isSecret(key)) return `key-${number}`
  const letters = String(number).replaceAll(/\d/g, (digit) => 'abcdefghij'.charAt(Number(digit)))
  return `key-${/\d/.test(key) ? number : letters}`.padEnd(Buffer.byteLength(key), '-')
}

/** A function that writes the names of secret keys in the place of the keys, in all texts of a value. */
function createReplacer(names: ReadonlyMap<string, string>): <Value>(value: Value) => Value {
  const byForm = new Map([...names].flatMap(([key, name]) => formsOf([key]).map((form) => [form, name] as const)))
  const pattern = patternOf([...byForm.keys()])
  if (!pattern) return (value) => value
  const replace = (value: unknown): unknown => {
    if (typeof value === 'string') return value.replace(pattern, (form) => byForm.get(form) ?? form)
    if (Array.isArray(value)) return value.map(replace)
    if (typeof value !== 'object' || value === null) return value
    if (Symbol.iterator in value) return lazily(value as Iterable<unknown>, replace)
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [replace(name), replace(inner)] as const))
  }
  return <Value>(value: Value) => replace(value) as Value
}

/** Names the sandbox, in requests and in answers. */
const CHOICE = 'x-mock-sandbox'

/** What the client's own client sets, and what chose the sandbox. */
const LEFT_OUT = new Set(['connection', 'content-length', 'expect', 'keep-alive', 'transfer-encoding', CHOICE])

interface Writing {
  readonly redactor: Redactor
  readonly rename: (key: string) => string
  /** Whether nothing else changed the sandbox between the first event of the exchange and its last. */
  readonly isAlone: boolean
  /** Whether a token in it holds a digest of the key, see the behaviour `next.other-key`. */
  readonly isTied: boolean
}

/** The token to the next page, and all query parameters, for a contract may give that of a token another name. */
function tokensOf({ next, url }: Exchanged): string[] {
  const { searchParams } = new URL(`http://localhost${url.startsWith('/') ? url : '/'}`)
  return [...(next === undefined ? [] : [next]), ...searchParams.values()]
}

function writeExchange(one: Exchanged, { redactor, rename, isAlone, isTied }: Writing): ReplayExchange {
  const {
    requestId,
    arrived,
    now,
    requests,
    firstEvent,
    nextEvent,
    method,
    requestHeaders,
    requestBody,
    status,
    answerHeaders,
  } = one
  const sent = redactor.renameHeaders(requestHeaders, rename)
  const headers: string[] = []
  for (let at = 0; at < sent.length; at += 2) {
    const [name = '', value = ''] = sent.slice(at, at + 2)
    if (!LEFT_OUT.has(name.toLowerCase())) headers.push(name, value)
  }
  const isWhole = !one.isAnswerCut && !one.isAnswerForgotten && one.answerBody !== undefined
  return {
    requestId,
    now: iso(now),
    ...(arrived === now ? {} : { arrived: iso(arrived) }),
    requests,
    firstEvent,
    nextEvent,
    method,
    url: redactor.renameUrl(one.url, rename),
    headers,
    ...(requestBody === undefined ? {} : { body: requestBody }),
    ...unrepeatable(one, { isAlone, isTied }),
    answer: {
      status,
      headers: withoutChoice(answerHeaders),
      ...(isWhole ? { body: one.answerBody } : {}),
      ...(isWhole && one.isAnswerBinary ? { encoding: 'base64' } : {}),
      ...(one.end === 'whole' ? {} : { isComplete: false }),
    },
  }
}

/** A replay happens in the default sandbox, which no answer names. */
function withoutChoice(headers: readonly string[]): readonly string[] {
  const at = headers.indexOf(CHOICE)
  return at < 0 ? headers : headers.toSpliced(at, 2)
}

/** Refused before the body was looked at. */
const EARLY = new Set([401, 403, 404, 405, 429])

/** Refused for what the head says of the body. */
const LATER = new Set([413, 415])

/** Of what is refused before its operation is known, only a sandbox is refused so. Such an exchange is in the default one. */
function wasSandboxRefused({ operationId, status }: Exchanged): boolean {
  return operationId === undefined && (status === 400 || status === 409)
}

function unrepeatable(
  one: Exchanged,
  { isAlone, isTied }: Pick<Writing, 'isAlone' | 'isTied'>,
): { unrepeatable?: string } {
  const names = one.requestHeaders.filter((_text, at) => at % 2 === 0).map((name) => name.toLowerCase())
  const length = one.requestHeaders[2 * names.indexOf('content-length') + 1]
  const hasBody = names.includes('transfer-encoding') || (names.includes('content-length') && length !== '0')
  if (one.isRequestCut) return { unrepeatable: 'its body was too long to be kept' }
  if (names.includes('content-encoding')) return { unrepeatable: 'its body was compressed' }
  if (one.end === 'left') return { unrepeatable: 'the client left before the response was complete' }
  if (one.repeats !== undefined) return { unrepeatable: 'the client repeated a request by itself on a new connection' }
  if (!isAlone) return { unrepeatable: 'the sandbox changed while it waited' }
  if (isTied)
    return { unrepeatable: 'it has a token that is tied to a key (next.other-key), which a replay does not have' }
  if (wasSandboxRefused(one))
    return { unrepeatable: 'the sandbox that it named was refused, and a replay has one sandbox alone' }
  if (!hasBody || one.requestBody !== undefined || EARLY.has(one.status)) return {}
  // A media type that is there is refused whatever follows it.
  if (one.status === 415 && names.includes('content-type')) return {}
  return {
    unrepeatable: LATER.has(one.status) ? 'it was refused before its body was read' : 'its body is not kept',
  }
}
