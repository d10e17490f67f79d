import { createInterface } from 'node:readline/promises'
import { readAddress } from './address.ts'
import { EXIT } from './exit-codes.ts'
import { showProgress } from './progress.ts'
import { createStandin } from '../app/setup/create-standin.ts'
import { MACHINE } from '../app/setup/machine.ts'
import type { BehaviourCatalog } from '../behaviours/catalog.ts'
import { calibrate, type Calibration, type Send, Stopped } from '../truth/calibrate/calibrate.ts'
import { createCarefulSend } from '../truth/calibrate/careful-send.ts'
import type { Givens } from '../truth/calibrate/probe.ts'
import { loadContract } from '../contract/load/load.ts'
import { shown, StartupError } from '../base/errors/problem.ts'
import { counted } from '../base/errors/wording.ts'
import { readPackaged } from '../base/formats/source-file.ts'
import { createTarget } from '../truth/recordings/target.ts'

/** The flags of `standin calibrate` that say what is asked, and how. */
export interface ProbeFlags {
  readonly target?: string
  readonly key?: string
  readonly otherKey?: string
  readonly fileSet?: string
  readonly otherFileSet?: string
  readonly pageId: string
  readonly viewId: string
  readonly groupId?: string
  readonly rate: string
  readonly timeout: string
  readonly allowWrites?: boolean
  readonly confirm?: string
  readonly only?: string
}

/** Runs the probes against the service of `--target`, at the pace of `--rate`, until Ctrl-C. */
export async function runLive(flags: ProbeFlags, catalog: BehaviourCatalog): Promise<Calibration> {
  const url = new URL(readAddress(flags.target ?? '', '--target'))
  const [givens, rate, timeout] = [
    givensOf(flags),
    positive('--rate', flags.rate, 100),
    positive('--timeout', flags.timeout, 600),
  ]
  if (flags.allowWrites === true) await confirmWrites(url, flags.confirm)
  const stopping = new AbortController()
  const stop = () => {
    process.exitCode = EXIT.interrupted
    stopping.abort(new Stopped('Ctrl-C ended it'))
  }
  process.once('SIGINT', stop)
  let present = 'begins'
  let share = 0
  let sent = 0
  const progress = showProgress(() => ({ share, text: `${counted(sent, 'request')}, ${present}` }))
  try {
    const { send } = createTarget({
      url: url.href,
      rate,
      timeout: timeout * 1000,
      machine: MACHINE,
      signal: stopping.signal,
    })
    const careful = createCarefulSend(send)
    return await calibrate({
      catalog,
      givens,
      allowWrites: flags.allowWrites === true,
      only: onlyOf(flags, catalog),
      send: (request) => careful(request).finally(() => sent++),
      onProgress: (id, done, all) => {
        present = id
        share = done / all
      },
    })
  } finally {
    process.off('SIGINT', stop)
    progress.end()
  }
}

function onlyOf({ only }: ProbeFlags, { behaviours }: BehaviourCatalog): ReadonlySet<string> | undefined {
  if (only === undefined) return undefined
  const asked = only.split(',').map((one) => one.trim())
  const ids = behaviours.flatMap(({ id }) => (asked.some((one) => id === one || id.startsWith(`${one}.`)) ? [id] : []))
  if (ids.length > 0) return new Set(ids)
  throw new StartupError([
    `--only: There is no behaviour ${shown(only)}. Name ids or their first words, such as limit,page.last.`,
  ])
}

/** Probes that write leave a report schedule behind, so the user confirms it in words. */
async function confirmWrites({ host }: URL, confirmed: string | undefined): Promise<void> {
  const question = `Probes that write create report schedules at ${host}. Type ${host} to allow it: `
  const answer = confirmed ?? (process.stdin.isTTY ? await askTerminal(question) : undefined)
  if (answer?.trim() === host) return
  throw new StartupError([
    answer === undefined
      ? `--allow-writes asks for a confirmation, and this is not a terminal. Pass --confirm ${host}.`
      : `Expected ${host} as the confirmation; got ${shown(answer)}. Nothing was sent.`,
  ])
}

async function askTerminal(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return await terminal.question(question)
  } finally {
    terminal.close()
  }
}

/** Prints the requests of a calibration, which is run against a stand-in: a service may lead to others. */
export async function rehearse(flags: ProbeFlags, catalog: BehaviourCatalog): Promise<undefined> {
  const givens = givensOf(flags)
  const ids = [givens.fileSet, givens.otherFileSet].filter((id) => id !== undefined)
  const standin = createStandin({ files: 0, fixtures: [{ fileSets: ids.map((id) => ({ id, generate: 200 })) }] })
  const url = await standin.start()
  try {
    const { signal } = new AbortController()
    const { send } = createTarget({ url, rate: Infinity, timeout: 10_000, machine: MACHINE, signal })
    const print: Send = (request) => {
      process.stdout.write(`${request.method} ${request.url} ${(request.body ?? '').slice(0, 500)}\n`)
      return send(request)
    }
    const allowWrites = flags.allowWrites === true
    const { exchanges } = await calibrate({ catalog, givens, allowWrites, only: onlyOf(flags, catalog), send: print })
    process.stderr.write(
      `standin: ${counted(exchanges.length, 'request')} to a stand-in with files of its own, and none to ${flags.target ?? ''}. Names and ids will be those of the service.\n`,
    )
  } finally {
    await standin.stop()
  }
}

function givensOf(flags: ProbeFlags): Givens {
  const { key = '', fileSet = '', otherKey, otherFileSet } = flags
  const [keyLocation] = loadContract(readPackaged('spec/openapi.yaml'), { isTrusted: true }).credentialLocations
  return {
    keyHeader: keyLocation.name,
    key,
    otherKey,
    fileSet,
    otherFileSet,
    pageId: positive('--page-id', flags.pageId),
    viewId: positive('--view-id', flags.viewId),
    groupId: flags.groupId === undefined ? undefined : positive('--group-id', flags.groupId),
  }
}

/** The number of a flag. @throws StartupError for one that is not above 0, or above `most` */
export function positive(name: string, text: string, most = Number.MAX_SAFE_INTEGER): number {
  const number = Number(text)
  if (number > 0 && number <= most) return number
  const range = most === Number.MAX_SAFE_INTEGER ? 'a positive number' : `a number above 0, up to ${most}`
  throw new StartupError([`${name}: Expected ${range}; got ${shown(text)}.`])
}
