import type { Operation } from '../../../contract/contract.ts'
import { asObject, encodePointer, splitPointer } from '../../../base/formats/json.ts'
import { keyName, plainName } from '../../../base/formats/names.ts'
import { singular } from '../../../base/formats/plurals.ts'
import { conjunctsOf, readBySchema, shapeOf as shapeOfSchema } from '../../../contract/schemas/shape.ts'
import { methodWords } from '../../../contract/template.ts'
import { effectOfWord } from '../lifecycles/word-effect.ts'
import { countMember, isCount } from '../lists/count.ts'
import { startTokenMember } from '../lists/pages/envelope-fillers.ts'
import { asksForKinds, changeOf, findAction, isDeletion, namesMany, operatorOf, verbOfMany } from './actions.ts'
import { type DraftOperation, draftOf, type OperationDraft } from './draft-operation.ts'
import { type Draft, hasRole, searchedBy } from './draft.ts'
import { findElementList, isPlain } from './element-list.ts'
import { NAMING, thingOf } from './id-names.ts'
import { locateList } from './locate-items.ts'
import { listsAlike } from './match-item.ts'
import { memberFor } from './owner.ts'
import { byCaller } from './people.ts'
import type { Located, Role } from './plan.ts'
import { parameterOf, type PathItem, segmentsOf, shapeOf } from './routes.ts'
import { isSameItem } from './same-item.ts'

interface Related {
  readonly operation: Operation
  readonly drafts: ReadonlyMap<string, Draft>
}

/** What an operation of a path below a collection, or below an item, does with it. */
export function relatedOperation(
  document: unknown,
  { segments, methods }: PathItem,
  { operation, drafts }: Related,
): { readonly draft: Draft; readonly operation: DraftOperation } | undefined {
  const above = segments.slice(0, -1)
  const word = segments.at(-1) ?? ''
  if (parameterOf(word) !== undefined)
    return (
      byKey(document, segments, { operation, drafts }) ??
      onElement(document, segments, { operation, drafts }) ??
      filteredList(document, segments, { operation, drafts }) ??
      readElsewhere(document, segments, { operation, drafts })
    )
  const ofList = onElement(document, segments, { operation, drafts })
  if (ofList) return ofList
  const ofCaller = byCaller(document, segments, { operation, get: methods.get('GET'), drafts })
  if (ofCaller) return ofCaller
  // A nested collection is not an action of its parent.
  const own = drafts.has(shapeOf(segments))
    ? undefined
    : (drafts.get(shapeOf(above)) ?? searchedBy(operation.path, segments, drafts))
  const ofItem = parameterOf(above.at(-1)) === undefined ? undefined : drafts.get(shapeOf(above.slice(0, -1)))
  const draft = own ?? ofItem
  if (!draft || draft.isSingleton || draft.hints.isIgnored) return undefined
  const read = draftOf(document, operation, draft.noun)
  if (!read) return undefined
  const others = own ? undefined : namedBelow(document, read.body, { above, drafts })
  if (others) {
    if (!isDeletion(word) && !meansMember(document, others.schema, word)) return undefined
    const reason = `${operation.method} of the ${others.segments.at(-1)} that it names`
    return { draft: others, operation: read.as('bulk', undefined, reason) }
  }
  const isSame = (located: Located | undefined) =>
    located !== undefined && isSameItem(document, located.schema, draft.schema)
  const { schema } = draft
  const action = own ? undefined : findAction(document, { ...read, operation, word, schema })
  if (
    !own &&
    isDeletion(word) &&
    ['POST', 'DELETE'].includes(operation.method) &&
    !(action && meansMember(document, schema, word))
  )
    return { draft, operation: read.as('delete', action?.shows, `${operation.method} of the deletion of an item`) }
  const found = own
    ? onPart(operation, read, {
        document,
        word,
        isSame,
        noun: draft.noun,
        own: schema,
        isCreated: hasRole(draft, 'create'),
      })
    : action && read.as('action', action.shows, action.reason)
  return found ? { draft, operation: found } : undefined
}

