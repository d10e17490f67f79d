import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { freePort, untilAnswers } from '../frame/ask.ts'
import type { Answered, Ask } from '../frame/ask.ts'
import type { Child } from '../frame/children.ts'
import { startChild } from '../frame/children.ts'
import { ROOT } from '../frame/files.ts'
import type { Loader } from '../frame/load.ts'
import { peakOf, processorSecondsOf, residentOf } from '../frame/process-figures.ts'
import type { Contender, Work } from './contender.ts'

/** A contender that is up and does one work, or that could not come up. What it could not do is said instead of a figure. */
export interface Trial {
  readonly name: string
  /** Status, bytes and the beginning of its answer before the load, or why there is none. */
  readonly answer: string
  /** What a reader must know beside the figure: `1 entry`. */
  readonly remark?: string
  /** Responses a second; the first call is the warm-up. @throws Error when the server is gone or a response is no success */
  sample(): Promise<number>
  /** MiB. */
  resident(): readonly number[] | string
  peak(): readonly number[] | string
  /** Microseconds of processor time for each answer, one for each sample after the first. */
  processorTimes(): readonly number[] | string
  stop(): Promise<void>
}

export interface TrialOptions {
  readonly contender: Contender
  readonly work: Work
  readonly loader: Loader
  readonly folder: string
  readonly connections: number
  readonly seconds: number
}

export async function createTrial(options: TrialOptions): Promise<Trial> {
  const { contender, work, folder } = options
  const port = await freePort()
  let child: Child | undefined
  try {
    const command = contender.start({ port, work, folder: mkdtempSync(join(folder, 'contender-')) })
    child = startChild(command.command, command.args, { cwd: ROOT })
    const ask = command.ask ?? work.ask
    const answered = await untilAnswers(child, port, ask)
    return createRunning(options, child, { port, ask, answered })
  } catch (error) {
    await child?.stop()
    return createAbsent(contender.name, error instanceof Error ? error.message : String(error))
  }
}

interface Reached {
  readonly port: number
  readonly ask: Ask
  readonly answered: Answered
}

function createRunning(options: TrialOptions, child: Child, { port, ask, answered }: Reached): Trial {
  const { contender, work, loader, connections, seconds } = options
  const times: number[] = []
  let warm = false
  const orGone = (figure: () => number): readonly number[] | string => {
    try {
      return [figure()]
    } catch {
      return `its process ended: ${child.printed().slice(-200)}`
    }
  }
  const remark = describeDifference(work, ask, answered)
  return {
    name: contender.name,
    answer: `${answered.status}, ${Buffer.byteLength(answered.text)} bytes: ${answered.text.slice(0, 160)}`,
    ...(remark === undefined ? {} : { remark }),
    sample: async () => {
      const length = warm ? seconds : Math.max(seconds, contender.warmUp ?? 0)
      warm = true
      const before = processorSecondsOf(child.pid)
      const { answered: count, duration } = await loader.run({ port, ask, connections, seconds: length })
      times.push(((processorSecondsOf(child.pid) - before) / count) * 1e6)
      return count / duration
    },
    resident: () => orGone(() => residentOf(child.pid)),
    peak: () => orGone(() => peakOf(child.pid)),
    processorTimes: () => (times.length > 1 ? times.slice(1) : 'not measured'),
    stop: () => child.stop(),
  }
}

function createAbsent(name: string, reason: string): Trial {
  const silent = () => reason
  return {
    name,
    answer: reason,
    sample: () => Promise.reject(new Error(reason)),
    resident: silent,
    peak: silent,
    processorTimes: silent,
    stop: () => Promise.resolve(),
  }
}

/** What differs from what was asked: the method, the number of entries. Throws when the answer is no JSON of the right shape. */
function describeDifference(work: Work, ask: Ask, { text }: Answered): string | undefined {
  const answer = JSON.parse(text) as { files?: unknown[] }
  const differences = ask.method === work.ask.method ? [] : [`by ${ask.method}`]
  if (work.kind === 'search') {
    const wanted = (JSON.parse(work.answer) as { files: unknown[] }).files.length
    const got = answer.files?.length
    if (got === undefined) throw new Error(`its answer has no files: ${text.slice(0, 200)}`)
    if (got !== wanted) differences.push(got === 1 ? '1 entry' : `${got} entries`)
  }
  return differences.length > 0 ? differences.join(', ') : undefined
}
