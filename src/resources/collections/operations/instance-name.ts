import { plainName } from '../../../base/formats/names.ts'
import type { State } from '../../../engine/state.ts'
import type { Call } from '../../handler.ts'
import { asText, encodePointer, type Json } from '../../../base/formats/json.ts'
import { documentsOf } from '../collection-state.ts'
import { type Documents, firstId } from '../documents/documents.ts'
import { selectNow } from '../documents/select.ts'
import { namesIn, NAMING } from '../infer/id-names.ts'
import type { CollectionPlan, ItemIdentity } from '../infer/plan.ts'
import { isCallerWord, isOfPeople } from '../infer/people.ts'
import { parameterCount } from '../infer/routes.ts'

/** The id of the document of a singleton. */
export const SINGLETON = 'singleton'

/** The name of an instance: the path of the collection with the ids of parents. */
export function instanceName({ name, path }: CollectionPlan, ids: readonly string[]): string {
  const encoded = ids.map(encodeURIComponent)
  if (name !== path) return [name, ...encoded].join('/')
  const rest = [...encoded]
  return path
    .split('/')
    .map((segment) => (segment.startsWith('{') ? (rest.shift() ?? '') : segment))
    .join('/')
}

export type TextAt = (parameter: string) => string

export const textIn =
  ({ path }: Call): TextAt =>
  (parameter) =>
    asText(path[parameter])

/** The ids of the parents that a path goes through, where it may have their names. */
export function idsOf(
  state: State,
  parent: CollectionPlan | undefined,
  names: readonly string[],
  textAt: TextAt,
): readonly string[] {
  const count = parent ? parameterCount(parent) : 0
  const [own, ...rest] = names.slice(count)
  if (!parent || own === undefined) return names.map(textAt)
  const above = idsOf(state, parent.parent, names.slice(0, count), textAt)
  const documents = documentsOf(state, instanceName(parent, above))
  return [...above, idNamed(parent, own, textAt(own), documents), ...rest.map(textAt)]
}

/**
 * The id of the item that a part of the path means: `{idOrName}`, or a name where the ids are numbers or UUIDs and the path takes other
 * texts, as with `/databases/{database}`. A service that makes ids which are texts may make them from names, so these are tried too.
 */
export function idNamed(
  { identity, noun }: CollectionPlan,
  parameter: string,
  text: string,
  documents: Documents | undefined,
): string {
  if (documents === undefined || documents.get(text)) return text
  if (isOfPeople({ noun }) && isCallerWord(text)) return firstId(documents) ?? text
  const parts = namesIn(parameter).map((one) => one.toLowerCase())
  const [, member = ''] = plainName(parameter).split(plainName(noun), 2)
  const byName = isNoId(identity, text) || mayBeName(identity, text) ? NAMING : []
  // `{flowAlias}` of a flow with an id is its `alias`.
  const isMember = !/^$|id$/.test(member) && /^\/(id|uuid)$/.test(identity.pointer ?? '')
  const own = parts.length > 1 ? parts : isMember ? [member] : []
  const names = [...own, ...byName, ...identity.others(), ...(text.includes('@') ? ['email'] : [])]
  const [named] = names.flatMap((name) => idOfKey(documents, `/${encodePointer(name)}`, text) ?? [])
  return named ?? text
}

/** Whether a text that the path may have cannot be one of the ids. */
export function isNoId({ type, fits }: ItemIdentity, text: string): boolean {
  return type !== 'text' && fits(text) && !(type === 'uuid' ? /^[\da-f-]{36}$/i : /^-?\d+$/).test(text)
}

/** Whether a text that is no known id may be a name: the service makes the ids, and the text does not look like a UUID or a hash. */
function mayBeName({ type, isChosen }: ItemIdentity, text: string): boolean {
  return type === 'text' && !isChosen && !/^[\da-f-]{32,36}$/i.test(text)
}

/** The id of the item whose member has a value. @throws NotReady if an index must be made first */
export function idOfKey(documents: Documents | undefined, pointer: string, text: string): string | undefined {
  const oneOf: readonly Json[] = /^-?\d{1,15}$/.test(text) ? [text, Number(text)] : [text]
  const found = documents && selectNow(documents, { conditions: [{ pointer, oneOf }], order: [] })
  return found && found.count > 0 ? found.slice(0, 1)[0]?.id : undefined
}
