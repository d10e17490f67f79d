import { StartupError } from '../../base/errors/problem.ts'
import { readInstant } from '../../base/formats/instant.ts'
import { readEvent, readStateDocument, type StateDocument } from '../sandbox-document.ts'
import { runSteps } from '../slices.ts'
import { type Beginning, copyImage, evolveImage, type OwnedImage, type Snapshot } from '../snapshot.ts'
import type { Origin } from '../state.ts'
import { addPart, type RecordPart } from './split-document.ts'
import type { EventLog } from './event-log.ts'
import type { FoundRecord, FoundStream, StoredRecord } from './event-store.ts'
import { createMemoryLog } from './memory/memory-log.ts'
import type { EventRecord, StateRecord } from './stored-records.ts'

/** A sandbox as its records say, and its events. */
interface Restored {
  readonly image: OwnedImage
  readonly log: EventLog
}

/** @throws StartupError with the place of a record that Standin did not write */
export function restore({ first, records }: FoundStream, origin: Origin): Restored {
  const images = createImages(origin)
  let restored: Restored | undefined
  let open: EventRecord[] = []
  let place = ''
  const begin = (): Restored => {
    const image = images.finish()
    return { image, log: createMemoryLog(copyImage(image), first) }
  }
  const add = (value: StoredRecord) => {
    if ('image' in value) {
      if (restored) throw new Error('a part of the sandbox stands behind its events')
      images.add(value as unknown as StateRecord & RecordPart)
      return
    }
    restored ??= begin()
    if (!('events' in value)) {
      restored.image.requests = Number(value.requests)
      return
    }
    open.push(value as unknown as EventRecord)
    if ('more' in value) return
    storeCommit(open, restored, origin)
    open = []
  }
  for (const found of records) {
    place = found.place
    attempt(found.place, () => add(found.value))
  }
  return restored ?? attempt(place, begin)
}

/** Stores the events of a complete commit. */
function storeCommit(records: readonly EventRecord[], { image, log }: Restored, origin: Origin): void {
  for (const { number, at, requests, requestId, events } of records) {
    for (const [index, document] of events.entries()) {
      image.requests = requests
      const event = readEvent(document, image, origin)
      const facts = { at: readInstant(at, { pointer: '/at' }), requests, requestId }
      log.append(number + index, { ...facts, events: [event] })
      evolveImage(image, event, { at: facts.at })
    }
  }
}

interface Images {
  add(record: StateRecord & RecordPart): void
  /** @throws Error when the beginning or the present is missing */
  finish(): OwnedImage
}

/** Assembles states from their records. */
function createImages(origin: Origin): Images {
  const documents: { of: StateRecord; document: unknown }[] = []
  return {
    add(record) {
      const last = documents.at(-1)
      if (record.at === undefined) documents.push({ of: record, document: record.value })
      else addPart(last?.document, record)
    },
    finish() {
      let beginning: Beginning | undefined
      let present: Beginning | undefined
      const checkpoints = new Map<string, Snapshot>()
      for (const { of, document } of documents) {
        const { state, requests } = runSteps(readStateDocument(document as StateDocument, origin))
        if (of.image === 'beginning') beginning = { state, requests }
        else if (of.image === 'present') present = { state, requests }
        else
          checkpoints.set(of.name ?? '', { state, requests, taken: readInstant(of.taken ?? '', { pointer: '/taken' }) })
      }
      if (!beginning || !present) throw new Error('the sandbox is not whole')
      return { beginning, state: origin.model.copy(present.state), requests: present.requests, checkpoints }
    },
  }
}

/** What a user can do about a log that is damaged. */
export const REMEDY = 'Put a copy of the file back, or remove it to lose that sandbox.'

function attempt<Result>(place: FoundRecord['place'], act: () => Result): Result {
  try {
    return act()
  } catch (error) {
    throw damaged(place, error instanceof Error ? error.message : String(error))
  }
}

/** @param place of the record: `data/sandbox-1.jsonl:3` */
export function damaged(place: string, why: string): StartupError {
  return new StartupError([`${place}: the log is damaged: ${why.replace(/\.$/, '')}. ${REMEDY}`])
}
