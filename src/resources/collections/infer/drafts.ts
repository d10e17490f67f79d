import { readDocumented } from '../../../contract/schemas/documented.ts'
import type { Operation } from '../../../contract/contract.ts'
import { allows, shapeOf as schemaShape } from '../../../contract/schemas/shape.ts'
import { deletesAll, isDeletion, namesItems, wordOfDeletion } from './actions.ts'
import { type Draft, hasRole, isAlone, isBelowWord, isFiltered, isQuestion, isSearch } from './draft.ts'
import { type DraftOperation, draftOf } from './draft-operation.ts'
import { findElementList } from './element-list.ts'
import { findFlatItems } from './flat-items.ts'
import { readHints } from './hints.ts'
import { isIdName, thingOf } from './id-names.ts'
import { memberFor } from './owner.ts'
import { locateList } from './locate-items.ts'
import { operationsOfOwners } from './named-by-owner.ts'
import { singular } from '../../../base/formats/plurals.ts'
import type { Located, Role } from './plan.ts'
import { accountsOf } from './people.ts'
import { parameterOf, parametersOf, type PathItem, type Routes, segmentsOf, shapeOf } from './routes.ts'
import { asListed, listsAlike, matchItem, findSimilarItem } from './match-item.ts'
import { inMemberOfList, isOpenItem, withKnownMembers } from './open-items.ts'
import { createdElsewhere, relatedOperation } from './related-operation.ts'
import { isAsLarge, isSameItem } from './same-item.ts'
import { unsupportedReason } from './reasons/unsupported-reason.ts'
import { encodePointer } from '../../../base/formats/json.ts'
import { plainName } from '../../../base/formats/names.ts'

interface Drafts {
  /** By the shape of their paths. */
  readonly drafts: ReadonlyMap<string, Draft>
  readonly reasons: ReadonlyMap<Operation, string>
}

/** Finds the paths that are about collections, then what the operations of other paths do with those. */
export function findDrafts(document: unknown, routes: Routes): Drafts {
  const found = new Map<string, Draft>()
  const unread = new Set<string>()
  const alone: [string, Draft][] = []
  for (const segments of candidates(routes)) {
    const draft = collectionAt(document, routes, segments) ?? singletonAt(document, routes, segments)
    if (draft === 'unread') unread.add(shapeOf(segments))
    else if (draft && (isAlone(draft) || isSearch(draft) || isBelowWord(draft))) alone.push([shapeOf(segments), draft])
    else if (draft) found.set(shapeOf(segments), draft)
  }
  const ofOwners = draftsOfOwners(document, routes, found)
  const taken = new Set(
    [...ofOwners.values()].flatMap(({ segments, operations }) =>
      parameterOf(segments.at(-1)) === undefined ? [] : operations.map(({ operation }) => operation),
    ),
  )
  const isTaken = ({ segments, operations }: Draft) =>
    parameterOf(segments.at(-1)) === undefined && operations.every(({ operation }) => taken.has(operation))
  const drafts = new Map([...found, ...ofOwners].filter(([, draft]) => !isTaken(draft)))
  // `/pets/findByStatus` lists the items of `/pets`, and `/customers/search` those of `/customers`.
  const isOfAnother = ([shape, draft]: [string, Draft]) => {
    const [list] = draft.operations
    const route = routes.get(shape)
    const found = list && route && relatedOperation(document, route, { operation: list.operation, drafts })
    // A search may show a part of each item.
    const isSure = isAlone(draft) || isSearch(draft)
    return found !== undefined && (isSure || isAsLarge(document, draft.schema, found.draft.schema))
  }
  const own = alone.filter((one) => !isTaken(one[1]) && !isOfAnother(one))
  for (const [shape, draft] of own) drafts.set(shape, draft)
  const operationsOn = (item: PathItem, { noun, schema }: Draft) => {
    const operations = [...item.methods.values()].flatMap((one) => onItem(document, one, noun) ?? [])
    return matchingOperations(document, schema, { noun, base: undefined, item, operations })
  }
  for (const flat of findFlatItems({ document, routes, drafts, operationsOn })) drafts.set(shapeOf(flat.segments), flat)
  joinShown(document, drafts)
  for (const [shape, draft] of drafts)
    if (draft.isSingleton && accountsOf(document, draft, drafts)) drafts.delete(shape)
  const read = new Set([...drafts.values()].flatMap(({ operations }) => operations.map(({ operation }) => operation)))
  const reasons = new Map<Operation, string>()
  for (const route of routes.values()) {
    for (const operation of route.methods.values()) {
      if (read.has(operation)) continue
      const related = { operation, drafts }
      const found = relatedOperation(document, route, related) ?? createdElsewhere(document, route, related)
      if (found) withOperation(drafts, found)
      else reasons.set(operation, unsupportedReason({ document, routes, drafts, unread }, route, operation))
    }
  }
  return { drafts, reasons }
}

