import { EXIT } from '../exit-codes.ts'
import { importHandlers } from '../import-handlers.ts'
import { counted } from '../../base/errors/wording.ts'
import { readSourceFile } from '../../base/formats/source-file.ts'
import { replay as replayDocument } from '../../app/replay/replay.ts'

export interface ReplayFlags {
  readonly handlers?: string
}

/** Refused exchanges that are listed. */
const MAX_LISTED = 20

/** `standin replay FILE`: repeats a run. Exits with 0 when everything was the same, and with 2 at the first difference. */
export async function replay(file: string, { handlers }: ReplayFlags): Promise<void> {
  const own = handlers === undefined ? undefined : await importHandlers(handlers)
  const { exchanges, events, skipped, refused, difference } = await replayDocument(readSourceFile(file), own)
  for (const one of skipped) process.stderr.write(`standin: skipped ${one}.\n`)
  const done = `${counted(exchanges, 'exchange')} and ${counted(events, 'event')}`
  if (difference === undefined) {
    process.stdout.write(`${done}: all is the same\n`)
    for (const one of refused.slice(0, MAX_LISTED)) process.stderr.write(`standin: refused, as in the run: ${one}\n`)
    process.stderr.write('standin: the stand-in responds as it did, so what failed is in the test or in the client\n')
  } else {
    process.stdout.write(`${done} were the same, then: ${difference}\n`)
    process.exitCode = EXIT.differs
  }
}
