import { setTimeout as wait } from 'node:timers/promises'
import { startCommand } from './command.ts'
import { KEY_HEADER, SCHEDULES, SEARCH, weekly } from './tester.ts'
import { type ControlClient, createControlClient } from '../../src/index.ts'

/**
 * Clients of a stand-in that is killed again and again. Each works in a sandbox of its own, one request after the other, and knows
 * what was acknowledged: all of it must be there after the next start, and of the one request that was under way all or nothing.
 */
export interface Killing {
  /** Starts, lets the clients work, kills after so many milliseconds, starts again and looks. @throws Error for what was lost */
  round(milliseconds: number): Promise<void>
  /** Starts once more, and ends in good order. */
  finish(): Promise<Figures>
}

interface Figures {
  readonly kills: number
  /** Requests that were acknowledged. */
  readonly acknowledged: number
  /** Those that were under way when the process was killed: found whole, and not found. */
  readonly kept: number
  readonly dropped: number
  /** Notes of torn lines. */
  readonly notes: number
  /** Milliseconds until a start took requests, the longest. */
  readonly slowestStart: number
}

export interface KillingOptions {
  readonly clients: number
  /** Answers a number from 0 up to 1, and decides what the clients do. */
  readonly chance: () => number
  readonly flags?: readonly string[]
}

interface Model {
  readonly schedules: ReadonlyMap<number, string>
  readonly files: ReadonlySet<string>
  readonly checkpoints: ReadonlyMap<string, Omit<Model, 'checkpoints'>>
  readonly now: number
  /** How many request ids were given out. */
  readonly requests: number
}

interface Client {
  readonly name: string
  model: Model
  /** What the sandbox is after the request under way, as far as one can know. */
  next: Model | undefined
  /** Whether the request under way has a request id, which may have been counted before all else was lost. */
  isCounted: boolean
  /** Requests that were acknowledged. */
  count: number
}

const CLOCK = '2026-03-05T14:30:00.000Z'
/** Schedules of the package are there from the beginning; the first that is created is the seventh. */
const BORN = 6

const EMPTY: Model = {
  schedules: new Map(),
  files: new Set(),
  checkpoints: new Map(),
  now: Date.parse(CLOCK),
  requests: 0,
}

