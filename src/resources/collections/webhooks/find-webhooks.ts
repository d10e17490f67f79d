import type { Contract } from '../../../contract/contract.ts'
import { follow, locate } from '../../../contract/pointer.ts'
import { isJson } from '../../../contract/media-type.ts'
import { alternativesOf, shapeOf } from '../../../contract/schemas/shape.ts'
import {
  asList,
  asObject,
  asText,
  encodePointer,
  isObject,
  type Json,
  type Members,
} from '../../../base/formats/json.ts'
import type { CollectionPlan } from '../infer/plan.ts'
import type { KnownCollections } from '../control/known-collections.ts'
import { valuesOf } from '../lifecycles/status-words.ts'
import { wordsOf } from '../../../base/formats/names.ts'
import { isEndpoint } from './endpoints.ts'
import { describeTrigger, readTrigger } from './read-trigger.ts'
import type { Trigger, WebhookEvent, WebhookPlan } from './webhook-plan.ts'

/** Those of a contract, in the order of the document. */
export function findWebhooks(
  { document, operations, extendSchemas }: Pick<Contract, 'document' | 'operations' | 'extendSchemas'>,
  known: KnownCollections,
): readonly WebhookPlan[] {
  const drafts = [
    ...['webhooks', 'x-webhooks'].flatMap((member) =>
      Object.entries(asObject(document[member])).flatMap(([name, item]) =>
        draftsOf(document, item, { name, called: name, pointer: `/${member}/${encodePointer(name)}` }),
      ),
    ),
    ...operations.flatMap((operation) => {
      const { operationId, pointer } = operation
      const { callbacks } = asObject(locate(document, pointer).value)
      const collection = known.operations.get(operation)?.collection
      return Object.entries(asObject(callbacks)).flatMap(([name, callback]) =>
        Object.entries(asObject(follow(document, callback))).flatMap(([expression, item]) =>
          draftsOf(document, item, {
            name: `${operationId} ${name}`,
            pointer: `${pointer}/callbacks/${encodePointer(name)}/${encodePointer(expression)}`,
            called: name,
            callback: { operationId, expression, collection, isRegistration: registers(operationId, collection) },
          }),
        ),
      )
    }),
  ]
  if (drafts.length === 0) return []
  const bodies = drafts.flatMap((draft) => draft.bodies)
  const schemas = extendSchemas(
    BODIES,
    bodies.map(({ schema }) => schema),
  )
  const checkOf = (body: BodyDraft) => schemas.compile(`/${BODIES}/${bodies.indexOf(body)}`, 'response')
  return drafts.map(({ bodies: own, operation, called, ...plan }): WebhookPlan => {
    const on = asObject(operation['x-standin']).on
    return {
      ...plan,
      events: own.map((body) => ({
        ...body,
        name: body.naming ? asText(body.naming[1]) : plan.name,
        check: checkOf(body),
        trigger: readTrigger(document, known.collections, {
          said: typeof on === 'string' ? on : undefined,
          event: body.naming && asText(body.naming[1]),
          names: [called, typeof operation.operationId === 'string' ? operation.operationId : ''],
          body: body.schema,
          of: plan.callback?.isRegistration ? undefined : plan.callback?.collection,
        }),
      })),
    }
  })
}

const BODIES = 'x-standin-webhooks'

function registers(operationId: string, collection: CollectionPlan | undefined): boolean {
  return (
    (collection !== undefined && isEndpoint(collection.noun)) ||
    wordsOf(operationId).some((word) => word.startsWith('subscri'))
  )
}

type BodyDraft = Pick<WebhookEvent, 'schema' | 'mediaType' | 'naming'>

interface WebhookDraft extends Omit<WebhookPlan, 'events'> {
  /** Without the operation of a callback. */
  readonly called: string
  readonly operation: Members
  readonly bodies: readonly BodyDraft[]
}

