import { computed, signal } from '@preact/signals'
import { type ControlClient, ControlError, createControlClient } from '../../src/control/client/client.ts'
import { OPERATIONS } from '../../src/control/client/operations.ts'
import type { ForkRequest, Info } from '../../src/control/client/types.ts'
import { callAsCode } from '../../src/control/client/as-code.ts'
import type { ConnectionProblem } from './connection-problem.ts'

/** The address that the service is served under: the console lies at `/__mock/` below it. */
export const SERVICE_URL = location.origin + location.pathname.replace(/\/__mock\/.*$/, '')

/** Whether the stand-in runs in the tab, where only its own pages reach it: see `playground/frame.js`. */
export const IS_PLAYGROUND = document.documentElement.dataset.playground !== undefined

/** The address in code that is copied. From the playground it is for the project that people download there. */
export const CODE_URL = IS_PLAYGROUND ? 'http://127.0.0.1:4010' : SERVICE_URL

const TOKEN = 'standin.token'
const SANDBOX = 'standin.sandbox'
const FORKS = 'standin.forks'

/** A token of the control API (`--control-token`). Each that is entered is a new one, also the same again. */
interface Token {
  readonly text: string
}

/** Kept until the tab is closed. */
const token = signal(storedToken())
/** Whether the dialog that asks for the token is open. */
export const isTokenNeeded = signal(false)
/** Whether the dialog was dismissed: it opens again for another token that is wrong, or when the person asks for it. */
let isDismissed = false
/** Whether a token was entered. If one is still needed, it was wrong. */
export const hasToken = computed(() => token.value !== undefined)
/** Why nothing can be shown; undefined while the stand-in responds. */
export const connectionProblem = signal<ConnectionProblem | undefined>(undefined)
/** The API key that requests to the service carry: any will do unless the stand-in was started with keys. */
export const apiKey = signal('console')
export const sandboxName = signal(sessionStorage.getItem(SANDBOX) ?? 'default')
/** The forks that were made here and what each was forked from, kept until the tab is closed. */
export const forks = signal<ReadonlyMap<string, Fork>>(storedForks())
export const info = signal<Info | undefined>(undefined)

/** Where a fork comes from. */
interface Fork {
  readonly from: string
  /** The step that it was forked after; undefined for the present of then. */
  readonly at?: number | undefined
  /** The address of the view that it was forked in, after `#`. */
  readonly view: string
}

/** A change that was made in the console. */
export interface Change {
  readonly id: number
  /** The call of the client that does the same. */
  readonly code: string
  /** Why it was refused; undefined if it was made. */
  readonly refusal: string | undefined
}

const MAX_CHANGES = 200

/** The changes that were made here, the latest last. */
export const changes = signal<readonly Change[]>([])

/** Reads of the control API that are sent with POST. */
const READS: ReadonlySet<string> = new Set([
  'explain',
  'explainList',
  'explainSearch',
  'explainReportSchedule',
  'verifyJournal',
])

/** The control API for the current sandbox. Calls that change something are listed in `changes`. */
export const control = computed(() => controlOf(sandboxName.value))

/** The control API for one sandbox. */
export function controlOf(sandbox: string): ControlClient {
  const given = token.value
  const client = createControlClient({
    url: SERVICE_URL,
    sandbox,
    ...(given === undefined ? {} : { token: given.text }),
  })
  return new Proxy(client, {
    get(target, name) {
      const call = Reflect.get(target, name) as (...given: unknown[]) => unknown
      if (typeof name === 'symbol' || name === 'openStream' || name === 'in') return call
      return (...args: unknown[]) =>
        watched({ name, args, sandbox, token: given, result: call(...args) as Promise<unknown> })
    },
  })
}

interface Call {
  readonly name: string
  readonly args: readonly unknown[]
  readonly sandbox: string
  readonly token: Token | undefined
  readonly result: Promise<unknown>
}

async function watched({ name, args, sandbox, token: sent, result }: Call): Promise<unknown> {
  // Some methods of the client are several operations, or one of them in another way.
  const [method, path] = name in OPERATIONS ? OPERATIONS[name as keyof typeof OPERATIONS] : ['POST', '']
  const isRead = READS.has(name) || method === 'GET'
  const isOfSandbox = !path.startsWith('/sandboxes')
  const note = (refusal?: string) => noteChange(callAsCode(name, args, isOfSandbox ? sandbox : undefined), refusal)
  try {
    const value = await result
    if (!isRead) note()
    return value
  } catch (error) {
    if (error instanceof ControlError && error.status === 401) refuseToken(sent)
    else if (!isRead) note(messageOf(error))
    throw error
  }
}

/** Lists a change that was made here, also one that was sent to the service itself. */
export function noteChange(code: string, refusal?: string): void {
  const id = (changes.value.at(-1)?.id ?? 0) + 1
  changes.value = [...changes.value, { id, code, refusal }].slice(-MAX_CHANGES)
}

/** What went wrong, with every member that was refused. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.message
}

export function saveToken(given: string): void {
  sessionStorage.setItem(TOKEN, given)
  token.value = { text: given }
  isDismissed = false
  isTokenNeeded.value = false
}

export function dismissToken(): void {
  isDismissed = true
  isTokenNeeded.value = false
}

/** Asks for the token, unless another was entered since or the person does not want to be asked. */
function refuseToken(sent: Token | undefined): void {
  if (sent === token.value && !isDismissed) isTokenNeeded.value = true
}

function storedToken(): Token | undefined {
  const text = sessionStorage.getItem(TOKEN)
  return text === null ? undefined : { text }
}

/** Forks a sandbox and shows the fork. @throws ControlError */
export async function forkAndShow(from: string, request: ForkRequest): Promise<void> {
  await control.value.forkSandbox(from, request)
  forks.value = new Map([...forks.value, [request.name, { from, at: request.at, view: location.hash }]])
  sessionStorage.setItem(FORKS, JSON.stringify([...forks.value]))
  sessionStorage.setItem(SANDBOX, request.name)
  sandboxName.value = request.name
}

/** Shows the sandbox that a fork was made from, in the view that it was made in. */
export function leaveFork({ from, view }: Fork): void {
  showSandbox(from)
  location.hash = view
}

function storedForks(): ReadonlyMap<string, Fork> {
  return new Map(JSON.parse(sessionStorage.getItem(FORKS) ?? '[]') as readonly (readonly [string, Fork])[])
}

/** What an address like `#/requests/16` counts. In another sandbox that is something else: its list is shown instead. */
const OF_ONE_SANDBOX = /^#\/(?:requests|history|outbox|webhooks)(?=\/)/

export function showSandbox(name: string): void {
  const [view] = OF_ONE_SANDBOX.exec(location.hash) ?? []
  if (view !== undefined && name !== sandboxName.value) location.hash = view
  sessionStorage.setItem(SANDBOX, name)
  sandboxName.value = name
}
