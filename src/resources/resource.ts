import type { Config } from '../config/config.ts'
import type { Sandbox, SandboxObserver } from '../engine/sandbox.ts'
import type { BehaviourId, BehaviourSettings } from '../../types/behaviour-settings.d.ts'
import type { Behaviours } from '../behaviours/behaviours.ts'
import type { BehaviourSection } from '../behaviours/catalog.ts'
import type { Contract, Operation } from '../contract/contract.ts'
import type { Shape } from '../contract/schemas/shape.ts'
import type { ControlCall, ControlRoutes } from '../engine/control-route.ts'
import type { ResourceNeeds } from './dry-run.ts'
import type { AnyStatePart, State, StateEvent, StateRules } from '../engine/state.ts'
import type { Steps, Work } from '../engine/slices.ts'
import type { Problem, Violation } from '../base/errors/problem.ts'
import type { Fault, KnownFaultKind } from '../engine/faults/fault.ts'
import type { Adaptation } from './adaptation.ts'
import type { FixtureSection } from './fixture-reader.ts'
import type { Call, Handler, LiveBody, Outcome } from './handler.ts'
import type { Members } from '../base/formats/json.ts'

/** A kind of thing that operations are about: what sandboxes keep of it, and the operations that work on it. */
export interface Resource {
  readonly state: AnyStatePart
  readonly operations: readonly BuiltinOperation[]
  /** Finds what operations of a contract mean that no other handler takes. @param free these operations */
  infer?(contract: Contract, free: readonly Operation[]): InferredOperations
  /** What `x-standin` of an operation may call it besides the names of `operations`. */
  readonly roles?: readonly string[]
  /** Its members of `StateRules`. */
  createRules?(parts: RuleParts): Partial<StateRules>
  readonly fixtures?: FixtureSection
  /** What it has in a state, for the line that a start prints: `6 report schedules`. */
  summarise?(state: State): readonly string[]
  /** The behaviours that its generated things are made by. A data directory belongs to their settings. */
  readonly generatedBy?: readonly BehaviourId[]
  /** What the user should know of the initial state, where the contract is the user's own. */
  notes?(state: State, rules: StateRules, contractFile: string): Iterable<string>
  /** More of that, which takes too long for a start: only `standin check` looks for it. */
  checkNotes?(): Iterable<string>
  /** Lists that behaviours need and no fixture has, in words, by the id of the behaviour. */
  missingLists?(): Partial<Record<BehaviourId, string | undefined>>
  /** Whether a token that a response gave out works only with the key of its request. A replay under another key cannot repeat it. */
  isTiedToKey?(token: string, seed: number): boolean
  /** Behaviours that `spec/behaviours.yaml` does not have. */
  readonly behaviours?: readonly BehaviourSection[]
  /** Paths of the control API that `spec/control.openapi.yaml` does not have, as OpenAPI writes them. */
  readonly controlPaths?: Readonly<Record<string, object>>
  /** Handlers of its operations of the control API. */
  readonly controlRoutes?: ControlRoutes<ResourceNeeds>
  /** What acts by itself on what happens in sandboxes; undefined where nothing does. @param before the same of an earlier contract */
  follow?(parts: FollowerParts, before: Follower | undefined): Follower | undefined
  /** What `POST /__mock/explain` explains of it, by the member of the body that asks for it. */
  readonly explanations?: Readonly<Record<string, Explanation>>
  /** The behaviours that only operations of it depend on, besides those that its `operations` name. */
  readonly dependsOn?: readonly string[]
  /** Behaviours that only the initial state depends on, each with a sentence on how to change a sandbox that exists. */
  readonly initialBehaviours?: Readonly<Partial<Record<BehaviourId, string>>>
}

/** It sends the webhooks of the contract, for example. */
export interface Follower {
  /** What it does when, a line each, for `standin check`. */
  readonly report: readonly string[]
  /** @param port where the server listens */
  started(port: number): void
  observe(sandbox: () => Sandbox | undefined): SandboxObserver
  stop(): void
}

export interface FollowerParts {
  readonly contract: Contract
  readonly config: Pick<Config, 'webhooks' | 'webhookSecret' | 'allowCallback'>
  /** Whether only this machine can reach the server. */
  readonly isAlone: boolean
  /** The machine's clock, epoch ms. */
  realNow(): number
  /** Prints a line. */
  note(text: string): void
}

