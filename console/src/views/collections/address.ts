import type { Collection } from '../../../../src/control/client/types.ts'

/** What an address below `#/collections/` shows. */
export interface Address {
  /** The name of a collection or of an instance; undefined for the overview. */
  readonly name: string | undefined
  /** The id of a document of it. */
  readonly id: string | undefined
}

type Known = readonly Pick<Collection, 'name' | 'path' | 'parent'>[]

/**
 * Reads an address. Names contain slashes, and a path of the contract may contain `items` itself.
 *
 * @param hash `#/collections/customers/1/orders/items/7`
 */
export function readAddress(hash: string, collections: Known = []): Address {
  const parts = hash
    .replace(/^#?\/?collections\/?/, '')
    .split('/')
    .filter((part) => part !== '')
    .map(decode)
  if (parts.length === 0) return { name: undefined, id: undefined }
  const whole = parts.join('/')
  const isItem = parts.length > 2 && parts.at(-2) === 'items'
  const name = parts.slice(0, -2).join('/')
  if (!isItem || (findCollection(whole, collections) && !findCollection(name, collections)))
    return { name: whole, id: undefined }
  return { name, id: parts.at(-1) }
}

/** The address of a collection, or of a document of it. */
export function addressOf(name: string, id?: string): string {
  const parts = name.split('/').map(encodeURIComponent)
  return `#/collections/${parts.join('/')}${id === undefined ? '' : `/items/${encodeURIComponent(id)}`}`
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

function isParameter(segment: string): boolean {
  return segment.startsWith('{') && segment.endsWith('}')
}

/** The name of a collection with its parameters: one that `x-standin` names has them behind its name. */
function templateOf({ name, path }: Pick<Collection, 'name' | 'path'>): string {
  return name.includes('{') ? name : [name, ...path.split('/').filter(isParameter)].join('/')
}

/** The collection that a name belongs to: its own, that of an instance, or one with some of the ids. */
export function findCollection<One extends Known[number]>(name: string, collections: readonly One[]): One | undefined {
  const parts = name.split('/')
  return collections.find((one) => {
    if (one.name === name) return true
    const template = templateOf(one).split('/')
    return template.length === parts.length && template.every((part, at) => isParameter(part) || part === parts[at])
  })
}

/** An id that the name of a nested collection lacks: `customers/{customerId}/orders`. */
export interface Gap {
  /** `customerId` */
  readonly parameter: string
  /** The collection whose documents have such ids; undefined where it is not known. */
  readonly parent: string | undefined
  /** The name with the id. */
  fill(id: string): string
}

/** The first id that a name lacks; undefined for one that is complete. */
export function findGap(name: string, collections: Known): Gap | undefined {
  const collection = findCollection(name, collections)
  const parts = (collection?.name === name ? templateOf(collection) : name).split('/')
  const at = parts.findIndex(isParameter)
  if (at === -1) return undefined
  const template = (collection ? templateOf(collection) : name).split('/')
  const ids = parts.slice(0, at).filter((_, index) => isParameter(template[index] ?? ''))
  const parent = collection && ancestorOf(collection, ids.length, collections)
  return {
    parameter: (parts[at] ?? '').slice(1, -1),
    parent: parent && fillIn(templateOf(parent), ids),
    fill: (id) => parts.map((part, index) => (index === at ? encodeURIComponent(id) : part)).join('/'),
  }
}

/** The ancestor whose own name has so many parameters. */
function ancestorOf(collection: Known[number], count: number, collections: Known): Known[number] | undefined {
  let one: Known[number] | undefined = collection
  // Contracts nest collections a few levels deep.
  for (let level = 0; one && level < 20; level++) {
    const { parent: above }: Known[number] = one
    one = collections.find(({ name }) => name === above)
    if (one?.path.split('/').filter(isParameter).length === count) return one
  }
  return undefined
}

function fillIn(template: string, ids: readonly string[]): string {
  const values = ids.values()
  return template
    .split('/')
    .map((part) => (isParameter(part) ? (values.next().value ?? part) : part))
    .join('/')
}

/** The name of a nested collection for one item of its parent. @param instance the name that the parent is shown under */
export function childName(
  child: Pick<Collection, 'name' | 'path'>,
  { instance, id }: { instance: string; id: string },
): string {
  const ids = [...instance.split('/'), encodeURIComponent(id)]
  const template = templateOf(child).split('/')
  if (template[0] === ids[0] && child.name.includes('{'))
    return template.map((part, at) => (isParameter(part) ? (ids[at] ?? part) : part)).join('/')
  return fillIn(template.join('/'), [encodeURIComponent(id)])
}
