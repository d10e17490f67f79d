import type { Json } from '../../base/formats/json.ts'
import type { Delay, Effect, FaultEffects, FaultRequest, KnownFaultKind } from './fault.ts'

/** How faults of a kind are read. */
interface FaultKindReader<Kind extends KnownFaultKind> {
  /** The fields of the kind besides the common ones; `!` marks required ones. */
  readonly fields: readonly string[]
  /** Fills in the defaults. Required fields are there. */
  read(request: FaultRequest): FaultEffects[Kind]
  /** What `Prefer: fault=` fills in for required fields; it cannot select a kind that needs others. */
  readonly preferred?: Partial<FaultRequest>
  /** Whether only some operations can meet it: those whose `faults` say so. */
  readonly isOperationSpecific?: true
  /** Whether it concerns a request for a further page. */
  readonly needsToken?: true
}

/** The kinds of faults. */
export const FAULT_KINDS: { readonly [Kind in KnownFaultKind]: FaultKindReader<Kind> } = {
  latency: { fields: ['delay!'], read: ({ delay }) => ({ delay: delay as Delay }) },
  status: { fields: ['status!', 'headers', 'body'], read: readResponse },
  'rate-limit': { fields: ['limit!', 'seconds!'], read: ({ limit = 1, seconds = 1 }) => ({ limit, seconds }) },
  reset: { fields: [], read: () => ({}) },
  empty: { fields: [], read: () => ({}) },
  truncated: { fields: ['bytes', 'events'], read: ({ bytes, events }) => ({ bytes, events }) },
  garbage: { fields: ['bytes', 'of'], read: ({ bytes = 64, of = 'body' }) => ({ bytes, of }) },
  'slow-drip': {
    fields: ['pieces!', 'milliseconds!'],
    read: ({ pieces = 1, milliseconds = 0 }) => ({ pieces, milliseconds }),
    preferred: { pieces: 10, milliseconds: 2000 },
  },
  'lost-answer': { fields: ['by'], read: ({ by = 'reset' }) => ({ by }), isOperationSpecific: true },
  'conflicting-edit': {
    fields: ['edit'],
    read: ({ edit = 'change' }) => ({ edit }),
    isOperationSpecific: true,
    needsToken: true,
  },
  'cursor-expired': { fields: [], read: () => ({}), isOperationSpecific: true, needsToken: true },
  'short-page': { fields: ['entries'], read: ({ entries }) => ({ entries }), isOperationSpecific: true },
  'duplicate-entry': { fields: [], read: () => ({}), isOperationSpecific: true },
  'missing-entry': { fields: [], read: () => ({}), isOperationSpecific: true },
  'stale-read': { fields: ['versions'], read: ({ versions = 1 }) => ({ versions }), isOperationSpecific: true },
  'changed-body': { fields: ['changes!'], read: ({ changes = [] }) => ({ changes }) },
  'changed-response': { fields: ['status!', 'headers', 'body'], read: readResponse },
}

export const KNOWN_KINDS = Object.keys(FAULT_KINDS) as readonly KnownFaultKind[]

/** The kinds that only some operations can meet. */
export const OPERATION_SPECIFIC_KINDS = KNOWN_KINDS.filter((kind) => FAULT_KINDS[kind].isOperationSpecific)

/** What a fault of a request does, with the defaults filled in. */
export function effectOf(request: FaultRequest): Effect {
  const { kind } = request
  return { kind, ...FAULT_KINDS[kind].read(request) } as Effect
}

/** The kinds that a request can ask for by name, each with what it does then. */
export const PREFERABLE_EFFECTS: ReadonlyMap<string, Effect> = new Map(
  KNOWN_KINDS.flatMap((kind) => {
    const { fields, preferred = {} } = FAULT_KINDS[kind]
    const isComplete = fields.every((field) => !field.endsWith('!') || field.slice(0, -1) in preferred)
    return isComplete ? [[kind, effectOf({ ...preferred, kind })] as const] : []
  }),
)

function readResponse({ status = 500, headers, body }: FaultRequest): FaultEffects['status'] {
  return { status, headers: lowerCased(headers), body: body as Json | undefined }
}

function lowerCased(headers: FaultRequest['headers'] = {}): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}