export interface Explanation {
  /** Other members that the body may have besides. */
  readonly optional?: readonly string[]
  /** @param body all members, valid by the control API's contract @throws Problem */
  explain(body: never, call: ControlCall<ResourceNeeds>): Work<object>
  /** Refuses a body that has the members of the request at its top. @throws Problem 400 */
  refuseBare?(body: Readonly<Record<string, unknown>>): void
}

/** What rules depend on. */
export interface RuleParts {
  readonly contract: Pick<Contract, 'check'>
  readonly behaviours: Behaviours
  /** Epoch ms of a midnight. */
  readonly firstMoment: number
  /** How many documents each collection of the contract begins with. */
  readonly documents: number
  /** Of the names of generated files. */
  readonly locale: string
  /** Integer ids of what is created are greater. */
  readonly idsAfter: number
  readonly seed: number
  /** Whether handlers of the user handle an operation. */
  readonly hasOwnHandlers: boolean
  /** Whether the contract is that of the package. */
  readonly isPackaged: boolean
  /** The operation of the contract that a built-in operation handles. */
  operation(name: string): Pick<Operation, 'checkBody'> | undefined
  /** How a built-in operation is adapted to a contract of the user. */
  adapter(name: string): RuleAdapter | undefined
}

interface RuleAdapter {
  readonly adaptation: Adaptation
  /** A body that was written for another contract, with what this one requires. @param written epoch ms */
  completeBody(body: Members, written: number): unknown
}

/** Creates a resource. What it keeps between requests, such as caches, belongs to the stand-in that it is created for. */
export type ResourceFactory = () => Resource

/** What a resource inferred of a contract. */
export interface InferredOperations {
  /** The operations that it handles. */
  readonly operations: ReadonlyMap<Operation, { readonly operation: StatefulOperation; readonly reason: string }>
  /** Why it does not handle others, as the end of a sentence. */
  readonly reasons: ReadonlyMap<Operation, string>
  /** Of those, the ones whose path goes through an item, which must exist. */
  readonly below: ReadonlyMap<Operation, BelowItem>
  /** The operations that send what changes, where a request asks for that. */
  readonly streams?: ReadonlyMap<Operation, ChangeStream>
  /** The operations whose requests may wait for something new. */
  readonly waits?: ReadonlyMap<Operation, LongPoll>
}

/** What an operation sends of the changes in a collection. */
export interface ChangeStream {
  readonly mediaTypes: readonly string[]
  /** Whether the operation documents no other media type. */
  readonly isOnly: boolean
  /** What it sends, for `standin check`. */
  readonly report: string
  open(request: StreamRequest): LiveBody
}

export interface StreamRequest {
  readonly sandbox: Sandbox
  readonly mediaType: string
  /** The parameters of the path in its order, decoded. */
  readonly path: readonly string[]
  /** Of the event that the client received last; undefined for none. */
  readonly lastEventId: string | undefined
}

/** How requests to an operation wait for something new (long polling). */
export interface LongPoll {
  /** What it waits for, for `standin check`. */
  readonly report: string
  /** Whether the preference `wait` of the header `Prefer` says how long. */
  readonly usesPrefer: boolean
  /** The headers, in lower case, that show which version of the collection a response is of. */
  readonly versionHeaders: readonly string[]
  /** How long a request asks to wait; undefined for one that does not. */
  milliseconds(request: PollRequest): number | undefined
  /** Whether it is about the documents of an instance of a collection. */
  isAbout(instance: string): boolean
  /** Whether a response says nothing that the client does not know. */
  hasNothingNew(outcome: Outcome, request: PollRequest, known: PollFacts): boolean
  /** The documented status of a response that says that there is nothing new; undefined where it shows what there is. */
  unchanged(request: PollRequest): 204 | 304 | undefined
}

export interface PollRequest {
  readonly query: URLSearchParams
  /** @param name in lower case */
  header(name: string): string | undefined
}

interface PollFacts {
  /** The response when the request came; undefined for that response itself. */
  readonly before: Outcome | undefined
  /** Whether the collection has changed since a version, or that is not known. */
  hasChangedSince(version: number): boolean
}

/** Makes ready, finds and asks for the item that the path of an operation goes through. */
export type BelowItem = Pick<Handler, 'prepare' | 'assertExists'> & Pick<StatefulOperation, 'findTargets'>

