import { differences } from './birth.ts'
import { type DataDirectory, TRUSTED } from './data-directory.ts'
import type { ReplayStart, WholeReplay } from './write-replay.ts'
import { REPLAY_VERSION } from './write-replay.ts'
import type { StateDocument } from '../control/types.ts'
import { readInstant } from '../control/call.ts'
import { type Origin, readState } from '../control/read-state.ts'
import { isObject } from '../json.ts'
import { Problem, StartRefused } from '../problem.ts'
import { createMemoryLog } from '../sandbox/event-log.ts'
import { copyImage, type Image, type Snapshot } from '../sandbox/image.ts'
import { DEFAULT_SANDBOX } from '../sandbox/sandboxes.ts'
import { runSteps } from '../world/steps.ts'

/** @param file its name, for messages. @throws StartRefused for what is no replay, or one that this Standin cannot read */
export function checkReplay(value: unknown, file: string): WholeReplay {
  if (!isObject(value) || value.format !== 'standin-replay')
    throw new StartRefused([`${file}:1: This is no replay. GET /__mock/replay of a stand-in answers one.`])
  if (value.version !== REPLAY_VERSION) {
    const versions = `The replay is of version ${String(value.version)}; this Standin reads version ${REPLAY_VERSION}`
    throw new StartRefused([`${file}:1: ${versions}. Use the Standin that made it.`])
  }
  return value as unknown as WholeReplay
}

/** The sandbox of a replay, in the place where a stand-in finds those of an earlier life. It is the default one here. */
export function replayDirectory({ birth, start }: WholeReplay, file: string): DataDirectory {
  return {
    firstMoment: Date.parse(birth.firstMoment),
    open(present, born) {
      const found = differences(birth, present)
      if (found.length > 0) throw new StartRefused(found.map((difference) => `${file}: ${difference}`))
      const image = attempt(file, () => readStart(start, { rules: TRUSTED, born, made: new Map() }))
      const log = createMemoryLog(copyImage(image), start.nextEvent)
      return {
        found: new Map([[DEFAULT_SANDBOX, { image, log }]]),
        begin: (_name, beginning) => createMemoryLog({ beginning, ...beginning, checkpoints: new Map() }),
        remove() {
          // It is nowhere else.
        },
      }
    },
    close() {
      // Nothing is open.
    },
  }
}

function readStart({ beginning, present, checkpoints }: ReplayStart, origin: Origin): Image {
  const read = (state: StateDocument) => runSteps(readState(origin, state))
  const named = checkpoints.map(({ name, taken, state }): [string, Snapshot] => [
    name,
    { ...read(state), taken: readInstant(taken, { pointer: '/start/checkpoints' }) },
  ])
  return { beginning: read(beginning), ...read(present), checkpoints: new Map(named) }
}

/** What was changed by hand may hold anything. */
function attempt<Result>(file: string, act: () => Result): Result {
  try {
    return act()
  } catch (error) {
    if (!(error instanceof Problem || error instanceof TypeError)) throw error
    throw new StartRefused([`${file}: The replay cannot be read: ${error.message}`])
  }
}