/** Where no operation reads `/users/{id}`, `GET` and `PUT /users/{id}/profile` are of the user, if they show what the list shows. */
function joinShown(document: unknown, drafts: Map<string, Draft>): void {
  for (const [shape, { isSingleton, segments, schema, operations }] of drafts) {
    const above = isSingleton && parameterOf(segments.at(-2)) !== undefined ? segments.slice(0, -2) : undefined
    const items = above && drafts.get(shapeOf(above))
    if (!items?.item || items.isSingleton || hasRole(items, 'read')) continue
    if (!isSameItem(document, schema, items.schema) || !isAsLarge(document, schema, items.schema)) continue
    items.operations.push(...operations)
    drafts.delete(shape)
  }
}

/** The items that a path names by their owner and their own name. @param found what is listed otherwise */
function draftsOfOwners(document: unknown, routes: Routes, found: ReadonlyMap<string, Draft>): Map<string, Draft> {
  const drafts = new Map<string, Draft>()
  for (const { segments } of routes.values()) {
    if (!hasKeys(segments)) continue
    const above = routes.get(shapeOf(segments.slice(0, -1)))?.methods.get('GET')
    const isRead = [...found.values(), ...drafts.values()].some(({ operations }) =>
      operations.some((one) => one.operation === above),
    )
    const draft = above
      ? !isRead && listedByOwner(document, routes, segments)
      : (namedByOwner(document, routes, segments) ?? singletonAt(document, routes, segments))
    if (draft) drafts.set(shapeOf(draft.segments), draft)
  }
  return drafts
}

/** Adds what an operation of another path does with the items of a collection. */
function withOperation(
  drafts: Map<string, Draft>,
  { draft, operation }: { readonly draft: Draft; readonly operation: DraftOperation },
): void {
  draft.operations.push(operation)
  if (operation.role !== 'create') return
  drafts.set(shapeOf(draft.segments), { ...draft, input: draft.input ?? operation.input?.schema })
}

/** The paths that may be collections: those that end in a word. */
function candidates(routes: Routes): (readonly string[])[] {
  const found = new Map<string, readonly string[]>()
  for (const { segments } of routes.values()) {
    const path = parameterOf(segments.at(-1)) === undefined ? segments : segments.slice(0, -1)
    const last = path.at(-1)
    if (last !== undefined && !last.includes('{')) found.set(shapeOf(path), path)
  }
  return [...found.values()]
}