/** `POST /definitions/{id}/start` creates a run, if the response shows one and no operation of `/runs` creates them. */
export function createdElsewhere(document: unknown, { segments }: PathItem, { operation, drafts }: Related) {
  const isPost = operation.method === 'POST' && methodWords(operation.path) === undefined
  const shown = isPost ? draftOf(document, operation, '') : undefined
  if (!shown?.item || shown.list) return undefined
  const { item, as } = shown
  // Being alike is not enough: the response must have the schema of the items, or extend it.
  const parts = new Set(describingParts(document, item.schema))
  const isOf = ({ schema }: Draft) => describingParts(document, schema).some((part) => parts.has(part))
  const [draft, ...others] = [...drafts.values()].filter(
    (one) => isOf(one) && mayBeMadeBy(segments, one) && isSameItem(document, item.schema, one.schema),
  )
  if (!draft || others.length > 0) return undefined
  const at = segments.findLastIndex((one) => parameterOf(one) !== undefined)
  const created = as('create', item, `POST that shows a new ${draft.noun}`)
  if (at < 0) return { draft, operation: created }
  const noun = thingOf(parameterOf(segments[at]) ?? '') ?? singular(segments[at - 1] ?? '')
  return { draft, operation: { ...created, selects: memberFor(document, draft.schema, { noun }) ?? null } }
}

/** The parts of a schema that describe more than an id and a link. */
const describingParts = readBySchema((document, schema) =>
  conjunctsOf(document, schema).filter(({ properties }) => Object.keys(asObject(properties)).length > 2),
)

/** Not by its own path, which makes its items already, nor by one about an item that exists: `/charges/{charge}/dispute/close`. */
function mayBeMadeBy(path: readonly string[], { isSingleton, hints, operations, segments, noun }: Draft): boolean {
  const isMade = operations.some(
    ({ role, operation }) => role === 'create' && startsWith(segmentsOf(operation), segments),
  )
  const isAbout = path.slice(0, -1).some((word) => plainName(singular(word)) === plainName(noun))
  return !isSingleton && !hints.isIgnored && !isMade && !isAbout && !shapeOf(segments).includes('{')
}

function startsWith(path: readonly string[], start: readonly string[]): boolean {
  return start.every((one, at) => path[at] === one)
}

/** The collection below an item whose items the body must list: `POST /projects/{id}/delete {"flags": ["a", "b"]}` is about flags. */
function namedBelow(
  document: unknown,
  body: unknown,
  { above, drafts }: { readonly above: readonly string[]; readonly drafts: ReadonlyMap<string, Draft> },
): Draft | undefined {
  const { properties, required } = shapeOfSchema(document, body, 'any')
  const [name, ...others] = [...required].filter((one) => shapeOfSchema(document, properties.get(one)).items)
  if (name === undefined || others.length > 0) return undefined
  return isPlain(shapeOfSchema(document, shapeOfSchema(document, properties.get(name)).items))
    ? drafts.get(shapeOf([...above, name]))
    : undefined
}

/** `/flows/name/{name}`, `/posts/by-slug/{slug}`: an item by another member than its id. */
function byKey(document: unknown, segments: readonly string[], { operation, drafts }: Related) {
  const word = keyName(segments.at(-2) ?? '')
  const draft = parameterOf(segments.at(-2)) === undefined ? drafts.get(shapeOf(segments.slice(0, -2))) : undefined
  if (!draft || draft.isSingleton || draft.hints.isIgnored || !draft.item) return undefined
  const members = [...shapeOfSchema(document, draft.schema, 'any').properties]
  const [name, member] = members.find(([one]) => plainName(one) === word) ?? []
  const read = name === undefined ? undefined : draftOf(document, operation, draft.noun)
  const role = ROLES_BY_KEY[operation.method]
  if (name === undefined || !read || !role || !shapeOfSchema(document, member).types.has('string')) return undefined
  const { item } = read
  const isShown = item !== undefined && isSameItem(document, item.schema, draft.schema)
  if ((role === 'read' && !isShown) || ((role === 'merge' || role === 'replace') && !read.input)) return undefined
  const found = read.as(role, isShown ? item : undefined, `${operation.method} of an item by its ${name}`)
  return { draft, operation: { ...found, key: `/${encodePointer(name)}` } }
}

const ROLES_BY_KEY: Readonly<Record<string, Role>> = { GET: 'read', DELETE: 'delete', PATCH: 'merge', PUT: 'replace' }

