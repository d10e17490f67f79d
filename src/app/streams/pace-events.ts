import { splitSetting } from '../../behaviours/tracker.ts'
import type { BehaviourSettings } from '../../../types/behaviour-settings.d.ts'
import type { Sandbox } from '../../engine/sandbox.ts'
import type { LiveBody } from '../../resources/handler.ts'

/** Events that are sent together, at most, after the clock was moved far. */
const MOST_AT_ONCE = 1000

interface PacedEvents {
  readonly pace: BehaviourSettings['streams.pace']
  /** As the client sent it. */
  readonly lastEventId: string | undefined
  readonly sandbox: Sandbox
  readonly contentType: string
  /** The text of an event, the first is 1; undefined where there are no more. */
  textOf(number: number): Promise<string | undefined>
}

/** Sends generated events one by one, by the clock of the sandbox; undefined where all that there are is sent at once. */
export function paceEvents(events: PacedEvents): LiveBody | undefined {
  const { pace, sandbox, lastEventId = '', contentType, textOf } = events
  const { word, numbers } = splitSetting(pace)
  const last = /^\d{1,15}$/.test(lastEventId) ? Number(lastEventId) : 0
  const { changes } = sandbox
  if (word === 'at-once' || (word === 'resumed' && last === 0) || !changes) return undefined
  const every = numbers[0] * 1000
  return {
    contentType,
    opening: 'retry: 1000\n\n',
    async *parts(signal) {
      // A client that comes back has waited already.
      let [number, due] = [last + 1, sandbox.now() + (last === 0 ? 0 : every)]
      while (!signal.aborted) {
        for (let sent = 0; sandbox.now() >= due && sent < MOST_AT_ONCE; sent++) {
          const text = await textOf(number++)
          if (text === undefined) return
          yield text
          due += every
        }
        // The rest of a long way is left out.
        if (sandbox.now() >= due) due = sandbox.now() + every
        await changes.next(changes.open(sandbox), signal, due)
      }
    },
  }
}
