import { isObject } from '../../src/base/formats/json.ts'
import { documentedBody } from '../public-documents/body.ts'
import { documentedName } from '../public-documents/judge.ts'
import type { PublicOperation } from '../public-documents/read-contract.ts'
import { agrees, locatedIn, shows } from './compare.ts'
import { type Collection, findCollections } from './find-collections.ts'
import { type Identity, isItem } from './item.ts'
import { queryParameters, walkList } from './list-pages.ts'
import { type Change, changeBody } from './make-change.ts'
import { keywordOf, propertiesOf } from './schemas.ts'
import { call, type Exchange, type Ids, segmentOf, type Session } from './session.ts'
import { createWorld, findItem, identitiesOf, itemIds, type World } from './world.ts'

/**
 * `unknown` is what could not be tried since nothing told the id. `skipped` is what no client could do by the document: no valid request was
 * found, nothing told an id of the path, no body is documented, or the required filter of a list leaves the item out.
 */
export type Verdict = 'passed' | 'generated' | 'refused' | 'skipped' | 'unknown' | 'wrong'

interface Step {
  readonly name: string
  readonly verdict: Verdict
  readonly why?: string | undefined
}

/** What became of one item of a collection. */
export interface Life {
  readonly collection: Collection
  readonly steps: readonly Step[]
}

/** Whether its create or its read is more than generated. A refused request does not tell: those are refused before. */
export function isInferred({ steps }: Life): boolean {
  return steps.some(({ name, verdict }) => ['create', 'read'].includes(name) && ['passed', 'wrong'].includes(verdict))
}

/** Walks the collections of a document, each with an item of its own. */
export async function* walkDocument(session: Session): AsyncGenerator<Life> {
  const collections = findCollections(session.contract)
  const world = createWorld(session, collections)
  for (const collection of collections) {
    const steps: Step[] = []
    await walkLife(world, collection, steps)
    yield { collection, steps }
  }
}

/** An item that is there, and where. */
interface Living {
  readonly world: World
  readonly collection: Collection
  readonly parents: Ids
  readonly ids: Ids
  readonly identity: Identity
  readonly steps: Step[]
}

async function walkLife(world: World, collection: Collection, steps: Step[]): Promise<void> {
  const parents = await world.parentIds(collection)
  const begun = await begin(world, collection, { parents, steps })
  if (!begun) return
  let living: Living = { world, collection, parents, steps, ...begun }
  if (collection.list && !steps.some(({ name }) => name === 'list')) await list(living, 'list')
  if (collection.replace) living = await change(living, 'replace', collection.replace)
  if (collection.merge) living = await change(living, 'merge', collection.merge)
  if (!collection.remove || !(await remove(living, collection.remove))) return
  if (collection.list) await list(living, 'list after delete')
}

interface Beginning {
  readonly parents: Ids
  readonly steps: Step[]
}

/** Creates an item and reads it, or reads one that is listed where nothing can be created. */
async function begin(world: World, collection: Collection, { parents, steps }: Beginning) {
  const { session } = world
  const living = (identity: Identity) => ({ identity, ids: itemIds(collection, parents, identity.id) })
  if (collection.create) {
    const { made, exchange } = await world.create(collection, collection.create, parents)
    const created = record(steps, 'create', exchange, () => agrees(session, exchange, made?.value))
    if (created === 'passed') {
      const candidates = identitiesOf(collection, exchange, made)
      const { identity, read } = await findItem(session, collection, parents, candidates)
      if (!read) steps.push({ name: 'read', verdict: 'unknown', why: 'nothing in the response tells the id' })
      else
        record(
          steps,
          'read',
          read,
          () => agrees(session, read, made?.value) ?? agrees(session, read, exchange.json, 'server'),
        )
      return identity && read?.isSuccess ? living(identity) : undefined
    }
  }
  if (!collection.list) return undefined
  const { elements, pages } = await walkList(session, collection.list, parents)
  const listed = record(steps, 'list', pages.at(-1))
  if (listed !== 'passed' || elements.length === 0) {
    // Nothing is known of what is there, yet the read shows whether it is inferred.
    const read = await call(session, collection.read, parents)
    steps.push({ name: 'read', verdict: read.isGenerated ? 'generated' : 'unknown', why: 'no item is listed' })
    return undefined
  }
  const [first] = elements
  const { identity, read } = await findItem(session, collection, parents, identitiesOf(collection, first))
  if (!read) steps.push({ name: 'read', verdict: 'unknown', why: 'nothing in the list tells the id' })
  else record(steps, 'read', read, () => agrees(session, read, first, 'server'))
  return identity && read?.isSuccess ? living(identity) : undefined
}

