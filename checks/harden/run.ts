import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { Campaign, Figures } from './campaign.ts'
import type { Job, Message } from './worker.ts'

export interface RunOptions {
  readonly name: string
  readonly seed: number
  /** Cases; those of the full run when absent. */
  readonly count?: number | undefined
  /** The only round to run. */
  readonly round?: number | undefined
  readonly progress: (cases: number, planned: number) => void
  /** Ends the run after the rounds that are under way. */
  readonly signal: AbortSignal
}

export interface Outcome {
  readonly name: string
  readonly seed: number
  /** Cases that were done, all of them right unless there is a failure. */
  readonly cases: number
  readonly seconds: number
  readonly figures: Figures
  readonly failure?: Failure | undefined
}

interface Failure {
  readonly round: number
  readonly text: string
  readonly requests: readonly string[]
}

/** Shares the rounds of a campaign among workers, until all are done or one is wrong. */
export async function runCampaign(campaign: Campaign, options: RunOptions): Promise<Outcome> {
  const { name, seed, progress, signal } = options
  const perRound = campaign.casesPerRound ?? 1
  const cases = options.count ?? campaign.cases
  const { round } = options
  const [begin, end] = round === undefined ? [0, Math.ceil(cases / perRound)] : [round, round + 1]
  const planned = Math.min(cases, end * perRound) - begin * perRound
  const step = Math.min(campaign.workers ?? availableParallelism(), end - begin)
  const began = performance.now()
  const figures: Record<string, number> = {}
  let done = 0
  let failure: Failure | undefined
  progress(0, planned)
  const takeIn = (message: Message) => {
    if ('cases' in message) progress((done += message.cases), planned)
    else if ('failure' in message) failure ??= { ...message, text: message.failure }
    else for (const [figure, value] of Object.entries(message.figures)) figures[figure] = (figures[figure] ?? 0) + value
  }
  const workers = Array.from({ length: step }, (_, index) =>
    start({ name, seed, first: begin + index, step, end, cases }),
  )
  const stop = () => workers.forEach((worker) => worker.postMessage('stop'))
  signal.addEventListener('abort', stop)
  await Promise.all(
    workers.map(
      (worker) =>
        new Promise<void>((resolve) => {
          worker.on('message', (message: Message) => {
            takeIn(message)
            if (failure) stop()
          })
          worker.once('error', (error) => {
            failure ??= { round: begin, text: error instanceof Error ? (error.stack ?? '') : '', requests: [] }
            stop()
          })
          worker.once('exit', () => resolve())
        }),
    ),
  )
  signal.removeEventListener('abort', stop)
  const seconds = (performance.now() - began) / 1000
  // Ctrl-C also ends the processes that a campaign started, which is no wrong result.
  return { name, seed, cases: done, seconds, figures, failure: signal.aborted ? undefined : failure }
}

function start(job: Job): Worker {
  return new Worker(new URL('./worker.ts', import.meta.url), { workerData: job })
}