/** `unread` for a collection whose list or items cannot be shown. */
function collectionAt(document: unknown, routes: Routes, segments: readonly string[]): Draft | 'unread' | undefined {
  const noun = singular(segments.findLast((one) => parameterOf(one) === undefined) ?? '')
  const base = routes.get(shapeOf(segments))
  const item = itemAt(document, routes, { segments, noun })
  const hints = readHints(document, base, item)
  if (hints.isIgnored) return undefined
  const found = [
    ...[...(base?.methods.values() ?? [])].flatMap((one) => onCollection(document, one, { noun, base, item }) ?? []),
    ...[...(item?.methods.values() ?? [])].flatMap((one) => onItem(document, one, noun) ?? []),
  ].map((one) => (item && isOfKind(item, one.operation) ? { ...one, ...CREATES_KIND } : one))
  const operations = asListed(document, inMemberOfList(document, createdByName(document, found)))
  const has = (...roles: Role[]) => operations.find(({ role }) => roles.includes(role))
  const list = has('list')
  const create = has('create')
  const isWritten = operations.some(({ role }) => role !== 'list')
  const hasItems = operations.some(({ operation }) => [...(item?.methods.values() ?? [])].includes(operation))
  if (list ? !isWritten && isQuestion(document, list) : !create || !hasItems) return undefined
  if (!list && create && isPartOfAbove(document, routes, segments, create)) return undefined
  // A creation that answers `OK` gives its clients no id to go on with.
  const tellsId = create && allows(schemaShape(document, create.output.schema, 'any'), 'object')
  if (list?.output.located?.isMap && !(has('read') && (tellsId ?? !base?.methods.has('POST')))) return undefined
  const shown = [has('read'), list, create, has('merge'), has('replace')].flatMap(
    (one) => one?.output.located?.schema ?? [],
  )
  const isOpen = (schema: unknown) => isOpenItem(document, schema)
  const described = create?.input && !isOpen(create.input.schema) ? shown.find((one) => !isOpen(one)) : undefined
  const shownAs = described ?? shown[0] ?? create?.input?.schema
  if (shownAs === undefined) return undefined
  const schema = withKnownMembers(document, shownAs, operations)
  const below = `${shapeOf(segments)}/{}/`
  const removes = [...routes.keys()].some((shape) => shape.startsWith(below) && isDeletion(shape.slice(below.length)))
  const usable = matchingOperations(document, schema, { noun, base, item, operations }).map((one): DraftOperation => {
    if (one.selects === null)
      return { ...one, selects: memberFor(document, schema, { noun: lastParameter(one.operation) }) ?? null }
    const isKept = one.role === 'delete' && removes && wordOfDeletion(document, one.operation, schema) !== undefined
    return isKept ? { ...one, role: 'action', reason: 'DELETE that keeps the item with another status' } : one
  })
  // Without a list or a read operation, clients could not read what they write.
  const isRead = [base, item].every((route) => {
    const get = route?.methods.get('GET')
    // Some generators describe a list by one of its items. Such a list stays generated; its items can be read one by one.
    const isOptional = route === base && has('read') !== undefined
    return !get || isOptional || usable.some(({ operation }) => operation === get)
  })
  if (!isRead) return 'unread'
  const creating = (['create', 'create-many'] as const).map((role) => usable.find((one) => one.role === role))
  const input = creating.find((one) => one !== undefined)?.input?.schema
  return { segments, noun, isSingleton: false, schema, input, item, hints, operations: usable }
}

function isOwnId(parameter: string, noun: string): boolean {
  return plainName(parameter) === 'id' || (isIdName(parameter) && plainName(parameter).startsWith(plainName(noun)))
}

interface CollectionSegments {
  readonly segments: readonly string[]
  readonly noun: string
}

/** The path of an item. Leaves out a GET that lists several items: `GET /events/{type}` beside `DELETE /events/{name}`. */
function itemAt(document: unknown, routes: Routes, { segments, noun }: CollectionSegments): PathItem | undefined {
  const item = routes.get(`${shapeOf(segments)}/{}`)
  const [all, some] = [routes.get(shapeOf(segments)), item].map((route) => {
    const get = route?.methods.get('GET')
    return get && draftOf(document, get, noun)
  })
  // `/repos/{owner}` lists the items of one owner, which are at `/repos/{owner}/{name}`.
  const isOwner = routes.has(`${shapeOf(segments)}/{}/{}`)
  const [own, ...others] = [...(item?.methods.values() ?? [])].map(lastParameter)
  // A parameter that other methods have too is the id of an item, which the GET shows in a list.
  const isId = others.includes(own ?? '') || (own !== undefined && isOwnId(own, noun))
  if (!item || isId || isOwner || !some || !listsAlike(document, some, all?.list?.schema)) return item
  const methods = new Map([...item.methods].filter(([method]) => method !== 'GET'))
  const [other] = methods.values()
  return other && { segments: segmentsOf(other), methods }
}

