import type { StateDocument } from '../../control/client/types.ts'
import { createMemoryLog } from '../../engine/event-log.ts'
import { readInstant } from '../../formats/instant.ts'
import type { DataDirectory } from '../../engine/log/data-directory.ts'
import { differences } from '../../engine/log/fingerprint.ts'
import { readStateDocument } from '../../engine/sandbox-document.ts'
import { DEFAULT_SANDBOX } from '../../engine/sandboxes.ts'
import { copyImage, type Image, type Snapshot } from '../../engine/snapshot.ts'
import type { Origin } from '../../engine/state.ts'
import { runSteps } from '../../engine/slices.ts'
import { Problem, StartupError } from '../../errors/problem.ts'
import { isObject } from '../../formats/json.ts'
import { REPLAY_VERSION, type ReplayStart, type WholeReplay } from './write-replay.ts'

/** @param file its name, for messages @throws StartupError for what is not a replay, or one that this Standin cannot read */
export function checkReplay(value: unknown, file: string): WholeReplay {
  if (!isObject(value) || value.format !== 'standin-replay')
    throw new StartupError([`${file}:1: This is not a replay. GET /__mock/replay of a running Standin returns one.`])
  if (value.version !== REPLAY_VERSION) {
    const versions = `The replay is of version ${String(value.version)}; this Standin reads version ${REPLAY_VERSION}`
    throw new StartupError([`${file}:1: ${versions}. Use the Standin that made it.`])
  }
  return value as unknown as WholeReplay
}

/** Presents the sandbox of a replay as if it were stored in a data directory. It becomes the default sandbox. */
export function replayDirectory({ fingerprint, start }: WholeReplay, file: string): DataDirectory {
  return {
    firstMoment: Date.parse(fingerprint.firstMoment),
    open(present, initialState) {
      const found = differences(fingerprint, present)
      if (found.length > 0) throw new StartupError(found.map((difference) => `${file}: ${difference}`))
      const image = readStart(start, { model: initialState.model, initialState, made: new Map() }, file)
      const log = createMemoryLog(copyImage(image), start.nextEvent)
      return {
        found: new Map([[DEFAULT_SANDBOX, { image, log }]]),
        begin: (_name, beginning) => createMemoryLog({ beginning, ...beginning, checkpoints: new Map() }),
        remove: () => undefined,
      }
    },
    close: () => undefined,
  }
}

/** @throws StartupError for a file that was edited so that it cannot be read */
function readStart({ beginning, present, checkpoints }: ReplayStart, origin: Origin, file: string): Image {
  const read = (state: StateDocument) => runSteps(readStateDocument(state, origin))
  try {
    const named = checkpoints.map(({ name, taken, state }): [string, Snapshot] => [
      name,
      { ...read(state), taken: readInstant(taken, { pointer: '/start/checkpoints' }) },
    ])
    return { beginning: read(beginning), ...read(present), checkpoints: new Map(named) }
  } catch (error) {
    if (!(error instanceof Problem || error instanceof TypeError)) throw error
    throw new StartupError([`${file}: The replay cannot be read: ${error.message}`])
  }
}
