import { createDocumentReader } from './read-document-event.ts'
import { readFileEvent } from './read-file-event.ts'
import { readReportScheduleEvent } from './read-report-schedule-event.ts'
import { EventDefect } from './event-defect.ts'
import type { DocumentEvent, FileEvent, OwnEvent, ReportScheduleEvent } from './events.ts'
import { isObject } from '../json.ts'
import type { GivenReportSchedules } from '../operations/given-report-schedules.ts'
import type { FixtureRules } from '../seed/fixtures.ts'
import { evolve, type WorldEvent } from '../world/event.ts'
import { copyWorld, type OwnedWorld, type World } from '../world/world.ts'

/** By which rules what a handler wants is checked. */
export interface EventRules {
  readonly files: FixtureRules
  readonly reportSchedules: GivenReportSchedules
}

/** The request that events come from. */
export interface Origin {
  readonly now: number
  readonly userId: number | bigint
}

/** As many events one answer may have, and as many files or paths each of them. */
const MOST_EVENTS = 1000

/**
 * Turns what a handler wants to happen into events of the world, each checked against the world as those before it leave it.
 *
 * @throws Defect that names the event and what is wrong with it
 */
export function readEvents(
  given: readonly unknown[],
  world: World,
  { rules, origin }: { readonly rules: EventRules; readonly origin: Origin },
): readonly WorldEvent[] {
  if (given.length > MOST_EVENTS) throw new EventDefect(`events: expected at most ${MOST_EVENTS}, got ${given.length}.`)
  const readDocument = createDocumentReader(world.collections)
  let draft: OwnedWorld | undefined
  const read = (event: OwnEvent): WorldEvent => {
    if (isDocumentEvent(event)) return readDocument(event)
    const made = readOther(event, draft ?? world, { rules, origin })
    // What comes after it is checked against what it leaves; most answers have one event.
    if (given.length > 1) evolve((draft ??= copyWithoutDocuments(world)), made, { at: origin.now })
    return made
  }
  return given.map((one, index) => {
    try {
      return read(one as OwnEvent)
    } catch (error) {
      if (!(error instanceof EventDefect)) throw error
      throw new EventDefect(`events[${index}]: ${error.message}`)
    }
  })
}

function isDocumentEvent(event: OwnEvent): event is DocumentEvent {
  return isObject(event) && DOCUMENT_EVENTS.has(event.type)
}

const DOCUMENT_EVENTS = new Set<OwnEvent['type']>(['create-document', 'update-document', 'remove-document'])

/** What comes from JavaScript may be anything. */
function readOther(
  event: Exclude<OwnEvent, DocumentEvent>,
  world: World,
  { rules, origin }: { readonly rules: EventRules; readonly origin: Origin },
): WorldEvent {
  switch (isObject(event) ? event.type : undefined) {
    case 'create-report-schedule':
    case 'change-report-schedule':
    case 'remove-report-schedule':
    case 'run-report-schedule':
      return readReportScheduleEvent(event as ReportScheduleEvent, world, rules, origin)
    case 'create-file-set':
    case 'remove-file-set':
    case 'add-files':
    case 'remove-files':
      return readFileEvent(event as FileEvent, world, rules)
    case undefined:
    default:
      throw new EventDefect('it is no event. Make events with the makers in `events`.')
  }
}

/** Documents are looked after apart, so that none need be copied. */
function copyWithoutDocuments(world: World): OwnedWorld {
  return copyWorld({ ...world, collections: new Map() })
}