/** Whether a creation adds to a list of the item above, which it shows: `POST /carts/{id}/items` whose response is the cart. */
function isPartOfAbove(
  document: unknown,
  routes: Routes,
  segments: readonly string[],
  { output: { located }, body }: DraftOperation,
): boolean {
  const get = routes.get(shapeOf(segments.slice(0, -1)))?.methods.get('GET')
  const above = get && located && draftOf(document, get, '')?.item?.schema
  if (above === undefined || !isSameItem(document, located?.schema, above)) return false
  const list = findElementList(document, above, { word: segments.at(-1) ?? '', parameter: undefined, body })
  return list !== undefined && !isSameItem(document, list.schema, above)
}

/**
 * A POST to the path of an item, such as `POST /groups/{name}`, creates it if it answers 201 and no other operation creates items.
 *
 * @param isCertain whether it creates whatever it answers
 */
function createdByName(document: unknown, operations: readonly DraftOperation[], isCertain = false): DraftOperation[] {
  const isMade = ({ role, operation: { method }, output }: DraftOperation) =>
    role === 'merge' && method === 'POST' && (output.status === 201 || isCertain)
  // Beside a PUT that creates the item, the POST makes something else: a file in a folder.
  const creates = ({ role, operation }: DraftOperation) =>
    role === 'create' ||
    (role === 'replace' && !isCertain && readDocumented(document, operation).statuses.includes('201'))
  if (operations.some(creates)) return [...operations]
  return operations.map((one) =>
    isMade(one) ? { ...one, role: 'create', reason: 'POST to the path that names a new item' } : one,
  )
}

/** Whether the path of a POST has the kind of the new item, and not its id: `POST /jobs/{type}` beside `GET /jobs/{jobId}`. */
function isOfKind({ methods }: PathItem, operation: Operation): boolean {
  const get = methods.get('GET')
  return (
    operation === methods.get('POST') &&
    get !== undefined &&
    isIdName(lastParameter(get)) &&
    !isIdName(lastParameter(operation))
  )
}

const CREATES_KIND = {
  role: 'create',
  reason: 'POST to the path that names the kind of a new item',
  selects: null,
} as const

function lastParameter(operation: Operation): string {
  return parameterOf(segmentsOf(operation).at(-1)) ?? ''
}

interface CollectionPaths {
  readonly noun: string
  readonly base: PathItem | undefined
  readonly item: PathItem | undefined
  readonly operations: readonly DraftOperation[]
}

/** The operations whose bodies and responses are about items of one schema. */
function matchingOperations(
  document: unknown,
  schema: unknown,
  { noun, base, item, operations }: CollectionPaths,
): DraftOperation[] {
  const get = base?.methods.get('GET')
  // `/repositories/{owner}` lists those of an owner, whom no method changes or deletes, and `/keys/{set}` alone the keys of a set.
  const isOfOne = get !== undefined && ['PUT', 'PATCH', 'DELETE'].some((method) => item?.methods.has(method))
  return [base, item]
    .flatMap((route) => [...(route?.methods.values() ?? [])])
    .flatMap((operation) => {
      const found = operations.find((one) => one.operation === operation)
      const matched = found && matchItem(document, schema, found)
      if (matched) return [matched]
      const draft = operation.method === 'GET' ? draftOf(document, operation, noun) : undefined
      return (draft && findSimilarItem(document, schema, { draft, isList: operation === get, isOfOne })) ?? []
    })
}

/**
 * Whether a body may contain the id of its item. Other bodies may replace many items at once, as those with a read-only id do where items
 * are replaced at their own path.
 */
function hasId(document: unknown, schema: unknown, { noun, item }: Pick<CollectionPaths, 'noun' | 'item'>): boolean {
  const own = [...(item?.methods.values() ?? [])].map(lastParameter)
  const names = ['id', `${plainName(noun)}id`, 'uuid', 'guid', 'sid', ...own.map(plainName)]
  const isOnly = !item?.methods.has('PUT') && !item?.methods.has('PATCH')
  const get = item?.methods.get('GET')
  // The id may have another name, which the item path tells: a body with the members of a read has it.
  if (isOnly && get && isSameItem(document, draftOf(document, get, noun)?.item?.schema, schema)) return true
  return [...schemaShape(document, schema, 'any').properties].some(
    ([name, member]) =>
      names.includes(plainName(name)) && (isOnly || schemaShape(document, member).keywords.readOnly !== true),
  )
}

