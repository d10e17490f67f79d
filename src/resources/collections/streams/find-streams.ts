import type { Contract, Operation } from '../../../contract/contract.ts'
import type { ChangeStream } from '../../resource.ts'
import { isRows, isEventStream } from '../../../contract/media-type.ts'
import { follow, locate } from '../../../contract/pointer.ts'
import { shapeOf } from '../../../contract/schemas/shape.ts'
import { asObject, asText, isObject, type Members } from '../../../base/formats/json.ts'
import type { KnownCollections } from '../control/known-collections.ts'
import type { CollectionPlan, OperationPlan } from '../infer/plan.ts'
import { createBodyMaker } from '../webhooks/body-maker.ts'
import { bodiesOf } from '../webhooks/find-webhooks.ts'
import { holdsItem } from '../webhooks/payload.ts'
import { readTrigger } from '../webhooks/read-trigger.ts'
import { openChanges } from './open-changes.ts'

/** What the last part of a path is called that sends what changes above it. */
const SENDS_CHANGES =
  /^(stream|streams|events?|changes|feed|watch|live|updates|subscribe|subscriptions?|notifications|listen|tail)$/i

interface StreamDraft {
  readonly operation: Operation
  readonly mediaTypes: readonly string[]
  readonly isOnly: boolean
  /** Whether the items of the collection are sent first. */
  readonly sendsItems: boolean
  /** Those whose items it is about. */
  readonly collections: readonly CollectionPlan[]
  readonly isOfItem: boolean
  readonly bodies: ReturnType<typeof bodiesOf>
}

/** The operations that send what changes in collections: server-sent events, or rows of JSON. */
export function findStreams(
  contract: Contract,
  known: KnownCollections,
  free: readonly Operation[],
): ReadonlyMap<Operation, ChangeStream> {
  const drafts = free.flatMap((operation) => draftOf(contract.document, known, operation) ?? [])
  if (drafts.length === 0) return new Map()
  const bodies = drafts.flatMap((draft) => draft.bodies)
  const schemas = contract.extendSchemas(
    EVENTS,
    bodies.map(({ schema }) => schema),
  )
  const makeBody = createBodyMaker(contract, known)
  return new Map(
    drafts.map(({ operation, mediaTypes, isOnly, bodies: own, ...draft }) => {
      const events = own.map((body) => ({
        ...body,
        name: operation.operationId,
        isList: false,
        check: schemas.compile(`/${EVENTS}/${bodies.indexOf(body)}`, 'response'),
        trigger:
          body.naming &&
          readTrigger(contract.document, draft.collections, {
            said: undefined,
            event: asText(body.naming[1]),
            names: [],
            sentences: [],
            body: body.schema,
            of: draft.collections.length === 1 ? draft.collections[0] : undefined,
          }),
      }))
      const report = `${operation.method} ${operation.path}: sends what changes in ${draft.collections.map(({ name }) => name).join(', ')}`
      const open: ChangeStream['open'] = (request) =>
        openChanges({ ...draft, operationId: operation.operationId, events, known, makeBody }, request)
      return [operation, { mediaTypes, isOnly, report, open }]
    }),
  )
}

const EVENTS = 'x-standin-events'

function draftOf(document: Members, known: KnownCollections, operation: Operation): StreamDraft | undefined {
  if (operation.method !== 'GET' || operation.extensions['x-standin'] === 'generated') return undefined
  const content = contentOf(document, operation)
  const types = Object.keys(content)
  const named = [...known.operations.values()]
  const above = SENDS_CHANGES.test(operation.path.split('/').at(-1) ?? '')
    ? named.find(
        ({ operation: { method, path }, role }) =>
          method === 'GET' &&
          /^(list|read)$/.test(role) &&
          path === operation.path.slice(0, operation.path.lastIndexOf('/')),
      )
    : undefined
  const own = above ? undefined : known.operations.get(operation)
  // The rows of a list end with its last item.
  const mediaTypes = types.filter((type) => isEventStream(type) || (isRows(type) && !own))
  const [first] = mediaTypes
  if (first === undefined) return undefined
  const { schema, ...media } = asObject(follow(document, content[first]))
  const event = eventSchemaOf(document, schema)
  const collections = collectionsOf(document, known, { plan: above ?? own, event })
  const [collection] = collections
  if (!collection) return undefined
  const isDescribed = shapeOf(document, event, 'any').properties.size > 0
  const body = { content: { 'application/json': { ...media, schema: isDescribed ? event : collection.schema } } }
  return {
    operation,
    mediaTypes,
    isOnly: mediaTypes.length === types.length,
    sendsItems: own !== undefined,
    isOfItem: (above ?? own)?.role === 'read',
    collections,
    bodies: bodiesOf(document, { requestBody: body }, operation.operationId),
  }
}

function contentOf(document: Members, { pointer }: Operation): Members {
  const responses = asObject(asObject(locate(document, pointer).value).responses)
  return asObject(asObject(follow(document, responses['200'] ?? responses['2XX'] ?? responses.default)).content)
}

/** The schema of one event: that of a list is about its items, and `data` that is a text about what the text holds. */
function eventSchemaOf(document: Members, schema: unknown): unknown {
  const { items, properties } = shapeOf(document, schema, 'any')
  const event = items !== undefined && properties.size === 0 ? items : schema
  const held = follow(document, event)
  const data = asObject(follow(document, shapeOf(document, event, 'any').properties.get('data')))
  if (!isObject(held) || data.contentSchema === undefined) return event
  return { ...held, properties: { ...asObject(held.properties), data: data.contentSchema } }
}

function collectionsOf(
  document: Members,
  { collections }: KnownCollections,
  { plan, event }: { readonly plan: OperationPlan | undefined; readonly event: unknown },
): readonly CollectionPlan[] {
  if (plan) return /^(list|read)$/.test(plan.role) && !plan.collection.isSingleton ? [plan.collection] : []
  const variants = ['oneOf', 'anyOf'].flatMap((name) => asObject(follow(document, event))[name] ?? [])
  return collections.filter(
    ({ schema, isSingleton }) => !isSingleton && [event, ...variants].some((one) => holdsItem(document, one, schema)),
  )
}
