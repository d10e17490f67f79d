import type { Contract } from '../../../contract/contract.ts'
import type { Sandbox, SandboxObserver } from '../../../engine/sandbox.ts'
import type { Follower, FollowerParts } from '../../resource.ts'
import { headerOf, pathOf, queryOf } from '../../../base/network/http-message.ts'
import { decodePercent } from '../../../contract/pointer.ts'
import { createRouter } from '../../../contract/router.ts'
import { evaluateTemplate } from '../../../contract/runtime-expression.ts'
import { asObject, tryParseJson } from '../../../base/formats/json.ts'
import type { KnownCollections } from '../control/known-collections.ts'
import { createBodyMaker } from './body-maker.ts'
import { describeWebhooks, findWebhooks } from './find-webhooks.ts'
import type { WebhookParts, WebhookSource } from './webhook-plan.ts'
import { isOfThisMachine } from './send.ts'
import { USUAL_SECRET } from './sign.ts'
import { WebhookOutbox } from './webhook-outbox.ts'

declare module '../../../engine/sandbox.ts' {
  interface SandboxObservers {
    /** What the service sends by itself; absent where its contract describes none. */
    readonly webhooks?: WebhookOutbox
  }
}

/** Undefined for a contract without webhooks and callbacks. */
function createWebhookSource(contract: Contract, known: KnownCollections): WebhookSource | undefined {
  const plans = findWebhooks(contract, known)
  if (plans.length === 0) return undefined
  const { operations } = contract
  const router = createRouter(operations)
  return {
    plans,
    callbacks: new Set(
      plans.flatMap(({ callback, linkedFrom }) => [callback?.operationId ?? [], ...linkedFrom].flat()),
    ),
    known,
    makeBody: createBodyMaker(contract, known),
    readCallback({ callback }, exchange) {
      const { url, method, status, requestBody, responseBody, requestHeaders, responseHeaders } = exchange
      const route = router.route(method, pathOf(url), 'strict', { search: '', headers: {} })
      const sent = tryParseJson(requestBody)
      const answered = tryParseJson(responseBody)
      const parameters = route.kind === 'operation' ? mapDecoded(route.parameters) : {}
      return {
        url: evaluateTemplate(callback?.expression ?? '', {
          method,
          status,
          url: () => `http://${headerOf(requestHeaders, 'host') ?? 'localhost'}${url}`,
          header: (side, name) => headerOf(side === 'request' ? requestHeaders : responseHeaders, name),
          query: (name) => queryOf(url).get(name) ?? undefined,
          path: (name) => parameters[name],
          requestBody: sent,
          responseBody: answered,
        }),
        said: { ...asObject(sent), ...asObject(answered) },
      }
    },
  }
}

function mapDecoded(parameters: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(parameters).map(([name, text]) => [name, decodePercent(text)]))
}

/** Of all sandboxes together. */
const MOST_MESSAGES = 20_000
const MOST_WAITING = 20_000

/** The webhooks of a contract, for all sandboxes of a process; undefined where it describes none. */
export function followWithWebhooks(
  { contract, config, ...machine }: FollowerParts,
  known: KnownCollections,
  before: Follower | undefined,
): Follower | undefined {
  const source = createWebhookSource(contract, known)
  if (!(before instanceof Webhooks)) return source && new Webhooks(source, config, machine)
  before.use(source, config)
  return before
}

/** The webhooks of all sandboxes of a process. */
class Webhooks implements Follower {
  #source: WebhookSource
  #settings: FollowerParts['config']
  /** Where each message is kept, the oldest first. */
  readonly #made: { dropOldest(): void }[] = []
  readonly #outboxes = new Set<WebhookOutbox>()
  readonly #parts: WebhookParts
  #port: number | undefined
  #waiting = 0

  constructor(
    source: WebhookSource,
    settings: FollowerParts['config'],
    { isAlone, ...machine }: Pick<FollowerParts, 'realNow' | 'note' | 'isAlone'>,
  ) {
    this.#source = source
    this.#settings = settings
    this.#parts = {
      ...machine,
      source: () => this.#source,
      target: () => this.#settings.webhooks ?? null,
      secret: () => this.#settings.webhookSecret ?? USUAL_SECRET,
      reach: () => ({
        hosts: hostsOf(this.#settings),
        // A request of another machine must not reach what listens on this one.
        allowsLoopback: isAlone,
        ownPort: this.#port,
      }),
      onMade: (kept) => {
        this.#made.push(kept)
        if (this.#made.length > MOST_MESSAGES) this.#made.shift()?.dropOldest()
      },
      onWaiting: (change) => void (this.#waiting += change),
      mayWait: () => this.#waiting < MOST_WAITING,
    }
  }

  /** @param port where the server listens now */
  started(port: number): void {
    this.#port = port
  }

  /** Applies a changed contract and configuration. */
  use(source: WebhookSource | undefined, settings: FollowerParts['config']): void {
    this.#source = source ?? { ...this.#source, plans: [], callbacks: new Set() }
    this.#settings = settings
  }

  get report(): readonly string[] {
    return describeWebhooks(this.#source.plans)
  }

  observe(sandbox: () => Sandbox | undefined): SandboxObserver {
    const outbox = new WebhookOutbox(this.#parts, sandbox)
    this.#outboxes.add(outbox)
    return {
      members: { webhooks: outbox },
      onEvent: outbox.onEvent,
      onDelete: () => {
        this.#outboxes.delete(outbox)
        outbox.close()
      },
    }
  }

  stop(): void {
    for (const outbox of this.#outboxes) outbox.close()
  }
}

/** Those that the user allows, the one of the target included. */
function hostsOf({ webhooks, allowCallback }: FollowerParts['config']): readonly string[] {
  const target = webhooks === undefined ? null : URL.parse(webhooks)
  return target && !isOfThisMachine(target.hostname) ? [...allowCallback, target.host] : allowCallback
}
