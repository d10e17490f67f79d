import type { FaultKind, FaultPreset, FaultRequest, InfoOperation } from '../../../../src/control/client/types.ts'

/** A value that a kind of fault is given besides the common ones. */
export interface FaultField {
  readonly name: Exclude<keyof FaultRequest, 'kind' | 'match' | 'id' | 'chance' | 'times' | 'after'>
  readonly label: string
  readonly type: 'number' | 'choice' | 'headers'
  readonly choices?: readonly string[]
  /** What the form begins with; empty for the default of the stand-in. */
  readonly initial: string
}

export interface FaultKindInfo {
  readonly kind: FaultKind
  /** What the client sees. */
  readonly title: string
  readonly fields: readonly FaultField[]
  /** Whether only some operations can meet it; those of lists and searches, or those that change something. */
  readonly of?: 'pages' | 'changes'
}

const number = (name: FaultField['name'], label: string, initial: string): FaultField => ({
  name,
  label,
  type: 'number',
  initial,
})

/** The kinds of faults in the order in which people look for them. */
export const FAULT_KINDS: readonly FaultKindInfo[] = [
  {
    kind: 'status',
    title: 'Respond with an error status',
    fields: [
      number('status', 'Status', '503'),
      { name: 'headers', label: 'Headers, one a line', type: 'headers', initial: '' },
    ],
  },
  { kind: 'latency', title: 'Respond late', fields: [number('delay', 'Milliseconds', '2000')] },
  { kind: 'reset', title: 'Reset the connection before the request is handled', fields: [] },
  { kind: 'empty', title: 'Close the connection without a response', fields: [] },
  {
    kind: 'lost-answer',
    title: 'Store the change, then lose the response',
    of: 'changes',
    fields: [
      { name: 'by', label: 'How', type: 'choice', choices: ['reset', 'empty', 'gateway-timeout'], initial: 'reset' },
    ],
  },
  {
    kind: 'truncated',
    title: 'Cut the response off',
    fields: [number('bytes', 'Bytes that are sent', ''), number('events', 'Events of a stream before it', '')],
  },
  {
    kind: 'garbage',
    title: 'Send bytes that are not JSON',
    fields: [
      { name: 'of', label: 'In place of', type: 'choice', choices: ['body', 'answer'], initial: 'body' },
      number('bytes', 'Bytes', '64'),
    ],
  },
  {
    kind: 'slow-drip',
    title: 'Send the body in slow pieces',
    fields: [number('pieces', 'Pieces', '10'), number('milliseconds', 'Milliseconds for all', '2000')],
  },
  {
    kind: 'rate-limit',
    title: 'Refuse requests above a rate with 429',
    fields: [number('limit', 'Requests in a window', '10'), number('seconds', 'Seconds of a window', '60')],
  },
  { kind: 'cursor-expired', title: 'Let the cursor of a walk expire', fields: [], of: 'pages' },
  { kind: 'short-page', title: 'Shorten a page', fields: [number('entries', 'Entries', '')], of: 'pages' },
  { kind: 'duplicate-entry', title: 'Repeat an entry on the next page', fields: [], of: 'pages' },
  { kind: 'missing-entry', title: 'Leave an entry out', fields: [], of: 'pages' },
  {
    kind: 'stale-read',
    title: 'Read an earlier version',
    fields: [number('versions', 'Versions back', '1')],
    of: 'pages',
  },
  {
    kind: 'conflicting-edit',
    title: 'Let somebody else change it just before',
    of: 'changes',
    fields: [{ name: 'edit', label: 'Edit', type: 'choice', choices: ['change', 'remove'], initial: 'change' }],
  },
]

/** The operations that can meet a kind of fault. */
export function operationsOf(kind: string, operations: readonly InfoOperation[]): readonly InfoOperation[] {
  const isOfSome = FAULT_KINDS.find((one) => one.kind === kind)?.of !== undefined
  return operations.filter(
    ({ handler, faultKinds }) => handler !== 'refused' && (!isOfSome || faultKinds.includes(kind)),
  )
}

/** The kinds that an operation of the contract can meet. @param operations undefined while they are loaded */
export function kindsOf(operations: readonly InfoOperation[] | undefined): readonly FaultKindInfo[] {
  return operations ? FAULT_KINDS.filter(({ kind }) => operationsOf(kind, operations).length > 0) : FAULT_KINDS
}

interface Preset {
  readonly preset: FaultPreset
  readonly title: string
  readonly what: string
}

export const FAULT_PRESETS: readonly Preset[] = [
  { preset: 'flaky-network', title: 'Flaky network', what: 'Some responses come late, cut off or not at all' },
  { preset: 'slow-service', title: 'Slow service', what: 'Every response takes about a second' },
  { preset: 'rate-limited', title: 'Rate limited', what: '10 requests in 10 seconds, then 429' },
  { preset: 'deploy-in-progress', title: 'Deploy in progress', what: 'Connections drop, then 503, then slow' },
]

/** The values of the form, by field. */
export type FaultForm = Readonly<Record<string, string>>

/** The fault that a form asks for; fields that were left empty are left out. */
export function faultOf(form: FaultForm): FaultRequest {
  const kind = (form.kind ?? 'status') as FaultKind
  const info = FAULT_KINDS.find((one) => one.kind === kind)
  const match = {
    ...(isGiven(form.operationId) ? { operationId: form.operationId } : {}),
    ...(isGiven(form.page) ? { page: Number(form.page) } : {}),
  }
  const fields = (info?.fields ?? []).flatMap(({ name, type }) => {
    const text = form[name]
    return isGiven(text) ? [[name, valueOf(name, type, text)] as const] : []
  })
  return {
    kind,
    ...(Object.keys(match).length === 0 ? {} : { match }),
    ...(isGiven(form.times) ? { times: Number(form.times) } : {}),
    ...(isGiven(form.after) && form.after !== '0' ? { after: Number(form.after) } : {}),
    ...(isGiven(form.chance) && form.chance !== '100' ? { chance: Number(form.chance) / 100 } : {}),
    ...(Object.fromEntries(fields) as Partial<FaultRequest>),
  }
}

function isGiven(text: string | undefined): text is string {
  return text !== undefined && text.trim() !== ''
}

function valueOf(name: string, type: FaultField['type'], text: string): unknown {
  if (name === 'delay') return { milliseconds: Number(text) }
  if (type === 'number') return Number(text)
  if (type === 'choice') return text
  const lines = text.split('\n').filter((line) => line.includes(':'))
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).trim(), line.slice(line.indexOf(':') + 1).trim()]),
  )
}
