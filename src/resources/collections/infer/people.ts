import { plainName } from '../../../base/formats/names.ts'
import type { Draft } from './draft.ts'
import { type DraftOperation, draftOf } from './draft-operation.ts'
import type { Role } from './plan.ts'
import { parameterOf } from './routes.ts'
import { isSameItem } from './same-item.ts'
import type { Operation } from '../../../contract/contract.ts'

const PEOPLE =
  /(owner|author|creator|assignee|reviewer|sender|recipient|manager|createdby|updatedby|approver|reporter)$/

/** Whether a member is called after what a person does, as a plain name: `author`, `createdby`. */
export function namesPerson(plain: string): boolean {
  return PEOPLE.test(plain)
}

const CREATORS =
  /^(owner|author|creator|submitter|reporter|uploader|requester|sender|user|account|(created|submitted|reported|uploaded|posted|added|requested)by)$/

/** Whether a member says who made an item, as a plain name: `owner`, `createdby`. */
export function namesCreator(plain: string): boolean {
  return CREATORS.test(plain)
}

const USERS = ['user', 'person', 'member', 'employee', 'account']

/** Whether a collection contains people. */
export function isOfPeople({ noun }: { readonly noun: string }): boolean {
  return USERS.includes(plainName(noun))
}

/** What a path calls the caller's own account. */
export function isCallerWord(word: string): boolean {
  return /^(me|self|myself|current|currentuser|whoami)$/.test(plainName(word))
}

/** Whether a part of a path names the caller, who owns what is below: `/me/photos`, `/user/repos`. */
export function namesCaller(segment: string): boolean {
  return isCallerWord(segment) || segment === 'user'
}

/** The collection with the caller's account: `/users` for `/users/me`, `/me`, and `/user`. */
export function accountsOf(
  document: unknown,
  { segments, schema }: { readonly segments: readonly string[]; readonly schema: unknown },
  drafts: ReadonlyMap<string, Draft>,
): Draft | undefined {
  const [word = ''] = segments.slice(-1)
  return [...drafts.values()].find(
    (draft) =>
      !draft.isSingleton &&
      isOfPeople(draft) &&
      draft.segments.every((one) => parameterOf(one) === undefined) &&
      draft.segments !== segments &&
      (isCallerWord(word) || plainName(word) === plainName(draft.noun)) &&
      segments.slice(0, -1).every((one, at) => one === draft.segments[at]) &&
      isSameItem(document, schema, draft.schema),
  )
}

const ROLES_OF_CALLER: Readonly<Record<string, Role>> = {
  GET: 'read',
  DELETE: 'delete',
  PATCH: 'merge',
  PUT: 'replace',
}

/** What an operation on the caller's own account does with the collection that has it. */
export function byCaller(
  document: unknown,
  segments: readonly string[],
  { operation, get, drafts }: { operation: Operation; get: Operation | undefined; drafts: ReadonlyMap<string, Draft> },
): { readonly draft: Draft; readonly operation: DraftOperation } | undefined {
  const [word = ''] = segments.slice(-1)
  const shown = get && draftOf(document, get, word)?.item?.schema
  const draft = shown === undefined ? undefined : accountsOf(document, { segments, schema: shown }, drafts)
  const read = draft && draftOf(document, operation, draft.noun)
  const role = ROLES_OF_CALLER[operation.method]
  if (!read || !role || draft.hints.isIgnored) return undefined
  const isShown = read.item !== undefined && isSameItem(document, read.item.schema, draft.schema)
  if ((role === 'read' && !isShown) || ((role === 'merge' || role === 'replace') && !read.input)) return undefined
  const found = read.as(role, isShown ? read.item : undefined, `${operation.method} of the caller's own ${draft.noun}`)
  return { draft, operation: { ...found, isOfCaller: true } }
}