/** An operation that has a state. */
export interface StatefulOperation {
  /** What it is called: `searchFiles`, or `list of pets`. */
  readonly name: string
  readonly handler: Handler
  /** The collection that it works on, for the start line; absent where it is about something else. */
  readonly collection?: string
  /** Whether it changes an item in a way of its own, such as `cancel`. */
  readonly isAction?: true
  /** The status of its success, as the behaviours have it. It is 200 where this is absent. */
  successStatus?(settings: BehaviourSettings): number
  /** What the handler calls the path parameter that names what it works on; absent where it needs none. */
  readonly parameter?: { readonly name: string; readonly isInteger?: true }
  /** What it was taken for, where the contract does not say so; `standin check` prints it. */
  describe?(): OperationMeaning
  /** Whether it checks its responses by the contract itself. */
  readonly checksResponses?: true
  /** Each success creates something, so the expectation `neverSentSameCreateTwice` is about it. */
  readonly isCreate?: true
  /** The query parameter for the token of the next page, for the expectation `walkedEveryPageOnce`. */
  readonly pageParameter?: string | undefined
  /**
   * Its value for the first page, or an empty text. Where it is given, a value has a meaning only together with the rest of the request,
   * as the number of a page has.
   */
  readonly firstPage?: string
  /** Its responses are pages of the entries that `Adaptation.entries` adapts. */
  readonly hasEntries?: true
  /** The parts of a request that the handler uses. Others that the contract names have no effect, and responses say so. */
  readonly uses: {
    readonly query: readonly string[]
    readonly body: UsedParts
    /** Whether members of the body that `body` does not name are stored. */
    readonly storesBody?: true
  }
  /** The parts of a request that have no effect, where that depends on more than `uses`. */
  unused?(query: Call['query'], body: unknown): UnusedInputs
  /** The members that it knows. A contract of the user may name more, which are stored and shown. */
  readonly members?: UsualMembers
  /** The behaviours that govern how integers are read: in the query by name, and in the path. */
  readonly integers?: {
    readonly query?: Readonly<Record<string, IntegerBehaviours>>
    readonly path?: IntegerBehaviours
  }
  /**
   * What requests may name that a state has: the likeliest first. It makes what the state lacks.
   *
   * @param given values of path parameters, to complete them by
   */
  findTargets?(state: State, given: PathValues): Promise<readonly NamedTarget[]>
  /**
   * The behaviours that its responses may depend on, besides those of every operation: ids, or the first part of several: `page` stands for
   * `page.last` and others.
   */
  readonly dependsOn?: readonly string[]
  /** A body that it accepts, for contracts without an example. */
  readonly usualBody?: Members
  /** A request to begin with, for the start line. */
  readonly example?: { readonly path: string; readonly query: string; readonly body: unknown }
  /** The kinds of faults that not every operation can meet. */
  readonly faults?: OperationFaults
  /** Joins a page of the same list of a service with what the state has; absent for anything but a list. */
  join?(asked: { readonly state: State; readonly call: Call }, page: ServicePage): Steps<JoinedPage | Unjoined>
  /** What coverage counts of its requests besides the parameters, members and values that the contract documents. */
  readonly coverage?: OperationCoverage
  /** The problem instead of a response that breaks the contract because of what the state has; undefined for a defect. */
  blameState?(state: State, violations: readonly Violation[]): Problem | undefined
}

/** A page of a list, as a service sent it. */
export interface ServicePage {
  readonly body: unknown
  /** @param name in lower case */
  header(name: string): string | undefined
}

/** The page with the items of the state. */
export interface JoinedPage {
  readonly body: unknown
  /** The headers that change, by lower-case names. */
  readonly headers: Readonly<Record<string, string>>
  /** How many of its items only the state has, how many the state has otherwise, and how many of the service's it leaves out. */
  readonly added: number
  readonly changed: number
  readonly hidden: number
}

/** Why a page stays as it is, as a part of a sentence. */
interface Unjoined {
  readonly reason: string
}

/** What requests to an operation can use that its contract does not list, such as the fields to sort by. */
export interface OperationCoverage {
  /** All that there is, by what it is called in the plural: `sort fields`. */
  values(settings: BehaviourSettings): Readonly<Record<string, readonly string[]>>
  /** Notes what an accepted request uses of it: `sort fields`, `created`. */
  used(request: SentRequest, note: (kind: string, value: string) => void): void
}

/** A request as it was sent. */
export interface SentRequest {
  readonly query: URLSearchParams
  /** As it was read; undefined for none. */
  readonly body: unknown
}

/** By the names of the path parameters. */
export type PathValues = Readonly<Record<string, string>>

/** Something in a state, as a request names it. */
export interface NamedTarget {
  readonly path: PathValues
  /** Members that the body needs, where the body names it. */
  readonly body?: Members
}

