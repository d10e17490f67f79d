import type { WebhookList, WebhookRecord } from '../../../../types/control-api.d.ts'
import { readClock } from '../../../engine/clock/clock.ts'
import { chanceKey, draw, hex32 } from '../../../engine/random.ts'
import type { Sandbox, SandboxObserver } from '../../../engine/sandbox.ts'
import type { SandboxEvent } from '../../../engine/snapshot.ts'
import type { State } from '../../../engine/state.ts'
import { iso } from '../../../base/formats/instant.ts'
import { type Agenda, createAgenda } from '../../../engine/clock/agenda.ts'
import { bareType, isJson } from '../../../contract/media-type.ts'
import { plainName } from '../../../base/formats/names.ts'
import { asObject, isObject, type Members, stringifyJson } from '../../../base/formats/json.ts'
import type { StoredDocument } from '../documents/stored-document.ts'
import { documentsOf } from '../collection-state.ts'
import { findPlace } from '../seeds/instance-place.ts'
import { findEndpoints, type WebhookEndpoint } from './endpoints.ts'
import { isSentAtOnce } from './find-webhooks.ts'
import { triggers } from './read-trigger.ts'
import { send, type WebhookReach, whyUnreachable } from './send.ts'
import { signatureOf } from './sign.ts'
import { noteAttempt, showMessage, type WebhookMessage } from './webhook-message.ts'
import type {
  AnsweredRequest,
  Happening,
  MessageSubject,
  WebhookEvent,
  WebhookParts,
  WebhookPlan,
} from './webhook-plan.ts'

/** An address that a request registered, for a callback. */
interface Subscription {
  readonly plan: WebhookPlan
  readonly url: string
  /** The item that the request was about; undefined for none. */
  readonly about: { readonly collection: string; readonly id: string } | undefined
  readonly said: Members
}

/** A change that is not looked at yet. */
interface NotedChange extends Happening {
  readonly collection: string
  readonly id: string
  /** When it happened, epoch ms, where the item says so; now otherwise. */
  readonly at: number | undefined
}

/** The messages to one address, which are sent one after the other. */
interface Lane {
  readonly agenda: Agenda<number>
  readonly messages: Map<number, WebhookMessage>
  working: Promise<void> | undefined
}

/** Of a sandbox, besides those that wait. */
const MOST_MESSAGES = 1000
const MOST_SUBSCRIPTIONS = 1000
/** Items whose latest version is remembered, to see which members change. */
const MOST_ITEMS = 10_000
/** Milliseconds for which a list waits for what is being sent. */
const SETTLING = 10_000
const HOUR = 3_600_000
/** The longest that a timer waits; then it looks again. */
const LONGEST_WAIT = 600_000

/** Makes the messages of one sandbox from its changes, and sends them by its clock. */
export class WebhookBox {
  readonly #parts: WebhookParts
  readonly #sandbox: () => Sandbox | undefined
  readonly #messages = new Map<string, WebhookMessage>()
  /** Those that wait for nothing, which are forgotten first. */
  readonly #ended = new Set<WebhookMessage>()
  /** By address. */
  readonly #lanes = new Map<string, Lane>()
  readonly #latest = new Map<string, StoredDocument>()
  #subscriptions: Subscription[] = []
  #changes: NotedChange[] = []
  #registered: AnsweredRequest[] = []
  #made = 0
  #resets = 0
  #forgotten = 0
  /** Of those, the ones that no receiver accepted. */
  #lost = 0
  #target: string | null | undefined
  #working: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined
  #stopped = new AbortController()

  constructor(parts: WebhookParts, sandbox: () => Sandbox | undefined) {
    this.#parts = parts
    this.#sandbox = sandbox
  }

  /** Where webhooks go; null for nowhere. */
  get target(): string | null {
    return this.#target === undefined ? this.#parts.target() : this.#target
  }