/** `GET /tags/{type}`: a list of the tags of one `type`, at a path that looks like an item's. */
function filteredList(document: unknown, segments: readonly string[], { operation, drafts }: Related) {
  const draft = drafts.get(shapeOf(segments.slice(0, -1)))
  const parameter = parameterOf(segments.at(-1))
  if (operation.method !== 'GET' || !draft || draft.isSingleton || draft.hints.isIgnored || parameter === undefined)
    return undefined
  const read = draftOf(document, operation, draft.noun)
  if (!hasRole(draft, 'list') || !read || !listsAlike(document, read, draft.schema)) return undefined
  const named = [parameter, thingOf(parameter) ?? parameter].map((noun) => memberFor(document, draft.schema, { noun }))
  const selects = named.find((one) => one !== undefined)
  if (selects === undefined) return undefined
  return { draft, operation: { ...read.as('list', read.list, 'GET of the items with the value in its path'), selects } }
}

/** `GET /users/{username}`: reads an item of `/admin/users`. */
function readElsewhere(document: unknown, segments: readonly string[], { operation, drafts }: Related) {
  const [word, parameter] = [segments.at(-2), parameterOf(segments.at(-1))]
  const isApart = operation.method === 'GET' && parameter !== undefined && !drafts.has(shapeOf(segments.slice(0, -1)))
  const others = [...drafts.values()].filter(
    (one) => one.segments.at(-1) === word && !shapeOf(one.segments).includes('{'),
  )
  const [draft] = others
  const item = draft?.item?.methods.values().next().value
  const own = item && parameterOf(segmentsOf(item).at(-1))
  if (!isApart || !draft || draft.hints.isIgnored || others.length > 1 || own !== parameter) return undefined
  const read = draftOf(document, operation, draft.noun)
  if (!read?.item || !isSameItem(document, read.item.schema, draft.schema)) return undefined
  return { draft, operation: read.as('read', read.item, `GET of an item of /${draft.segments.join('/')}`) }
}

/** `PUT` and `DELETE /tasks/{id}/labels/{label}`, `POST /carts/{id}/items`: a list that the item has, or an element of it. */
function onElement(document: unknown, segments: readonly string[], { operation, drafts }: Related) {
  const { method } = operation
  const parameter = parameterOf(segments.at(-1))
  const list = parameter === undefined ? segments : segments.slice(0, -1)
  const [item, word = ''] = list.slice(-2)
  const draft = parameterOf(item) === undefined ? undefined : drafts.get(shapeOf(list.slice(0, -2)))
  // The items of a collection below the item have paths of their own.
  if (!draft || draft.isSingleton || draft.hints.isIgnored || drafts.has(shapeOf(list))) return undefined
  const read = draftOf(document, operation, draft.noun)
  const element = read && findElementList(document, draft.schema, { word, parameter, body: read.body })
  if (!element) return undefined
  const shows = read.item && isSameItem(document, read.item.schema, draft.schema) ? read.item : undefined
  // Where the body may be anything, the path names a key and the body is its value.
  const { types, properties } = shapeOfSchema(document, read.body, 'any')
  const isReadable = read.body === undefined || types.has('object') || properties.size > 0
  const isOfElement = parameter !== undefined && isReadable && ['PUT', 'POST', 'PATCH', 'DELETE'].includes(method)
  const isList = (schema: unknown) => isPlain(shapeOfSchema(document, shapeOfSchema(document, schema).items))
  const held = properties.get(element.name)
  // A list of objects may be a collection, unless what adds to it shows the item.
  const isOfList =
    element.key === undefined
      ? parameter === undefined && (method === 'GET' ? isList(read.schema) : isList(read.body) || isList(held))
      : method === 'POST' && parameter === undefined && shows !== undefined
  if (!isOfElement && !isOfList) return undefined
  const what = isOfElement ? `an element of the ${element.name}` : `the ${element.name}`
  const found = read.as(method === 'GET' ? 'read' : 'action', shows, `${method} of ${what} of an item`)
  return { draft, operation: { ...found, element } }
}

/** Whether a word means a member of the items, so that they show that they are archived or deleted. */
function meansMember(document: unknown, schema: unknown, word: string): boolean {
  return effectOfWord(document, schema, { word, isUndone: false }) !== undefined
}

interface Part {
  readonly document: unknown
  /** The last segment of the path. */
  readonly word: string
  readonly noun: string
  /** The schema of the items. */
  readonly own: unknown
  isSame(located: Located | undefined): boolean
  /** Whether another operation creates items. */
  readonly isCreated: boolean
}

/** The last words of paths such as `/tasks/create`, which a POST creates an item by. */
const CREATING = new Set(['create', 'new', 'add', 'insert', 'upload', 'import', 'register', 'submit'])

