import type { WebhookList, WebhookRecord } from '../../../../types/control-api.d.ts'
import { readClock } from '../../../engine/clock/clock.ts'
import { chanceKey, draw, hex32 } from '../../../engine/random.ts'
import type { Sandbox, SandboxObserver } from '../../../engine/sandbox.ts'
import type { SandboxEvent } from '../../../engine/snapshot.ts'
import type { State } from '../../../engine/state.ts'
import { iso } from '../../../base/formats/instant.ts'
import { isObject, type Members, stringifyJson } from '../../../base/formats/json.ts'
import { documentsOf } from '../collection-state.ts'
import { findPlace } from '../seeds/instance-place.ts'
import { findEndpoints, type WebhookEndpoint } from './endpoints.ts'
import { isSentAtOnce } from './find-webhooks.ts'
import { triggers } from './read-trigger.ts'
import { isAllowed, send } from './send.ts'
import { signatureOf } from './sign.ts'
import { noteAttempt, showMessage, type WebhookMessage } from './webhook-message.ts'
import type { AnsweredRequest, Happening, WebhookEvent, WebhookParts, WebhookPlan } from './webhook-plan.ts'

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
}

/** Of a sandbox. */
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
  readonly #latest = new Map<string, unknown>()
  #subscriptions: Subscription[] = []
  #changes: NotedChange[] = []
  #registered: AnsweredRequest[] = []
  #made = 0
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

  set target(url: string | null) {
    this.#target = url
  }

  maySendTo(url: string): boolean {
    return isAllowed(url, this.#parts.hosts())
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

  /** Resolves when what is due was attempted, or after some seconds. */
  async settled(): Promise<void> {
    this.#wake()
    let timer: NodeJS.Timeout | undefined
    await Promise.race([this.#working, new Promise((resolve) => (timer = setTimeout(resolve, SETTLING)))])
    clearTimeout(timer)
  }

  list(event: string | undefined, limit: number): WebhookList {
    const found = [...this.#messages.values()].filter((one) => event === undefined || one.event === event)
    const webhooks = found.slice(-limit).map(showMessage)
    return { target: this.target, secret: this.#parts.secret(), total: found.length, webhooks }
  }

  /** Sends a message again; undefined where there is none of that id. */
  async redeliver(id: string): Promise<WebhookRecord | undefined> {
    await this.settled()
    const message = this.#messages.get(id)
    if (!message) return undefined
    const { dueAt } = message
    message.url ??= this.target
    if (message.url !== null && !this.maySendTo(message.url)) return showMessage(message)
    await this.#attempt(message, this.#now())
    message.dueAt ??= dueAt
    return showMessage(message)
  }

  clear(): number {
    const { size } = this.#messages
    this.#messages.clear()
    return size
  }

  dropOldest(): void {
    dropFirst(this.#messages, this.#messages.size - 1)
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#stopped.abort()
    this.#messages.clear()
  }

  #forget(): void {
    this.#stopped.abort()
    this.#stopped = new AbortController()
    this.#messages.clear()
    this.#latest.clear()
    this.#subscriptions = []
    this.#changes = []
    this.#made = 0
  }

  #changeOf(event: SandboxEvent, state: State): NotedChange | undefined {
    if (event.type !== 'document.created' && event.type !== 'document.updated' && event.type !== 'document.removed')
      return undefined
    const { collection, id } = event
    const key = `${collection} ${id}`
    const known = this.#latest.get(key)
    const before = known ?? state.collectionSeeds.get(state.collectionSeed, collection)?.get(id)?.value
    const after = event.type === 'document.removed' ? undefined : event.document.value
    this.#latest.delete(key)
    if (after) this.#latest.set(key, after)
    dropFirst(this.#latest, MOST_ITEMS)
    if (event.type === 'document.created') return { change: 'created', collection, id, before: undefined, after }
    return { change: after ? 'updated' : 'deleted', collection, id, before, after }
  }

  #wake(): void {
    this.#working ??= this.#work().finally(() => (this.#working = undefined))
  }

  async #work(): Promise<void> {
    // What changes together is looked at together, after the response is on its way.
    await new Promise((resolve) => setImmediate(resolve))
    const { signal } = this.#stopped
    while (!signal.aborted) {
      const sandbox = this.#sandbox()
      if (!sandbox) return
      const change = this.#changes.shift()
      const exchange = change ? undefined : this.#registered.shift()
      if (change) await this.#makeFor(change, sandbox)
      else if (exchange) await this.#register(exchange, sandbox)
      else {
        // What time changes in a shared sandbox is stored by requests.
        const now = sandbox.shared ? this.#now() : sandbox.now()
        const due = firstDue(this.#messages.values(), now)
        if (!due) break
        await this.#attempt(due, Math.max(due.dueAt ?? now, due.createdAt))
      }
    }
    this.#plan()
  }

  /** Looks again when something falls due by a clock that runs. */
  #plan(): void {
    clearTimeout(this.#timer)
    const sandbox = this.#sandbox()
    if (!sandbox || sandbox.state.clock.mode === 'frozen' || sandbox.shared) return
    const times = [...this.#messages.values()].map(({ dueAt }) => dueAt ?? Infinity)
    const next = Math.min(Infinity, sandbox.nextDue() ?? Infinity, ...times)
    if (next === Infinity) return
    const wait = Math.max(1, (next - this.#now()) / sandbox.state.clock.rate)
    this.#timer = setTimeout(
      () => {
        sandbox.now()
        this.#wake()
      },
      Math.min(wait, LONGEST_WAIT),
    ).unref()
  }

  #now(): number {
    const { clock } = this.#sandbox()?.state ?? { clock: undefined }
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
        const change = about && { change: 'created' as const, before: undefined, after, ...about }
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
    const { settings, state } = sandbox
    const now = this.#now()
    const item = change && (change.after ?? change.before)
    const index = this.#made++
    const payload = await this.#parts.source().makeBody(event, {
      now,
      key: chanceKey(state.seed, `webhook ${webhook.name}`),
      index,
      said,
      subject: change && isObject(item) ? { collection: change.collection, id: change.id, item } : undefined,
    })
    const body = payload === undefined ? '' : stringifyJson(payload)
    const isImpossible = payload === undefined && event.schema !== undefined
    const idKey = chanceKey(state.seed, 'webhook ids')
    for (const [at, { url, secret }] of (addresses.length > 0
      ? addresses
      : [{ url: null, secret: undefined }]
    ).entries()) {
      const place = index * 1000 + at
      const message: WebhookMessage = {
        id: `msg_${hex32(draw(idKey, 2 * place))}${hex32(draw(idKey, 2 * place + 1))}`,
        webhook: webhook.name,
        event: event.name,
        createdAt: now,
        method: webhook.method,
        url,
        headers: {
          ...headersWith(webhook.headers, event.name),
          'content-type': event.mediaType ?? 'application/json',
          'user-agent': 'Standin-Webhooks',
          'x-mock-sandbox': sandbox.name,
        },
        secret: secret ?? this.#parts.secret(),
        body,
        about: change && { collection: change.collection, id: change.id },
        attempts: [],
        order: place,
        dueAt: undefined,
        isRepeated: false,
        why: undefined,
      }
      if (isImpossible) message.why = 'No value was found that fits the schema of its body. Give it an example.'
      else if (url === null) message.why = 'It has no address. Set one with --webhooks or PUT /__mock/webhooks/target.'
      else if (!this.maySendTo(url))
        message.why = `${url} is not of this machine. Pass --allow-callback and its host to send there.`
      else this.#address(message, settings['webhooks.delivery'], now)
      this.#messages.set(message.id, message)
      dropFirst(this.#messages, MOST_MESSAGES)
      this.#parts.onMade(this)
    }
  }

  /** Decides when a message is sent. */
  #address(message: WebhookMessage, delivery: Sandbox['settings']['webhooks.delivery'], now: number): void {
    message.dueAt = now
    message.isRepeated = delivery === 'twice'
    if (delivery === 'late') message.dueAt = now + HOUR
    if (delivery === 'never') {
      message.dueAt = undefined
      message.why = 'The behaviour webhooks.delivery loses it.'
    }
    if (delivery !== 'swapped') return
    const before = [...this.#messages.values()].findLast(({ dueAt }) => dueAt !== undefined)
    if (before?.url === message.url && before.attempts.length === 0 && before.order < message.order) {
      before.dueAt = now
      before.order = message.order + 0.5
      // The next one begins a pair again.
      message.order -= 0.5
    } else message.dueAt = now + HOUR
  }

  async #attempt(message: WebhookMessage, at: number): Promise<void> {
    const { url, method, headers, body, secret } = message
    const sandbox = this.#sandbox()
    if (!sandbox || url === null) return
    const { settings } = sandbox
    const usual = settings['webhooks.delivery'] === 'wrong-signature' ? `not-${secret}` : secret
    const signed = signatureOf({ id: message.id, at, body }, usual, settings['webhooks.signature'])
    const { signal } = this.#stopped
    const attempt = await send({ url, method, body, headers: { ...headers, ...signed } }, signal)
    if (signal.aborted) return
    noteAttempt(message, { at: iso(at), ...attempt }, at, settings['webhooks.retry'] === 'backoff')
    if (!attempt.isAccepted)
      this.#parts.note(`webhook ${message.event} to ${url}: ${attempt.error ?? String(attempt.status)}`)
  }
}

/** A header such as `X-GitHub-Event` names the event. */
function headersWith(headers: WebhookPlan['headers'], event: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, /event|topic/.test(name) ? event : value]),
  )
}

function firstDue(messages: Iterable<WebhookMessage>, now: number): WebhookMessage | undefined {
  let first: WebhookMessage | undefined
  for (const one of messages) {
    if (one.dueAt === undefined || one.dueAt > now) continue
    const isEarlier = !first || one.dueAt < (first.dueAt ?? 0) || (one.dueAt === first.dueAt && one.order < first.order)
    if (isEarlier) first = one
  }
  return first
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
