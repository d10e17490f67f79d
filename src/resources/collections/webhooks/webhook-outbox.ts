import type { WebhookList, WebhookRecord } from '../../../../types/control-api.d.ts'
import { chanceKey, draw, hex32 } from '../../../engine/random.ts'
import type { Sandbox, SandboxObserver } from '../../../engine/sandbox.ts'
import { isObject, mapMembers, type Members } from '../../../base/formats/json.ts'
import { documentsOf } from '../collection-state.ts'
import { findPlace } from '../seeds/instance-place.ts'
import { DeliveryQueue } from './delivery-queue.ts'
import { findEndpoints, type WebhookEndpoint } from './endpoints.ts'
import { isSentAtOnce } from './find-webhooks.ts'
import { createChangeReader, type ItemHappening } from './item-changes.ts'
import { KeptMessages } from './kept-messages.ts'
import { headersFor, withQuery, writeBody } from './message-request.ts'
import { triggers } from './read-trigger.ts'
import { type WebhookReach, whyUnreachable } from './send.ts'
import { isDelivered, showMessage } from './webhook-message.ts'
import type { AnsweredRequest, MessageSubject, WebhookEvent, WebhookParts, WebhookPlan } from './webhook-plan.ts'

/** An address that a request registered, for a callback. */
interface Subscription {
  readonly plan: WebhookPlan
  readonly url: string
  /** The item that the request was about; undefined for none. */
  readonly about: WebhookRecord['about']
  readonly said: Members
}

const MOST_SUBSCRIPTIONS = 1000
/** Milliseconds for which a list waits for what is being sent. */
const SETTLING = 10_000
/** The longest that a timer waits; then it looks again. */
const LONGEST_WAIT = 600_000