/** Whether a response tells the id of a new item: `{ "data": { "dataset_id": "7" } }` of datasets. */
function showsNewId(document: unknown, schema: unknown, noun: string): boolean {
  const tells = (held: unknown) => {
    const { properties, types } = shapeOfSchema(document, held, 'any')
    return !types.has('array') && [...properties.keys()].some((name) => plainName(name) === `${plainName(noun)}id`)
  }
  return tells(schema) || [...shapeOfSchema(document, schema, 'any').properties.values()].some(tells)
}

/** The object in a body that is like the items: `profile` of `{"profile": {"id": "ann", …}, "credentials": {…}}`. */
function partLike(document: unknown, body: unknown, isItem: (schema: unknown) => boolean): Located | undefined {
  const [name, schema] = [...shapeOfSchema(document, body, 'any').properties].find(([, one]) => isItem(one)) ?? []
  return name === undefined ? undefined : { pointer: `/${encodePointer(name)}`, schema, isList: false }
}

/** Whether a body has a member that the items have too. */
function sharesMember(document: unknown, body: unknown, schema: unknown): boolean {
  const own = shapeOfSchema(document, schema, 'any').properties
  return [...shapeOfSchema(document, body, 'any').properties.keys()].some((name) => own.has(name))
}

/** Whether a body and the items share a member that names them, such as `name` or `key`, whatever else the body has. */
function sharesName(document: unknown, body: unknown, schema: unknown): boolean {
  const [sent, own] = [body, schema].map((one) => shapeOfSchema(document, one, 'any').properties)
  return NAMING.some((name) => sent?.has(name) === true && own?.has(name) === true)
}

/** `/pets/findByStatus`, `/pets/search`, `/pets/batch`. */
function onPart(
  operation: Operation,
  { list, item, input, as, schema, body }: OperationDraft,
  { document, word, isSame, noun, own, isCreated }: Part,
): DraftOperation | undefined {
  const { method } = operation
  if (isCount(word) && ['GET', 'POST'].includes(method) && countMember(document, schema) !== undefined)
    return as('count', undefined, `${method} of the number of items`)
  const isItem = (schema: unknown) => isSame({ pointer: '', schema, isList: false })
  if (!['GET', 'DELETE'].includes(method) && asksForKinds(document, body, { noun, isItem })) {
    const [held = ''] = splitPointer(list?.pointer ?? '').slice(-1)
    const isShown = isSame(list) && changeOf(held, noun) === undefined
    return as('bulk', isShown ? list : undefined, `${method} whose body says what to do with each item`)
  }
  if (method === 'GET' && !list && startTokenMember(document, schema) !== undefined)
    return as('start-token', undefined, 'GET of a token with which the list shows what is new')
  if (method === 'GET' && isSame(list)) return as('list', list, 'GET of a list of the items of the collection')
  const verb = method === 'GET' ? undefined : verbOfMany(method, word)
  if (
    verb !== undefined &&
    !/^(create|add|insert|import|upsert|get|read|list|search|find|query|fetch|retrieve|lookup)/.test(verb) &&
    namesMany(document, operation, body)
  ) {
    return as(
      'bulk',
      isSame(list) ? list : undefined,
      `${method} whose path says that it is about the items that it names`,
    )
  }
  if (method !== 'POST' && method !== 'PUT') return undefined
  if (method === 'POST' && !isCreated && CREATING.has(plainName(word)) && input?.isList === false) {
    const shown = isSame(item) ? item : undefined
    const sent = isSame(input) ? input : partLike(document, body, isItem)
    const isSilent = schema === undefined && sharesMember(document, input.schema, own)
    const tellsId = showsNewId(document, schema, noun) && sharesName(document, input.schema, own)
    if (shown || sent || isSilent || tellsId)
      return { ...as('create', shown, `POST to the word ${word} of the collection`), input: sent ?? input }
  }
  if (
    operatorOf(shapeOfSchema(document, body, 'any').properties.keys()) !== undefined &&
    namesMany(document, operation, body)
  )
    return as('bulk', undefined, `${method} whose body says what to do with the items that it names`)
  const many = input?.isList ? input : isSame(input) ? undefined : locateList(document, body, noun)
  if (many && isSame(many))
    return { ...as('create-many', isSame(list) ? list : item, `${method} of a list of items`), input: many }
  return isSame(list) ? as('search', list, `${method} whose response lists items of the collection`) : undefined
}
