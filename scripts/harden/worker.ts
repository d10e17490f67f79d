/** One worker of a campaign: runs every so many-th round until all are done, one is wrong, or it is asked to stop. */
import { parentPort, workerData } from 'node:worker_threads'
import type { Figures } from './campaign.ts'
import { CAMPAIGNS } from './campaigns.ts'
import { seedOf } from './chance.ts'

export interface Job {
  readonly name: string
  readonly seed: number
  readonly first: number
  readonly step: number
  readonly end: number
  /** The rounds of all workers. */
  readonly rounds: number
}

/** Rounds done since the last message; with `figures` the worker is done. */
export type Message =
  | { readonly rounds: number }
  | { readonly figures: Figures }
  | { readonly round: number; readonly failure: string; readonly requests: readonly string[] }

const { name, seed, first, step, end, rounds: all } = workerData as Job
const post = (message: Message) => parentPort?.postMessage(message)
const stopping = new AbortController()
parentPort?.once('message', () => stopping.abort())

const rounds = await CAMPAIGNS[name]!.open({ seed, rounds: all })
try {
  for (let number = first; number < end && !stopping.signal.aborted; number += step) {
    try {
      await rounds.run({ number, seed: seedOf(seed, name, number) })
      post({ rounds: 1 })
    } catch (error) {
      post({ round: number, failure: describe(error), requests: rounds.requests?.() ?? [] })
      break
    }
  }
} finally {
  post({ figures: await rounds.close() })
  parentPort?.close()
}

/** With the causes: fast-check puts what went wrong there. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const own = error.stack ?? error.message
  return error.cause === undefined ? own : `${own}\nCaused by: ${describe(error.cause)}`
}
