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
import { exampleOf } from '../../../values/merge-schema.ts'
import { valuesOf } from '../lifecycles/status-words.ts'
import { isTemplate } from '../../../contract/runtime-expression.ts'
import { wordsOf } from '../../../base/formats/names.ts'
import { isEndpoint } from './endpoints.ts'
import { describeTrigger, readTrigger, tellingWords } from './read-trigger.ts'
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
  const linked = linksToWebhooks(document, operations)
  const bodies = drafts.flatMap((draft) => draft.bodies)
  const schemas = extendSchemas(
    BODIES,
    bodies.map(({ schema }) => schema),
  )
  const checkOf = (body: BodyDraft) => schemas.compile(`/${BODIES}/${bodies.indexOf(body)}`, 'response')
  return drafts.map(({ bodies: own, operation, called, ...plan }): WebhookPlan => {
    const hint = operation['x-standin']
    const { on } = asObject(hint)
    const { operationId, summary, description } = operation
    // A link says it of a message, not of which of several it is.
    const found = own.length === 1 ? (linked.get(plan.pointer) ?? linked.get(asText(operationId ?? ''))) : undefined
    const linkedFrom = found ?? NONE
    return {
      ...plan,
      hint,
      linkedFrom,
      events: own.map((body) => ({
        ...body,
        name: body.naming ? asText(body.naming[1]) : plan.name,
        check: checkOf(body),
        trigger:
          linkedFrom.size > 0
            ? undefined
            : readTrigger(document, known.collections, {
                said: typeof on === 'string' ? on : undefined,
                event: body.naming && asText(body.naming[1]),
                names: [called, typeof operationId === 'string' ? operationId : ''],
                sentences: [summary, description].filter((one) => typeof one === 'string'),
                body: body.schema,
                of: plan.callback?.isRegistration ? undefined : plan.callback?.collection,
              }),
      })),
    }
  })
}

const BODIES = 'x-standin-webhooks'
const NONE: ReadonlySet<string> = new Set()

/** The operations whose responses have a link to a webhook, by its pointer or its operationId. */
function linksToWebhooks(document: Members, operations: Contract['operations']): ReadonlyMap<string, Set<string>> {
  const found = new Map<string, Set<string>>()
  for (const { operationId, pointer } of operations)
    for (const response of Object.values(asObject(asObject(locate(document, pointer).value).responses)))
      for (const held of Object.values(asObject(asObject(follow(document, response)).links))) {
        const { operationRef, operationId: named } = asObject(follow(document, held))
        const target = typeof operationRef === 'string' ? operationRef.replace(/^#/, '') : named
        if (typeof target === 'string') found.set(target, (found.get(target) ?? new Set()).add(operationId))
      }
  return found
}

function registers(operationId: string, collection: CollectionPlan | undefined): boolean {
  return (
    (collection !== undefined && isEndpoint(collection.noun)) ||
    wordsOf(operationId).some((word) => word.startsWith('subscri'))
  )
}

type BodyDraft = Omit<WebhookEvent, 'name' | 'trigger' | 'check'>

interface WebhookDraft extends Omit<WebhookPlan, 'events' | 'hint' | 'linkedFrom'> {
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
    const bodies = bodiesOf(document, operation, named.called)
    const names = new Set([named.called, asText(operation.operationId ?? '')].map(tellingWords))
    // Webhooks often share a body that may name all of their events.
    const own = bodies.filter(({ naming }) => naming && names.has(tellingWords(asText(naming[1]))))
    return {
      ...named,
      pointer: `${pointer}/${method}`,
      method: method.toUpperCase(),
      operation,
      ...parametersOf(document, [...asList(methods.parameters), ...asList(operation.parameters)]),
      bodies: own.length > 0 ? own : bodies,
    }
  })
}

