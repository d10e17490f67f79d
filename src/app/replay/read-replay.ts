import { readInstant } from '../../formats/instant.ts'
import { differences } from '../../engine/log/fingerprint.ts'
import type { DataDirectory } from '../../engine/log/data-directory.ts'
import { type ReplayStart, type WholeReplay, REPLAY_VERSION } from './write-replay.ts'
import type { StateDocument } from '../../control/client/types.ts'
import { readStateDocument } from '../../engine/sandbox-document.ts'
import type { Origin } from '../../engine/state.ts'
import { isObject } from '../../formats/json.ts'
import { Problem, StartupError } from '../../errors/problem.ts'
import { createMemoryLog } from '../../engine/event-log.ts'
import { copyImage, type Image, type Snapshot } from '../../engine/snapshot.ts'
import { DEFAULT_SANDBOX } from '../../engine/sandboxes.ts'
import { runSteps } from '../../engine/steps.ts'

/** @param file its name, for messages. @throws StartupError for what is no replay, or one that this Standin cannot read */
export function checkReplay(value: unknown, file: string): WholeReplay {
  if (!isObject(value) || value.format !== 'standin-replay')
    throw new StartupError([`${file}:1: This is no replay. GET /__mock/replay of a stand-in answers one.`])
  if (value.version !== REPLAY_VERSION) {
    const versions = `The replay is of version ${String(value.version)}; this Standin reads version ${REPLAY_VERSION}`
    throw new StartupError([`${file}:1: ${versions}. Use the Standin that made it.`])
  }
  return value as unknown as WholeReplay
}

/** The sandbox of a replay, in the place where a stand-in finds those of an earlier life. It is the default one here. */
export function replayDirectory({ fingerprint, start }: WholeReplay, file: string): DataDirectory {
  return {
    firstMoment: Date.parse(fingerprint.firstMoment),
    open(present, initialState) {
      const found = differences(fingerprint, present)
      if (found.length > 0) throw new StartupError(found.map((difference) => `${file}: ${difference}`))
      const image = attempt(file, () => readStart(start, { model: initialState.model, initialState, made: new Map() }))
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
  const read = (state: StateDocument) => runSteps(readStateDocument(state, origin))
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
    throw new StartupError([`${file}: The replay cannot be read: ${error.message}`])
  }
}