export function createKilling(directory: string, { clients: count, chance, flags = [] }: KillingOptions): Killing {
  const clients: Client[] = Array.from({ length: count }, (_, number) => ({
    name: `client-${number}`,
    model: EMPTY,
    next: undefined,
    isCounted: false,
    count: 0,
  }))
  let [kills, kept, dropped, notes, slowestStart] = [0, 0, 0, 0, 0]
  const start = async () => {
    const began = performance.now()
    const args = ['serve', '--port', '0', '--data', directory, '--files', '50', '--clock', CLOCK, ...flags]
    const command = startCommand(args)
    await command.until(/http:\/\/\S+ \(/)
    slowestStart = Math.max(slowestStart, performance.now() - began)
    if (command.stderr() !== '') {
      if (!/^standin: \S+: .* dropped\.\n$/.test(command.stderr())) throw new Error(command.stderr())
      notes++
    }
    return { command, url: /http:\/\/[\d.:]+/.exec(command.stdout())?.[0] ?? '' }
  }
  const look = async (url: string) => {
    for (const client of clients) {
      const found = await lookAt(client, createControlClient({ url, sandbox: client.name }))
      if (client.next !== undefined && found === client.next) kept++
      else if (client.next !== undefined) dropped++
      const requests = await requestsOf(client, found, url)
      ;[client.model, client.next, client.isCounted] = [{ ...found, requests }, undefined, false]
    }
  }
  return {
    async round(milliseconds) {
      const { command, url } = await start()
      await look(url)
      let isOver = false
      const unlessKilled = (error: unknown) => {
        if (isOver && error instanceof TypeError) return false
        throw error
      }
      const work = clients.map(async (client) => {
        const control = createControlClient({ url, sandbox: client.name })
        // The one that fails is the one that was under way.
        while (!isOver && (await act(client, { control, url, chance }).then(answered, unlessKilled)));
      })
      await wait(milliseconds)
      command.child.kill('SIGKILL')
      isOver = true
      await Promise.all([command.ended, ...work])
      kills++
    },
    async finish() {
      const { command, url } = await start()
      await look(url)
      command.child.kill('SIGTERM')
      await command.ended
      const acknowledged = clients.reduce((sum, client) => sum + client.count, 0)
      return { kills, acknowledged, kept, dropped, notes, slowestStart: Math.round(slowestStart) }
    },
  }
}

const answered = () => true

interface Means {
  readonly control: ControlClient
  readonly url: string
  readonly chance: () => number
}

/** One request. The model is what it was until the answer is there. */
async function act(client: Client, means: Means): Promise<void> {
  const actions = [
    create,
    create,
    create,
    update,
    update,
    search,
    addFiles,
    addFiles,
    removeFile,
    advance,
    checkpoint,
    restore,
    reset,
  ]
  // A reset is rare, so that there is something to lose.
  const index = Math.floor(means.chance() * (actions.length - 1 + 0.1))
  await actions[index]!(client, means)
  client.count++
}

/** Sends a request that makes another model, and adopts the model when it was answered. */
async function changing(client: Client, next: Partial<Model>, send: () => Promise<unknown>): Promise<void> {
  client.next = { ...client.model, ...next }
  await send()
  ;[client.model, client.next] = [client.next, undefined]
}

async function create(client: Client, { url }: Means): Promise<void> {
  const { schedules } = client.model
  const title = `Title ${client.count}`
  const id = Math.max(BORN, ...schedules.keys(), 0) + 1
  await changing(client, { schedules: new Map([...schedules, [id, title]]) }, async () => {
    const body = await emulated(client, `${url}${SCHEDULES}`, 'POST', weekly({ title }))
    if (body.id !== id) throw new Error(`${client.name}: created ${String(body.id)}, expected ${id}`)
  })
}

async function update(client: Client, { url, chance }: Means): Promise<void> {
  const { schedules } = client.model
  const ids = [...schedules.keys()]
  const id = ids[Math.floor(chance() * ids.length)]
  if (id === undefined) return
  const title = `Changed ${client.count}`
  await changing(client, { schedules: new Map([...schedules, [id, title]]) }, () =>
    emulated(client, `${url}${SCHEDULES}/${id}`, 'PUT', { title }),
  )
}

async function search(client: Client, { url }: Means): Promise<void> {
  await emulated(client, `${url}${SEARCH}/demo/files/search?limit=3`, 'POST', {})
}

async function addFiles(client: Client, { control, chance }: Means): Promise<void> {
  const { files } = client.model
  const stem = `${client.count}-${chance()}`
  const paths = Array.from({ length: 20 }, (_, number) => `added/${stem}/${'x'.repeat(100)}${number}`)
  await changing(client, { files: new Set([...files, ...paths]) }, () =>
    control.addFiles(
      'empty',
      paths.map((path) => ({ path })),
    ),
  )
}

async function removeFile(client: Client, { control }: Means): Promise<void> {
  const [path, ...rest] = client.model.files
  if (path === undefined) return
  const { files } = await control.listFiles('empty', { path })
  await changing(client, { files: new Set(rest) }, () => control.deleteFile('empty', files[0]!.id))
}

async function advance(client: Client, { control }: Means): Promise<void> {
  await changing(client, { now: client.model.now + 86_400_000 }, () => control.advanceClock({ by: 'P1D' }))
}

async function checkpoint(client: Client, { control, chance }: Means): Promise<void> {
  const { checkpoints, ...model } = client.model
  const name = `c${Math.floor(chance() * 3)}`
  await changing(client, { checkpoints: new Map([...checkpoints, [name, model]]) }, () =>
    control.createCheckpoint({ name }),
  )
}

async function restore(client: Client, { control, chance }: Means): Promise<void> {
  const name = `c${Math.floor(chance() * 3)}`
  const held = client.model.checkpoints.get(name)
  if (held) await changing(client, held, () => control.restoreCheckpoint(name))
}

async function reset(client: Client, { control }: Means): Promise<void> {
  const { checkpoints: _, ...rest } = EMPTY
  await changing(client, rest, () => control.reset())
}

/** A request to the emulated service, which counts them. */
async function emulated(client: Client, url: string, method: string, body: unknown): Promise<{ readonly id?: number }> {
  const headers = { [KEY_HEADER]: `k@${client.name}`, 'Content-Type': 'application/json' }
  client.isCounted = true
  const response = await fetch(url, { method, headers, body: JSON.stringify(body) })
  const text = await response.text()
  if (response.status !== 200) throw new Error(`${client.name}: ${method} ${url} ${response.status} ${text}`)
  client.isCounted = false
  const { requests } = client.model
  client.model = { ...client.model, requests: requests + 1 }
  if (client.next) client.next = { ...client.next, requests: requests + 1 }
  return JSON.parse(text) as { readonly id?: number }
}

/** As many as were acknowledged, and perhaps the one under way. @throws Error for another count */
async function requestsOf({ name, isCounted }: Client, { requests }: Model, url: string): Promise<number> {
  const found = (await createControlClient({ url, sandbox: name }).getSandbox(name)).requests
  if (found === requests || (isCounted && found === requests + 1)) return found
  throw new Error(`${name} counts ${found} requests; ${requests} were acknowledged`)
}

/** The model that the sandbox shows: the one that was acknowledged, or that of the request under way. @throws Error for any other */
async function lookAt({ name, model, next }: Client, control: ControlClient): Promise<Model> {
  const found = await see(control)
  for (const candidate of [model, next]) if (candidate && shownAs(candidate) === found) return candidate
  const expected = `${shownAs(model)}\nor ${next ? shownAs(next) : 'nothing else'}`
  throw new Error(`${name} lost what was acknowledged:\n${found}\nis not\n${expected}`)
}

async function see(control: ControlClient): Promise<string> {
  const [{ reportSchedules }, { files }, { checkpoints }, { now }] = await Promise.all([
    control.listReportSchedules(),
    control.listFiles('empty', { limit: 100_000 }),
    control.listCheckpoints(),
    control.getClock(),
  ])
  return show({
    schedules: reportSchedules.filter(({ id }) => id > BORN).map(({ id, title }) => `${id} ${title}`),
    files: files.filter(({ fileType }) => fileType !== 'DIRECTORY').map(({ path }) => path),
    checkpoints: checkpoints.map((one) => `${one.name} ${one.now} ${one.reportSchedules - BORN}`),
    now,
  })
}

function shownAs({ schedules, files, checkpoints, now }: Model): string {
  return show({
    schedules: [...schedules].map(([id, title]) => `${id} ${title}`),
    files: [...files],
    checkpoints: [...checkpoints].map(
      ([name, held]) => `${name} ${new Date(held.now).toISOString()} ${held.schedules.size}`,
    ),
    now: new Date(now).toISOString(),
  })
}

function show({
  schedules,
  files,
  checkpoints,
  now,
}: Record<'schedules' | 'files' | 'checkpoints', string[]> & { now: string }) {
  return JSON.stringify([schedules.sort(), files.sort(), checkpoints.sort(), now])
}