/** How many things of a state are offered to a request that needs one. */
export const MAX_TARGETS = 5

/** What an inferred operation was taken for, for people. */
export interface OperationMeaning {
  /** The name of the collection that it is about. */
  readonly collection: string
  /** How items of the collection are identified: `items by /id`. */
  readonly items: string
  /** What it does: `list`. */
  readonly role: string
  /** What its documented parameters mean. */
  readonly parameters?: readonly ParameterMeaning[]
}

export interface ParameterMeaning {
  /** Of the query, or a JSON pointer into the body. */
  readonly name: string
  /** `page of the list, from 1`. */
  readonly says: string
}

/**
 * An operation that Standin handles itself, under whatever path and operationId a contract has it. Its name is the operationId that is
 * bound to it, and what `x-standin` calls it.
 */
export interface BuiltinOperation extends StatefulOperation {
  /** Whether an operation of another name is this one. It must distinguish it from the operations of other services. */
  looksLike(operation: OperationOutline): boolean
  /** Whether an operation of its name is checked to fit before it is bound: the name is a usual one. */
  readonly isChecked?: true
  /** How an operation of a contract fits. */
  fit(operation: OperationShapes): Fit
}

/** Parts of a request that have no effect: names of query parameters, and pointers into the body. */
export interface UnusedInputs {
  readonly query: readonly string[]
  readonly body: readonly string[]
}

/** The members of a thing that a built-in operation writes or shows. */
export interface UsualMembers {
  /** What the thing is called. */
  readonly noun: string
  /** Those of the body, and those that only the service writes: by the pointer of the object that has them. */
  readonly body: Readonly<Record<string, ReadonlySet<string>>>
  /** Those of the response that mean the same in every contract. */
  readonly response: ReadonlySet<string>
}

/** The behaviours of one integer parameter: how it is written, and how large it may be. */
export interface IntegerBehaviours {
  readonly form: BehaviourId
  readonly range: BehaviourId
}

/** Faults that only some operations can meet. */
export interface OperationFaults {
  /** Whether a request to the operation could meet such a fault. */
  meets(fault: { readonly kind: KnownFaultKind; readonly edit?: 'change' | 'remove' | undefined }): boolean
  /** The page that a request asks for, from 1; undefined where that is not known. */
  page?(request: FaultedRequest): number | undefined
  /** What a fault does before the request is handled; undefined where it can do nothing. */
  before?(fault: Fault, request: FaultedRequest): FaultEffect | undefined
}

/** A request that is not read yet. */
export interface FaultedRequest {
  readonly state: State
  /** Epoch ms by the sandbox's clock. */
  readonly now: number
  /** The query as sent. */
  readonly search: string
  /** The path parameter that names what the operation works on, as sent. */
  readonly named: string | undefined
  /** All path parameters, as sent. */
  readonly path: Readonly<Record<string, string>>
  /** As sent; undefined for none. */
  readonly body: unknown
  /** @param name in lower case */
  header(name: string): string | undefined
}

/** Refuses the request, shows it another state, or changes something just before it. */
export interface FaultEffect {
  readonly problem?: Problem
  readonly state?: State
  readonly events?: readonly StateEvent[]
}

/** The parts of a value that are used: members by name, elements of a list, or all of it. */
export type UsedParts = { readonly [name: string]: UsedParts } | readonly [UsedParts] | true

/** What an operation looks like without its names. */
export interface OperationOutline {
  /** In upper case. */
  readonly method: string
  readonly segments: readonly string[]
  readonly endsInParameter: boolean
  /** Whether the JSON body has all these members at a JSON pointer. */
  bodyHas(pointer: string, ...names: readonly string[]): boolean
  /** The same of the first documented success. */
  responseHas(pointer: string, ...names: readonly string[]): boolean
}

/** What a contract documents for an operation. */
export interface OperationShapes {
  readonly operation: Pick<Operation, 'method' | 'queryNames'>
  readonly body: Shape
  /** Of the first documented success. */
  readonly response: Shape
  readonly document: unknown
}

export interface Fit {
  /** Why the operation cannot be this one; undefined when it can. */
  readonly obstacle: string | undefined
  /** What the contract does not have of it, as a sentence; undefined when it has all. */
  readonly lack: string | undefined
}

/** What handles an operation: a built-in operation by its name, `own`, `generated` or `refused`. */
export type HandlerKind = string

/** The names of a shape, for messages. */
export function listed(names: Iterable<string>): string {
  return [...names].slice(0, 10).join(', ')
}
