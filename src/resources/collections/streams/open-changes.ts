import { bareType, isEventStream } from '../../../contract/media-type.ts'
import { chanceKey } from '../../../engine/random.ts'
import { asText, isObject, type Members, stringifyJson } from '../../../base/formats/json.ts'
import type { LiveBody } from '../../handler.ts'
import type { StreamRequest } from '../../resource.ts'
import { documentsOf, prepareDocuments } from '../collection-state.ts'
import type { KnownCollections } from '../control/known-collections.ts'
import type { CollectionPlan } from '../infer/plan.ts'
import { instanceName } from '../operations/instance-name.ts'
import { parameterCount } from '../infer/routes.ts'
import { findPlace } from '../seeds/instance-place.ts'
import type { ItemHappening } from '../webhooks/item-changes.ts'
import { triggers } from '../webhooks/read-trigger.ts'
import type { WebhookEvent, WebhookSource } from '../webhooks/webhook-plan.ts'

/** What an operation sends. */
interface SentChanges {
  readonly operationId: string
  readonly collections: readonly CollectionPlan[]
  readonly isOfItem: boolean
  readonly sendsItems: boolean
  readonly events: readonly WebhookEvent[]
  readonly known: KnownCollections
  readonly makeBody: WebhookSource['makeBody']
}

/**
 * Sends what changes after the event that the client received last, until it leaves. Where that is not kept any more, it gets each item
 * as it is, and then what changes.
 */
export function openChanges(sent: SentChanges, request: StreamRequest): LiveBody {
  const { sandbox, lastEventId, mediaType } = request
  const { changes } = sandbox
  // A contract that got its first stream while it was watched.
  if (!changes) return { contentType: mediaType, opening: '', parts: () => NOTHING }
  sandbox.now()
  const now = changes.open(sandbox)
  const known = lastEventId !== undefined && /^\d{1,15}$/.test(lastEventId) ? Number(lastEventId) : -1
  const isKept = changes.has(known)
  const isEvents = isEventStream(mediaType)
  const write = (change: ItemHappening, position: number) => writeChange(sent, request, { change, position })
  return {
    contentType: mediaType,
    // The id is that of now, for a client that loses the connection before the first event.
    opening: isEvents ? `retry: 1000\n${isKept ? '' : `id: ${now}\n`}\n` : '',
    async *parts(signal) {
      if (!isKept && (sent.sendsItems || lastEventId !== undefined))
        for await (const item of itemsOf(sent, request)) yield* await write(item, now)
      let position = isKept ? known : now
      while (!signal.aborted && changes.has(position)) {
        for (const change of changes.after(position)) {
          ;({ position } = change)
          if (isMeant(sent, request, change)) yield* await write(change, position)
        }
        await changes.next(position, signal)
      }
    },
  }
}

const NOTHING = new ReadableStream<string>({ start: (stream) => stream.close() })

/** The items as they are now, each as if it were new. */
async function* itemsOf(sent: SentChanges, { sandbox, path }: StreamRequest): AsyncGenerator<ItemHappening> {
  for (const plan of sent.collections) {
    const count = parameterCount(plan)
    const ids = sent.isOfItem ? path.slice(0, -1) : path
    if (ids.length < count) continue
    const name = instanceName(plan, ids.slice(ids.length - count))
    await prepareDocuments(sandbox.state, name)
    const documents = documentsOf(sandbox.state, name)
    for (const [id, { value }] of [...(documents ?? [])]) {
      const change = {
        change: 'created' as const,
        collection: name,
        id,
        before: undefined,
        after: value,
        at: undefined,
      }
      if (isMeant(sent, { path }, change)) yield change
    }
  }
}

/** Whether a change is one of an item that the path names. */
function isMeant(
  { collections, known, isOfItem }: SentChanges,
  { path }: Pick<StreamRequest, 'path'>,
  { collection, id }: ItemHappening,
): boolean {
  const place = findPlace(known.collections, collection)
  if (!place || !collections.includes(place.plan)) return false
  const named = isOfItem ? [...place.ids, id] : place.ids
  // Earlier parts of the path, such as a tenant, are of no collection.
  return path.slice(Math.max(0, path.length - named.length)).every((one, at) => one === named[at])
}

/** The texts that tell of a change: none where the contract has no event for it. */
async function writeChange(
  { operationId, events, makeBody }: SentChanges,
  { sandbox, mediaType }: StreamRequest,
  { change, position }: { readonly change: ItemHappening; readonly position: number },
): Promise<readonly string[]> {
  const event = eventFor(events, change)
  const item = change.after ?? change.before
  if (!event || !isObject(item)) return []
  const key = chanceKey(sandbox.state.seed, `stream ${operationId}`)
  const made = await makeBody(event, {
    now: change.at ?? sandbox.now(),
    key,
    idKey: chanceKey(key, `event ${position} ${change.collection} ${change.id}`),
    said: {},
    subject: {
      collection: change.collection,
      id: change.id,
      item,
      before: isObject(change.before) ? change.before : undefined,
    },
  })
  return isObject(made) ? [write(made, mediaType, position)] : []
}

/** An event that is named for the change; else one that is not named, which cannot tell of a deletion. */
function eventFor(events: readonly WebhookEvent[], change: ItemHappening): WebhookEvent | undefined {
  const named = events.filter(({ trigger }) => trigger !== undefined)
  const found =
    named.find(({ trigger }) => trigger?.status && triggers(trigger, change)) ??
    named.find(({ trigger }) => trigger && triggers(trigger, change))
  if (found || named.length > 0) return found
  return change.change === 'deleted' ? undefined : events[0]
}

function write(made: Members, mediaType: string, position: number): string {
  const type = bareType(mediaType)
  if (type !== 'text/event-stream') return `${type.endsWith('json-seq') ? '\u001e' : ''}${stringifyJson(made)}\n`
  const isFields = 'data' in made && Object.keys(made).every((name) => ['event', 'id', 'retry', 'data'].includes(name))
  const data = isFields ? made.data : made
  const name = isFields && made.event !== undefined ? `event: ${asText(made.event)}\n` : ''
  // JSON has no line breaks of its own, so the data is one line.
  return `${name}id: ${position}\ndata: ${stringifyJson(data)}\n\n`
}
