import type { HistoryEvent, ReplayDocument, ReplayExchange, StateDocument } from '../../control/client/types.ts'
import type { LoggedEvent } from '../../engine/stores/event-log.ts'
import { SESSION_HEADER } from '../../http/session-header.ts'
import { iso } from '../../base/formats/instant.ts'
import type { RunFingerprint } from '../../engine/stores/fingerprint.ts'
import type { Sandbox } from '../../engine/sandbox.ts'
import { writeEvent, writeStateDocument } from '../../engine/sandbox-document.ts'
import type { Beginning, Image } from '../../engine/snapshot.ts'
import type { State } from '../../engine/state.ts'
import { isObject } from '../../base/formats/json.ts'
import { lazily } from '../../base/formats/json-pieces.ts'
import type { Exchange } from '../../journal/exchange.ts'
import { formsOf, isSecret, patternOf, type Redactor, withoutCut } from '../../journal/redact.ts'
import { credentialsIn, replaceCredentials } from '../../journal/secrets.ts'

export const REPLAY_VERSION = 2

/** A file that replays a run: how Standin was started, the sandbox as it was, what changed, and the requests. */
export interface WholeReplay extends ReplayDocument {
  readonly fingerprint: RunFingerprint
  /** The settings that responses depend on, with fixtures and contract; keys are replaced by names. */
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
  /** How many request ids were issued before. */
  readonly requests: number
}

export interface ReplayParts {
  readonly fingerprint: RunFingerprint
  readonly initialState: State
  readonly redactor: Redactor
  /** Whether a token of a response works only with the key of its request. */
  isTiedToKey(token: string, seed: number): boolean
  /** @param rename gives the name that a key has in the file */
  settings(rename: (key: string) => string): Readonly<Record<string, unknown>>
  /** The key without the name of a sandbox: `anything` of `anything@name`. */
  withoutSandbox(key: string): string
}

/**
 * Yields after each exchange; lists of the start and of the history are made when they are written.
 *
 * @throws Problem 409 when the sandbox is too large for one document
 */
export function* writeReplay(sandbox: Sandbox, parts: ReplayParts): Generator<undefined, WholeReplay> {
  const { initialState } = parts
  const { first, before, from } = sandbox.history()
  const names = new Map<string, string>()
  const rename = createRename(parts, names)
  const image = before()
  const events = [...from(first)]
  const imported = events.flatMap(({ event }) => (event.type === 'state.imported' ? [event.state] : []))
  for (const { state } of [image.beginning, image, ...image.checkpoints.values(), ...imported])
    yield* state.model.prepare(state, initialState)
  const start = writeStart(image, first, initialState)
  const history = lazily(events, (event) => writeLogged(event, initialState))
  const settings = parts.settings(rename)
  const isTied = (token: string) => parts.isTiedToKey(token, sandbox.state.seed)
  const exchanges: ReplayExchange[] = []
  // Copied exchanges happened before this sandbox began, in another one.
  for (const one of inOrder(sandbox)) {
    yield
    // The state before the first kept event is gone, so earlier requests cannot be replayed.
    if (!one || one.firstEvent < first) continue
    const own = withoutMetLimits(events.slice(one.firstEvent - first, one.nextEvent - first))
    const reason = reasonNotToRepeat(one, own, isTied)
    for (const text of [one.url, ...one.requestHeaders, one.requestBody ?? '']) credentialsIn(text).forEach(rename)
    const nextEvent = one.firstEvent + own.length
    exchanges.push(writeExchange({ ...one, nextEvent }, reason, { redactor: parts.redactor, rename }))
  }
  const withNames = createReplacer(names, rename)
  return {
    format: 'standin-replay',
    version: REPLAY_VERSION,
    sandbox: sandbox.name,
    fingerprint: parts.fingerprint,
    settings: yield* inSteps(withNames, settings),
    start: withNames(start),
    history: lazily(history, withNames),
    exchanges: lazily(exchanges, withNames),
  }
}

