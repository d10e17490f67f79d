import { setTimeout as wait } from 'node:timers/promises'
import { startCommand } from '../command.ts'
import { KEY_HEADER, SCHEDULES, SEARCH, weekly } from '../tester.ts'
import { PACKAGED } from '../packaged.ts'
import type { SmallDisk } from './failing-disk.ts'
import { type ControlClient, ControlError, createControlClient } from '../../../src/index.ts'

/**
 * Clients of a server that is killed again and again, or whose disk is full now and then. Each works in its own sandbox, one request
 * after the other, and knows what was acknowledged: all of it must be there after the next start, nothing that was refused, and of the one
 * request that was under way all or nothing.
 */
export interface Killing {
  /** Starts and looks, lets the clients work, and kills or stops after so many milliseconds. @throws Error for what was lost */
  round(milliseconds: number, signal?: 'SIGKILL' | 'SIGTERM'): Promise<void>
  /** Starts once more, and ends in good order. */
  finish(): Promise<Figures>
}

interface Figures {
  readonly kills: number
  /** Requests that were acknowledged. */
  readonly acknowledged: number
  /** Requests that were refused because the disk was full. */
  readonly refused: number
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
  /** What the clients do; everything when absent. */
  readonly actions?: readonly Action[]
  /** The disk that the directory is on, to be filled now and then. */
  readonly disk?: SmallDisk
  /** Added to the environment of the server. */
  readonly env?: Readonly<Record<string, string>>
  /** Called after each kill: the disk loses what was not synced. Requests that change nothing are then not counted for good. */
  readonly losePower?: () => void
}

type Action = (client: Client, means: Means) => Promise<void>

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
  /** How many of those the log may not count yet: on a full disk, or one that loses power, they are counted with the next change. */
  unwritten: number
  /** Requests that were acknowledged. */
  count: number
  /** Requests that were refused because the disk was full. */
  refused: number
}

const CLOCK = '2026-03-05T14:30:00.000Z'

const EMPTY: Model = {
  schedules: new Map(),
  files: new Set(),
  checkpoints: new Map(),
  now: Date.parse(CLOCK),
  requests: 0,
}