/** A body for each event that it may name. */
export function bodiesOf(document: Members, { requestBody }: Members, name: string): BodyDraft[] {
  const { content } = asObject(follow(document, requestBody))
  const media = Object.entries(asObject(content))
  const [mediaType, held] = media.find(([type]) => isJson(type)) ?? media[0] ?? []
  const { schema: whole, example, examples } = asObject(follow(document, held))
  if (whole === undefined)
    return [{ schema: undefined, mediaType, naming: undefined, called: [], example, isList: false }]
  const { items, properties, keywords } = shapeOf(document, whole)
  const isList = items !== undefined && properties.size === 0
  const schema = isList ? items : whole
  const shown = example ?? asObject(follow(document, Object.values(asObject(examples))[0])).value ?? keywords.example
  // Of a union of events, each is a message of its own.
  const alternatives = alternativesOf(document, schema).filter((one) => shapeOf(document, one).properties.size > 0)
  const schemas = alternatives.length > 1 ? alternatives : [schema]
  return schemas.flatMap((one) =>
    namesIn(document, one).map((naming) => ({
      schema: one,
      mediaType,
      naming,
      called: naming ? [] : calledIn(document, one, name),
      example: isList ? asList(shown)[0] : shown,
      isList,
    })),
  )
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

/** Members that name the event in a free text: by their example or default, or else as the document calls it. */
function calledIn(document: Members, schema: unknown, name: string): BodyDraft['called'] {
  return [...shapeOf(document, schema, 'any').properties].flatMap(([member, described]) => {
    const { keywords, types } = shapeOf(document, described)
    if (!NAMING.test(member) || !types.has('string')) return []
    return [[`/${encodePointer(member)}`, (exampleOf(keywords) as Json | undefined) ?? name] as const]
  })
}

/** `type` may be the type of anything. */
function rank(name: string): number {
  return /^(type|kind)$/i.test(name) ? 1 : 0
}

function parametersOf(document: Members, parameters: readonly unknown[]): Pick<WebhookPlan, 'headers' | 'query'> {
  const read = parameters.flatMap((written) => {
    const { in: place, name, schema, example, required } = asObject(follow(document, written))
    if (typeof name !== 'string') return []
    const { keywords } = shapeOf(document, schema)
    const given = [example, keywords.const, exampleOf(keywords), ...asList(keywords.enum)]
    const values = given.filter((one) => typeof one === 'string' || typeof one === 'number').map(String)
    return [{ place, name, values, isRequired: required === true }]
  })
  return {
    headers: Object.fromEntries(
      read.flatMap(({ place, name, ...header }) => (place === 'header' ? [[name.toLowerCase(), header]] : [])),
    ),
    query: Object.fromEntries(
      read.flatMap(({ place, name, values: [value] }) =>
        place === 'query' && value !== undefined ? [[name, value]] : [],
      ),
    ),
  }
}

/** When each message is sent, a line each. */
export function describeWebhooks(plans: readonly WebhookPlan[]): readonly string[] {
  return plans.flatMap(({ name: plan, events, callback, linkedFrom }) =>
    events.map(({ name, trigger }) => {
      const what = `${callback ? 'callback' : 'webhook'} ${name === plan ? name : `${name} (${plan})`}`
      if (trigger && !isSentAtOnce(trigger, callback)) return `${what}: sent when ${describeTrigger(trigger)}`
      if (callback && !callback.isRegistration) return `${what}: sent when ${callback.operationId} has succeeded`
      if (linkedFrom.size > 0) return `${what}: sent when ${[...linkedFrom].join(' or ')} has succeeded, by its link`
      return `${what}: never sent`
    }),
  )
}

/** What is probably meant otherwise, a sentence each. */
export function* doubtfulWebhooks(plans: readonly WebhookPlan[], placeOf: Contract['placeOf']): Generator<string> {
  for (const { name: plan, events, pointer, callback, hint, linkedFrom } of plans) {
    const where = `${placeOf(pointer)}: ${callback ? 'callback' : 'webhook'} ${plan}`
    if (callback && !isTemplate(callback.expression))
      yield `${where}: ${JSON.stringify(callback.expression)} is no address. Write http://…, or an expression such as {$request.body#/callbackUrl}.`
    const isAsked = linkedFrom.size > 0 || (callback !== undefined && !callback.isRegistration)
    const never = events.filter(({ trigger }) => !trigger && !isAsked)
    const which = events.length > 1 ? `: ${never.map(({ name }) => name).join(', ')}` : ''
    const why =
      hint === undefined
        ? 'its name and its description say no change of a collection'
        : `x-standin says ${JSON.stringify(hint)}`
    if (never.length > 0)
      yield `${where}${which} is never sent, since ${why}. Add x-standin: { on: order.created }, with one of yours.`
  }
}

/** Whether a message is sent when a callback is registered: what it tells has just happened. */
export function isSentAtOnce(trigger: Trigger | undefined, callback: WebhookPlan['callback']): boolean {
  if (!callback || callback.isRegistration) return false
  if (!trigger) return true
  return trigger.collection === callback.collection && trigger.status === undefined && trigger.change === 'created'
}