  /** @returns why it cannot be the target; undefined where it is now */
  setTarget(url: string | null): string | undefined {
    // Who can use the control API is on this machine, or has its token.
    const why = url === null ? undefined : whyUnreachable(url, { ...this.#parts.reach(), allowsLoopback: true })
    if (why === undefined) this.#target = url === null ? null : new URL(url).href
    return why
  }

  readonly onEvent: NonNullable<SandboxObserver['onEvent']> = (event, state, isOwn) => {
    const change = this.#changeOf(event, state)
    if (change && isOwn) this.#changes.push(change)
    if (event.type === 'sandbox.reset') this.#forget()
    this.#wake()
  }

  /** Looks whether an exchange registers a callback. */
  onExchange(exchange: AnsweredRequest): void {
    const { operationId, status } = exchange
    if (status < 200 || status > 299 || !this.#parts.source().callbacks.has(operationId ?? '')) return
    this.#registered.push(exchange)
    this.#wake()
  }

  /** Resolves when what is due was attempted, or after ten seconds. */
  async settled(): Promise<void> {
    this.#wake()
    const late = AbortSignal.timeout(SETTLING)
    const isLate = new Promise((resolve) => late.addEventListener('abort', resolve, { once: true }))
    for (let all = this.#underWay(); all.length > 0 && !late.aborted; all = this.#underWay())
      await Promise.race([Promise.all(all), isLate])
  }

  list(event: string | undefined, limit: number): WebhookList {
    const found = [...this.#messages.values()].filter((one) => event === undefined || one.event === event)
    return {
      target: this.target,
      secret: this.#parts.secret(),
      total: found.length,
      forgotten: this.#forgotten,
      lost: this.#lost,
      webhooks: found.slice(-limit).map(showMessage),
    }
  }

  /** Sends a message again. @returns undefined where there is none of that id, and why where it cannot be sent */
  async redeliver(id: string): Promise<WebhookRecord | string | undefined> {
    await this.settled()
    const message = this.#messages.get(id)
    if (!message) return undefined
    message.url ??= this.target
    const { url, isImpossible } = message
    if (url === null || isImpossible) return message.why ?? 'It has no address.'
    const why = whyUnreachable(url, { ...this.#parts.reach(), allowsLoopback: true })
    if (why !== undefined) return why
    const { dueAt, why: before } = message
    const wasDelivered = isDelivered(message)
    await this.#attempt(message, this.#now())
    // What comes of it changes nothing that was planned, unless it was accepted.
    if (wasDelivered) this.#schedule(message, undefined)
    else if (!isDelivered(message)) this.#schedule(message, dueAt)
    if (!isDelivered(message) && dueAt === undefined) message.why ??= before
    return showMessage(message)
  }

  clear(): number {
    const { size } = this.#messages
    for (const message of this.#messages.values()) this.#schedule(message, undefined)
    this.#messages.clear()
    this.#ended.clear()
    return size
  }

  /** Forgets the message that has waited for nothing the longest. */
  dropOldest(): void {
    for (const message of this.#ended) {
      this.#ended.delete(message)
      if (!this.#messages.delete(message.id)) return
      this.#forgotten++
      if (message.attempts.length > 0 && !isDelivered(message)) this.#lost++
      return
    }
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#stopped.abort()
    this.clear()
  }

  #forget(): void {
    this.#stopped.abort()
    this.#stopped = new AbortController()
    this.clear()
    this.#lanes.clear()
    this.#latest.clear()
    this.#subscriptions = []
    this.#changes = []
    this.#registered = []
    this.#made = 0
    this.#forgotten = 0
    this.#lost = 0
    this.#resets++
  }

  #changeOf(event: SandboxEvent, state: State): NotedChange | undefined {
    if (event.type !== 'document.created' && event.type !== 'document.updated' && event.type !== 'document.removed')
      return undefined
    const { collection, id } = event
    const key = `${collection} ${id}`
    const before =
      event.type === 'document.created'
        ? undefined
        : (this.#latest.get(key) ?? state.collectionSeeds.get(state.collectionSeed, collection)?.get(id))
    const after = event.type === 'document.removed' ? undefined : event.document
    this.#latest.delete(key)
    if (after) this.#latest.set(key, after)
    dropFirst(this.#latest, MOST_ITEMS)
    // A request that changes nothing tells of nothing.
    if (before && after && stringifyJson(before.value) === stringifyJson(after.value)) return undefined
    const change = event.type === 'document.created' ? 'created' : after ? 'updated' : 'deleted'
    return { change, collection, id, before: before?.value, after: after?.value, at: whenChanged(before, after) }
  }

  #wake(): void {
    const fail = (error: unknown) => this.#parts.note(`webhooks: ${String(error)}`)
    this.#working ??= this.#work()
      .catch(fail)
      .finally(() => {
        this.#working = undefined
        if (this.#changes.length + this.#registered.length > 0) this.#wake()
      })
  }

  #underWay(): Promise<void>[] {
    const lanes = [...this.#lanes.values()].flatMap(({ working }) => working ?? [])
    return this.#working ? [this.#working, ...lanes] : lanes
  }

  async #work(): Promise<void> {
    // What changes together is looked at together, after the response is on its way.
    await new Promise((resolve) => setImmediate(resolve))
    const sandbox = this.#sandbox()
    if (!sandbox) return
    // What time changes in a shared sandbox is stored by requests.
    if (!sandbox.shared) sandbox.now()
    const { signal } = this.#stopped
    while (!signal.aborted) {
      const change = this.#changes.shift()
      const exchange = change ? undefined : this.#registered.shift()
      if (change) await this.#makeFor(change, sandbox)
      else if (exchange) await this.#register(exchange, sandbox)
      else break
    }
    for (const [url, lane] of this.#lanes)
      lane.working ??= this.#deliver(lane).finally(() => {
        lane.working = undefined
        if (lane.messages.size === 0) this.#lanes.delete(url)
      })
    this.#plan()
  }

  /** Sends what is due to one address. */
  async #deliver({ agenda, messages }: Lane): Promise<void> {
    const { signal } = this.#stopped
    for (let first = agenda.first(); first && !signal.aborted; first = agenda.first()) {
      const message = messages.get(first.key)
      if (!message || first.at > this.#now()) break
      await this.#attempt(message, first.at)
    }
    this.#plan()
  }

  /** Decides when a message is sent next. @param at epoch ms; undefined for not again */
  #schedule(message: WebhookMessage, at: number | undefined): void {
    const { url, order, dueAt } = message
    if ((dueAt === undefined) !== (at === undefined)) this.#parts.onWaiting(at === undefined ? -1 : 1)
    message.dueAt = at
    if (at === undefined) this.#end(message)
    else this.#ended.delete(message)
    if (url === null) return
    const lane = this.#lanes.get(url) ?? { agenda: createAgenda<number>(), messages: new Map(), working: undefined }
    this.#lanes.set(url, lane)
    lane.agenda.set(order, at)
    if (at === undefined) lane.messages.delete(order)
    else lane.messages.set(order, message)
    if (lane.messages.size === 0 && !lane.working) this.#lanes.delete(url)
  }

  #end(message: WebhookMessage): void {
    this.#ended.add(message)
    while (this.#ended.size > MOST_MESSAGES) this.dropOldest()
  }

  /** Looks again when something falls due by a clock that runs. */
  #plan(): void {
    clearTimeout(this.#timer)
    const sandbox = this.#sandbox()
    if (!sandbox || sandbox.state.clock.mode === 'frozen' || sandbox.shared) return
    const times = [...this.#lanes.values()].map(({ agenda }) => agenda.first()?.at ?? Infinity)
    const next = Math.min(sandbox.nextDue() ?? Infinity, ...times)
    if (next === Infinity) return
    const wait = Math.max(1, (next - this.#now()) / sandbox.state.clock.rate)
    this.#timer = setTimeout(() => this.#wake(), Math.min(wait, LONGEST_WAIT)).unref()
  }

  #now(): number {
    const clock = this.#sandbox()?.state.clock
    return clock ? readClock(clock, this.#parts.realNow()) : this.#parts.realNow()
  }

  async #makeFor(change: NotedChange, sandbox: Sandbox): Promise<void> {
    const { plans, known } = this.#parts.source()
    const plan = findPlace(known.collections, change.collection)?.plan
    for (const webhook of plans)
      for (const event of webhook.events) {
        const { trigger } = event
        if (!trigger || trigger.collection !== plan || !triggers(trigger, change)) continue
        if (!webhook.callback) await this.#make(webhook, event, { change, addresses: this.#endpoints(event, sandbox) })
        else
          for (const { url, about, said, ...subscription } of this.#subscriptions)
            if (subscription.plan === webhook && isAbout(webhook, event, about, change))
              await this.#make(webhook, event, { change, addresses: [{ url, secret: undefined }], said })
      }
  }

  /** Where a webhook goes: to the target, and to what clients registered as an item of the service. */
  #endpoints({ name }: WebhookEvent, sandbox: Sandbox): readonly WebhookEndpoint[] {
    const found = findEndpoints(sandbox.state, this.#parts.source().known, name)
    const { target } = this
    return target === null ? found : [{ url: target, secret: undefined }, ...found]
  }

  /** Registers the callbacks of a request; those that tell of no later change are sent at once. */
  async #register(exchange: AnsweredRequest, sandbox: Sandbox): Promise<void> {
    const { plans, known, readCallback } = this.#parts.source()
    for (const plan of plans) {
      const { callback } = plan
      if (callback?.operationId !== exchange.operationId || !callback) continue
      // A response that is repeated for its idempotency key, or that is asked for by Prefer, is of nothing that happened.
      if (callback.collection && !exchange.hasChanged) continue
      const { url, said } = readCallback(plan, exchange)
      if (url === undefined) continue
      const about = changedBy(exchange, sandbox)
      const later = plan.events.filter(({ trigger }) => trigger && !isSentAtOnce(trigger, callback))
      if (later.length > 0) {
        this.#subscriptions.push({ plan, url, about, said })
        if (this.#subscriptions.length > MOST_SUBSCRIPTIONS) this.#subscriptions.shift()
      }
      const collection = about && findPlace(known.collections, about.collection)?.plan
      const after = about && documentsOf(sandbox.state, about.collection)?.get(about.id)?.value
      for (const event of plan.events) {
        const isNow =
          event.trigger?.status && event.trigger.collection === collection
            ? triggers(event.trigger, { change: 'created', before: undefined, after })
            : isSentAtOnce(event.trigger, callback)
        const change = about && { change: 'created' as const, before: undefined, after, at: undefined, ...about }
        if (isNow) await this.#make(plan, event, { change, addresses: [{ url, secret: undefined }], said })
      }
    }
  }

  async #make(
    webhook: WebhookPlan,
    event: WebhookEvent,
    {
      change,
      addresses,
      said = {},
    }: {
      readonly change: NotedChange | undefined
      readonly addresses: readonly WebhookEndpoint[]
      readonly said?: Members
    },
  ): Promise<void> {
    const sandbox = this.#sandbox()
    if (!sandbox) return
    const { settings, state, name } = sandbox
    const now = change?.at ?? this.#now()
    const index = this.#made++
    const idKey = chanceKey(state.seed, `webhooks of ${name} ${this.#resets}`)
    const payload = await this.#parts.source().makeBody(event, {
      now,
      key: chanceKey(state.seed, `webhook ${webhook.name}`),
      idKey: chanceKey(idKey, `body ${index}`),
      said,
      subject: change && subjectOf(change),
    })
    const isImpossible = payload === undefined && event.schema !== undefined
    const body = payload === undefined ? '' : written(payload, event.mediaType)
    const receivers = addresses.length > 0 ? addresses : [{ url: null, secret: undefined }]
    for (const [at, { url, secret }] of receivers.entries()) {
      const order = index * 1000 + at
      const id = `msg_${hex32(draw(idKey, 2 * order))}${hex32(draw(idKey, 2 * order + 1))}`
      const message: WebhookMessage = {
        id,
        webhook: webhook.name,
        event: event.name,
        createdAt: now,
        method: webhook.method,
        url: url === null ? null : withQuery(url, webhook.query),
        headers: {
          ...headersFor(webhook.headers, { event: event.name, id }),
          ...(body !== '' && { 'content-type': isForm(event.mediaType) ? FORM : jsonType(event.mediaType) }),
          'user-agent': 'Standin-Webhooks',
          'x-mock-sandbox': name,
          'x-mock-webhook': id,
        },
        secret: secret ?? this.#parts.secret(),
        body,
        about: change && { collection: change.collection, id: change.id },
        attempts: [],
        order,
        dueAt: undefined,
        isRepeated: false,
        isImpossible,
        why: undefined,
      }
      this.#messages.set(id, message)
      if (isImpossible) message.why = 'No value was found that fits the schema of its body. Give it an example.'
      else if (url === null) message.why = 'It has no address. Set one with --webhooks or PUT /__mock/webhooks/target.'
      else message.why = whyUnreachable(url, this.#reachOf(url))
      if (message.why === undefined) this.#address(message, settings['webhooks.delivery'], now)
      if (message.dueAt === undefined) this.#end(message)
      this.#parts.onMade(this)
    }
  }

  /** The target was chosen by who runs the server. */
  #reachOf(url: string): WebhookReach {
    const reach = this.#parts.reach()
    return url === this.target ? { ...reach, allowsLoopback: true } : reach
  }

  /** Decides when a new message is sent. */
  #address(message: WebhookMessage, delivery: Sandbox['settings']['webhooks.delivery'], now: number): void {
    if (delivery === 'never') {
      message.why = 'The behaviour webhooks.delivery loses it.'
      return
    }
    if (!this.#parts.mayWait()) {
      message.why = 'Too many others wait.'
      this.#lost++
      return
    }
    message.isRepeated = delivery === 'twice'
    if (delivery !== 'swapped') {
      this.#schedule(message, delivery === 'late' ? now + HOUR : now)
      return
    }
    const waiting = this.#lanes.get(message.url ?? '')?.messages.values() ?? []
    const before = [...waiting].findLast(({ attempts, isSwapped }) => attempts.length === 0 && isSwapped !== true)
    if (!before) {
      this.#schedule(message, now + HOUR)
      return
    }
    // The one before goes after this one.
    this.#schedule(before, undefined)
    before.order = message.order + 0.5
    before.isSwapped = message.isSwapped = true
    this.#schedule(message, now)
    this.#schedule(before, now)
  }

  async #attempt(message: WebhookMessage, at: number): Promise<void> {
    const { url, method, headers, body, secret } = message
    const sandbox = this.#sandbox()
    if (!sandbox || url === null) {
      this.#schedule(message, undefined)
      return
    }
    const { settings } = sandbox
    const usual = settings['webhooks.delivery'] === 'wrong-signature' ? `not-${secret}` : secret
    const signed = signatureOf({ id: message.id, at, body }, usual, settings['webhooks.signature'])
    const { signal } = this.#stopped
    const attempt = await send({ url, method, body, headers: { ...headers, ...signed } }, signal)
    if (signal.aborted) return
    this.#schedule(
      message,
      noteAttempt(message, { at: iso(at), ...attempt }, at, settings['webhooks.retry'] === 'backoff'),
    )
    if (!attempt.isAccepted)
      this.#parts.note(`webhook ${message.event} to ${url}: ${attempt.error ?? String(attempt.status)}`)
  }
}

function isDelivered({ attempts }: WebhookMessage): boolean {
  return attempts.some(({ isAccepted }) => isAccepted)
}

function subjectOf({ collection, id, before, after }: NotedChange): MessageSubject | undefined {
  const item = after ?? before
  return isObject(item) ? { collection, id, item, before: isObject(before) ? before : undefined } : undefined
}

/** When a status of an item was set, epoch ms: time may have set it earlier than now. */
function whenChanged(before: StoredDocument | undefined, after: StoredDocument | undefined): number | undefined {
  const [old, now] = [before, after].map((one) => asObject(one?.hidden?.since))
  const set = Object.entries(now ?? {}).flatMap(([pointer, since]) =>
    typeof since === 'string' && since !== old?.[pointer] ? [Date.parse(since)] : [],
  )
  return before && set.length > 0 ? Math.max(...set) : undefined
}

const FORM = 'application/x-www-form-urlencoded'

function isForm(mediaType: string | undefined): boolean {
  return mediaType !== undefined && bareType(mediaType) === FORM
}

function jsonType(mediaType: string | undefined): string {
  return mediaType !== undefined && isJson(mediaType) ? mediaType : 'application/json'
}

function written(payload: unknown, mediaType: string | undefined): string {
  if (!isForm(mediaType)) return stringifyJson(payload)
  const fields = Object.entries(asObject(payload)).map(([name, value]): [string, string] => [
    name,
    typeof value === 'object' ? stringifyJson(value) : String(value as string | number),
  ])
  return new URLSearchParams(fields).toString()
}

function withQuery(url: string, query: WebhookPlan['query']): string {
  const parsed = URL.parse(url)
  if (!parsed || Object.keys(query).length === 0) return url
  for (const [name, value] of Object.entries(query)) parsed.searchParams.append(name, value)
  return parsed.href
}

/** A header without a value of the document names the event, or the message. */
function headersFor(headers: WebhookPlan['headers'], message: { readonly event: string; readonly id: string }) {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, { values, isRequired }]): [string, string][] => {
      if (/event|topic/.test(name)) {
        const named = values.find((one) => plainName(one) === plainName(message.event))
        return [[name, named ?? values[0] ?? message.event]]
      }
      if (values[0] !== undefined) return [[name, values[0]]]
      return isRequired || /(delivery|request|message|webhook)-?(id|uuid)?$/.test(name) ? [[name, message.id]] : []
    }),
  )
}

/** Whether a registered callback tells of a change: of the item of its request, unless it is about other items. */
function isAbout(
  { callback }: WebhookPlan,
  { trigger }: WebhookEvent,
  about: Subscription['about'],
  change: NotedChange,
): boolean {
  if (callback?.isRegistration === true || trigger?.collection !== callback?.collection) return true
  return about?.id === change.id && about.collection === change.collection
}

/** The item that an exchange created or changed. */
function changedBy({ firstEvent, nextEvent }: AnsweredRequest, sandbox: Sandbox): Subscription['about'] {
  for (const { number, event } of sandbox.history().from(firstEvent)) {
    if (number >= nextEvent) return undefined
    if ((event.type === 'document.created' || event.type === 'document.updated') && !event.collection.startsWith('~'))
      return { collection: event.collection, id: event.id }
  }
  return undefined
}

function dropFirst(map: Map<string, unknown>, most: number): void {
  if (map.size <= most) return
  for (const key of map.keys()) {
    map.delete(key)
    return
  }
}