function onCollection(
  document: unknown,
  operation: Operation,
  place: Pick<CollectionPaths, 'noun' | 'base' | 'item'>,
): DraftOperation | undefined {
  const { method } = operation
  const draft = draftOf(document, operation, place.noun)
  if (!draft) return undefined
  const { list, item, input, body } = draft
  if (method === 'GET' && list) return draft.as('list', list, `GET of a list`)
  if (method === 'QUERY' && list) return draft.as('search', list, 'QUERY of a list')
  if ((method === 'DELETE' || method === 'PATCH') && namesItems(document, operation, body))
    return draft.as('bulk', list, `${method} of the items that it names`)
  if (method === 'DELETE' && body === undefined && isFiltered(operation, place.base))
    return draft.as('bulk', list, 'DELETE of the items that its filters match')
  if (method === 'DELETE' && body === undefined && deletesAll(document, operation))
    return draft.as('bulk', list, 'DELETE of all items, as it says')
  if (method === 'PATCH' && input && !input.isList && isFiltered(operation, place.base))
    return draft.as('bulk', list, 'PATCH of the items that its filters match')
  if (method !== 'POST' && method !== 'PUT') return undefined
  if (input?.isList) return draft.as('create-many', list ?? item, `${method} of a list`)
  const many = input || body === undefined ? undefined : locateList(document, body, place.noun)
  if (many && method === 'POST')
    return { ...draft.as('create-many', list ?? item, `${method} of a list in a member`), input: many }
  if (method === 'PUT')
    return input && !list && hasId(document, input.schema, place)
      ? draft.as('replace', item, 'PUT of an item that has its id')
      : undefined
  if (list && !item && asksAsList(document, body, place.base))
    return draft.as('search', list, 'POST that asks for what the list is filtered by')
  const names = list && !item ? locateNames(document, body, place.noun) : undefined
  if (names)
    return { ...draft.as('create-many', list, `${method} of a list of names, which shows the items`), input: names }
  if (list && !item) {
    const isItem = input !== undefined && isSameItem(document, input.schema, list.schema)
    const created = draft.as('create', list, `POST of an item whose response lists it`)
    return isItem && created.output.status === 201 ? created : undefined
  }
  return input || !body ? draft.as('create', item, `POST to the path of the collection`) : undefined
}

/** Whether most members of a body are called as parameters of the list: `POST /tasks {"assignee": "ann"}` beside `GET /tasks?assignee=ann`. */
function asksAsList(document: unknown, body: unknown, base: PathItem | undefined): boolean {
  const listed = base?.methods.get('GET')?.queryNames
  const names = [...schemaShape(document, body, 'any').properties.keys()]
  return listed !== undefined && names.filter((name) => listed.has(name)).length * 2 > names.length
}

/** `{"usernames": ["ann", "bob"]}` of `/users`: a list of texts that is called after the items, their names or their ids. */
function locateNames(document: unknown, body: unknown, noun: string): Located | undefined {
  const lists = [...schemaShape(document, body, 'any').properties].flatMap(([name, member]) => {
    const { items } = schemaShape(document, member)
    const isNamed = [`${noun}names`, `${noun}ids`, `${noun}s`, 'names', 'ids'].some(
      (one) => plainName(one) === plainName(name),
    )
    return isNamed && schemaShape(document, items).types.has('string') ? [{ name, items }] : []
  })
  const [list] = lists
  return list && { pointer: `/${encodePointer(list.name)}`, schema: list.items, isList: true }
}

function onItem(document: unknown, operation: Operation, noun: string): DraftOperation | undefined {
  const draft = draftOf(document, operation, noun)
  if (!draft) return undefined
  const { item, input, list } = draft
  const reason = `${operation.method} on the path of an item`
  switch (operation.method) {
    case 'GET':
      if (draft.schema === undefined)
        return draft.as('exists', undefined, `${reason} that says only whether it is there`)
      return item && !list ? draft.as('read', item, reason) : undefined
    case 'HEAD':
      return draft.as('exists', undefined, reason)
    case 'DELETE':
      return draft.as('delete', item, reason)
    case 'PUT':
      return input && !input.isList ? draft.as('replace', item ?? list, reason) : undefined
    case 'PATCH':
    case 'POST':
      // The effect of a body without a description is known only where the response shows the item.
      return input && (draft.body !== undefined || item) ? draft.as('merge', item ?? list, reason) : undefined
    default:
      return undefined
  }
}

