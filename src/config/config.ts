import type { Override } from '../behaviours/behaviours.ts'
import type { FolderSetting, KeySetting, ProfileSetting } from './setting-values.ts'

/** Whether a request that breaks the contract is refused, or handled without what breaks it, which its response says. */
export type ValidationMode = 'refuse' | 'warn'

/** What a service has to do for a request to be handled here after all: respond with this status, or not at all. */
export type FallbackReason = number | 'down'

/** Every setting, merged and checked. */
export interface Config {
  /** 0 picks a free one. */
  readonly port: number
  readonly host: string
  readonly seed: number
  /** Size of the file set `demo`. */
  readonly files: number
  /** How many documents each collection of the contract begins with. */
  readonly documents: number
  /** The locale of Faker that names and addresses are made by. */
  readonly locale: string
  /** What members of the contract get, by their names; not checked yet. */
  readonly values: Readonly<Record<string, unknown>>
  /** Epoch ms of a frozen clock; undefined for the machine's clock. */
  readonly clock: number | undefined
  /** Paths, or fixtures themselves. */
  readonly fixtures: readonly unknown[]
  /** Real folders that become file sets. */
  readonly folders: readonly FolderSetting[]
  /** An OpenAPI document: its path, its text or itself; undefined for the one that comes with the package. */
  readonly contract: string | object | undefined
  /** OpenAPI Overlays for the contract, in order: paths, or overlays themselves. */
  readonly overlay: readonly unknown[]
  /** Directories, besides that of the contract, to whose files its references may lead. */
  readonly allowRef: readonly string[]
  /** The user's own operations; undefined for none. A path is imported by the command line, which takes an `await`. */
  readonly handlers: HandlersSetting | string | undefined
  /** Responses for requests that are declared, in the order of their precedence: paths, or stubs themselves. */
  readonly stubs: readonly unknown[]
  /** Whether responses of the built-in operations are validated against the contract too. */
  readonly selfCheck: boolean
  /** What becomes of requests that break the contract. */
  readonly validation: ValidationMode
  /** Address of a service that handles some operations; undefined where all are handled here. */
  readonly upstream: string | undefined
  /** The operations that are handled here, as `createOrder`, `GET /orders` or `tag:orders`; empty for all or, with `pass`, for the rest. */
  readonly mock: readonly string[]
  /** The operations that the service handles, in the same form. They win over those of `mock`. */
  readonly pass: readonly string[]
  /** When a request that the service was sent is handled here after all. */
  readonly fallback: readonly FallbackReason[]
  /** Whether lists of the service get what was created here. */
  readonly join: boolean
  /** Path of a directory that gets what passes to the service and back, as HAR. */
  readonly record: string | undefined
  /** Its name, or one that `standin calibrate` wrote. */
  readonly profile: string | ProfileSetting
  readonly behaviours: readonly Override[]
  readonly keys: readonly KeySetting[]
  /** Web pages that may call, besides local ones. */
  readonly origins: readonly string[]
  /** Host names that requests may be for, besides local ones. */
  readonly hosts: readonly string[]
  /** The maximum number of sandboxes, the default one included. */
  readonly maxSandboxes: number
  /** Milliseconds after which a sandbox that no request uses is deleted; undefined for never. */
  readonly sandboxTtl: number | undefined
  /** The token that callers of the control API send; without one, all callers on this machine are allowed. */
  readonly controlToken: string | undefined
  /** Whether there is a control API. */
  readonly control: boolean
  /** Where the webhooks of the contract go; undefined where they are only kept. */
  readonly webhooks: string | undefined
  /** What they are signed with; undefined for the usual secret. */
  readonly webhookSecret: string | undefined
  /** Hosts that webhooks and callbacks may be sent to, besides this machine. */
  readonly allowCallback: readonly string[]
  /** Address of a mail catcher that receives each delivery; undefined sends none. */
  readonly smtp: string | undefined
  /** Path of a directory that keeps the log of every sandbox; undefined keeps all in memory. */
  readonly data: string | undefined
  /** Address of the Valkey or Redis that replicas share their sandboxes through. */
  readonly store: string | undefined
  /** What it has to promise before a change is acknowledged. */
  readonly storeDurability: StoreDurability
  /** What a request sees of what other replicas changed. */
  readonly consistency: StoreConsistency
  /** Whether each change waits for the disk. */
  readonly fsync: boolean
  /** Path of a directory that gets the journal, a HAR and a replay of every sandbox at a stop; undefined for none. */
  readonly artifacts: string | undefined
  /** Whether changed files are reloaded while the server runs. */
  readonly watch: boolean
  readonly log: LogMode
  /** Changes of the service that `standin mutate` need not report: why, by their ids. */
  readonly accept: Readonly<Record<string, string>>
  /** What messages call a setting that was given, or a part of it by JSON pointer: `standin.yaml:3: profile`. */
  readonly names: Readonly<Partial<Record<Setting, (pointer: string) => string>>>
}

export type Setting = Exclude<keyof Config, 'names'>

/** What a file of handlers exports, or `createStandin` was given; not checked yet. */
export interface HandlersSetting {
  /** For messages. */
  readonly from: string
  readonly definitions: unknown
}

/** What the server of a store is set to, or that nothing which was acknowledged is ever lost. */
export type StoreDurability = 'server' | 'always'

/** Everything that was acknowledged before, or what its client has seen. */
export type StoreConsistency = 'strong' | 'session'

export type LogMode = 'pretty' | 'verbose' | 'json' | 'silent'

/** Whether the contract is not the package's own: another document, or that one with overlays. */
export function isOwnContract({ contract, overlay }: Config): boolean {
  return contract !== undefined || overlay.length > 0
}

/** Whether a document was given by its path: a text with line breaks is the document. */
export function isPath(given: unknown): given is string {
  return typeof given === 'string' && !given.includes('\n')
}