/** Makes the messages of one sandbox from its changes, and has them sent. */
export class WebhookOutbox {
  readonly #parts: WebhookParts
  readonly #sandbox: () => Sandbox | undefined
  readonly #queue: DeliveryQueue
  readonly #kept = new KeptMessages()
  #readChange = createChangeReader()
  #subscriptions: Subscription[] = []
  /** Changes and requests that are not looked at yet. */
  #changes: ItemHappening[] = []
  #registered: AnsweredRequest[] = []
  #made = 0
  #resets = 0
  #target: string | null | undefined
  #working: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(parts: WebhookParts, sandbox: () => Sandbox | undefined) {
    this.#parts = parts
    this.#sandbox = sandbox
    this.#queue = new DeliveryQueue(parts, sandbox, this.#kept)
  }

  /** Where webhooks go; null for nowhere. */
  get target(): string | null {
    return this.#target === undefined ? this.#parts.target() : this.#target
  }

  /** @returns why it cannot be the target; undefined where it is now */
  setTarget(url: string | null): string | undefined {
    const why = url === null ? undefined : whyUnreachable(url, this.#reachOfCaller())
    if (why === undefined) this.#target = url === null ? null : new URL(url).href
    return why
  }

  readonly onEvent: NonNullable<SandboxObserver['onEvent']> = (event, state, isOwn) => {
    if (event.type === 'sandbox.reset') this.#reset()
    const change = this.#readChange(event, state)
    if (change && isOwn) this.#changes.push(change)
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
    const underWay = () => [...(this.#working ? [this.#working] : []), ...this.#queue.underWay]
    for (let all = underWay(); all.length > 0 && !late.aborted; all = underWay())
      await Promise.race([Promise.all(all), isLate])
  }

  list(event: string | undefined, limit: number): WebhookList {
    const found = this.#kept.all.filter((one) => event === undefined || one.event === event)
    const { forgotten, lost } = this.#kept
    const webhooks = found.slice(-limit).map(showMessage)
    return { target: this.target, secret: this.#parts.secret(), total: found.length, forgotten, lost, webhooks }
  }

  /** Sends a message again. @returns undefined where there is none of that id, and why where it cannot be sent */
  async redeliver(id: string): Promise<WebhookRecord | string | undefined> {
    await this.settled()
    const message = this.#kept.get(id)
    if (!message) return undefined
    message.url ??= this.target
    const { url, isImpossible, dueAt } = message
    if (url === null || isImpossible) return message.why ?? 'It has no address.'
    const why = whyUnreachable(url, this.#reachOfCaller())
    if (why !== undefined) return why
    await this.#queue.attempt(message, this.#queue.now())
    // Once it was accepted it is not sent by itself again; otherwise what was planned stays.
    if (isDelivered(message)) this.#queue.schedule(message, undefined)
    else if (dueAt !== undefined) this.#queue.schedule(message, dueAt)
    return showMessage(message)
  }

  clear(): number {
    const { length } = this.#kept.all
    this.#queue.clear()
    this.#kept.clear()
    return length
  }

  /** The sandbox is deleted, or the server stops. */
  close(): void {
    clearTimeout(this.#timer)
    this.#reset()
  }

  #reset(): void {
    this.clear()
    this.#kept.restart()
    this.#readChange = createChangeReader()
    this.#subscriptions = []
    this.#changes = []
    this.#registered = []
    this.#made = 0
    this.#resets++
  }

  #wake(): void {
    this.#working ??= this.#work()
      .catch((error: unknown) => this.#parts.note(`webhooks: ${String(error)}`))
      .finally(() => {
        this.#working = undefined
        if (this.#changes.length + this.#registered.length > 0) this.#wake()
      })
  }

  /** Looks at what has happened, sends what is due, and plans when to look again. */
  async #work(): Promise<void> {
    for (;;) {
      // The response goes first, and other requests get their turn.
      await new Promise((resolve) => setImmediate(resolve))
      const sandbox = this.#sandbox()
      if (!sandbox) return
      // In a shared sandbox, requests store what time changes.
      if (!sandbox.shared) sandbox.now()
      const change = this.#changes.shift()
      const exchange = change ? undefined : this.#registered.shift()
      if (change) await this.#tell(change, sandbox)
      else if (exchange) await this.#register(exchange, sandbox)
      else break
    }
    this.#queue.start(() => this.#plan())
    this.#plan()
  }

  /** Looks again when something falls due by a clock that runs. */
  #plan(): void {
    clearTimeout(this.#timer)
    const sandbox = this.#sandbox()
    if (!sandbox || sandbox.state.clock.mode === 'frozen' || sandbox.shared) return
    const next = Math.min(sandbox.nextDue() ?? Infinity, this.#queue.nextDue)
    if (next === Infinity) return
    const wait = Math.max(1, (next - this.#queue.now()) / sandbox.state.clock.rate)
    this.#timer = setTimeout(() => this.#wake(), Math.min(wait, LONGEST_WAIT)).unref()
  }

  /** Makes the messages that tell of a change. */
  async #tell(change: ItemHappening, sandbox: Sandbox): Promise<void> {
    const { plans, known } = this.#parts.source()
    const plan = findPlace(known.collections, change.collection)?.plan
    for (const webhook of plans)
      for (const event of webhook.events) {
        const { trigger } = event
        if (!trigger || trigger.collection !== plan || !triggers(trigger, change)) continue
        if (!webhook.callback) await this.#make(webhook, event, { change, addresses: this.#endpoints(event, sandbox) })
        else
          for (const { plan: registered, url, about, said } of this.#subscriptions)
            if (registered === webhook && isAbout(webhook, event, about, change))
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
      if (plan.linkedFrom.has(exchange.operationId ?? '')) await this.#sendLinked(plan, exchange, sandbox)
      if (callback?.operationId !== exchange.operationId || !callback) continue
      // A response that is repeated for its idempotency key, or that `Prefer` asks for, changed nothing.
      if (callback.collection && !exchange.hasChanged) continue
      const { url, said } = readCallback(plan, exchange)
      if (url === undefined) continue
      const about = changedBy(exchange, sandbox)
      if (plan.events.some(({ trigger }) => trigger && !isSentAtOnce(trigger, callback))) {
        this.#subscriptions.push({ plan, url, about, said })
        if (this.#subscriptions.length > MOST_SUBSCRIPTIONS) this.#subscriptions.shift()
      }
      const collection = about && findPlace(known.collections, about.collection)?.plan
      const after = about && documentsOf(sandbox.state, about.collection)?.get(about.id)?.value
      const happened = { change: 'created' as const, before: undefined, after, at: undefined }
      for (const event of plan.events) {
        const { trigger } = event
        const isNow =
          trigger?.status && trigger.collection === collection
            ? triggers(trigger, happened)
            : isSentAtOnce(trigger, callback)
        const change = about && { ...happened, ...about }
        if (isNow) await this.#make(plan, event, { change, addresses: [{ url, secret: undefined }], said })
      }
    }
  }

  /** Sends a webhook that a link of the response leads to. */
  async #sendLinked(plan: WebhookPlan, exchange: AnsweredRequest, sandbox: Sandbox): Promise<void> {
    const about = changedBy(exchange, sandbox)
    const item = about && documentsOf(sandbox.state, about.collection)?.get(about.id)?.value
    // The item as the response had it: it may have changed since.
    const { said } = this.#parts.source().readCallback(plan, exchange)
    const after = isObject(item)
      ? mapMembers(item, (value, name) => (Object.hasOwn(said, name) ? said[name] : value))
      : item
    const change = about && { change: 'updated' as const, before: undefined, after, at: undefined, ...about }
    for (const event of plan.events)
      await this.#make(plan, event, { change, addresses: this.#endpoints(event, sandbox) })
  }

  /** Makes a message for each address, or one that is only kept. */
  async #make(
    { name: webhook, method, headers, query }: WebhookPlan,
    event: WebhookEvent,
    {
      change,
      addresses,
      said = {},
    }: {
      readonly change: ItemHappening | undefined
      readonly addresses: readonly WebhookEndpoint[]
      readonly said?: Members
    },
  ): Promise<void> {
    const sandbox = this.#sandbox()
    if (!sandbox) return
    const { settings, state, name } = sandbox
    const now = change?.at ?? this.#queue.now()
    const index = this.#made++
    const resets = this.#resets
    const idKey = chanceKey(state.seed, `webhooks of ${name} ${resets}`)
    const value = await this.#parts.source().makeBody(event, {
      now,
      key: chanceKey(state.seed, `webhook ${webhook}`),
      idKey: chanceKey(idKey, `body ${index}`),
      said,
      subject: change && subjectOf(change),
    })
    if (this.#resets !== resets) return
    const written = value === undefined ? undefined : writeBody(value, event.mediaType)
    const isImpossible = written === undefined && event.schema !== undefined
    const receivers = addresses.length > 0 ? addresses : [{ url: null, secret: undefined }]
    for (const [at, { url, secret }] of receivers.entries()) {
      const order = index * 1000 + at
      const id = `msg_${hex32(draw(idKey, 2 * order))}${hex32(draw(idKey, 2 * order + 1))}`
      const message = {
        id,
        webhook,
        event: event.name,
        createdAt: now,
        method,
        url: url === null ? null : withQuery(url, query),
        headers: {
          ...headersFor(headers, { event: event.name, id }),
          ...(written && { 'content-type': written.contentType }),
          'user-agent': 'Standin-Webhooks',
          'x-mock-sandbox': name,
          'x-mock-webhook': id,
        },
        secret: secret ?? this.#parts.secret(),
        body: written?.body ?? '',
        about: change && { collection: change.collection, id: change.id },
        attempts: [],
        order,
        dueAt: undefined,
        isRepeated: false,
        isImpossible,
        why: isImpossible
          ? 'No value was found that fits the schema of its body. Give it an example.'
          : url === null
            ? 'It has no address. Set one with --webhooks or PUT /__mock/webhooks/target.'
            : whyUnreachable(url, this.#reachOf(url)),
      }
      this.#kept.add(message)
      if (message.why === undefined) this.#queue.add(message, settings['webhooks.delivery'], now)
      this.#parts.onMade(this.#kept)
    }
  }

  /** Who runs the server chose the target. */
  #reachOf(url: string): WebhookReach {
    return url === this.target ? this.#reachOfCaller() : this.#parts.reach()
  }

  /** A caller of the control API is on this machine, or has its token. */
  #reachOfCaller(): WebhookReach {
    return { ...this.#parts.reach(), allowsLoopback: true }
  }
}

function subjectOf({ collection, id, before, after }: ItemHappening): MessageSubject | undefined {
  const item = after ?? before
  return isObject(item) ? { collection, id, item, before: isObject(before) ? before : undefined } : undefined
}

/** Whether a registered callback tells of a change: of the item of its request, unless it is about other items. */
function isAbout(
  { callback }: WebhookPlan,
  { trigger }: WebhookEvent,
  about: Subscription['about'],
  change: ItemHappening,
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