function draftsOf(
  document: Members,
  item: unknown,
  { pointer, ...named }: Pick<WebhookDraft, 'name' | 'called' | 'pointer' | 'callback'>,
): WebhookDraft[] {
  const methods = asObject(follow(document, item))
  return ['post', 'put', 'patch', 'delete', 'get'].flatMap((method) => {
    const operation = follow(document, methods[method])
    if (!isObject(operation)) return []
    return {
      ...named,
      pointer: `${pointer}/${method}`,
      method: method.toUpperCase(),
      operation,
      headers: headersOf(document, [...asList(methods.parameters), ...asList(operation.parameters)]),
      bodies: bodiesOf(document, operation),
    }
  })
}

/** A body for each event that it may name. */
function bodiesOf(document: Members, { requestBody }: Members): BodyDraft[] {
  const { content } = asObject(follow(document, requestBody))
  const media = Object.entries(asObject(content))
  const [mediaType, written] = media.find(([type]) => isJson(type)) ?? media[0] ?? []
  const schema = asObject(follow(document, written)).schema
  if (schema === undefined) return [{ schema: undefined, mediaType, naming: undefined }]
  // Of a union of events, each is a message of its own.
  const alternatives = alternativesOf(document, schema).filter((one) => shapeOf(document, one).properties.size > 0)
  const schemas = alternatives.length > 1 ? alternatives : [schema]
  return schemas.flatMap((one) => namesIn(document, one).map((naming) => ({ schema: one, mediaType, naming })))
}

const NAMING =
  /^(event|action|topic|event_?(type|name|code|action)|(type|name)_?of_?event|webhook_?(type|event)|type|kind)$/i

function namesIn(document: Members, schema: unknown): BodyDraft['naming'][] {
  const members = [...shapeOf(document, schema, 'any').properties]
    .filter(([name]) => NAMING.test(name))
    .map(([name, member]) => {
      const { const: only } = shapeOf(document, member).keywords
      return { name, values: only === undefined ? valuesOf(document, member) : [only as Json] }
    })
    .filter(({ values }) => values.length > 0)
  const [first] = members.toSorted((one, other) => rank(one.name) - rank(other.name))
  return first ? first.values.map((value) => [`/${encodePointer(first.name)}`, value] as const) : [undefined]
}

/** `type` may be the type of anything. */
function rank(name: string): number {
  return /^(type|kind)$/i.test(name) ? 1 : 0
}

function headersOf(document: Members, parameters: readonly unknown[]): Record<string, string> {
  return Object.fromEntries(
    parameters.flatMap((written) => {
      const { in: place, name, schema, example } = asObject(follow(document, written))
      if (place !== 'header' || typeof name !== 'string') return []
      const { const: only, enum: values, default: usual, example: shown } = shapeOf(document, schema).keywords
      const value: unknown = example ?? only ?? usual ?? shown ?? asList(values)[0]
      return typeof value === 'string' || typeof value === 'number' ? [[name.toLowerCase(), String(value)]] : []
    }),
  )
}

/** When each message is sent, a sentence each; and which are never. */
export function* describeWebhooks(contract: Contract, known: KnownCollections): Generator<string> {
  for (const { events, pointer, callback } of findWebhooks(contract, known))
    for (const { name, trigger } of events) {
      const what = `${contract.placeOf(pointer)}: ${callback ? 'callback' : 'webhook'} ${name}`
      if (trigger && !isSentAtOnce(trigger, callback)) yield `${what}: sent when ${describeTrigger(trigger)}`
      else if (callback && !callback.isRegistration) yield `${what}: sent when ${callback.operationId} has succeeded`
      else
        yield `${what}: never sent, since its name says no change of a collection. Add x-standin: { on: order.created }, with one of yours.`
    }
}

/** Whether a message is sent when a callback is registered: what it tells has just happened. */
export function isSentAtOnce(trigger: Trigger | undefined, callback: WebhookPlan['callback']): boolean {
  if (!callback || callback.isRegistration) return false
  if (!trigger) return true
  return trigger.collection === callback.collection && trigger.status === undefined && trigger.change === 'created'
}