/** `/repos/{owner}/{repo}`: two parts of a path name one thing. */
function hasKeys(segments: readonly string[]): boolean {
  return segments.slice(-2).every((segment) => parameterOf(segment) !== undefined) && segments.length > 2
}

/** `/repos/{owner}/{repo}` where `/repos/{owner}` lists what there is. A POST or a PUT of the path that names it creates it. */
function listedByOwner(document: unknown, routes: Routes, segments: readonly string[]): Draft | undefined {
  const draft = collectionAt(document, routes, segments.slice(0, -1))
  if (draft === undefined || draft === 'unread') return undefined
  if (!hasRole(draft, 'list') || !hasRole(draft, 'read')) return undefined
  const operations = createdByName(document, draft.operations, hasRole(draft, 'replace'))
  return { ...draft, operations, input: draft.input ?? operations.find(({ role }) => role === 'create')?.input?.schema }
}

/** `/repos/{owner}/{repo}` where the paths of owners create what there is: `POST /orgs/{org}/repos`, `POST /user/repos`. */
function namedByOwner(document: unknown, routes: Routes, segments: readonly string[]): Draft | undefined {
  const path = segments.slice(0, -1)
  const noun = singular(path.at(-2) ?? '')
  const item = routes.get(shapeOf(segments))
  const read = item?.methods.get('GET')
  const located = read && draftOf(document, read, noun)?.item
  if (!item || !located || parametersOf(segments).length > 2) return undefined
  const { schema } = located
  const operations = operationsOfOwners(routes, {
    segments,
    isSame: (one) => one !== undefined && isSameItem(document, one.schema, schema),
    operationsOf: (base) =>
      [...base.methods.values()].flatMap((one) => onCollection(document, one, { noun, base, item: undefined }) ?? []),
  })
  const input = operations.find(({ role }) => role === 'create')?.input?.schema
  if (input === undefined) return undefined
  const own = [...item.methods.values()].flatMap((one) => onItem(document, one, noun) ?? [])
  const usable = matchingOperations(document, schema, { noun, base: undefined, item, operations: own })
  const hints = readHints(document, undefined, item)
  return {
    segments: path,
    noun,
    isSingleton: false,
    schema,
    input,
    item,
    hints,
    operations: [...usable, ...operations],
  }
}

/** `/settings`: one document, which is read and written. */
function singletonAt(document: unknown, routes: Routes, segments: readonly string[]): Draft | undefined {
  const last = segments.at(-1) ?? ''
  const key = parameterOf(last)
  const noun = key === undefined ? last : (thingOf(key) ?? key)
  const base = routes.get(shapeOf(segments))
  const hints = readHints(document, base, undefined)
  const get = base?.methods.get('GET')
  if (!base || !get || hints.isIgnored) return undefined
  const read = draftOf(document, get, noun)
  if (!read?.item || read.list) return undefined
  const { item, as } = read
  const writes = ['PUT', 'PATCH', 'POST'].flatMap((method): DraftOperation[] => {
    const operation = base.methods.get(method)
    const draft = operation && draftOf(document, operation, noun)
    if (!draft?.input || draft.input.isList || !isSameItem(document, draft.input.schema, item.schema)) return []
    const shown = draft.item && isSameItem(document, draft.item.schema, item.schema) ? draft.item : undefined
    return [draft.as(method === 'PUT' ? 'replace' : 'merge', shown, `${method} of the one document of the path`)]
  })
  const remove = key === undefined ? undefined : base.methods.get('DELETE')
  const removed = remove && draftOf(document, remove, noun)?.as('delete', undefined, 'DELETE of what the path names')
  const changes = [...writes, ...(removed ? [removed] : [])]
  if (changes.length === 0) return undefined
  const operations = [as('read', item, 'GET of the one document of the path'), ...changes]
  return {
    segments,
    noun,
    isSingleton: true,
    schema: item.schema,
    input: writes[0]?.input?.schema,
    item: undefined,
    hints,
    operations,
  }
}
