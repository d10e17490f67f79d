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
  /** Cases of all workers. */
  readonly cases: number
}

/** A round is done, is wrong, or was the last one. */
export type Message =
  | { readonly cases: number }
  | { readonly figures: Figures }
  | { readonly round: number; readonly failure: string; readonly requests: readonly string[] }

const { name, seed, first, step, end, cases: all } = workerData as Job
const post = (message: Message) => parentPort?.postMessage(message)
const stopping = new AbortController()
parentPort?.once('message', () => stopping.abort())

const campaign = CAMPAIGNS[name]!
const perRound = campaign.casesPerRound ?? 1
const { open } = await campaign.load()
const rounds = await open({ seed, rounds: Math.ceil(all / perRound) })
try {
  for (let number = first; number < end && !stopping.signal.aborted; number += step) {
    try {
      const cases = Math.min(perRound, all - number * perRound)
      await rounds.run({ number, seed: seedOf(seed, name, number), cases })
      post({ cases })
    } catch (error) {
      post({ round: number, failure: describe(error), requests: rounds.requests?.() ?? [] })
      break
    }
  }
} finally {
  post({ figures: await rounds.close() })
  // A wrong result may leave something open that would keep the worker alive.
  process.exit()
}

/** With the causes: fast-check puts what went wrong there. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const own = error.stack ?? error.message
  return error.cause === undefined ? own : `${own}\nCaused by: ${describe(error.cause)}`
}