export function createKilling(
  directory: string,
  { clients: count, chance, flags = [], actions = ACTIONS, disk, env = {}, losePower }: KillingOptions,
): Killing {
  const clients: Client[] = Array.from({ length: count }, (_, number) => ({
    name: `client-${number}`,
    model: EMPTY,
    next: undefined,
    isCounted: false,
    unwritten: 0,
    count: 0,
    refused: 0,
  }))
  let [kills, kept, dropped, notes, slowestStart] = [0, 0, 0, 0, 0]
  let isBegun = false
  const launch = async () => {
    const began = performance.now()
    const args = ['serve', '--port', '0', '--data', directory, '--files', '50', '--clock', CLOCK, ...flags]
    const command = startCommand(args, { env })
    await command.until(/http:\/\/\S+ \(/)
    slowestStart = Math.max(slowestStart, performance.now() - began)
    if (command.stderr() !== '') {
      if (!/^(standin: \S+: .* dropped\.\n)+$/.test(command.stderr())) throw new Error(command.stderr())
      notes++
    }
    const url = /http:\/\/[\d.:]+/.exec(command.stdout())?.[0] ?? ''
    if (!isBegun) for (const { name } of clients) await createControlClient({ url }).createSandbox({ name })
    isBegun = true
    return { command, url }
  }
  const start = async () => {
    const started = await launch()
    try {
      await look(started.url)
    } catch (error) {
      started.command.child.kill('SIGKILL')
      throw error
    }
    return started
  }
  const look = async (url: string) => {
    for (const client of clients) {
      const { model, isNext } = await lookAt(
        client,
        createControlClient({ url, sandbox: client.name }),
        disk !== undefined || losePower !== undefined,
      )
      if (isNext) kept++
      else if (client.next !== undefined) dropped++
      ;[client.model, client.next, client.isCounted] = [model, undefined, false]
      client.unwritten = 0
    }
  }
  return {
    async round(milliseconds, signal = 'SIGKILL') {
      disk?.free()
      const { command, url } = await start()
      let isOver = false
      const unlessKilled = (error: unknown) => {
        if (isOver && error instanceof TypeError) return false
        throw error
      }
      const fillings = async () => {
        while (disk && !isOver) {
          await wait(chance() * 60)
          disk.fill(chance() * 30_000)
          await wait(chance() * 60)
          disk.free()
        }
      }
      const work = clients.map(async (client) => {
        const control = createControlClient({ url, sandbox: client.name })
        // The one that fails is the one that was under way.
        while (!isOver && (await act(client, actions, { control, url, chance }).then(answered, unlessKilled)));
      })
      const filled = fillings()
      try {
        await Promise.race([wait(milliseconds), Promise.all([filled, ...work])])
      } finally {
        isOver = true
        command.child.kill(signal)
      }
      await Promise.all([command.ended, filled, ...work])
      losePower?.()
      if (signal === 'SIGKILL') kills++
    },
    async finish() {
      disk?.free()
      const { command } = await start()
      command.child.kill('SIGTERM')
      await command.ended
      const sum = (count: 'count' | 'refused') => clients.reduce((total, client) => total + client[count], 0)
      return {
        kills,
        acknowledged: sum('count'),
        refused: sum('refused'),
        kept,
        dropped,
        notes,
        slowestStart: Math.round(slowestStart),
      }
    },
  }
}

const answered = () => true

interface Means {
  readonly control: ControlClient
  readonly url: string
  readonly chance: () => number
}

const ACTIONS: readonly Action[] = [
  ...[create, create, create, update, update, search, addFiles, addFiles, removeFile],
  ...[advance, checkpoint, restore, reset],
]

/** One request. The model is what it was until it was answered. */
async function act(client: Client, actions: readonly Action[], means: Means): Promise<void> {
  const action = actions[Math.floor(means.chance() * actions.length)]!
  try {
    // A reset is rare, so that there is something to lose.
    if (action !== reset || means.chance() < 0.1) await action(client, means)
    client.count++
  } catch (error) {
    if (!(error instanceof Full) && !(error instanceof ControlError && error.status === 507)) throw error
    ;[client.next, client.isCounted] = [undefined, false]
    client.refused++
  }
}

/** A request to the emulated service was refused because the disk was full. */
class Full extends Error {}

/** Sends a request that makes another model, and adopts the model when it was answered. */
async function changing(client: Client, next: Partial<Model>, send: () => Promise<unknown>): Promise<void> {
  client.next = { ...client.model, ...next }
  await send()
  ;[client.model, client.next] = [client.next, undefined]
  client.unwritten = 0
}

async function create(client: Client, { url }: Means): Promise<void> {
  const { schedules } = client.model
  const title = `Title ${client.count}`
  const id = Math.max(PACKAGED.reportSchedules, ...schedules.keys(), 0) + 1
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

export async function search(client: Client, { url }: Means): Promise<void> {
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

export async function checkpoint(client: Client, { control, chance }: Means): Promise<void> {
  const name = `c${Math.floor(chance() * 3)}`
  // Whether one was replaced by another with the same contents cannot be seen, so the old one is deleted first.
  if (client.model.checkpoints.has(name)) {
    const others = [...client.model.checkpoints].filter(([other]) => other !== name)
    await changing(client, { checkpoints: new Map(others) }, () => control.deleteCheckpoint(name))
  }
  const { checkpoints, ...model } = client.model
  await changing(client, { checkpoints: new Map([...checkpoints, [name, model]]) }, () =>
    control.createCheckpoint({ name }),
  )
}

export async function restore(client: Client, { control, chance }: Means): Promise<void> {
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
  const { requests } = client.model
  client.model = { ...client.model, requests: requests + 1 }
  if (client.next) client.next = { ...client.next, requests: requests + 1 }
  client.isCounted = false
  client.unwritten++
  if (response.status === 507) throw new Full(text)
  if (response.status !== 200) throw new Error(`${client.name}: ${method} ${url} ${response.status} ${text}`)
  return JSON.parse(text) as { readonly id?: number }
}

interface Look {
  readonly model: Model
  /** Whether that is with the request under way. */
  readonly isNext: boolean
}

/**
 * What the sandbox shows: what was acknowledged, or that and the request under way. Two models may show the same and differ in the count of
 * requests, for instance when a checkpoint is restored.
 *
 * @param isFull whether the disk was full now and then, or lost power
 * @throws Error for anything else
 */
async function lookAt(client: Client, control: ControlClient, isFull: boolean): Promise<Look> {
  const { name, model, next } = client
  const found = await see(control)
  const { requests } = await control.getSandbox(name)
  for (const candidate of [model, next])
    if (candidate && shownAs(candidate) === found && isCount(requests, candidate, client, isFull))
      return { model: { ...candidate, requests }, isNext: candidate === next }
  const all = [model, ...(next ? [next] : [])].map((one) => `${one.requests} requests, ${shownAs(one)}`)
  throw new Error(`${name} lost what was acknowledged:\n${requests} requests, ${found}\nis not\n${all.join('\nor ')}`)
}

/** As many as were acknowledged, and perhaps the one under way; where the disk was full perhaps only those up to the last change. */
function isCount(
  requests: number,
  { requests: acknowledged }: Model,
  { isCounted, unwritten }: Client,
  isFull: boolean,
) {
  return requests >= acknowledged - (isFull ? unwritten : 0) && requests <= acknowledged + (isCounted ? 1 : 0)
}

async function see(control: ControlClient): Promise<string> {
  const [{ reportSchedules }, { files }, { checkpoints }, { now }] = await Promise.all([
    control.listReportSchedules(),
    control.listFiles('empty', { limit: 100_000 }),
    control.listCheckpoints(),
    control.getClock(),
  ])
  return show({
    schedules: reportSchedules
      .filter(({ id }) => id > PACKAGED.reportSchedules)
      .map(({ id, title }) => `${id} ${title}`),
    files: files.filter(({ fileType }) => fileType !== 'DIRECTORY').map(({ path }) => path),
    checkpoints: checkpoints.map((one) => `${one.name} ${one.now} ${one.reportSchedules - PACKAGED.reportSchedules}`),
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
