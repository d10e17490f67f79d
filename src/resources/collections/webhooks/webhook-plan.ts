import type { Check } from '../../../contract/schemas/schemas.ts'
import type { Json, Members } from '../../../base/formats/json.ts'
import type { KnownCollections } from '../control/known-collections.ts'
import type { CollectionPlan } from '../infer/plan.ts'
import type { WebhookReach } from './send.ts'

/** A message that the document says is sent: one of `webhooks`, or a callback of an operation. */
export interface WebhookPlan {
  /** `orderShipped`, or `createOrder onShipped`. */
  readonly name: string
  readonly pointer: string
  /** Upper case. */
  readonly method: string
  /** Of the document, in lower case, with the values that it gives them. */
  readonly headers: Readonly<Record<string, { readonly values: readonly string[]; readonly isRequired: boolean }>>
  /** The parameters of the query that the document gives a value. */
  readonly query: Readonly<Record<string, string>>
  readonly events: readonly WebhookEvent[]
  /** Its `x-standin`. */
  readonly hint: unknown
  /** Ids of the operations whose success sends it, since their responses have a link to it; empty for most. */
  readonly linkedFrom: ReadonlySet<string>
  readonly callback?: {
    readonly operationId: string
    /** Of its address: `{$request.body#/callbackUrl}`. */
    readonly expression: string
    /** Whose items the operation works on. */
    readonly collection: CollectionPlan | undefined
    /** Whether the operation does nothing else, as `POST /webhooks`: its callbacks are about other items. */
    readonly isRegistration: boolean
  }
}

/** One kind of message of a webhook. */
export interface WebhookEvent {
  /** `order.shipped`: as the message names it, or else the name of the webhook. */
  readonly name: string
  /** When it is sent; undefined where the document does not say. */
  readonly trigger: Trigger | undefined
  /** Of the body; undefined for a message without one. */
  readonly schema: unknown
  readonly mediaType: string | undefined
  /** The member that names the event, with its value. */
  readonly naming: readonly [pointer: string, value: Json] | undefined
  /** Members that name it where they are free texts, with the name. */
  readonly called: readonly (readonly [pointer: string, value: Json])[]
  /** A body that the document shows; undefined for none. */
  readonly example: unknown
  /** Whether the body is a list of what the schema describes. */
  readonly isList: boolean
  check: Check
}

/** Which change of which items sends a message. */
export interface Trigger {
  readonly collection: CollectionPlan
  /** `any` for a message about whatever changes. */
  readonly change: 'created' | 'updated' | 'deleted' | 'any'
  /** The member that gets a value, which is the change. */
  readonly status?: { readonly pointer: string; readonly value: Json }
}

/** What happened to an item. */
export interface Happening {
  readonly change: Exclude<Trigger['change'], 'any'>
  readonly before: unknown
  readonly after: unknown
}

/** What is known of a request and its response. */
export interface AnsweredRequest {
  readonly operationId: string | undefined
  readonly method: string
  /** The request target as received. */
  readonly url: string
  readonly status: number
  /** Names and values by turns. */
  readonly requestHeaders: readonly string[]
  readonly responseHeaders: readonly string[]
  readonly requestBody: string | undefined
  readonly responseBody: string | undefined
  /** The numbers of its first event and of the next one after it. */
  readonly firstEvent: number
  readonly nextEvent: number
  readonly hasChanged: boolean
}

/** What a message is about. */
export interface MessageSubject {
  readonly collection: string
  readonly id: string
  readonly item: Members
  /** The item before the change; undefined for a new one. */
  readonly before: Members | undefined
}

export interface MessageFacts {
  /** Epoch ms. */
  readonly now: number
  /** What values depend on that are the same in all messages of a webhook, and those of this message alone. */
  readonly key: number
  readonly idKey: number
  /** Members that a callback takes from the request and its response. */
  readonly said: Members
  readonly subject: MessageSubject | undefined
}

/** The webhooks of a contract. */
export interface WebhookSource {
  readonly plans: readonly WebhookPlan[]
  /** Ids of the operations that register callbacks, and of those that have links to webhooks. */
  readonly callbacks: ReadonlySet<string>
  readonly known: KnownCollections
  /** The body of a message; undefined for one without, and where no value is valid. */
  makeBody(event: WebhookEvent, request: MessageFacts): Promise<unknown>
  /** Where a callback goes, and what of its request it may repeat. */
  readCallback(
    plan: WebhookPlan,
    exchange: AnsweredRequest,
  ): { readonly url: string | undefined; readonly said: Members }
}

/** What the outboxes of all sandboxes share. */
export interface WebhookParts {
  source(): WebhookSource
  target(): string | null
  secret(): string
  reach(): WebhookReach
  /** The machine's clock, epoch ms. */
  realNow(): number
  /** Prints a line. */
  note(text: string): void
  /** Called for each message, so that those of all sandboxes have a bound. */
  onMade(kept: { dropOldest(): void }): void
  /** Called with 1 for a message that begins to wait, and with -1 for one that no longer does. */
  onWaiting(change: number): void
  /** Whether one more may wait. */
  mayWait(): boolean
}