/** Notes what became of a step. @param check what is wrong with a success; undefined when nothing is */
function record(
  steps: Step[],
  name: string,
  exchange: Exchange | undefined,
  check: () => string | undefined = () => undefined,
): Verdict {
  const step = (verdict: Verdict, why?: string): Verdict => {
    steps.push({ name, verdict, why: why === undefined ? undefined : `${shown(exchange)}: ${why}` })
    return verdict
  }
  if (!exchange) return step('unknown', 'there was no response')
  const { response, isGenerated, isSuccess, flaw } = exchange
  if (isGenerated) return step('generated')
  if (response.status >= 500) return step('wrong', response.text.slice(0, 300))
  const isMissing = response.status === 404 && name.startsWith('read')
  if (isMissing) return step('wrong', `the item is not there: ${response.text.slice(0, 200)}`)
  if (!isSuccess) {
    const hindrance = hindranceOf(exchange)
    return hindrance === undefined
      ? step('refused', response.text.slice(0, 400))
      : step('skipped', `${hindrance}: ${response.text.slice(0, 400)}`)
  }
  const why = flaw ?? check()
  return why === undefined ? step('passed') : step('wrong', why)
}

/** Why a refused request was no fair one. */
function hindranceOf({ requestFlaw, isMadeUp, response }: Exchange): string | undefined {
  if (requestFlaw !== undefined) return `no valid request was found (${requestFlaw})`
  const isMissing = response.status === 404 || /There is no |item does not exist/.test(response.text)
  return isMadeUp && isMissing ? 'nothing tells an id of its path' : undefined
}

function shown(exchange: Exchange | undefined): string {
  if (!exchange) return ''
  return `${exchange.operation.method.toUpperCase()} ${exchange.target} ${exchange.response.status}`
}

/** Whether all pages of the list have the item, or none after it was deleted. */
async function list({ world, collection, parents, identity, steps }: Living, name: 'list' | 'list after delete') {
  const operation = collection.list
  if (!operation) return
  const { session } = world
  const { elements, pages } = await walkList(session, operation, parents)
  // A list that must have an item has none after its only one was deleted.
  const isEmptied = name === 'list after delete' && elements.length === 0
  const isBroken = (flaw: string | undefined) =>
    flaw !== undefined && !(isEmptied && /fewer than \d+ items$/.test(flaw))
  const broken = pages.find((page) => isBroken(page.flaw) || !page.isSuccess)
  const holds = elements.some((element) => isItem(element, identity))
  const isFiltered = queryParameters(session.contract.document, operation).some(({ required }) => required === true)
  if (name === 'list' && !holds && isFiltered && !broken && pages[0]?.isGenerated === false) {
    steps.push({ name, verdict: 'skipped', why: 'the list asks for a filter, and the item is not in it' })
    return
  }
  record(steps, name, broken ?? pages.at(-1), () => {
    if (name === 'list') return holds ? undefined : `none of the ${elements.length} elements is ${identity.id}`
    return holds ? `${identity.id} is still listed` : undefined
  })
}

/** Changes a member, and reads it. @returns what goes on, which may have another id: `PUT /pools/{pool_name} {"name": "new"}` */
async function change(living: Living, name: 'replace' | 'merge', operation: PublicOperation): Promise<Living> {
  const { world, collection, ids, steps } = living
  const { session } = world
  const before = await call(session, collection.read, ids)
  if (!before.isSuccess || before.isGenerated) return living
  const changed = changeOf(living, operation, before)
  if (!changed) {
    steps.push({ name, verdict: 'skipped', why: 'no body that changes something is documented' })
    return living
  }
  const exchange = await call(session, operation, ids, { body: changed.body })
  const verdict = record(steps, name, exchange, () => agrees(session, exchange, changed.value))
  if (verdict !== 'passed') return living
  const next = (await renamed(living, changed)) ?? living
  const after = await call(session, collection.read, next.ids)
  record(steps, `read after ${name}`, after, () => {
    const others = name === 'merge' ? agrees(session, after, without(before.json, changed), 'server') : undefined
    return agrees(session, after, changed.value) ?? others
  })
  return next
}

