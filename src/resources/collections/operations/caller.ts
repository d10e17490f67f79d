import type { State } from '../../../engine/state.ts'
import type { Call } from '../../handler.ts'
import { documentsOf } from '../collection-state.ts'
import { firstId } from '../documents/documents.ts'
import { isDocumentId } from '../documents/stored-document.ts'
import { LOGINS } from '../infer/id-names.ts'
import type { CollectionPlan, OperationPlan } from '../infer/plan.ts'
import { instanceName } from './instance-name.ts'

/** A request with the owner that its path leaves out, who is the caller: `/user/repos` beside `/repos/{owner}/{repo}`. */
export function withOwner<T extends Pick<Call, 'path' | 'header'>>(
  state: State,
  { accounts, isOfCaller, pathParameters, parents: [owner] }: OperationPlan,
  call: T,
): T {
  if (!isOfCaller || owner === undefined || pathParameters.includes(owner)) return call
  const named = callerName(call)
  const name = named === '' ? (firstAccount(state, accounts) ?? 'me') : named
  return { ...call, path: { ...call.path, [owner]: name } }
}

/** What the first account is called, rather than its number. */
function firstAccount(state: State, accounts: CollectionPlan | undefined): string | undefined {
  const documents = accounts && documentsOf(state, instanceName(accounts, []))
  const id = firstId(documents)
  const account = id === undefined || accounts?.identity.type === 'text' ? {} : (documents?.get(id)?.value ?? {})
  const name = [...LOGINS, 'name'].map((one) => account[one]).find((one) => one !== undefined && one !== null)
  return typeof name === 'string' && isDocumentId(name) ? name : id
}

/** Whether an id is that of the caller: clients send the id of their own account as the user name of HTTP Basic, and need not create it. */
export function isCaller(call: Pick<Call, 'header'>, id: string): boolean {
  return id !== '' && callerName(call) === id
}

/** The user name of HTTP Basic; empty for none. */
export function callerName(call: Pick<Call, 'header'>): string {
  const [, coded = ''] = /^Basic ([\w+/=]+)$/i.exec(call.header('authorization') ?? '') ?? []
  return Buffer.from(coded, 'base64').toString().split(':')[0] ?? ''
}