/** Without what replicas tell each other last, of a limit that the request met: one process, which repeats it, counts without events. */
function withoutMetLimits(events: readonly LoggedEvent[]): readonly LoggedEvent[] {
  return events.slice(0, events.findLastIndex(({ event }) => event.type !== 'rate-limit.met') + 1)
}

/** In the order in which they were decided. Those of several processes are in the journal as they were over. */
function inOrder({ journal, shared }: Sandbox): Iterable<Exchange | undefined> {
  const all = journal.after(journal.copied?.last ?? 0)
  if (!shared) return all
  return [...all]
    .filter((one) => one !== undefined)
    .sort((a, b) => a.firstEvent - b.firstEvent || a.nextEvent - b.nextEvent)
}

function writeLogged({ number, at, requests, requestId, event }: LoggedEvent, initialState: State): ReplayEvent {
  const facts = { number, at: iso(at), requests, ...(requestId === undefined ? {} : { requestId }) }
  return { ...facts, ...writeEvent(event, initialState) }
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

/** Replaces each key by a name, so that the file reveals none and equal keys stay equal. Blank keys stay as they are. */
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
 * Secret keys are replaced in bodies and paths too. Their names are as long as the key, and have a digit if the key has one, so that
 * a replay sends as many bytes, and redacts the name where the run redacted the key.
 */
function nameFor(key: string, number: number): string {
  if (!isSecret(key)) return `key-${number}`
  const letters = String(number).replaceAll(/\d/g, (digit) => 'abcdefghij'.charAt(Number(digit)))
  // In JSON, a line break is written with two characters.
  const length = Buffer.byteLength(key) + (key.match(/[\r\n]/g)?.length ?? 0)
  return `key-${/\d/.test(key) ? number : letters}`.padEnd(length, '-')
}

/** Returns a function that replaces secret keys and credentials by their names in all texts of a value. */
function createReplacer(
  names: ReadonlyMap<string, string>,
  rename: (credential: string) => string,
): <Value>(value: Value) => Value {
  const byForm = new Map([...names].flatMap(([key, name]) => formsOf([key]).map((form) => [form, name] as const)))
  const forms = [...byForm.keys()]
  const pattern = patternOf(forms)
  const replaceText = (text: string) => {
    const named = pattern ? text.replace(pattern, (form) => byForm.get(form) ?? form) : text
    // The server of a replay cuts the name where this one cut the credential.
    const cut = withoutCut(named, forms, (form, length) => byForm.get(form)?.slice(0, length) ?? '')
    return replaceCredentials(cut, rename)
  }
  const replace = (value: unknown): unknown => {
    if (typeof value === 'string') return replaceText(value)
    // Long lists are made when they are written.
    if (Array.isArray(value)) return value.length > 100 ? lazily(value, replace) : value.map(replace)
    if (typeof value !== 'object' || value === null) return value
    if (Symbol.iterator in value) return lazily(value as Iterable<unknown>, replace)
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [replace(name), replace(inner)] as const))
  }
  return <Value>(value: Value) => replace(value) as Value
}

/** As deep as the schemas and the operations of a contract lie in the settings: `contract`, `components`, `schemas`. */
const LEVELS = 4

/** Replaces in the members of settings, one in each step: a contract has megabytes. */
function* inSteps<Value extends object>(
  replace: ReturnType<typeof createReplacer>,
  value: Value,
  levels = LEVELS,
): Generator<undefined, Value> {
  if (levels === 0) return replace(value)
  const entries: (readonly [string, unknown])[] = []
  for (const [name, inner] of Object.entries(value)) {
    yield
    entries.push([replace(name), isObject(inner) ? yield* inSteps(replace, inner, levels - 1) : replace(inner)])
  }
  return Object.fromEntries(entries) as Value
}

/** A replay uses the default sandbox, which requests and responses do not name. */
const SANDBOX_HEADER = 'x-mock-sandbox'