/** The item by the name that a change gave it, where it has its old one no longer. */
async function renamed(living: Living, { value }: Change): Promise<Living | undefined> {
  const { world, collection, parents, identity } = living
  const read = (ids: Ids) => call(world.session, collection.read, ids)
  const names = isObject(value) ? Object.values(value).filter((one) => typeof one === 'string') : []
  if (names.length === 0 || (await read(living.ids)).isSuccess) return undefined
  for (const id of names) {
    const ids = itemIds(collection, parents, id)
    if ((await read(ids)).isSuccess) return { ...living, ids, identity: { ...identity, id } }
  }
  return undefined
}

function changeOf(
  { world, collection, ids, identity }: Living,
  operation: PublicOperation,
  before: Exchange,
): Change | undefined {
  const { session, maker } = world
  const item = locatedIn(session, before, operation)
  const isInBody = operation.path.split('/').length < segmentOf(collection) + 1
  const named = Object.entries(item.value).filter(([, value]) => String(value) === identity.id)
  if (isInBody && !mayName(session, operation, named[0]?.[0])) return undefined
  return changeBody(maker, operation, {
    isWhole: operation.method === 'put',
    item: item.value,
    identity: isInBody ? Object.fromEntries(named.slice(0, 1)) : undefined,
    isVisible(path, value) {
      const held = path.reduce<unknown>((one, key) => (isObject(one) ? one[key] : undefined), item.value)
      // What names the item, or what it is in, is no client's to change.
      return ![...ids.values()].includes(String(held)) && shows(session, before, item, path, value)
    },
  })
}

/** Whether a body may have the member that names the item. */
function mayName({ contract: { document } }: Session, operation: PublicOperation, name = 'id'): boolean {
  const member = propertiesOf(document, documentedBody(document, operation)?.media.schema).get(name)
  return member !== undefined && keywordOf(document, member, 'readOnly') !== true
}

/** What a merge leaves as it was: everything but what it wrote, and what the server itself moves. */
function without(body: unknown, { value }: Change): unknown {
  const [inner, ...others] = isObject(value) ? Object.values(value) : []
  const written = { ...(isObject(value) ? value : {}), ...(isObject(inner) && others.length === 0 ? inner : {}) }
  const kept = (held: unknown): unknown => {
    if (Array.isArray(held) && held.length === 1) return held.map(kept)
    return isObject(held)
      ? Object.fromEntries(
          Object.entries(held)
            .filter(([name]) => !(name in written) && !MOVED.test(name))
            .map(([name, inner]) => [name, kept(inner)]),
        )
      : held
  }
  return kept(body)
}

const MOVED = /updat|modif|version|etag|revision|generation|last|changed|edited|sequence|_at$|At$|time|date/i

/** Whether the item was deleted. */
async function remove({ world, collection, ids, steps }: Living, operation: PublicOperation): Promise<boolean> {
  const { session } = world
  const verdict = record(steps, 'delete', await call(session, operation, ids))
  if (verdict !== 'passed') return false
  const after = await call(session, collection.read, ids)
  const name = 'read after delete'
  if (after.isGenerated) steps.push({ name, verdict: 'generated' })
  else {
    const why = whyNotGone(after)
    steps.push({ name, verdict: why === undefined ? 'passed' : 'wrong', why: why && `${shown(after)}: ${why}` })
  }
  return true
}

/** A read of something deleted is a 404 or 410; where the document has neither, some other 4xx. */
function whyNotGone({ operation, response, isSuccess, flaw }: Exchange): string | undefined {
  const { status, text } = response
  if (isSuccess) return 'a deleted item is served'
  if (status < 400 || status >= 500) return text.slice(0, 300)
  const own = (one: number): boolean => documentedName(operation.operation, one) !== undefined
  if (own(status))
    return status === 404 || status === 410 || !(own(404) || own(410)) ? flaw : `not 404: ${text.slice(0, 200)}`
  return status === 404 || status === 410 ? undefined : `the status is not documented: ${text.slice(0, 200)}`
}
