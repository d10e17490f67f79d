import type { PublicOperation } from '../public-documents/read-contract.ts'
import type { Collection } from './find-collections.ts'
import { identitiesIn, type Identity } from './item.ts'
import { walkList } from './list-pages.ts'
import { type BodyMaker, createBody, type Made } from './make-body.ts'
import { plain, singular } from './schemas.ts'
import { allowsId, call, type Exchange, type Ids, segmentOf, type Session } from './session.ts'

/** What the walks of one document share: the items that others are nested in, or refer to. */
export interface World {
  readonly session: Session
  readonly maker: BodyMaker
  /**
   * The ids of the items that a collection is nested in, which are created first. A new item has nothing below it, so that what clients
   * cannot create is looked for below one that is listed.
   */
  parentIds(collection: Collection): Promise<Ids>
  /** Creates an item; a second time where the body can name other items that were created for it. */
  create(collection: Collection, operation: PublicOperation, ids: Ids): Promise<Creation>
}

interface Creation {
  readonly made: Made | undefined
  readonly exchange: Exchange
}

export function createWorld(session: Session, collections: readonly Collection[]): World {
  const items = new Map<string, Promise<Ids>>()
  const linked = new Map<string, string>()
  const wanted = new Set<string>()
  /** Two that refer to each other are not waited for. */
  const beingMade = new Set<Collection>()
  let number = 0
  // Parents come first, and the first of a name is meant.
  const nouns = new Map(
    collections.toReversed().map((one) => [singular(one.path.slice(one.path.lastIndexOf('/') + 1)), one]),
  )
  const known = new Set(nouns.keys())
  const maker: BodyMaker = {
    contract: session.contract,
    validate: session.allowsRequest,
    next: () => ++number,
    linked(name) {
      // The longest noun that the name ends with: `origin_station_id` names a station.
      const noun = [...known].filter((one) => name === one || (one.length > 3 && name.endsWith(one))).sort(byLength)[0]
      if (noun === undefined) return undefined
      if (nouns.has(noun)) wanted.add(noun)
      return linked.get(noun)
    },
  }
  const world: World = {
    session,
    maker,
    parentIds: ({ parent, create }) => parentsOf(parent, create === undefined),
    async create(collection, operation, ids) {
      wanted.clear()
      const { parameter, read } = collection
      const made = createBody(maker, operation, { parameter, read, parents: parentNames(collection, ids) })
      const missing = [...wanted].filter((noun) => !linked.has(noun) && nouns.get(noun) !== collection)
      if (missing.length > 0) {
        for (const noun of missing) await link(noun)
        return this.create(collection, operation, ids)
      }
      return { made, exchange: await call(session, operation, ids, { body: made?.body }) }
    },
  }
  return world

  async function link(noun: string): Promise<void> {
    const collection = nouns.get(noun)
    nouns.delete(noun)
    if (!collection || isBeingMade(collection)) return
    const id = (await ensure(collection)).get(segmentOf(collection))
    if (id !== undefined) linked.set(noun, id)
  }

  function isBeingMade(collection: Collection | undefined): boolean {
    return collection !== undefined && (beingMade.has(collection) || isBeingMade(collection.parent))
  }

  function parentsOf(parent: Collection | undefined, isListed: boolean): Promise<Ids> {
    return parent ? ensure(parent, isListed) : Promise.resolve(new Map())
  }

  function ensure(collection: Collection, isListed = false): Promise<Ids> {
    const key = `${isListed ? 'listed' : 'any'} ${collection.path}`
    const known = items.get(key)
    if (known) return known
    beingMade.add(collection)
    const made = makeItem(collection, isListed).finally(() => beingMade.delete(collection))
    items.set(key, made)
    return made
  }

  async function makeItem(collection: Collection, isListed: boolean): Promise<Ids> {
    const ids = await parentsOf(collection.parent, isListed || collection.create === undefined)
    const listed = isListed ? await listedItem(world, collection, ids) : undefined
    const found = listed ?? (await anyItem(world, collection, ids))
    return found ? new Map([...ids, [segmentOf(collection), found.id]]) : ids
  }
}

/** `attribute` and `attributecode` of `/attributes/{attribute_code}/options`. */
function parentNames({ parent }: Collection, ids: Ids): ReadonlyMap<string, string> {
  if (!parent) return new Map()
  const id = ids.get(segmentOf(parent))
  const noun = singular(parent.path.slice(parent.path.lastIndexOf('/') + 1))
  const own = id === undefined ? [] : [noun, plain(parent.parameter)].map((name): [string, string] => [name, id])
  return new Map([...parentNames(parent, ids), ...own])
}

async function anyItem(world: World, collection: Collection, ids: Ids): Promise<Identity | undefined> {
  const { create } = collection
  if (create) {
    const { exchange } = await world.create(collection, create, ids)
    const { identity } = exchange.isSuccess
      ? await findItem(world.session, collection, ids, identitiesOf(collection, exchange))
      : NOTHING
    if (identity) return identity
  }
  return listedItem(world, collection, ids)
}

async function listedItem(world: World, collection: Collection, ids: Ids): Promise<Identity | undefined> {
  const { list } = collection
  if (!list) return undefined
  const [first] = (await walkList(world.session, list, ids)).elements
  return (await findItem(world.session, collection, ids, identitiesOf(collection, first))).identity
}

function byLength(a: string, b: string): number {
  return b.length - a.length
}

const NOTHING: Found = { identity: undefined, read: undefined }

/** What may name an item, by a response or by an element of a list. */
export function identitiesOf({ parameter, path, read }: Collection, shown: unknown, made?: Made): Identity[] {
  const inBody = identitiesIn(isExchange(shown) ? shown.json : shown, parameter, path)
  const location = isExchange(shown) ? shown.response.headers.location : undefined
  const last = location?.split(/[?#]/)[0]?.split('/').filter(Boolean).at(-1)
  // A suffix such as `.json` is the path's.
  const suffix = /\.(?:json|xml)$/.exec(read.path)?.[0] ?? ''
  const id = last?.slice(0, last.endsWith(suffix) ? last.length - suffix.length : undefined)
  const inLocation = id === undefined ? [] : [{ id: decodeURIComponent(id), name: parameter }]
  const found = [...inBody, ...inLocation, ...(made ? identitiesIn(made.value, parameter, path) : [])]
  return found.filter(({ id }, index) => found.findIndex((one) => one.id === id) === index)
}

function isExchange(value: unknown): value is Exchange {
  return typeof value === 'object' && value !== null && 'response' in value && 'isGenerated' in value
}

export interface Found {
  readonly identity: Identity | undefined
  /** The read that found it, or the first one that did not. */
  readonly read: Exchange | undefined
}

/** Reads the first candidate that there is. */
export async function findItem(
  session: Session,
  collection: Collection,
  ids: Ids,
  candidates: readonly Identity[],
): Promise<Found> {
  let first: Exchange | undefined
  const allowed = candidates.filter(({ id }) => allowsId(session, collection.read, segmentOf(collection), id))
  for (const identity of allowed) {
    const read = await call(session, collection.read, itemIds(collection, ids, identity.id))
    first ??= read
    if (read.isSuccess || read.response.status >= 500) return { identity, read }
  }
  return { identity: undefined, read: first }
}

export function itemIds(collection: Collection, ids: Ids, id: string): Ids {
  return new Map([...ids, [segmentOf(collection), id]])
}