/** Headers that only the run had: one process has no replicas. */
const NOT_ANSWERED = new Set([SANDBOX_HEADER, 'x-mock-event', SESSION_HEADER])

/** Headers that the client of the replay sets itself. */
const LEFT_OUT = new Set([
  'connection',
  'content-length',
  'expect',
  'keep-alive',
  'transfer-encoding',
  SANDBOX_HEADER,
  SESSION_HEADER,
])

function writeExchange(
  one: Exchange,
  unrepeatable: string | undefined,
  { redactor, rename }: { readonly redactor: Redactor; readonly rename: (key: string) => string },
): ReplayExchange {
  const { requestId, arrived, now, requests, firstEvent, nextEvent, method, requestBody, status, responseBody } = one
  const isWhole = !one.isResponseCut && !one.isResponseDropped && responseBody !== undefined
  return {
    requestId,
    now: iso(now),
    ...(arrived === now ? {} : { arrived: iso(arrived) }),
    requests,
    firstEvent,
    nextEvent,
    method,
    url: redactor.renameUrl(one.url, rename),
    headers: withoutHeaders(redactor.renameHeaders(one.requestHeaders, rename), (name) => LEFT_OUT.has(name)),
    ...(requestBody === undefined ? {} : { body: requestBody }),
    ...(unrepeatable === undefined ? {} : { unrepeatable }),
    answer: {
      status,
      headers: withoutHeaders(one.responseHeaders, (name) => NOT_ANSWERED.has(name)),
      ...(isWhole ? { body: responseBody } : {}),
      ...(isWhole && one.isResponseBinary ? { encoding: 'base64' } : {}),
      ...(one.end === 'whole' ? {} : { isComplete: false }),
    },
  }
}

function withoutHeaders(headers: readonly string[], isLeftOut: (name: string) => boolean): string[] {
  return headers.filter((_text, at) => !isLeftOut((headers[at - (at % 2)] ?? '').toLowerCase()))
}

/** Why a replay cannot send a request again, to follow its name; undefined when it can. */
function reasonNotToRepeat(
  one: Exchange,
  events: readonly LoggedEvent[],
  isTied: (token: string) => boolean,
): string | undefined {
  const { status, requestHeaders } = one
  const names = requestHeaders.filter((_text, at) => at % 2 === 0).map((name) => name.toLowerCase())
  if (one.isRequestCut) return 'its body was too long to be kept'
  if (names.includes('content-encoding')) return 'its body was compressed'
  if (one.end === 'left') return 'the client left before the response was complete'
  if (one.repeats !== undefined) return 'the client repeated a request by itself on a new connection'
  if (events.some(({ requestId }) => requestId !== one.requestId)) return 'the sandbox changed while it waited'
  if (tokensOf(one).some(isTied))
    return 'it has a token that is tied to a key (next.other-key), which a replay does not have'
  // Of the requests that are refused before their operation is known, these are refused for their sandbox.
  if (one.operationId === undefined && (status === 400 || status === 409))
    return 'the sandbox that it named was refused, and a replay has one sandbox alone'
  const length = requestHeaders[2 * names.indexOf('content-length') + 1]
  const hasBody = names.includes('transfer-encoding') || (names.includes('content-length') && length !== '0')
  if (!hasBody || one.requestBody !== undefined || REFUSED_EARLY.has(status)) return undefined
  // A wrong media type is refused whatever the body is.
  if (status === 415 && names.includes('content-type')) return undefined
  return status === 413 || status === 415 ? 'it was refused before its body was read' : 'its body is not kept'
}

/** Statuses of requests that are refused before the body matters. */
const REFUSED_EARLY = new Set([401, 403, 404, 405, 429])

/** The token of the next page, and all query parameters, since a contract may give that of the token another name. */
function tokensOf({ next, url }: Exchange): string[] {
  const { searchParams } = new URL(`http://localhost${url.startsWith('/') ? url : '/'}`)
  return [...(next === undefined ? [] : [next]), ...searchParams.values()]
}
